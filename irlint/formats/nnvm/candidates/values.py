"""Other values for the attributes of a node, values for those that it lacks, and nodes without those that it has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from irlint.findings import Candidate
from irlint.formats.nnvm.candidates.nodes import Site
from irlint.formats.nnvm.candidates.witnesses import counted, declared_sizes, declared_windows
from irlint.operators import Attribute, nearest
from irlint.text.base import Place

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_SMALL = (1, 2, 0, 3, -1, 4)
_MOST = 30  # values of one attribute
_UNCHECKED = frozenset(
    ("act_type", "pool_type", "momentum", "seed", "workspace", "cudnn_tune", "cudnn_off")
)  # by name, of any kind

Value = tuple[str, int]  # and how likely it is


def value_candidates(site: Site, key: str | None) -> Iterator[Candidate]:
    """Yield other values of one attribute, or, if `key` is None, of all, including missing ones."""
    operator = site.operator
    known = operator.attributes if operator is not None else {}
    if key is not None:
        yield from _written(site, key, known.get(key), 0)
        if key not in known or not known[key].required:
            edits = site.document.remove((*site.path, site.holder, key))
            is_guess = key.startswith("__") or (key in known and _is_unchecked(known[key]))
            yield Candidate(f"Remove attribute `{key}`", edits, 2, is_guess)
        return
    missing = [a for a in known.values() if a.required and a.name not in site.attrs]
    for record in missing[:3]:
        for value, likelihood in _ranked(_values(site, record.name, record, "")):
            yield _added(site, record.name, record, value, likelihood)
    for key in sorted(site.own):
        yield from _written(site, key, known.get(key), 2)


def _written(site: Site, key: str, record: Attribute | None, far: int) -> Iterator[Candidate]:
    old = site.attrs.get(key)
    text = old if isinstance(old, str) else "" if old is None else site.document.dump(old)
    is_guess = _is_unchecked(record)
    for value, likelihood in _ranked(_values(site, key, record, text)):
        if value != old:
            edits = site.document.write(Place((*site.path, site.holder, key)), value)
            yield Candidate(f"Set `{key}` to `{value}`", edits, likelihood + far, is_guess)


def _ranked(values: Iterator[Value]) -> list[Value]:
    """Return each value once, with its best likelihood."""
    found: dict[str, int] = {}
    for value, likelihood in islice(values, 2 * _MOST):
        found[value] = min(likelihood, found.get(value, likelihood))
    return list(found.items())[:_MOST]


def _is_unchecked(record: Attribute | None) -> bool:
    """Return whether no shape, count or type depends on a value, so that none of them shows which was meant."""
    return record is None or record.kind in ("float", "double", "string", "") or record.name in _UNCHECKED


def _added(site: Site, key: str, record: Attribute, value: str, likelihood: int) -> Candidate:
    document, text = site.document, site.document.dump(value)
    held = f"{{{document.dump(key)}: {text}}}"
    if isinstance(site.node.get(site.holder), dict):
        edits = document.insert_member((*site.path, site.holder), key, text)
    elif site.holder in site.node:
        edits = document.replace(Place((*site.path, site.holder)), held)
    else:
        edits = document.insert_member(site.path, site.holder, held)
    return Candidate(f"Add `{key}` with `{value}`", edits, likelihood, _is_unchecked(record))


def _values(site: Site, key: str, record: Attribute | None, old: str) -> Iterator[Value]:
    """What an attribute may have been, the likeliest first."""
    yield from ((value, 0) for value in counted(site, key))
    kind = record.kind if record is not None else ""
    if kind == "bool":
        yield from ((word, 1) for word in ("True", "False"))
    elif kind == "enum" and record is not None:
        close = nearest(old, record.values)
        yield from ((word, 0 if word == close else 1) for word in record.values)
    usual = _usual(site, key)
    yield from ((value, 0 if value == usual[0] else 1) for value in usual)
    if record is not None and record.default not in (None, "None"):
        yield str(record.default), 1
    if kind in ("int", "uint", "long", "ulong"):
        yield from ((text, 1) for text in declared_sizes(site))
        yield from ((text, 2) for text in _integers(old))
    elif kind in ("shape", "ints"):
        is_listed = old.lstrip()[:1] == "["
        texts = (*declared_windows(site), *_tuples(site, key, old))
        yield from ((f"[{text[1:-1].rstrip(',')}]" if is_listed else text, 2) for text in texts)
    elif kind in ("float", "double") and (found := _NUMBER.search(old)) is not None:
        yield found[0], 1


def _usual(site: Site, key: str) -> list[str]:
    """Values of the attribute in other nodes of the operator, the commonest first."""
    values: Counter[Any] = Counter(held[key] for held in site.siblings(site.op) if isinstance(held.get(key), str))
    return [value for value, _ in values.most_common(8)]


def _integers(old: str) -> Iterator[str]:
    numbers = [int(float(found)) for found in _NUMBER.findall(old[:40]) if abs(float(found)) < 1 << 31]
    for number in numbers:
        yield from map(str, (number, number - 1, number + 1, -number, number // 10))
    if len(numbers) > 1:
        yield "".join(map(str, numbers))
    yield from map(str, _SMALL)


def _tuples(site: Site, key: str, old: str) -> Iterator[str]:
    numbers = [int(float(found)) for found in _NUMBER.findall(old[:80]) if abs(float(found)) < 1 << 31][:6]
    count = _axes(site, key) or len(numbers)
    if len(numbers) == count:
        yield _tuple(numbers)
        for k, number in enumerate(numbers):
            for n in dict.fromkeys((number - 1, number + 1, -number, 1, 0, 2)):
                yield _tuple([*numbers[:k], n, *numbers[k + 1 :]])
    for n in dict.fromkeys((*numbers, *_SMALL)):
        yield _tuple([n] * count)


def _tuple(numbers: list[int]) -> str:
    return f"({numbers[0]},)" if len(numbers) == 1 else f"({', '.join(map(str, numbers))})"


def _axes(site: Site, key: str) -> int:
    """How many numbers a tuple has: as many as another of the node that has one for each axis."""
    for other in ("kernel", "stride", "pad", "dilate"):
        value = site.attrs.get(other)
        if other != key and key in ("kernel", "stride", "pad", "dilate") and isinstance(value, str) and "," in value:
            return len(_NUMBER.findall(value))
    return 0
