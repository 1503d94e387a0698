"""The types and values of initializers and of Constant nodes."""

from __future__ import annotations

from math import prod
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.tensor import Entries
from irlint.formats.onnx.tensors import TensorData
from irlint.graph import Node, Type
from irlint.text.prototext.messages import Tree

# the attributes of Constant that are not tensors: the element type, and whether it is a list
_PLAIN = {
    "value_float": ("float32", False),
    "value_floats": ("float32", True),
    "value_int": ("int64", False),
    "value_ints": ("int64", True),
    "value_string": ("string", False),
    "value_strings": ("string", True),
}


def constant_type(node: Node) -> Type:
    tensor = _tensor(node)
    if tensor is not None:
        return Type(tensor.dtype, tensor.shape)
    if (sparse := _sparse(node)) is not None:
        return Type(TensorData(sparse.get("values", {})).dtype, tuple(sparse.get("dims", ())))
    if (found := _plain(node)) is None:
        return Type()
    dtype, value = found
    return Type(dtype, (len(value),) if isinstance(value, tuple) else ())


def constant_entries(node: Node) -> Entries | None:
    tensor = _tensor(node)
    if tensor is not None:
        found: Entries | None = tensor.entries()
        return found
    if (plain := _plain(node)) is None or plain[0] == "string":
        return None
    return plain[1] if isinstance(plain[1], tuple) else (plain[1],)


def raw_bytes(node: Node) -> bytes | None:
    """Return the elements as the file has them, in little-endian bytes; None if they are written in another way."""
    tensor = _tensor(node)
    return None if tensor is None else tensor.tree.get("raw_data")


def constant_array(node: Node) -> Any:
    """Return the data; raises LookupError if there is none."""
    tensor = _tensor(node)
    if tensor is not None:
        return tensor.array()
    if (sparse := _sparse(node)) is not None:
        return _dense(sparse)
    if (plain := _plain(node)) is None:
        raise LookupError(node.name)
    dtype, value = plain
    return np.array(value, object if dtype == "string" else dtype)


def _tensor(node: Node) -> TensorData | None:
    found = node.attrs.get("value")
    return found if isinstance(found, TensorData) else None


_MOST_DENSE = 1 << 32  # bytes of a sparse tensor with its zeros


def _sparse(node: Node) -> Tree | None:
    """Return what the file says of a sparse initializer, or of a Constant with a sparse tensor."""
    found = node.attrs.get("sparse" if node.op == "Initializer" else "sparse_value")
    return found if isinstance(found, dict) else None


def _dense(sparse: Tree) -> Any:
    """Return all elements of a sparse tensor; its indices are places in it, or coordinates."""
    numbers, places = (TensorData(sparse.get(word, {})).array() for word in ("values", "indices"))
    dims = tuple(sparse.get("dims", ()))
    if prod(dims) * numbers.dtype.itemsize > _MOST_DENSE:
        raise ValueError("a sparse tensor that no memory can hold")
    found = np.zeros(dims, numbers.dtype)
    if places.ndim == 1:
        found.reshape(-1)[places] = numbers
    else:
        found[tuple(places.T)] = numbers
    return found


def _plain(node: Node) -> tuple[str, Any] | None:
    """Return the element type and the value of a Constant that has no tensor; None where it has neither."""
    for name, (dtype, is_list) in _PLAIN.items():
        value = node.attrs.get(name)
        if value is not None and isinstance(value, tuple) == is_list:
            return dtype, value
    return None
