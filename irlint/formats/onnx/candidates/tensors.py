"""Other sizes, element types, numbers and places for an initializer or the tensor of a Constant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice
from math import prod
from typing import Any

from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx.candidates.numbers import is_rather
from irlint.formats.onnx.candidates.site import OnnxSite, cast_to, renamed, written
from irlint.formats.onnx.tensors import FIELDS, HALVES, MOST, MOST_AXES, SHOWN, TensorData, bits, elements, half_bits
from irlint.formats.onnx.trees import names_of, numbers_of
from irlint.formats.onnx.wire import DTYPES
from irlint.graph import Node
from irlint.text.base import Edit, Path
from irlint.text.prototext.messages import Tree
from irlint.tools import later

_FLOATS = (1, 10, 11, 16)
_INTEGERS = (7, 6, 2, 3, 9, 4, 5, 12, 13)
_CASTS = (*_FLOATS, 7, 6, 2, 3)
_RANGES = {"bool": (0, 1)}  # of integers of each type
for _bits in (8, 16, 32, 64):
    _RANGES |= {f"int{_bits}": (-(1 << (_bits - 1)), (1 << (_bits - 1)) - 1), f"uint{_bits}": (0, (1 << _bits) - 1)}
_LARGEST_HALF = 65504.0
_DIVISORS = 24  # ways to split one size
_REPEATED = 4096  # elements of a tensor of one number
_APPENDED = 6  # sizes
_SWAPS = 6  # pairs of axes
_QUANTIZED = later(r"(?i)quantize|QLinear|QGemm|QAttention")

Draft = tuple[Tree, str, int]  # another tensor, what it is, and how likely it is
Change = tuple[
    Sequence[Any], list[int] | None, str, int
]  # other elements, another shape, what that is, and how likely it is


def quantized(op: str) -> bool:
    """Return whether scales and zero points say what an operator's numbers mean, so that a cast would change that."""
    return _QUANTIZED.search(op) is not None


def tensor_candidates(site: OnnxSite) -> Iterator[Candidate]:
    """Yield other tensors for an initializer or a Constant, and nodes that turn it into what its users need."""
    steps, tensor = _tensor(site)
    if tensor is None:
        return
    index = site.node.index
    users = [user for user in site.graph.nodes if any(source == index for source, _ in user.inputs)]
    for new, title, likelihood in chain(repaired_tensors(tensor), _other_numbers(site, tensor, users)):
        yield site.candidate(title, likelihood, (*steps, new), is_guess=_is_lossy(tensor, new))
    if site.path[:-1] != ("graph", "initializer"):
        return
    if users and all(user.kind == "call" for user in users):
        yield from _converted(site, users)
    if not site.whole.read[site.node.name]:
        graph = site.document.tree["graph"]
        given = set(names_of(graph["initializer"]))
        for other in (*site.whole.undefined, *(name for name in names_of(graph.get("input", ())) if name not in given)):
            yield site.candidate(f"Rename to {other!r}", 1, ("name", other))


def _is_lossy(tensor: Tree, new: Tree) -> bool:
    """Return whether integers become fractions, which they may have been before."""
    are_integers = tensor.get("data_type") in _INTEGERS and "raw_data" not in new
    return are_integers and new.get("data_type") in _FLOATS


def _tensor(site: OnnxSite) -> tuple[Path, Tree | None]:
    """Return the tensor of an initializer or a Constant, and where it is in that."""
    if site.path[-2] == "initializer":
        return (), site.tree
    rows = site.tree.get("attribute", ()) if site.node.op == "Constant" else ()
    return next(((("attribute", k, "t"), one["t"]) for k, one in enumerate(rows) if "t" in one), ((), None))


def repaired_tensors(tensor: Tree) -> Iterator[Draft]:
    """Yield tensors of the same data with other sizes or another element type."""
    dims, dtype = [*tensor.get("dims", ())], DTYPES.get(tensor.get("data_type", 0))
    if len(dims) > MOST_AXES or elements(dims) >= MOST:
        return
    held, size = held_bytes(tensor), prod(dims)
    count = _count(held, dtype, size)
    if dtype is not None or held is None:
        for shape, likelihood in _same_count(dims) if count == size else _of_count(dims, count):
            yield {**tensor, "dims": shape}, f"Set the shape to {shape}", likelihood
    if held is None or "raw_data" not in tensor:
        return
    for other in (*_FLOATS, *_INTEGERS):
        if size * bits(DTYPES[other]) == held * 8 and DTYPES[other] != dtype:
            likelihood = 4 if dtype is not None and count == size else 1
            likelihood *= not is_rather(tensor["raw_data"], DTYPES[other], dtype)
            yield {**tensor, "data_type": other}, f"Set the element type to {DTYPES[other]}", likelihood


