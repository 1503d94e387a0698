"""The types and values of initializers and of Constant nodes."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.tensor import Entries
from irlint.graph import Node, Type

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
    for name, (dtype, listed) in _PLAIN.items():
        if name in node.attrs:
            return Type(dtype, (len(node.attrs[name]),) if listed else ())
    return Type()


def constant_entries(node: Node) -> Entries | None:
    tensor = _tensor(node)
    if tensor is not None:
        found: Entries | None = tensor.entries()
        return found
    for name, (dtype, listed) in _PLAIN.items():
        if name in node.attrs and dtype != "string":
            return tuple(node.attrs[name]) if listed else (node.attrs[name],)
    return None


def constant_array(node: Node) -> Any:
    """Return the data; raises LookupError if there is none."""
    tensor = _tensor(node)
    if tensor is not None:
        return tensor.array()
    for name, (dtype, _) in _PLAIN.items():
        if name in node.attrs:
            return np.array(node.attrs[name], object if dtype == "string" else dtype)
    raise LookupError(node.name)


def _tensor(node: Node) -> Any:
    return node.attrs.get("value") or node.attrs.get("sparse_value")
