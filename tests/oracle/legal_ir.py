"""Defects of IRs in which every word is legal: flags flipped, numbers moved by one, inputs swapped, constants changed."""

from __future__ import annotations

import json
import random
import re
import struct
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from oracle.sources import ROOT

_LAYER = re.compile(r'<layer [^>]*?type="(\w+)" version="(\w+)"[^>]*>\s*(?:<data ([^>]*?)/?>)?')
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_EDGE = re.compile(r'<edge from-layer="(\d+)" from-port="(\d+)" to-layer="(\d+)" to-port="(\d+)"')
_INTEGERS = re.compile(r"-?\d+(?:, ?-?\d+)*")
_CONST = re.compile(r'<data (?=[^>]*element_type="(i64|i32)")(?=[^>]*offset="(\d+)")(?=[^>]*size="(\d+)")[^>]*/?>')


class Legal(NamedTuple):
    what: str
    text: str
    weights: bytes | None
    at: int  # offset of the change; -1 for the .bin


Way = Callable[[str, "bytes | None", random.Random], "Legal | None"]


def _put(text: str, weights: bytes | None, what: str, start: int, end: int, new: str) -> Legal:
    return Legal(what, text[:start] + new + text[end:], weights, start)


class Spot(NamedTuple):
    type: str
    name: str
    value: str
    start: int
    end: int


def attributes(text: str) -> list[Spot]:
    """The attributes of all operations."""
    return [
        Spot(layer[1], m[1], m[2], m.start(2), m.end(2))
        for layer in _LAYER.finditer(text)
        if layer[3]
        for m in _ATTRIBUTE.finditer(text, layer.start(3), layer.end(3))
    ]


def _pick(rng: random.Random, spots: list[Spot]) -> Spot | None:
    """Any of them, of rare operations as often as of common ones."""
    kinds = sorted({(spot.type, spot.name) for spot in spots})
    if not kinds:
        return None
    kind = rng.choice(kinds)
    return rng.choice([spot for spot in spots if (spot.type, spot.name) == kind])


def flag(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    spot = _pick(rng, [s for s in attributes(text) if s.value in ("true", "false")])
    if spot is None:
        return None
    new = "false" if spot.value == "true" else "true"
    return _put(text, weights, f"{spot.type} {spot.name}={new}", spot.start, spot.end, new)


@cache
def known_words() -> dict[tuple[str, str], list[str]]:
    """The values that attributes of operations may have, by type and attribute, in any opset."""
    table = json.loads((ROOT / "schemas" / "operators" / "openvino.json").read_text(encoding="utf-8"))
    found: dict[tuple[str, str], set[str]] = {}
    for key, operator in table["operators"].items():
        for attribute in operator.get("attributes", ()):
            found.setdefault((key.partition(".")[2], attribute["name"]), set()).update(
                map(str, attribute.get("values", ()))
            )
    return {key: sorted(values) for key, values in found.items() if len(values) > 1}


def word(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    words = known_words()
    spot = _pick(rng, [s for s in attributes(text) if s.value in words.get((s.type, s.name), ())])
    if spot is None:
        return None
    new = rng.choice([w for w in words[spot.type, spot.name] if w != spot.value])
    return _put(text, weights, f"{spot.type} {spot.name}={new}", spot.start, spot.end, new)


def integer(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    spots = [s for s in attributes(text) if s.name not in ("offset", "size") and _INTEGERS.fullmatch(s.value)]
    spot = _pick(rng, spots)
    if spot is None:
        return None
    number = rng.choice(list(re.finditer(r"-?\d+", spot.value)))
    moved = str(int(number[0]) + rng.choice((1, -1)))
    new = spot.value[: number.start()] + moved + spot.value[number.end() :]
    return _put(text, weights, f"{spot.type} {spot.name}={new}", spot.start, spot.end, new)


def dimension(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    spots = list(re.finditer(r"(?<=<dim>)\d+(?=</dim>)", text))
    if not spots:
        return None
    spot = rng.choice(spots)
    new = str(max(0, int(spot[0]) + rng.choice((1, -1, 1, -1, 2))))
    return _put(text, weights, f"dim {spot[0]} -> {new}", spot.start(), spot.end(), new)


def precision(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    spots = list(re.finditer(r'(?<=precision=")\w+', text))
    if not spots:
        return None
    spot = rng.choice(spots)
    new = rng.choice([p for p in ("FP32", "FP16", "I64", "I32", "U8", "BOOL") if p != spot[0]])
    return _put(text, weights, f"precision {spot[0]} -> {new}", spot.start(), spot.end(), new)


def inputs_swapped(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    """Two edges to one layer change their ports."""
    by_layer: dict[str, list[re.Match[str]]] = {}
    for edge in _EDGE.finditer(text):
        by_layer.setdefault(edge[3], []).append(edge)
    usable = [edges for _, edges in sorted(by_layer.items()) if len(edges) > 1]
    if not usable:
        return None
    one, two = sorted(rng.sample(rng.choice(usable), 2), key=re.Match.start)
    text = text[: one.start(4)] + two[4] + text[one.end(4) : two.start(4)] + one[4] + text[two.end(4) :]
    return Legal(f"inputs {one[4]} and {two[4]} of {one[3]} swapped", text, weights, one.start())


def rewired(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    """An edge begins where another one does."""
    edges = list(_EDGE.finditer(text))
    if len(edges) < 2:
        return None
    one, two = rng.sample(edges, 2)
    new = text[two.start(1) : two.end(2)]
    return _put(text, weights, f"{one[0][5:]} from {two[1]}:{two[2]}", one.start(1), one.end(2), new)


def constant(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    """An integer in the .bin is another one: an axis, an index, a shape."""
    spots = [m for m in _CONST.finditer(text) if int(m[3]) <= 64]
    if not spots or weights is None:
        return None
    spot = rng.choice(spots)
    form, width = ("<q", 8) if spot[1] == "i64" else ("<i", 4)
    count = int(spot[3]) // width
    at = int(spot[2]) + width * rng.randrange(count) if count else len(weights)
    if at + width > len(weights):
        return None
    (old,) = struct.unpack_from(form, weights, at)
    new = rng.choice((old + 1, old - 1, -old, old + 1, old - 1, 100, -100, 0))
    if not -(1 << (8 * width - 1)) <= new < 1 << (8 * width - 1):
        return None
    data = weights[:at] + struct.pack(form, new) + weights[at + width :]
    return Legal(f"constant {old} -> {new}", text, data, -1)


def opset(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    spots = list(re.finditer(r'(?<=version=")opset\d+(?=")', text))
    if not spots:
        return None
    spot = rng.choice(spots)
    new = f"opset{rng.randint(1, 16)}"
    return _put(text, weights, f"{spot[0]} -> {new}", spot.start(), spot.end(), new)


def offset(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    """Another place or size in the .bin."""
    spots = list(re.finditer(r'(?<=\s)(offset|size)="(\d+)"', text))
    if not spots:
        return None
    spot = rng.choice(spots)
    old = int(spot[2])
    new = str(rng.choice((old + 4, max(0, old - 4), old + 1, old * 2, 0, old // 2, len(weights or b""))))
    return _put(text, weights, f"{spot[1]} {old} -> {new}", spot.start(2), spot.end(2), new)


WAYS: tuple[Way, ...] = (
    flag,
    word,
    integer,
    integer,
    dimension,
    precision,
    inputs_swapped,
    rewired,
    constant,
    constant,
    opset,
    offset,
)
