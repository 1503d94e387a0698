"""What an attribute may have been: what the file says of it elsewhere, what other nodes have, then values near the written one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Any

from irlint.findings import EVIDENT
from irlint.operators import Attribute, nearest
from irlint.repairs.site import Kind, Site, Value
from irlint.tools.names import is_typo

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_READ = 200  # characters of a value in which numbers are looked for
_LARGEST = 1 << 40
_SMALL = (1, 0, 2, 3, -1, 4)
_USUAL = 8  # values of other nodes
_ITEMS = 12  # of a list that are changed one by one
_PERMUTED = 4  # axes of which all permutations are tried
_AXES = 8
_WORDS = 40  # of an enumeration
_MOST = 120  # values that are looked at


def values(site: Site, name: str, record: Attribute | None, old: Any, most: int) -> list[Value]:
    """Return what the attribute may have been, each value once, the likeliest of them first; `old` is None if it is missing."""
    found: dict[tuple[type, Any], Value] = {}
    for value, likelihood in islice(_values(site, name, record, old), _MOST):
        key = (type(value), value)
        if key not in found or found[key][1] > likelihood:
            found[key] = value, likelihood
    return sorted(found.values(), key=lambda pair: pair[1])[:most]


def _values(site: Site, name: str, record: Attribute | None, old: Any) -> Iterator[Value]:
    yield from site.evidence(name, record, old)
    if (kind := site.kind(record, old)) is not None:
        yield from (pair for pair in _of_kind(site, name, record, old, kind) if is_of(kind, pair[0]))


def _of_kind(site: Site, name: str, record: Attribute | None, old: Any, kind: Kind) -> Iterator[Value]:
    read = None if old is None else _read(site, kind, old)
    yield from _words(kind, record, str(old or ""))
    yield from _usual(site, name, kind)
    if record is not None and record.default not in (None, "None"):
        yield _read(site, kind, record.default), 1
    numbers = numbers_in(read)
    if kind.is_list and kind.item in ("int", ""):
        yield from _lists(site, name, numbers)
    elif kind.item == "int":
        yield from _integers(site, name, numbers, read)
    elif kind == Kind("float", True):
        yield tuple(map(float, numbers)), 2
    elif kind.item == "float":
        yield from ((float(number), 1) for number in numbers[:1])
        yield from ((value, 3) for value in (0.0, 1.0))


def is_of(kind: Kind, value: Any) -> bool:
    """Return whether a value, which may come from another node that is wrong, is of a kind."""
    if kind.is_list:
        return isinstance(value, tuple) and all(is_of(Kind(kind.item), one) for one in value)
    wanted: tuple[type, ...] = {
        "int": (int,),
        "choice": (int,),
        "float": (int, float),
        "bool": (bool,),
        "word": (str,),
    }.get(kind.item, ())
    return not wanted or (isinstance(value, wanted) and (kind.item == "bool" or not isinstance(value, bool)))


def numbers_in(value: Any) -> list[Any]:
    """Return the numbers of a value: integers where they are whole."""
    if isinstance(value, (int, float)):
        found: Sequence[Any] = (value,)
    elif isinstance(value, str):
        found = [float(text) for text in NUMBER.findall(value[:_READ])]
    else:
        found = value if isinstance(value, (tuple, list)) else ()
    return [int(n) if float(n).is_integer() else n for n in found if isinstance(n, (int, float)) and abs(n) < _LARGEST]


def _words(kind: Kind, record: Attribute | None, old: str) -> Iterator[Value]:
    """Yield the values that a table lists, the one that is spelled alike first."""
    if kind.item == "bool" and not kind.is_list:
        yield from ((flag, 1) for flag in (True, False))
    elif record is not None and record.values:
        words = [str(word) for word in record.values[:_WORDS]]
        close = nearest(old, words) or nearest(old.lower(), [word.lower() for word in words])
        for word in words:
            value: Any = int(word) if kind.item == "int" else word
            near = EVIDENT if close and is_typo(old, close) else 0
            yield value, near if close and word.lower() == close.lower() else 1


def _read(site: Site, kind: Kind, written: Any) -> Any:
    value = site.read(written)
    return (value,) if kind.is_list and isinstance(value, (int, float)) else value


def _usual(site: Site, name: str, kind: Kind) -> Iterator[Value]:
    """Yield the values of other nodes, the commonest first; no long lists, which are a node's own."""
    values = (_hashed(site, kind, other[name]) for other in site.siblings() if name in other)
    found = Counter(
        value for value in values if is_of(kind, value) and not (isinstance(value, tuple) and len(value) > _ITEMS)
    )
    for k, (value, _) in enumerate(found.most_common(_USUAL)):
        yield value, int(k > 0)


def _hashed(site: Site, kind: Kind, written: Any) -> Any:
    value = _read(site, kind, written)
    return value if isinstance(value, (int, float, str, bool, tuple)) else None


def sizes(site: Site, most: int = 3) -> list[int]:
    """Return the sizes of a node's inputs: numbers of channels among them."""
    return list(dict.fromkeys(n for k in range(most) for n in site.shape(k) or () if isinstance(n, int)))


