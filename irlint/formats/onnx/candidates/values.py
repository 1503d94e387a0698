"""What an attribute may have been: what weights, declared types and the node's other attributes say, then numbers near it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from irlint.formats.onnx.candidates.site import Site
from irlint.formats.onnx.read import value_of
from irlint.operators import Attribute, nearest

_WINDOWS = ("kernel_shape", "strides", "dilations", "pads", "output_padding", "output_shape")
_TYPES = (1, 7, 6, 9, 10, 11, 2, 3, 16)
_SMALL = (1, 0, 2, 3, -1, 4)
_FLAGS = ("broadcast", "transA", "transB", "keepdims", "transBatchA", "transBatchB")
_PERMUTED = 4  # axes of which all permutations are tried
_ITEMS = 12  # of a list that are changed one by one

Value = tuple[Any, int]  # and how likely it is


def values(site: Site, name: str, record: Attribute, old: Any) -> list[Value]:
    """Return what the attribute may have been, each value once."""
    found: dict[Any, tuple[Any, int]] = {}
    for value, likelihood in _values(site, name, record, old):
        key = (type(value), value)
        if _fits(record.kind, value) and (key not in found or found[key][1] > likelihood):
            found[key] = value, likelihood
    return list(found.values())


def _fits(kind: str, value: Any) -> bool:
    """Return whether a value, which may come from a wrong attribute, is of the kind of attribute."""
    wanted: tuple[type, ...] = {"i": (int,), "f": (int, float), "s": (str,)}[kind[0]]
    if kind.endswith("s"):
        return isinstance(value, tuple) and all(isinstance(one, wanted) for one in value)
    return isinstance(value, wanted)


def _values(site: Site, name: str, record: Attribute, old: Any) -> Iterator[Value]:
    kind = record.kind
    for value, count in _siblings(site, name).most_common(6):
        yield value, 2 - (count > 1) - (kind == "int")
    if record.default is not None:
        yield (tuple(record.default) if isinstance(record.default, list) else record.default), 2 - (kind == "int")
    if name == "auto_pad" and "pads" in site.attributes:
        yield "NOTSET", 0
    if kind == "string":
        close = nearest(str(old), record.values) or nearest(str(old).lower(), [v.lower() for v in record.values])
        yield from ((value, 0 if close and value.lower() == close.lower() else 2) for value in record.values)
    elif kind == "int":
        yield from _integers(site, name, old)
    elif kind == "ints":
        yield from _lists(site, name, record, old)
    elif kind == "float":
        yield from ((float(value), 3) for value in (old, 0.0, 1.0) if isinstance(value, (int, float)))
        if isinstance(old, tuple) and old and isinstance(old[0], (int, float)):
            yield float(old[0]), 1
    elif kind == "floats" and isinstance(old, (int, float)):
        yield (float(old),), 2


def _siblings(site: Site, name: str) -> Counter[Any]:
    found = (value_of(one) for call in site.siblings() for one in call.get("attribute", ()) if one.get("name") == name)
    return Counter(value for value in found if isinstance(value, (int, float, str, tuple)))


def _integers(site: Site, name: str, old: Any) -> Iterator[Value]:
    number = old[0] if isinstance(old, tuple) and old else old
    if name == "to" or name.endswith("dtype"):
        declared = _declared_number(site)
        yield from ((one, 0 if one == declared else 2) for one in (*((declared,) if declared else ()), *_TYPES))
        return
    if name in _FLAGS:
        yield from ((flag, 2) for flag in (1, 0))
        return
    if isinstance(number, float) and number.is_integer():
        yield int(number), 0
    yield from ((size, 1) for size in _said(site, name))
    rank = site.input_type(0).rank
    if "axis" in name and rank is not None:
        yield from ((axis, 2) for axis in range(min(rank + 1, 8)))
        yield from ((axis - rank, 3) for axis in range(min(rank, 8)))
    if isinstance(number, int) and abs(number) < 1 << 31:
        yield from ((one, 3) for one in (number - 1, number + 1, -number))
    yield from ((one, 3) for one in _SMALL)


def _declared_number(site: Site) -> int | None:
    from irlint.formats.onnx.messages import DTYPES

    declared = site.declared().dtype
    return next((number for number, word in DTYPES.items() if word == declared), None)


def _said(site: Site, name: str) -> Iterator[int]:
    """Yield what shapes say about a number."""
    data, weights = site.input_type(0).shape, site.input_type(1).shape
    if name == "group" and data and weights and len(data) > 1 and len(weights) > 1:
        channels, per_group = data[1], weights[1] if site.node.op == "Conv" else weights[0]
        if isinstance(channels, int) and isinstance(per_group, int) and per_group > 0:
            yield channels // per_group if site.node.op == "Conv" else 1
            yield channels
    elif name == "hidden_size":
        recurrent = site.input_type(2).shape
        if recurrent and isinstance(recurrent[-1], int):
            yield recurrent[-1]
    elif name in ("num_outputs", "num_scan_inputs"):
        yield len(site.tree.get("output", ()))
    for shape in (data, weights):
        if name not in ("axis", "group") and shape:
            yield from (size for size in shape if isinstance(size, int))


def _lists(site: Site, name: str, record: Attribute, old: Any) -> Iterator[Value]:
    given = old if isinstance(old, tuple) else (old,)
    is_list = all(isinstance(n, (int, float)) and float(n).is_integer() for n in given)
    numbers = tuple(int(n) for n in given) if is_list else ()
    rank = site.input_type(0).rank
    if name == "perm":
        yield from _permutations(numbers, rank)
        return
    weights = site.input_type(1).shape
    if name == "kernel_shape" and weights and len(weights) > 2 and all(isinstance(n, int) for n in weights[2:]):
        yield tuple(weights[2:]), 0
    size = _length(site, name, record, rank)
    if size is not None and len(numbers) != size:
        yield from _sized(numbers, size)
    if name == "pads" and len(numbers) % 2 == 0:
        half = len(numbers) // 2
        yield (*numbers[:half], *numbers[:half]), 1
        yield (*numbers[half:], *numbers[half:]), 1
    if numbers and len(numbers) <= _ITEMS:
        for n in dict.fromkeys(numbers):
            yield (n,) * len(numbers), 1
        for k, old_number in enumerate(numbers):
            choices = dict.fromkeys((*numbers, old_number - 1, old_number + 1, -old_number, 0, 1, 2))
            yield from (((*numbers[:k], n, *numbers[k + 1 :]), 2) for n in choices if n != old_number)
        yield numbers[:-1], 2
        yield (*numbers, numbers[-1]), 3
    if name == "axes" and rank is not None:
        yield from (((axis,), 2) for axis in range(min(rank, 6)))
    if size is not None:
        yield from (((n,) * size, 2) for n in (1, 0, 2, 3))


def _length(site: Site, name: str, record: Attribute, rank: int | None) -> int | None:
    """Return how many numbers a list has, if it has some for each axis."""
    per_axis = record.facts.get("per_axis")
    if per_axis is None:
        return None
    known = site.operator.attributes if site.operator is not None else {}
    votes: Counter[int] = Counter()
    for other, k in site.attributes.items():
        value = value_of(site.tree["attribute"][k])
        if other != name and other in known and known[other].facts.get("per_axis") and isinstance(value, tuple):
            votes[len(value) // known[other].facts["per_axis"]] += 1
    if rank is not None and rank > 2:
        votes[rank - 2] += 1
    return votes.most_common(1)[0][0] * int(per_axis) if votes else None


def _sized(numbers: tuple[int, ...], size: int) -> Iterator[Value]:
    """Yield lists of another length."""
    if len(numbers) > size:
        yield numbers[:size], 0
        yield numbers[len(numbers) - size :], 1
    elif numbers:
        yield (*numbers, *(numbers[-1:] * (size - len(numbers)))), 0
        half = numbers[: size // 2]
        if len(half) == size // 2:
            yield (*half, *half), 0
        yield from (((*numbers, *((n,) * (size - len(numbers)))), 2) for n in (0, 1))


def _permutations(numbers: tuple[int, ...], rank: int | None) -> Iterator[Value]:
    size = rank if rank is not None else len(numbers)
    absent = [n for n in range(size) if n not in numbers]
    if len(numbers) == size and len(absent) == 1:
        twice = next((n for n in numbers if numbers.count(n) > 1 or not 0 <= n < size), None)
        for k, n in enumerate(numbers):
            if n == twice:
                yield (*numbers[:k], absent[0], *numbers[k + 1 :]), 0
    if len(numbers) == size - 1 and len(absent) == 1:
        yield (*numbers, absent[0]), 0
    if len(numbers) == size + 1:
        yield numbers[:-1], 0
    if not absent:
        for a in range(size):
            for b in range(a):
                swapped = list(numbers)
                swapped[a], swapped[b] = swapped[b], swapped[a]
                yield tuple(swapped), 1
    if size <= _PERMUTED:
        yield from ((order, 3) for order in permutations(range(size)))
