"""Other declared types for inputs, outputs and values inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx.candidates.model import WholeModel
from irlint.formats.onnx.candidates.site import OnnxSite, site_at
from irlint.formats.onnx.read import source_of
from irlint.formats.onnx.tensors import MOST_AXES
from irlint.formats.onnx.wire import DTYPE_NUMBERS, DTYPES
from irlint.graph import Shape, Type
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree

_DECLARING = ("input", "output", "value_info")
_LIKELY = ("float32", "int64", "bool", "int32")
_SIZES = 4
_NUMBERS = (1, 7, 6, 9, 10, 11, 2, 3, 8, 16)

Draft = tuple[Tree, str, int, bool]  # another type, what it is, how likely it is, and whether it fits whatever is wrong


def type_candidates(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield other types for the declaration that a path is in, and for those of the outputs of the node that it is in."""
    at = _list_item(path)
    if at is not None:
        yield from _at(whole, at) if at[-4:-3] != ("node",) else ()
        return
    site = site_at(whole, path)
    if site is None or not site.is_call:
        return
    home = site.path[:-2]
    for word in ("value_info", "output"):
        for k, value in enumerate(whole.document.value_at(home).get(word, ())):
            if isinstance(value, dict) and value.get("name") in site.outputs:
                yield from (one._replace(likelihood=one.likelihood + 1) for one in _at(whole, (*home, word, k)))


def as_declared(whole: WholeModel, at: Path, path: Path) -> Iterator[Candidate]:
    """Yield an input with the element type that a value inside declares: of two declarations each may be wrong."""
    declared = _list_item(path)
    wanted = _element(whole, declared) if declared is not None and declared[-2] == "value_info" else None
    if wanted and _element(whole, at) not in (wanted, None):
        value = whole.document.value_at(at)
        kind = {**value["type"], "tensor_type": {**value["type"]["tensor_type"], "elem_type": wanted}}
        title = f"Declare {DTYPES.get(wanted)} for {value.get('name', '')!r}"
        yield Candidate(title, whole.document.changed((*at, "type"), kind), EVIDENT, True)


def _element(whole: WholeModel, at: Path) -> int | None:
    number: int | None = whole.document.value_at(at).get("type", {}).get("tensor_type", {}).get("elem_type")
    return number


def _list_item(path: Path) -> Path | None:
    """Return the innermost input, output or value that a path of the model's graph is in: of a graph or of a node."""
    starts = (path[:size] for size in range(len(path), 2, -1) if path[0] == "graph" and path[size - 2] in _DECLARING)
    return next((at for at in starts if isinstance(at[-1], int)), None)


