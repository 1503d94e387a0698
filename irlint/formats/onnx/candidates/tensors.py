"""Other sizes, element types and numbers for an initializer or the tensor of a Constant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from math import prod
from typing import Any

from irlint.findings import Candidate
from irlint.formats.onnx.candidates.casts import quantized
from irlint.formats.onnx.candidates.site import Site
from irlint.formats.onnx.tensors import FIELDS, MOST, MOST_AXES, SHOWN, TensorData, bits, elements
from irlint.formats.onnx.wire.messages import DTYPES
from irlint.formats.onnx.wire.reader import Packed, Tree
from irlint.graph import Node
from irlint.tools.names import FreeNames

_FLOATS = (1, 10, 11, 16)
_INTEGERS = (7, 6, 2, 3, 9, 4, 5, 12, 13)
_DIVISORS = 24  # ways to split one size
_REPEATED = 4096  # elements of a tensor of one number
_SWAPS = 6  # pairs of axes

Draft = tuple[Tree, str, int]  # another tensor, what it is, and how likely it is


def tensor_candidates(site: Site) -> Iterator[Candidate]:
    """Yield other tensors for an initializer or a Constant, and nodes that turn it into what its users need."""
    steps, tensor = _tensor(site)
    if tensor is None:
        return
    users = [
        (user, k) for user in site.graph.nodes for k, source in enumerate(user.inputs) if source[0] == site.node.index
    ]
    for new, title, likelihood in repaired_tensors(tensor):
        yield site.candidate(title, likelihood, (*steps, new))
    entries = TensorData(tensor).entries(SHOWN)
    if entries is not None and entries:
        for new, title, likelihood in _numbers(tensor, entries, _sizes(site, users)):
            yield site.candidate(title, likelihood, (*steps, new))
        for number in (*_INTEGERS, *_FLOATS):
            if number != tensor.get("data_type") and all(isinstance(e, (int, float, bool)) for e in entries):
                if (converted := retyped(tensor, entries, number)) is not None:
                    yield site.candidate(f"Convert to {DTYPES[number]}", 2, (*steps, converted))
    yield from _converted(site, users)
    if site.path[:-1] == ("graph", "initializer") and not site.whole.read[site.node.name]:
        given = {one.get("name", "") for one in site.document.tree["graph"]["initializer"]}
        inputs = [one.get("name", "") for one in site.document.tree["graph"].get("input", ())]
        for other in (*site.whole.undefined, *(name for name in inputs if name not in given)):
            yield site.candidate(f"Rename to {other!r}", 1, ("name", other))


def _tensor(site: Site) -> tuple[tuple[Any, ...], Tree | None]:
    if site.path[-2] == "initializer":
        return (), site.tree
    for k, one in enumerate(site.tree.get("attribute", ()) if site.node.op == "Constant" else ()):
        if "t" in one:
            return ("attribute", k, "t"), one["t"]
    return (), None


def repaired_tensors(tensor: Tree) -> Iterator[Draft]:
    """Yield tensors of the same data with other sizes or another element type."""
    dims, number = [*tensor.get("dims", ())], tensor.get("data_type", 0)
    if len(dims) > MOST_AXES or elements(dims) >= MOST:
        return
    held, dtype = held_bytes(tensor), DTYPES.get(number)
    width = bits(dtype) if dtype else 0
    if dtype is None and held is not None:
        for other in (*_FLOATS, *_INTEGERS):
            if prod(dims) * bits(DTYPES[other]) == held * 8:
                yield {**tensor, "data_type": other}, f"Set the element type to {DTYPES[other]}", 1
        return
    count = None if held is None or not width else held * 8 // width
    if held is not None and count is not None and count != prod(dims):
        yield from _of_count(tensor, dims, count)
        for other in (*_FLOATS, *_INTEGERS):
            if other != number and prod(dims) * bits(DTYPES[other]) == held * 8 and "raw_data" in tensor:
                yield {**tensor, "data_type": other}, f"Set the element type to {DTYPES[other]}", 1
        return
    if held is not None and "raw_data" in tensor:
        for other in (*_FLOATS, *_INTEGERS):
            if other != number and bits(DTYPES[other]) == width:
                yield {**tensor, "data_type": other}, f"Set the element type to {DTYPES[other]}", 4
    for new, likelihood in _same_count(dims):
        yield {**tensor, "dims": new}, f"Set the shape to {new}", likelihood


def held_bytes(tensor: Tree) -> int | None:
    """Return how many bytes a tensor's data has; None if that is not known."""
    if "external_data" in tensor or tensor.get("cut"):
        return None
    if "raw_data" in tensor:
        return len(tensor["raw_data"])
    dtype = DTYPES.get(tensor.get("data_type", 0))
    values = tensor.get(FIELDS.get(dtype or "", "int32_data"))
    if dtype is None or values is None or dtype == "string":
        return None
    return len(values.numbers() if isinstance(values, Packed) else values) * bits(dtype) // 8