def _count(held: int | None, dtype: str | None, size: int) -> int:
    """Return how many elements the data has; where that is not known, as many as the shape says."""
    width = 0 if dtype is None else bits(dtype)
    return size if held is None or not width else held * 8 // width


def held_bytes(tensor: Tree) -> int | None:
    """Return how many bytes a tensor's data has; None if that is not known."""
    if "external_data" in tensor or tensor.get("cut"):
        return None
    if "raw_data" in tensor:
        return len(tensor["raw_data"])
    dtype = DTYPES.get(tensor.get("data_type", 0), "string")
    values = tensor.get(FIELDS.get(dtype, "int32_data"))
    return None if values is None or dtype == "string" else len(numbers_of(values)) * bits(dtype) // 8


def _of_count(dims: list[int], count: int) -> Iterator[tuple[list[int], int]]:
    """Yield shapes of so many elements that differ in one size. Other sizes that divide the count are evidence."""
    for k in range(len(dims)):
        left = [*dims[:k], *dims[k + 1 :]]
        likelihood = EVIDENT if prod(left) > 1 else 1
        if prod(left) == count:
            yield left, likelihood
        if count and prod(left) and count % prod(left) == 0:
            yield [*dims[:k], count // prod(left), *dims[k + 1 :]], likelihood
    if count == 1:
        yield [], 1
    yield [count], 2


def _same_count(dims: list[int]) -> Iterator[tuple[list[int], int]]:
    """Yield shapes of as many elements: without ones, joined, split. Axes that are exchanged need a Transpose."""
    for k, size in enumerate(dims):
        if size == 1:
            yield [*dims[:k], *dims[k + 1 :]], 1
        divisors = [n for n in range(1, min(size, 4096)) if size % n == 0][:_DIVISORS]
        yield from (([*dims[:k], size // n, n, *dims[k + 1 :]], 3) for n in divisors)
        yield from (([*dims[:k], n, size // n, *dims[k + 1 :]], 3) for n in divisors[1:])  # the first is 1
    if prod(dims) == 1:
        yield [], 1
        yield [1], 1
    yield [prod(dims)], 3


def _other_numbers(site: OnnxSite, tensor: Tree, users: list[Node]) -> Iterator[Draft]:
    """Yield other numbers for a small tensor, and its numbers in other types."""
    entries, number = TensorData(tensor).entries_up_to(SHOWN), tensor.get("data_type", 0)
    if not entries or _is_twice(tensor):
        return
    sizes, is_list = _sizes(site, users), len(tensor.get("dims", ())) == 1
    changes = [*_repeated(entries, sizes)] if tensor.get("dims") else []
    changes += _shortened(entries) if is_list else ()
    if DTYPES.get(number) in ("int64", "int32"):
        changes += _one_changed(entries, sizes)
        changes += [
            ([*entries, size], [len(entries) + 1], f"Append {size}", 4) for size in sizes[:_APPENDED] if is_list
        ]
    for others, shape, title, likelihood in changes:
        if new := retyped(tensor, others, number, shape):
            yield new, title, likelihood
    yield from _other_types(site, tensor, entries)


def _other_types(site: OnnxSite, tensor: Tree, entries: Sequence[Any]) -> Iterator[Draft]:
    """Yield a tensor of the same numbers in other types; the one that the file declares apart from the data is evident."""
    if all(isinstance(entry, (int, float)) for entry in entries):
        declared = {one for _, one in _declarations(site)}
        for other in (*_INTEGERS, *_FLOATS):
            if other != tensor.get("data_type", 0) and (new := retyped(tensor, entries, other)):
                yield new, f"Convert to {DTYPES[other]}", EVIDENT if other in declared else 2


def _is_twice(tensor: Tree) -> bool:
    """Return whether a tensor has data twice, so that either may be right."""
    return sum(key.endswith("_data") for key in tensor) > 1


def _sizes(site: OnnxSite, users: list[Node]) -> list[int]:
    """Return the sizes of what the users of a tensor read and declare."""
    shapes = []
    for user in users[:4]:
        others = [source for source in user.inputs if source[0] != site.node.index]
        shapes += [site.whole.type_of(site.graph, *source).shape for source in others]
        shapes += [value.type.shape for value in user.outputs]
    return list(dict.fromkeys(size for shape in shapes for size in shape or () if isinstance(size, int)))


def _repeated(entries: Sequence[Any], sizes: list[int]) -> Iterator[Change]:
    """Yield the only number of a tensor, once and as often as there is room for it."""
    if len(set(entries)) == 1:
        yield entries[:1], [], "Keep one element", 1
        yield entries[:1], [1], "Keep one element", 1
        for size in sizes:
            if 1 < size <= _REPEATED:
                yield [*entries[:1]] * size, [size], f"Repeat the element {size} times", 2


def _shortened(entries: Sequence[Any]) -> Iterator[Change]:
    for size in range(len(entries) - 1, 0, -1):
        yield entries[:size], [size], f"Keep {size} elements", 2


def _one_changed(entries: Sequence[Any], sizes: list[int]) -> Iterator[Change]:
    for k, old in enumerate(entries):
        for n in dict.fromkeys((-1, 0, 1, old - 1, old + 1, *sizes)):
            if n != old:
                likelihood = 2 if n == -1 or n in sizes else 3
                yield [*entries[:k], n, *entries[k + 1 :]], None, f"Set element {k} to {n}", likelihood


def retyped(tensor: Tree, entries: Sequence[Any], number: int, shape: list[int] | None = None) -> Tree | None:
    """Return a small tensor with other elements, of another type or shape; None if they cannot be written."""
    dtype = DTYPES.get(number, "")
    values = _held(entries, dtype)
    if values is None:
        return None
    kept = {key: part for key, part in tensor.items() if not key.endswith("_data") and key != "cut"}
    found = {**kept, "data_type": number, FIELDS.get(dtype, "int32_data"): values}
    return found if shape is None else {**found, "dims": shape}


def _held(entries: Sequence[Any], dtype: str) -> list[Any] | None:
    """Return numbers as a tensor of a type holds them; None if that cannot hold them."""
    if dtype in ("float32", "float64"):
        return [float(entry) for entry in entries]
    if dtype in HALVES:
        is_within = all(abs(float(entry)) <= _LARGEST_HALF for entry in entries)
        return [half_bits(float(entry), dtype) for entry in entries] if is_within else None
    low, high = _RANGES.get(dtype, (0, -1))
    return [int(entry) for entry in entries] if all(low <= n <= high and n == int(n) for n in entries) else None


def _converted(site: OnnxSite, users: list[Node]) -> Iterator[Candidate]:
    """Yield a Transpose or a Cast of the tensor in front of its users: what is right if its data is laid out or stored otherwise."""
    name, dims = site.node.name, site.tree.get("dims", [])
    axes = ((a, b) for a, b in islice(combinations(range(len(dims)), 2), _SWAPS) if dims[a] != dims[b])
    for a, b in axes:
        perm = [b if k == a else a if k == b else k for k in range(len(dims))]
        node = {"op_type": "Transpose", "attribute": [written("perm", "ints", perm)]}
        yield _before(site, users, node, f"Transpose {name!r}", 2 if len(dims) == 2 else 3)
    yield from _cast(site, users)


def _cast(site: OnnxSite, users: list[Node]) -> Iterator[Candidate]:
    name, dtype = site.node.name, DTYPES.get(site.tree.get("data_type", 0))
    near = site.graph.nodes if dtype in ("int8", "uint8") else users
    if dtype is not None and not any(quantized(node.op) for node in near):
        for number in _CASTS:
            if DTYPES[number] != dtype:
                cast = _before(site, users, cast_to(number), f"Cast {name!r} to {DTYPES[number]}", 3)
                declared = [*_redeclared(site, number)] if cast.edits else []
                likelihood = (
                    1 if elements(site.tree.get("dims", ())) <= SHOWN else EVIDENT
                )  # few numbers can be stored otherwise
                yield cast._replace(edits=(*cast.edits, *declared), likelihood=likelihood) if declared else cast


def _declarations(site: OnnxSite) -> Iterator[tuple[Path, int]]:
    """Yield where the file declares a type of an initializer apart from its data, and which element type."""
    for k, value in enumerate(site.document.tree.get("graph", {}).get("value_info", ())):
        if value.get("name") == site.node.name:
            number = value.get("type", {}).get("tensor_type", {}).get("elem_type")
            yield ("graph", "value_info", k, "type"), number


def _redeclared(site: OnnxSite, number: int) -> Iterator[Edit]:
    """Yield the edits that make the declaration of an initializer, which names the type that its users take, that of its data."""
    for path, declared in _declarations(site):
        if declared == number:
            kind = site.document.value_at(path)
            new = {**kind, "tensor_type": {**kind["tensor_type"], "elem_type": site.tree["data_type"]}}
            yield from site.document.changed(path, new)


def _before(site: OnnxSite, users: list[Node], node: Tree, title: str, likelihood: int) -> Candidate:
    """Return a candidate with a node between a tensor and its users."""
    document, name = site.document, site.node.name
    new = site.whole.free(name)
    edits = document.inserted(users[0].path, {"input": [name], "output": [new], **node})
    for user in users:
        names = renamed(document.value_at(user.path).get("input", ()), name, new)
        edits += document.changed((*user.path, "input"), names)
    return Candidate(title, edits if len(edits) > 1 else (), likelihood)