def _integers(site: Site, name: str, numbers: list[Any], read: Any) -> Iterator[Value]:
    whole = [number for number in numbers if isinstance(number, int)]
    if not isinstance(read, int):
        yield from _first(whole, read)
    if "axis" not in name and "group" not in name:
        yield from ((size, 1) for size in sizes(site))
    elif (shape := site.shape(0)) is not None:
        rank = min(len(shape), _AXES)
        yield from ((axis, 2) for axis in range(rank))
        yield from ((axis - rank, 3) for axis in range(rank))
    for number in whole[:2]:
        yield from ((near, 2) for near in (number - 1, number + 1, -number, abs(number) // 10))
    if len(whole) > 1 and "".join(map(str, whole)).isdecimal():
        yield int("".join(map(str, whole))[:9]), 2
    yield from ((number, 3) for number in _SMALL)


def _first(whole: list[Any], read: Any) -> Iterator[Value]:
    """Yield the first number of a text: what is meant if it is the only one, and begins the text, so that no sign is lost."""
    is_first = not isinstance(read, str) or read[:1].isdigit() or read[:1] == "-"
    yield from ((number, EVIDENT if len(whole) == 1 and is_first else 0) for number in whole[:1])


def _lists(site: Site, name: str, numbers: list[Any]) -> Iterator[Value]:
    shape = site.shape(0)
    if name in ("perm", "axes") and (shape is not None or len(numbers) > 1):
        yield from permuted(tuple(numbers), len(shape) if shape is not None else len(numbers))
    size = _length(site, name)
    weights = site.shape(1)
    if "kernel" in name and weights is not None and len(weights) > 2 and None not in weights[2:]:
        yield tuple(weights[2:]), EVIDENT
    if size and len(numbers) != size:
        yield from _sized(tuple(numbers), size)
    half = len(numbers) // 2
    if "pad" in name and len(numbers) > 2 and not len(numbers) % 2:
        yield (*numbers[:half], *numbers[:half]), 1
        yield (*numbers[half:], *numbers[half:]), 1
    if len(numbers) <= _ITEMS:
        yield from _near(tuple(numbers), size)
    for n in dict.fromkeys((*numbers[:4], *_SMALL)):
        yield (n,) * (size or max(len(numbers), 1)), 2 if n in numbers or n in _SMALL[:4] else 3


def _near(numbers: tuple[Any, ...], size: int) -> Iterator[Value]:
    """Yield a short list with one number changed; if its length is open, also with one less or more."""
    if not size or len(numbers) == size:
        yield from _one_changed(numbers)
    if numbers and not size:
        yield numbers[:-1], 2
        yield (*numbers, numbers[-1]), 3


def _one_changed(numbers: tuple[Any, ...]) -> Iterator[Value]:
    """Yield the list itself, with one number repeated, in turn, and with each number changed."""
    if numbers:
        yield numbers, EVIDENT
    for n in dict.fromkeys(numbers) if len(set(numbers)) > 1 else ():
        yield (n,) * len(numbers), 1
    for k, old in enumerate(numbers):
        others = set(numbers[:k] + numbers[k + 1 :])
        for n in dict.fromkeys((*numbers, old - 1, old + 1, -old, 1, 0, 2, old // 10)):
            if n != old:
                yield (*numbers[:k], n, *numbers[k + 1 :]), 1 if others == {n} else 2
    if len(numbers) > 1:
        yield numbers[::-1], 2


def _length(site: Site, name: str) -> int:
    """Return how many numbers a list has, if it has some for each axis and others of the node agree; else 0."""
    votes: Counter[int] = Counter()
    for other, written in site.attributes.items() if site.per_axis(name) else ():
        if other != name and site.per_axis(other) and isinstance(value := site.read(written), tuple):
            votes[len(value) // site.per_axis(other)] += 1
    shape = site.shape(0) if site.per_axis(name) else None
    if shape is not None and len(shape) > 2:
        votes[len(shape) - 2] += 1
    return votes.most_common(1)[0][0] * site.per_axis(name) if votes else 0


def _sized(numbers: tuple[Any, ...], size: int) -> Iterator[Value]:
    """Yield lists of another length."""
    likelihood = EVIDENT if len(set(numbers)) == 1 else 0  # of others nothing tells which one is missing or too many
    if len(numbers) > size:
        yield numbers[:size], likelihood
        yield numbers[len(numbers) - size :], 1
    elif numbers:
        yield (*numbers, *(numbers[-1:] * (size - len(numbers)))), likelihood
        half = numbers[: size // 2]
        if 2 * len(half) == size:
            yield (*half, *half), 0
        yield from (((*numbers, *((n,) * (size - len(numbers)))), 2) for n in (0, 1))


def permuted(numbers: tuple[Any, ...], size: int) -> Iterator[Value]:
    """Yield orders of the axes: those that differ in one number, in two that are exchanged, then all."""
    absent = [n for n in range(size) if n not in numbers]
    if len(numbers) == size and len(absent) == 1:
        twice = next((n for n in numbers if numbers.count(n) > 1 or n not in range(size)), None)
        yield from (((*numbers[:k], absent[0], *numbers[k + 1 :]), 0) for k, n in enumerate(numbers) if n == twice)
    if len(numbers) == size - 1 and len(absent) == 1:
        yield (*numbers, absent[0]), 0
    if len(numbers) == size + 1:
        yield numbers[:-1], 0
    for a in range(size) if not absent and len(numbers) == size else ():
        for b in range(a):
            swapped = list(numbers)
            swapped[a], swapped[b] = swapped[b], swapped[a]
            yield tuple(swapped), 1
    if size <= _PERMUTED:
        yield from ((order, 3) for order in permutations(range(size)))