def _at(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield other types for a declaration."""
    word, value = path[-2], whole.document.value_at(path)
    for new, title, likelihood, is_guess in _drafts(whole, path, value.get("name", ""), value.get("type", {})):
        yield Candidate(title, whole.document.changed((*path, "type"), new), likelihood, is_guess)
    if word == "value_info":
        yield Candidate(f"Remove the declaration of {value.get('name', '')!r}", whole.document.removed(path), EVIDENT)


def _drafts(whole: WholeModel, path: Path, name: str, kind: Tree) -> Iterator[Draft]:
    word, tensor = path[-2], kind.get("tensor_type")
    inferred = whole.type_of_name(path[:-2], name)
    if word == "output" and inferred.dtype is not None:  # without its declaration, a value inside has the inferred type
        yield (
            tree_of(Type(inferred.dtype, _with_symbols(inferred.shape, tensor or {}))),
            "Declare the inferred type",
            1,
            False,
        )
    if word == "input" and not kind:
        for guess, likelihood in _guesses(whole, name):
            yield tree_of(guess), f"Declare the type of {name!r}", likelihood, True
    if word == "value_info" or tensor is None:
        return
    for number in _NUMBERS:
        if number != tensor.get("elem_type"):
            new = {**tensor, "elem_type": number}
            yield {**kind, "tensor_type": new}, f"Declare {DTYPES[number]} for {name!r}", 2 if number == 1 else 3, False
    if word == "input" and "shape" in tensor:
        for dims, title, likelihood, is_guess in _shapes(tensor["shape"].get("dim", []), name, _wanted(whole, name)):
            yield {**kind, "tensor_type": {**tensor, "shape": {"dim": dims}}}, title, likelihood, is_guess


def _with_symbols(shape: Shape | None, tensor: Tree) -> Shape | None:
    """Return an inferred shape with the names that the declared one has for dimensions of unknown size."""
    dims = tensor.get("shape", {}).get("dim", ())
    if shape is None or len(dims) != len(shape):
        return shape
    return tuple(
        [one if isinstance(one, int) else dim.get("dim_param") or one for one, dim in zip(shape, dims, strict=True)]
    )


def _shapes(dims: list[Tree], name: str, sizes: list[int]) -> Iterator[tuple[list[Tree], str, int, bool]]:
    """Yield other dimensions for an input: open, without one, channels first, of other sizes, with one more."""
    if len(dims) > MOST_AXES:
        return
    for k, dim in enumerate(dims):
        likelihood = 0 if dim.get("dim_value", 0) < 0 else 3
        yield [*dims[:k], {}, *dims[k + 1 :]], f"Leave dimension {k} of {name!r} open", likelihood, True
        yield [*dims[:k], *dims[k + 1 :]], f"Remove dimension {k} of {name!r}", 2, True
    if len(dims) > 2:
        first = [dims[0], dims[-1], *dims[1:-1]]
        words = ", ".join(str(dim.get("dim_value", dim.get("dim_param", "?"))) for dim in first)
        yield first, f"Declare shape [{words}] for {name!r}", 1, False
    for size in sizes:
        for k in range(len(dims)):
            likelihood = 2 if k == 1 else 3  # channels
            new = [*dims[:k], {"dim_value": size}, *dims[k + 1 :]]
            yield new, f"Set dimension {k} of {name!r} to {size}", likelihood, False
    for k in range(len(dims) + 1):
        yield [*dims[:k], {}, *dims[k:]], f"Add a dimension to {name!r}", 3, False
    yield [{}] * len(dims), f"Leave the dimensions of {name!r} open", 4, True


def _wanted(whole: WholeModel, name: str) -> list[int]:
    """Return the sizes of the weights with which calls take an input: numbers of channels among them."""
    main = whole.graphs[0]
    makers = [
        source_of(main, node, k)
        for graph, node in whole.readers(name)
        if graph is main
        for k in range(len(node.inputs))
    ]
    weights = [maker for maker in makers if maker is not None and maker.op == "Initializer"]
    sizes = [size for maker in weights for size in (whole.type_of(main, maker.index, 0).shape or ())[1:2]]
    return list(dict.fromkeys(size for size in sizes if isinstance(size, int)))[:_SIZES]


def _guesses(whole: WholeModel, name: str) -> Iterator[tuple[Type, int]]:
    """Yield types for an input that has none: those of what its users read next to it, of any rank."""
    for guess in used_types(whole, name):
        yield guess, 2
    for rank in (4, 2, 3, 1, 0, 5):
        for dtype in ("float32", "int64", "bool", "int32"):
            yield Type(dtype, (None,) * rank), 3 + (dtype != "float32")


def used_types(whole: WholeModel, name: str) -> list[Type]:
    """Return the types that the users of a name read or output next to it, with open sizes, the most likely first."""
    found: dict[Type, None] = {}
    for graph, node in whole.readers(name):
        read = [whole.type_of(graph, *source).type for source in node.inputs]
        for one in (*(value.type for value in node.outputs), *read):
            if one.dtype is not None and one.shape is not None:
                found.setdefault(Type(one.dtype, (None,) * len(one.shape)))
                found.setdefault(one)
    return list(found)


def taken_types(whole: WholeModel, name: str) -> list[Type]:
    """Return the types that the users of a name take, the most likely first."""
    used = used_types(whole, name)
    found = dict.fromkeys(used)
    for graph, node in whole.readers(name):
        site = OnnxSite(whole, graph, node)
        ports = site.operator.inputs if site.operator is not None else ()
        places = [k for k, given in enumerate(site.inputs[: len(ports)]) if given == name]
        dtypes = [dtype for k in places for dtype in _LIKELY if dtype in site.allowed(k)]
        found.update(dict.fromkeys(Type(dtype, kind.shape) for dtype in dtypes for kind in used))
    return list(found)


def tree_of(kind: Type) -> Tree:
    """Return a type as a model declares it; an empty one if it is not known."""
    if kind.dtype is None:
        return {}
    tensor: Tree = {"elem_type": DTYPE_NUMBERS.get(kind.dtype, 0)}
    if kind.shape is not None:
        tensor["shape"] = {"dim": [_dim(size) for size in kind.shape]}
    return {"tensor_type": tensor}


def _dim(size: Any) -> Tree:
    if isinstance(size, int):
        return {"dim_value": size}
    return {"dim_param": size} if isinstance(size, str) and size.isidentifier() else {}
