"""Defects of IRs that a repair can be asked for, each kind a family of its own: what is lost, misspelt or moved, the rest of the file sound."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from functools import cache, partial

from oracle.legal_ir import Legal, Spot, Way, attributes, known_words
from oracle.sources import ROOT
from oracle.typos import typo

_INTEGER = re.compile(r"-?\d+")
_INTEGERS = re.compile(r"-?\d+(?:, ?-?\d+)*")
_FLOAT = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
_LAYER = re.compile(r'<layer id="(?P<id>\d+)" name="[^"]*" type="(?P<type>\w+)" version="(?P<version>\w+)"')
_LAYER_WHOLE = re.compile(r"[ \t]*<layer (?:(?!<layer |<body>).)*?</layer>\n?", re.DOTALL)
_PORT = re.compile(r"[ \t]*<port id=(?:(?!<port ).)*?(?:</port>|/>)\n?", re.DOTALL)
_EDGE = re.compile(r'[ \t]*<edge from-layer="\d+" from-port="\d+" to-layer="\d+" to-port="\d+" ?/>\n?')
_TO = re.compile(r'to-layer="(\d+)" to-port="(\d+)"')
_TYPES = ("f32", "f16", "i64", "i32", "u8", "i8", "boolean", "f64", "bf16", "u64")
_PRECISIONS = ("FP32", "FP16", "I64", "I32", "U8", "BOOL", "FP64")
BAD_INTEGERS = ("{0}.5", "{0}.0", "one", "0x{0}", "{0},", "", "{0}e0", "{0} 1", "{0}a", " ", "-", "{0}L")
BAD_FLOATS = ("{0}f", "{0}e", "abc", "", "{0},0", "1.2.3", "{0}%", "-")
BAD_FLAGS = ("yes", "no", "True", "ture", "flase", "treu", "1", "0", "", "TRUE", "on", "t", "fals")

Spots = Callable[[str], Sequence[tuple[int, int]]]
Renew = Callable[[str, random.Random], str]


def _changed(text: str, weights: bytes | None, span: tuple[int, int], new: str) -> Legal | None:
    start, end = span
    if text[start:end] == new:
        return None
    what = f"{text[start:end].strip()[:60]!r} -> {new.strip()[:60]!r}"
    return Legal(what, text[:start] + new + text[end:], weights, start)


def _at(pattern: str | re.Pattern[str], group: int = 0) -> Spots:
    compiled = re.compile(pattern)
    return lambda text: [m.span(group) for m in compiled.finditer(text)]


def _value(element: str, name: str, test: str = "") -> Spots:
    """The values of an attribute of the elements whose tags hold a text."""
    tag = re.compile(rf"<{element}(?=[^<>]*{test})[^<>]*?\s{name}=\"([^\"]*)\"")
    return lambda text: [m.span(1) for m in tag.finditer(text)]


def _of_operation(test: Callable[[Spot], bool]) -> Callable[[str, random.Random], tuple[int, int] | None]:
    """An attribute of an operation, of rare operations as often as of common ones."""

    def one(text: str, rng: random.Random) -> tuple[int, int] | None:
        spots = [s for s in attributes(text) if s.name not in ("offset", "size") and test(s)]
        kinds = sorted({(s.type, s.name) for s in spots})
        if not kinds:
            return None
        kind = rng.choice(kinds)
        spot = rng.choice([s for s in spots if (s.type, s.name) == kind])
        return spot.start, spot.end

    return one


def _renewed(spots: Spots, renew: Renew) -> Way:
    def way(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
        found = spots(text)
        if not found:
            return None
        start, end = rng.choice(found)
        return _changed(text, weights, (start, end), renew(text[start:end], rng))

    return way


def _attribute(test: Callable[[Spot], bool], renew: Renew) -> Way:
    one = _of_operation(test)

    def way(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
        span = one(text, rng)
        return span and _changed(text, weights, span, renew(text[slice(*span)], rng))

    return way


# How values are changed


def _near(value: str, rng: random.Random) -> str:
    """A number near another one, or a plausible slip."""
    n = int(value)
    return str(max(0, rng.choice((n + 1, n - 1, n + 1, n + 4, n - 4, n * 2, n // 2, n * 10, n + 100, 0))))


def _moved(value: str, rng: random.Random) -> str:
    n = int(value)
    return str(max(0, rng.choice((n + 1, n - 1, n + 1, n + 2, n + 100, 0))))


def _other(words: Sequence[str], value: str, rng: random.Random) -> str:
    return rng.choice([word for word in words if word != value])


def _shape(value: str, rng: random.Random) -> str:
    parts = re.split(", ?", value) if value else []
    how = rng.randrange(4)
    k = rng.randrange(len(parts)) if parts else 0
    if how == 0 or not parts:
        parts.insert(k, rng.choice(("1", "2", "3")))
    elif how == 1:
        del parts[k]
    elif how == 2:
        parts[k] = _near(parts[k], rng) if parts[k].isdigit() else "2"
    else:
        parts[k] = typo(parts[k], rng)
    return ",".join(parts)


def _misspelt(value: str, rng: random.Random) -> str:
    return typo(value, rng)


def _spelled(forms: Sequence[str], value: str, rng: random.Random) -> str:
    """One number of a list spelled as no reader expects it."""
    spot = rng.choice(list(re.finditer(r"[^,\s]+", value)))
    return value[: spot.start()] + rng.choice(forms).format(spot[0]) + value[spot.end() :]


def _word(forms: Sequence[str], value: str, rng: random.Random) -> str:
    return rng.choice(forms)


@cache
def _arities() -> dict[str, list[str]]:
    """Operations by type, with those of other types that have as many inputs."""
    table = json.loads((ROOT / "schemas" / "operators" / "openvino.json").read_text(encoding="utf-8"))["operators"]
    counts = {key.partition(".")[2]: len(operator.get("inputs", ())) for key, operator in table.items()}
    return {name: sorted(n for n, count in counts.items() if count == own) for name, own in counts.items()}


def _same_arity(value: str, rng: random.Random) -> str:
    return rng.choice(_arities().get(value, [value]))


def _registry(value: str, rng: random.Random) -> str:
    return rng.choice(
        (
            f"opset{rng.randint(1, 16)}",
            f"opset{rng.randint(1, 16)}",
            "extension",
            "opset",
            "opset99",
            "experimental",
            "1",
            "",
        )
    )


# Ways that concern more than one value


def _lost(pattern: re.Pattern[str]) -> Way:
    return _renewed(_at(pattern), lambda value, rng: "")


def _twice(pattern: re.Pattern[str]) -> Way:
    """What is found stands there once more, right behind itself: the second one is the defect."""

    def way(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
        found = [m.span() for m in pattern.finditer(text)]
        if not found:
            return None
        start, end = rng.choice(found)
        return _changed(text, weights, (end, end), text[start:end])

    return way


def edges_lost(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    """Neighbouring edges are gone."""
    edges = list(_EDGE.finditer(text))
    if len(edges) < 4:
        return None
    k = rng.randrange(len(edges) - 3)
    last = k
    while last < k + rng.randint(1, 3) and edges[last].end() == edges[last + 1].start():
        last += 1
    return _changed(text, weights, (edges[k].start(), edges[last].end()), "")


def inputs_swapped(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    by_layer: dict[str, list[re.Match[str]]] = {}
    for edge in _TO.finditer(text):
        by_layer.setdefault(edge[1], []).append(edge)
    usable = [edges for _, edges in sorted(by_layer.items()) if len(edges) > 1]
    if not usable:
        return None
    one, two = sorted(rng.sample(rng.choice(usable), 2), key=re.Match.start)
    new = two[2] + text[one.end(2) : two.start(2)] + one[2]
    return _changed(text, weights, (one.start(2), two.end(2)), new)


def layer_id_doubled(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    layers = list(_LAYER.finditer(text))
    if len(layers) < 2:
        return None
    one, two = rng.sample(layers, 2)
    return _changed(text, weights, one.span("id"), two["id"])


def attribute_lost(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    span = _of_operation(lambda spot: True)(text, rng)
    if span is None:
        return None
    start = text.rindex(" ", 0, text.rindex("=", 0, span[0]))
    return _changed(text, weights, (start, span[1] + 1), "")


def attribute_renamed(text: str, weights: bytes | None, rng: random.Random) -> Legal | None:
    span = _of_operation(lambda spot: True)(text, rng)
    if span is None:
        return None
    end = text.rindex("=", 0, span[0])
    start = text.rindex(" ", 0, end) + 1
    new = typo(text[start:end], rng)
    return _changed(text, weights, (start, end), new if new[:1].isalpha() else f"x{new}")


_PORT_MAP = r"<(?:input|output) (?=[^<>]*(?:external_port_id|internal_layer_id))[^<>]*/>"
_MAP_VALUE = r'\s(?:external_port_id|internal_layer_id)="(\d+)"'
_SLICE = r'\s(?:axis|start|stride|part_size|end)="(-?\d+)"'


def _within(outer: str, inner: str) -> Spots:
    """The first group of an expression, in the matches of another one."""
    one, two = re.compile(outer), re.compile(inner)
    return lambda text: [m.span(1) for tag in one.finditer(text) for m in two.finditer(text, *tag.span())]


_BACK_EDGE = r'<edge from-layer="\d+" to-layer="\d+" ?/>'

WAYS: dict[str, Way] = {
    "const size": _renewed(_value("data", "size", 'offset="'), _near),
    "const shape": _renewed(_value("data", "shape", 'offset="'), _shape),
    "const type": _renewed(_value("data", "element_type", 'offset="'), partial(_other, _TYPES)),
    "const type misspelt": _renewed(_value("data", "element_type", 'offset="'), _misspelt),
    "const offset": _renewed(_value("data", "offset", 'size="'), _near),
    "parameter shape": _attribute(lambda s: (s.type, s.name) == ("Parameter", "shape"), _shape),
    "parameter type": _attribute(
        lambda s: (s.type, s.name) == ("Parameter", "element_type"), partial(_other, _TYPES)
    ),
    "variable id": _renewed(_value("data", "variable_id"), _misspelt),
    "edge lost": _lost(_EDGE),
    "edge doubled": _twice(_EDGE),
    "edges lost": edges_lost,
    "edge from-layer": _renewed(_value("edge", "from-layer", "port"), _moved),
    "edge from-port": _renewed(_value("edge", "from-port"), _moved),
    "edge to-layer": _renewed(_value("edge", "to-layer", "port"), _moved),
    "edge to-port": _renewed(_value("edge", "to-port"), _moved),
    "inputs swapped": inputs_swapped,
    "port dim": _renewed(_at(r"(?<=<dim>)\d+(?=</dim>)"), _near),
    "port dim lost": _lost(re.compile(r"[ \t]*<dim>-?\d+</dim>\n?")),
    "port dim misspelt": _renewed(_at(r"(?<=<dim>)\d+(?=</dim>)"), partial(_spelled, BAD_INTEGERS)),
    "port precision": _renewed(_value("port", "precision"), partial(_other, _PRECISIONS)),
    "port precision misspelt": _renewed(_value("port", "precision"), _misspelt),
    "port id": _renewed(_value("port", "id"), _moved),
    "port lost": _lost(_PORT),
    "port doubled": _twice(_PORT),
    "type misspelt": _renewed(_value("layer", "type"), _misspelt),
    "type of same arity": _renewed(_value("layer", "type"), _same_arity),
    "version": _renewed(_value("layer", "version"), _registry),
    "version misspelt": _renewed(_value("layer", "version"), _misspelt),
    "word misspelt": _attribute(lambda s: s.value in known_words().get((s.type, s.name), ()), _misspelt),
    "word of another": _attribute(
        lambda s: s.value in known_words().get((s.type, s.name), ()),
        lambda value, rng: rng.choice(sorted(w for words in known_words().values() for w in words)),
    ),
    "boolean misspelt": _attribute(lambda s: s.value in ("true", "false"), partial(_word, BAD_FLAGS)),
    "integer spelled": _attribute(lambda s: bool(_INTEGER.fullmatch(s.value)), partial(_spelled, BAD_INTEGERS)),
    "integers spelled": _attribute(
        lambda s: "," in s.value and bool(_INTEGERS.fullmatch(s.value)), partial(_spelled, BAD_INTEGERS)
    ),
    "float spelled": _attribute(lambda s: bool(_FLOAT.fullmatch(s.value)), partial(_spelled, BAD_FLOATS)),
    "attribute lost": attribute_lost,
    "attribute renamed": attribute_renamed,
    "layer id": _renewed(_value("layer", "id"), _moved),
    "layer id doubled": layer_id_doubled,
    "layer lost": _lost(_LAYER_WHOLE),
    "layer doubled": _twice(_LAYER_WHOLE),
    "port map": _renewed(_within(_PORT_MAP, _MAP_VALUE), _moved),
    "port map slice": _renewed(_within(_PORT_MAP, _SLICE), lambda value, rng: str(int(value) + rng.choice((1, -1, 2)))),
    "port map lost": _lost(re.compile(rf"[ \t]*{_PORT_MAP}\n?")),
    "back edge": _renewed(_within(_BACK_EDGE, r'"(\d+)"'), _moved),
    "back edge lost": _lost(re.compile(rf"[ \t]*{_BACK_EDGE}\n?")),
}  # fmt: skip
