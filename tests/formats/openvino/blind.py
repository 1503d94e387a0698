"""Defects by somebody who knows XML but no models: any attribute, element or byte, changed without a thought."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .mutate import Mutant

_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_TAG = re.compile(r"<([a-z_]+)(?: [^<>]*)?>")
_DIM = re.compile("<dim>([^<]*)</dim>")


class _Spot(NamedTuple):
    start: int
    end: int
    name: str
    value: str


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _typo(word: str, rng: random.Random) -> str:
    at = rng.randrange(len(word) + 1)
    how = rng.randrange(4)
    if how == 0 or not word:
        return word[:at] + rng.choice("abcxyz019_- ") + word[at:]
    at = min(at, len(word) - 1)
    if how == 1:
        return word[:at] + word[at + 1 :]
    if how == 2 and len(word) > 1:
        at = min(at, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + rng.choice("abcxyz0129") + word[at + 1 :]


def _number(value: str, rng: random.Random) -> str:
    n = int(value)
    return str(rng.choice((n + 1, n - 1, n * 2, -n, n + 10, 0, 1, 2, 3, n * 1000, -1, 1 << 31, 1 << 33)))


def _other(value: str, rng: random.Random) -> str:
    """Another value that looks a little like it."""
    if re.fullmatch(r"-?\d+", value) and rng.random() < 0.7:
        return _number(value, rng)
    if re.fullmatch(r"-?\d+(, ?-?\d+)+", value) and rng.random() < 0.8:
        parts = re.split(", ?", value)
        how, at = rng.randrange(5), rng.randrange(len(parts))
        if how == 0:
            parts[at] = _number(parts[at], rng)
        elif how == 1:
            del parts[at]
        elif how == 2:
            parts.insert(at, parts[at])
        elif how == 3:
            rng.shuffle(parts)
        else:
            parts[at] = _typo(parts[at], rng)
        return ", ".join(parts)
    if value in ("true", "false") and rng.random() < 0.6:
        return rng.choice(("true", "false", "True", "no", "TRUE", "0", "1", "T", "yes"))
    return rng.choice(
        (_typo(value, rng), "", value.upper(), value.capitalize(), value + value, f"{value} ", "none", "0", "abc")
    )


def _value(text: str, rng: random.Random) -> Iterator[Mutant]:
    spots = [_Spot(m.start(2), m.end(2), m[1], m[2]) for m in _ATTRIBUTE.finditer(text)]
    names = sorted({s.name for s in spots})
    wanted = rng.choice(names)  # rare attributes as often as common ones
    spot = rng.choice([s for s in spots if s.name == wanted])
    same = [s.value for s in spots if s.name == wanted and s.value != spot.value]
    new = rng.choice(same) if same and rng.random() < 0.35 else _other(spot.value, rng)
    yield Mutant(
        f"value of {wanted}: {spot.value[:20]!r} -> {new[:20]!r}",
        text[: spot.start] + new + text[spot.end :],
        None,
        _line(text, spot.start),
    )


def _attribute_gone(text: str, rng: random.Random) -> Iterator[Mutant]:
    spots = list(re.finditer(r'\s([\w-]+)="[^"]*"', text))
    wanted = rng.choice(sorted({m[1] for m in spots}))
    m = rng.choice([m for m in spots if m[1] == wanted])
    yield Mutant(f"no attribute {wanted}", text[: m.start()] + text[m.end() :], None, _line(text, m.start()))


def _attribute_renamed(text: str, rng: random.Random) -> Iterator[Mutant]:
    spots = list(re.finditer(r'(?<=\s)([\w-]+)(?==")', text))
    wanted = rng.choice(sorted({m[1] for m in spots}))
    m = rng.choice([m for m in spots if m[1] == wanted])
    new = _typo(m[1], rng).replace(" ", "_").lstrip("0123456789-") or "x"
    yield Mutant(f"attribute {m[1]} -> {new}", text[: m.start()] + new + text[m.end() :], None, _line(text, m.start()))


def _elements(text: str) -> list[tuple[str, int, int]]:
    found, stack = [], []
    for m in re.finditer(r"<(/?)([a-zA-Z_]+)[^<>]*?(/?)>", text):
        if m[1]:
            while stack:
                tag, start = stack.pop()
                if tag == m[2]:
                    found.append((tag, start, m.end()))
                    break
        elif m[3]:
            found.append((m[2], m.start(), m.end()))
        else:
            stack.append((m[2], m.start()))
    return found


def _element(text: str, rng: random.Random) -> tuple[str, int, int]:
    found = [e for e in _elements(text) if e[0] != "net"]
    wanted = rng.choice(sorted({e[0] for e in found}))
    return rng.choice([e for e in found if e[0] == wanted])


def _element_gone(text: str, rng: random.Random) -> Iterator[Mutant]:
    tag, start, end = _element(text, rng)
    yield Mutant(f"no <{tag}>", text[:start] + text[end:], None, _line(text, start))


def _element_twice(text: str, rng: random.Random) -> Iterator[Mutant]:
    tag, start, end = _element(text, rng)
    yield Mutant(f"<{tag}> twice", text[:end] + "\n" + text[start:end] + text[end:], None, _line(text, end) + 1)


def _element_renamed(text: str, rng: random.Random) -> Iterator[Mutant]:
    tag, start, end = _element(text, rng)
    new = _typo(tag, rng).replace(" ", "_").lstrip("0123456789-") or "x"
    inner = f"<{new}" + text[start + 1 + len(tag) : end]
    if inner.endswith(f"</{tag}>"):
        inner = inner[: -len(tag) - 1] + f"{new}>"
    yield Mutant(f"<{tag}> -> <{new}>", text[:start] + inner + text[end:], None, _line(text, start))


def _element_moved(text: str, rng: random.Random) -> Iterator[Mutant]:
    """Two elements of one name change places."""
    tag, start, end = _element(text, rng)
    others = [
        e
        for e in _elements(text)
        if e[0] == tag and (e[2] <= start or e[1] >= end) and text[e[1] : e[2]] != text[start:end]
    ]
    if not others:
        return
    _, a, b = rng.choice(others)
    (a, b), (c, d) = sorted([(a, b), (start, end)])
    yield Mutant(
        f"two <{tag}> exchanged", text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:], None, _line(text, a)
    )


def _edge(text: str, rng: random.Random) -> Iterator[Mutant]:
    edges = list(re.finditer(r'<edge from-layer="(\d+)" from-port="(\d+)" to-layer="(\d+)" to-port="(\d+)"', text))
    m = rng.choice(edges)
    k = rng.choice((1, 2, 3, 4))
    new = rng.choice(edges)[k] if rng.random() < 0.6 else _number(m[k], rng)
    yield Mutant(
        f"edge end {k}: {m[k]} -> {new}", text[: m.start(k)] + new + text[m.end(k) :], None, _line(text, m.start())
    )


def _dim(text: str, rng: random.Random) -> Iterator[Mutant]:
    dims = list(_DIM.finditer(text))
    m = rng.choice(dims)
    new = _other(m[1], rng)
    yield Mutant(f"dim {m[1]} -> {new}", text[: m.start(1)] + new + text[m.end(1) :], None, _line(text, m.start()))


def _data(text: str, rng: random.Random) -> Iterator[Mutant]:
    """An attribute of an operation."""
    layers = list(re.finditer(r'type="(\w+)" version="\w+"[^>]*>\s*<data ([^>]*)/>', text))
    kind = rng.choice(sorted({m[1] for m in layers}))
    layer = rng.choice([m for m in layers if m[1] == kind])
    spots = list(_ATTRIBUTE.finditer(text, layer.start(2), layer.end(2)))
    if not spots:
        return
    m = rng.choice(spots)
    new = _other(m[2], rng)
    yield Mutant(
        f"{kind} {m[1]}: {m[2][:20]!r} -> {new[:20]!r}",
        text[: m.start(2)] + new + text[m.end(2) :],
        None,
        _line(text, m.start()),
    )


def _type(text: str, rng: random.Random) -> Iterator[Mutant]:
    layers = list(re.finditer(r'type="(\w+)" version="(\w+)"', text))
    m = rng.choice(layers)
    k = rng.choice((1, 2))
    new = rng.choice(layers)[k] if rng.random() < 0.5 else _typo(m[k], rng) if k == 1 else f"opset{rng.randint(1, 18)}"
    yield Mutant(
        f"{('type', 'version')[k - 1]} of {m[1]} {m[2]} -> {new}",
        text[: m.start(k)] + new + text[m.end(k) :],
        None,
        _line(text, m.start()),
    )


WAYS: list[Callable[[str, random.Random], Iterator[Mutant]]] = [
    _value, _value, _attribute_gone, _attribute_renamed, _element_gone, _element_twice, _element_renamed, _element_moved, _edge, _edge, _dim,
    _data, _data, _data, _type,
]  # fmt: skip


def blind(text: str, weights: bytes | None, seed: int, count: int) -> Iterator[Mutant]:
    rng = random.Random(f"blind {seed}")
    for _ in range(count):
        for mutant in rng.choice(WAYS)(text, rng):
            if mutant.text != text:
                yield Mutant(mutant.kind, mutant.text, weights, mutant.line)
