"""Other declared types for inputs, outputs and values inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.dryrun.tensor import Tensor
from irlint.findings import Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.site import Site, Whole
from irlint.formats.onnx.tensors import MOST_AXES
from irlint.formats.onnx.wire.messages import DTYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.graph import Shape, Type
from irlint.text.base import Path

_WORDS = ("input", "output", "value_info")
_LIKELY = ("float32", "int64", "bool", "int32")
_SIZES = 4
_NUMBERS = (1, 7, 6, 9, 10, 11, 2, 3, 8, 16)


def type_candidates(whole: Whole, path: Path) -> Iterator[Candidate]:
    """Yield other types for the declaration that a path is in, and for those of the outputs of the node that it is in."""
    for size in range(len(path), 1, -1):
        at = path[:size]
        if isinstance(at[-1], int) and at[-2] in _WORDS and at[0] == "graph" and "node" not in at[-3:-2]:
            if not (at[-2] in ("input", "output") and isinstance(at[-3], int) and at[-4] == "node"):
                yield from _at(whole, at)
            return
    site = whole.site(path)
    if site is None or not site.is_call:
        return
    names = site.tree.get("output", ())
    home = site.path[:-2]
    tree = whole.document.value_at(home)
    for word in ("value_info", "output"):
        for k, value in enumerate(tree.get(word, ())):
            if isinstance(value, dict) and value.get("name") in names:
                yield from (one._replace(likelihood=one.likelihood + 1) for one in _at(whole, (*home, word, k)))


def _with_symbols(shape: Shape | None, tensor: Tree) -> Shape | None:
    """Return an inferred shape with the names that the declared one has for dimensions of unknown size."""
    dims = tensor.get("shape", {}).get("dim", ())
    if shape is None or len(dims) != len(shape):
        return shape
    return tuple(
        [one if isinstance(one, int) else dim.get("dim_param") or one for one, dim in zip(shape, dims, strict=True)]
    )


def _at(whole: Whole, path: Path) -> Iterator[Candidate]:
    document = whole.document
    value: Tree = document.value_at(path)
    name, kind = value.get("name", ""), value.get("type", {})
    inferred = _inferred(whole, path, name)
    word = path[-2]

    def candidate(new: Tree, title: str, likelihood: int) -> Candidate:
        return Candidate(title, document.changed((*path, "type"), new), likelihood)

    if inferred is not None and inferred.dtype is not None and word != "input":
        found = Type(inferred.dtype, _with_symbols(inferred.shape, kind.get("tensor_type", {})))
        yield candidate(tree_of(found), "Declare the inferred type", 1)
    if word == "value_info":
        yield Candidate(f"Remove the declaration of {name!r}", document.removed(path), 0)
        return
    tensor = kind.get("tensor_type")
    if word == "input" and tensor is None and not kind:
        for guess, likelihood in _guesses(whole, name):
            yield candidate(tree_of(guess), f"Declare the type of {name!r}", likelihood)._replace(is_guess=True)
    if tensor is None:
        return
    for number in _NUMBERS:
        if number != tensor.get("elem_type"):
            new = {**kind, "tensor_type": {**tensor, "elem_type": number}}
            yield candidate(new, f"Declare {DTYPES[number]} for {name!r}", 2 if number == 1 else 3)
    dims = tensor.get("shape", {}).get("dim", [])
    if word != "input" or "shape" not in tensor or len(dims) > MOST_AXES:
        return
    shapes: list[tuple[list[Tree], str, int]] = []
    for k, dim in enumerate(dims):
        shapes.append(([*dims[:k], {}, *dims[k + 1 :]], f"Leave dimension {k} of {name!r} open", 3))
        shapes.append(([*dims[:k], *dims[k + 1 :]], f"Remove dimension {k} of {name!r}", 2))
        if dim.get("dim_value", 0) < 0:
            shapes.append(([*dims[:k], {}, *dims[k + 1 :]], f"Leave dimension {k} of {name!r} open", 0))
    if len(dims) > 2:
        first = [dims[0], dims[-1], *dims[1:-1]]
        words = ", ".join(str(dim.get("dim_value", dim.get("dim_param", "?"))) for dim in first)
        shapes.append((first, f"Declare shape [{words}] for {name!r}", 1))  # channels first
    for size in _wanted(whole, name):
        for k in range(len(dims)):
            new_dims = [*dims[:k], {"dim_value": size}, *dims[k + 1 :]]
            shapes.append((new_dims, f"Set dimension {k} of {name!r} to {size}", 2 if k == 1 else 3))
    shapes += [([*dims[:k], {}, *dims[k:]], f"Add a dimension to {name!r}", 3) for k in range(len(dims) + 1)]
    shapes += [([{}] * len(dims), f"Leave the dimensions of {name!r} open", 4)]
    for new_dims, title, likelihood in shapes:
        one = candidate({**kind, "tensor_type": {**tensor, "shape": {"dim": new_dims}}}, title, likelihood)
        yield one._replace(is_guess=title.startswith("Leave"))  # which fits whatever is wrong


def _wanted(whole: Whole, name: str) -> list[int]:
    """Return the sizes of the weights with which calls take an input: numbers of channels among them."""
    found: dict[int, None] = {}
    for graph in whole.graphs[:1]:
        for node in graph.nodes:
            names = whole.document.value_at(node.path).get("input", ()) if node.kind == "call" else ()
            for source in node.inputs if name in names else ():
                if source[0] >= 0 and graph.nodes[source[0]].op == "Initializer":
                    shape = whole.type_of(graph, *source).shape or ()
                    found |= dict.fromkeys(size for size in shape[1:2] if isinstance(size, int))
    return list(found)[:_SIZES]


def _inferred(whole: Whole, path: Path, name: str) -> Tensor | None:
    """Return what a name turns out to be in the graph that declares it."""
    for graph in whole.graphs:
        if graph.nodes and graph.nodes[-1].path[: len(path) - 2] != path[:-2]:
            continue
        for node in graph.nodes:
            if len(node.path) != len(path):
                continue
            for k, value in enumerate(node.outputs):
                if value.name == name:
                    return whole.type_of(graph, node.index, k)
    return None


def _guesses(whole: Whole, name: str) -> Iterator[tuple[Type, int]]:
    """Yield types for an input that has none: those of what its users read next to it, of any rank."""
    for guess in used_types(whole, name):
        yield guess, 2
    for rank in (4, 2, 3, 1, 0, 5):
        for dtype in ("float32", "int64", "bool", "int32"):
            yield Type(dtype, (None,) * rank), 3 + (dtype != "float32")


def used_types(whole: Whole, name: str) -> list[Type]:
    """Return the types that the users of a name read or output beside it, with open sizes, the likeliest first."""
    found: dict[Type, None] = {}
    for graph in whole.graphs:
        for node in graph.nodes:
            if node.kind != "call" or name not in whole.document.value_at(node.path).get("input", ()):
                continue
            types = [value.type for value in node.outputs]
            types += [whole.type_of(graph, *source).type for source in node.inputs if source[0] >= 0]
            for one in types:
                if one.dtype is not None and one.shape is not None:
                    found.setdefault(Type(one.dtype, (None,) * len(one.shape)))
                    found.setdefault(one)
    return list(found)


def taken_types(whole: Whole, name: str) -> list[Type]:
    """Return the types that the users of a name take, the likeliest first."""
    used = used_types(whole, name)
    found, shapes = dict.fromkeys(used), [kind.shape for kind in used]
    for graph in whole.graphs:
        for node in graph.nodes:
            names = whole.document.value_at(node.path).get("input", ()) if node.kind == "call" else ()
            site = Site(whole, graph, node) if name in names else None
            ports = site.operator.inputs if site is not None and site.operator is not None else ()
            for port, given in zip(ports, names, strict=False):
                if given == name and site is not None and site.operator is not None:
                    dtypes = sorted(opsets.types_of(site.operator.name, str(port.facts.get("type", ""))))
                    likely = [dtype for dtype in _LIKELY if dtype in dtypes]
                    found.update(dict.fromkeys(Type(dtype, shape) for dtype in likely for shape in shapes))
    return list(found)


def tree_of(kind: Type) -> Tree:
    """Return a type as a model declares it; an empty one if it is not known."""
    if kind.dtype is None:
        return {}
    number = next((number for number, word in DTYPES.items() if word == kind.dtype), 0)
    tensor: Tree = {"elem_type": number}
    if kind.shape is not None:
        tensor["shape"] = {"dim": [_dim(size) for size in kind.shape]}
    return {"tensor_type": tensor}


def _dim(size: Any) -> Tree:
    if isinstance(size, int):
        return {"dim_value": size}
    return {"dim_param": size} if isinstance(size, str) and size.isidentifier() else {}