def _of_count(tensor: Tree, dims: list[int], count: int) -> Iterator[Draft]:
    """Yield shapes of so many elements that differ in one size."""
    shapes: list[tuple[list[int], int]] = []
    for k in range(len(dims)):
        left = [*dims[:k], *dims[k + 1 :]]
        if prod(left) == count:
            shapes.append((left, 0))
    for k in range(len(dims)):
        others = prod(dims[:k] + dims[k + 1 :])
        if others and count % others == 0 and count:
            shapes.append(([*dims[:k], count // others, *dims[k + 1 :]], 0))
    if count == 1:
        shapes.append(([], 1))
    shapes.append(([count], 2))
    for shape, likelihood in shapes:
        yield {**tensor, "dims": shape}, f"Set the shape to {shape}", likelihood


def _same_count(dims: list[int]) -> Iterator[tuple[list[int], int]]:
    """Yield shapes of as many elements: without ones, joined, split. Axes that are exchanged need a Transpose."""
    for k, size in enumerate(dims):
        if size == 1:
            yield [*dims[:k], *dims[k + 1 :]], 1
    if prod(dims) == 1:
        yield [], 1
        yield [1], 1
    yield [prod(dims)], 3
    for k, size in enumerate(dims):
        divisors = [n for n in range(1, min(size, 4096)) if size % n == 0][:_DIVISORS] if size > 1 else []
        yield from (([*dims[:k], size // n, n, *dims[k + 1 :]], 3) for n in divisors)
        yield from (([*dims[:k], n, size // n, *dims[k + 1 :]], 3) for n in divisors if n > 1)


def _sizes(site: Site, users: list[tuple[Node, int]]) -> list[int]:
    """Return the sizes of what the users of a tensor read and declare."""
    found: list[int] = []
    for user, _ in users[:4]:
        others = [
            site.whole.type_of(site.graph, *source).shape for source in user.inputs if source[0] != site.node.index
        ]
        for shape in (*others, *(value.type.shape for value in user.outputs)):
            found += [size for size in shape or () if isinstance(size, int)]
    return list(dict.fromkeys(found))


def _numbers(tensor: Tree, entries: tuple[Any, ...], sizes: list[int]) -> Iterator[Draft]:
    """Yield other numbers for a small tensor, one at a time; one number less; the only number."""
    dims = tensor.get("dims", ())
    if len(set(entries)) == 1 and list(dims) != []:
        yield from (
            (new, "Keep one element", 1) for shape in ([], [1]) if (new := retyped(tensor, entries[:1], None, shape))
        )
        yield from (
            (new, f"Repeat the element {size} times", 2)
            for size in sizes
            if size > 1 and size <= _REPEATED and (new := retyped(tensor, entries[:1] * size, None, [size]))
        )
    if len(dims) == 1 and len(entries) > 1:
        for size in range(len(entries) - 1, 0, -1):
            if new := retyped(tensor, entries[:size], None, [size]):
                yield new, f"Keep {size} elements", 2
    if DTYPES.get(tensor.get("data_type", 0)) not in ("int64", "int32"):
        return
    for k, old in enumerate(entries):
        near = (-1, 0, 1, old - 1, old + 1)
        for n in dict.fromkeys((*near, *sizes)):
            if n != old and (new := retyped(tensor, (*entries[:k], n, *entries[k + 1 :]), None)):
                yield new, f"Set element {k} to {n}", 2 if n in sizes or n == -1 else 3
    if len(dims) == 1:
        for size in sizes[:6]:
            if new := retyped(tensor, (*entries, size), None, [len(entries) + 1]):
                yield new, f"Append {size}", 4


def retyped(tensor: Tree, entries: tuple[Any, ...], number: int | None, shape: list[int] | None = None) -> Tree | None:
    """Return a small tensor with other elements, of another type or shape; None if they cannot be written."""
    number = tensor.get("data_type", 0) if number is None else number
    dtype = DTYPES.get(number)
    if dtype is None or dtype == "string" or bits(dtype) < 8 or dtype in ("float16", "bfloat16"):
        return None
    is_float = dtype in ("float32", "float64")
    if not is_float and any(entry != entry or abs(entry) == float("inf") or entry != int(entry) for entry in entries):
        return None
    low = 0 if dtype.startswith("u") or dtype == "bool" else -(1 << (bits(dtype) - 1))
    high = 1 if dtype == "bool" else low + (1 << bits(dtype)) - 1
    if not is_float and not all(low <= entry <= high for entry in entries):
        return None
    kept = {key: part for key, part in tensor.items() if not key.endswith("_data") and key != "cut"}
    values = [float(entry) if is_float else int(entry) for entry in entries]
    found = {**kept, "data_type": number, FIELDS.get(dtype, "int32_data"): values}
    return found if shape is None else {**found, "dims": shape}


def _converted(site: Site, users: list[tuple[Node, int]]) -> Iterator[Candidate]:
    """Yield a Transpose or a Cast of the tensor in front of its users: what is right if its data is laid out or stored otherwise."""
    if site.path[:-1] != ("graph", "initializer") or not users or any(user.kind != "call" for user, _ in users):
        return
    name, dims = site.node.name, site.tree.get("dims", [])
    dtype = DTYPES.get(site.tree.get("data_type", 0))
    new = FreeNames(site.whole.defined).like(name)
    for a, b in islice(combinations(range(len(dims)), 2), _SWAPS):
        if dims[a] != dims[b]:
            perm = list(range(len(dims)))
            perm[a], perm[b] = b, a
            node = {"op_type": "Transpose", "attribute": [{"name": "perm", "ints": perm, "type": 7}]}
            yield _before(site, users, node, new, f"Transpose {name!r}", 2 if len(dims) == 2 else 3)
    if dtype is not None and not any(quantized(user.op) for user, _ in users):
        for number in (*_FLOATS, 7, 6, 2, 3):
            if DTYPES[number] != dtype:
                node = {"op_type": "Cast", "attribute": [{"name": "to", "i": number, "type": 2}]}
                yield _before(site, users, node, new, f"Cast {name!r} to {DTYPES[number]}", 3)


def _before(site: Site, users: list[tuple[Node, int]], node: Tree, new: str, title: str, likelihood: int) -> Candidate:
    document, name = site.document, site.node.name
    first = min(user.index for user, _ in users)
    at = site.graph.nodes[first].path
    edits = document.inserted(at, {"input": [name], "output": [new], **node})
    for user in {user.index: user for user, _ in users}.values():
        names = [new if one == name else one for one in document.value_at(user.path).get("input", ())]
        edits += document.changed((*user.path, "input"), names)
    return Candidate(title, edits if len(edits) > 1 else (), likelihood)
