"""Mistakes that people make in .param files and with the .bin next to them. Each knows the lines on which the mistake can be seen."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from oracle.typos import typo

HALF = 0x01306B47  # flag of weights of 16 bits
ELSEWHERE = [
    "Conv",
    "Conv2d",
    "conv2d",
    "Relu",
    "relu",
    "MaxPool",
    "Add",
    "Mul",
    "Linear",
    "BatchNorm2d",
    "Upsample",
    "Sub",
    "Gemv",
    "Identity",
    "Transpose",
    "LogSoftmax",
    "BatchNormalization",
]


class Layer(NamedTuple):
    line: int  # counts from 0
    words: list[str]
    inputs: int
    outputs: int

    @property
    def blobs(self) -> range:
        """Places of blob names among the words."""
        return range(4, 4 + self.inputs + self.outputs)

    @property
    def read(self) -> list[str]:
        return self.words[4 : 4 + self.inputs]

    @property
    def made(self) -> list[str]:
        return self.words[4 + self.inputs : 4 + self.inputs + self.outputs]

    @property
    def parameters(self) -> range:
        return range(4 + self.inputs + self.outputs, len(self.words))


class Model(NamedTuple):
    lines: list[str]
    layers: list[Layer]

    @property
    def readers(self) -> dict[str, list[Layer]]:
        found: dict[str, list[Layer]] = {}
        for layer in self.layers:
            for blob in layer.read:
                found.setdefault(blob, []).append(layer)
        return found


class Made(NamedTuple):
    what: str
    text: str
    lines: tuple[int, ...]  # count from 1; none if the mistake is in the weights
    weights: bytes | None = None  # None: as they were


Way = Callable[[Model, random.Random], "Made | None"]
WeightsWay = Callable[[bytes, bytes, random.Random], "tuple[str, bytes] | None"]


@cache
def model(text: str) -> Model:
    lines = text.split("\n")
    layers = []
    for number, line in enumerate(lines[2:], 2):
        words = line.split()
        if len(words) >= 4 and words[2].isdigit() and words[3].isdigit():
            layers.append(Layer(number, words, int(words[2]), int(words[3])))
    return Model(lines, layers)


def _words(of: Model, layer: Layer, place: int, new: str, what: str = "") -> Made:
    """One word of a layer is another; nothing: it is gone."""
    spans = list(re.finditer(r"\S+", of.lines[layer.line]))
    line = of.lines[layer.line]
    start, end = spans[place].span()
    if not new and place + 1 < len(spans):
        end = spans[place + 1].start()
    return _line(of, layer, line[:start] + new + line[end:], what or f"{layer.words[place]} -> {new}")


def _line(of: Model, layer: Layer, line: str, what: str, *also: Layer) -> Made:
    lines = [*of.lines]
    lines[layer.line] = line
    return _made(of, lines, f"{layer.words[1]}: {what}", layer, *also)


def _made(of: Model, lines: list[str], what: str, *at: Layer) -> Made:
    return Made(what, "\n".join(lines), tuple(layer.line + 1 for layer in at))


def _header(of: Model, what: str, layers: int = 0, blobs: int = 0) -> Made | None:
    counts = of.lines[1].split()
    if len(counts) != 2:
        return None
    new = [str(int(counts[0]) + layers), str(int(counts[1]) + blobs)]
    return Made(
        f"{what}: {' '.join(counts)} -> {' '.join(new)}", "\n".join([of.lines[0], " ".join(new), *of.lines[2:]]), (2,)
    )


def _counted(made: Made, layers: int, blobs: int) -> Made:
    """The change with the counts in the head made to fit, as careful people do."""
    head = _header(model(made.text), "", layers, blobs)
    return made._replace(text=head.text) if head else made


def _pick(of: Model, rng: random.Random, test: Callable[[Layer], object]) -> Layer | None:
    """A layer, of rare types as often as of common ones."""
    found = [layer for layer in of.layers if test(layer)]
    types = sorted({layer.words[0] for layer in found})
    if not types:
        return None
    type_ = rng.choice(types)
    return rng.choice([layer for layer in found if layer.words[0] == type_])


# The head


def layer_count(of: Model, rng: random.Random) -> Made | None:
    return _header(of, "layer count", layers=rng.choice((-1, 1, -2, 2, 10, -3)))


def blob_count(of: Model, rng: random.Random) -> Made | None:
    return _header(of, "blob count", blobs=rng.choice((-1, 1, -2, 2, 10, -3)))


def counts_swapped(of: Model, rng: random.Random) -> Made | None:
    counts = of.lines[1].split()
    return (
        Made("counts swapped", "\n".join([of.lines[0], " ".join(counts[::-1]), *of.lines[2:]]), (2,))
        if len({*counts}) == 2
        else None
    )


def magic(of: Model, rng: random.Random) -> Made:
    new = rng.choice(("7767518", "776751", "77675177", "", "767517", "7767517.0", "magic", "7767571"))
    return Made(f"magic {new!r}", "\n".join([new, *of.lines[1:]]), (1, 2))


def line_of_head_gone(of: Model, rng: random.Random) -> Made:
    k = rng.choice((0, 1))
    return Made(f"no line {k + 1}", "\n".join([*of.lines[:k], *of.lines[k + 1 :]]), (1, 2))


# Counts and names of blobs


def input_count(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    return layer and _words(of, layer, 2, str(max(0, layer.inputs + rng.choice((-1, 1, 1)))), "input count")


def output_count(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    return layer and _words(of, layer, 3, str(max(0, layer.outputs + rng.choice((-1, 1, 1)))), "output count")


def blob_gone(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: len(layer.blobs))
    return layer and _words(of, layer, rng.choice(layer.blobs), "", "blob gone")


def blob_doubled(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: len(layer.blobs))
    if layer is None:
        return None
    place = rng.choice(layer.blobs)
    return _words(of, layer, place, f"{layer.words[place]} {layer.words[place]}", "blob doubled")


def blob_misspelt(of: Model, rng: random.Random) -> Made | None:
    """Where it is read: the line that makes it is as good a place to tell."""
    layer = _pick(of, rng, lambda layer: layer.inputs)
    if layer is None:
        return None
    place = rng.choice(layer.blobs[: layer.inputs])
    made = _words(of, layer, place, typo(layer.words[place], rng))
    return _with(of, made, layer.words[place])


def output_misspelt(of: Model, rng: random.Random) -> Made | None:
    readers = of.readers
    layer = _pick(of, rng, lambda layer: any(blob in readers for blob in layer.made))
    if layer is None:
        return None
    place = rng.choice([place for place in layer.blobs[layer.inputs :] if layer.words[place] in readers])
    made = _words(of, layer, place, typo(layer.words[place], rng))
    return _with(of, made, layer.words[place])


def _with(of: Model, made: Made, blob: str) -> Made:
    others = tuple(layer.line + 1 for layer in of.layers if blob in (*layer.read, *layer.made))
    return made._replace(lines=(*made.lines, *others))


def wrong_input(of: Model, rng: random.Random) -> Made | None:
    """Another blob that exists: read twice now, or read before it is made."""
    layer = _pick(of, rng, lambda layer: layer.inputs)
    blobs = [blob for other in of.layers for blob in other.made]
    if layer is None or not blobs:
        return None
    place = rng.choice(layer.blobs[: layer.inputs])
    new = rng.choice([blob for blob in blobs if blob != layer.words[place]] or [""])
    return _with(of, _words(of, layer, place, new), new) if new else None


def output_of_another(of: Model, rng: random.Random) -> Made | None:
    """A layer was copied, and its output not renamed."""
    layer = _pick(of, rng, lambda layer: layer.outputs)
    blobs = sorted({blob for other in of.layers for blob in other.made if other is not layer})
    if layer is None or not blobs:
        return None
    place = rng.choice(layer.blobs[layer.inputs :])
    new = rng.choice(blobs)
    return _with(of, _with(of, _words(of, layer, place, new), new), layer.words[place])


def name_of_another(of: Model, rng: random.Random) -> Made | None:
    layer, other = (_pick(of, rng, lambda layer: True) for _ in range(2))
    if layer is None or other is None or layer is other:
        return None
    made = _words(of, layer, 1, other.words[1])
    return made._replace(lines=(*made.lines, other.line + 1))


def inputs_swapped(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: len({*layer.read}) > 1)
    if layer is None:
        return None
    words = [*layer.words]
    a, b = rng.sample(layer.blobs[: layer.inputs], 2)
    words[a], words[b] = words[b], words[a]
    return _line(of, layer, " ".join(words), "inputs swapped")


# Layers


def type_misspelt(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    return layer and _words(of, layer, 0, typo(layer.words[0], rng))


def type_in_other_case(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    return layer and _words(of, layer, 0, rng.choice((str.lower, str.upper, str.capitalize))(layer.words[0]))


def type_of_another_framework(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    return layer and _words(of, layer, 0, rng.choice(ELSEWHERE))


def type_gone(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    return layer and _words(of, layer, rng.choice((0, 1)), "", "type or name gone")


def lines_swapped(of: Model, rng: random.Random) -> Made | None:
    """Neighbours, or a layer that reads and one that makes."""
    layer = _pick(of, rng, lambda layer: layer.inputs and layer.line > 2)
    if layer is None:
        return None
    makers = [other for other in of.layers if {*other.made} & {*layer.read} and other.line < layer.line]
    if not makers:
        return None
    other = makers[-1]
    lines = [*of.lines]
    lines[layer.line], lines[other.line] = lines[other.line], lines[layer.line]
    return _made(of, lines, f"swapped {other.words[1]} and {layer.words[1]}", other, layer)


def layer_gone(of: Model, rng: random.Random, count: bool = False) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    if layer is None:
        return None
    lines = [*of.lines[: layer.line], *of.lines[layer.line + 1 :]]
    made = _made(of, lines, f"no {layer.words[1]}", layer)
    readers = tuple(other.line for other in of.layers if {*other.read} & {*layer.made} or {*other.made} & {*layer.read})
    made = made._replace(lines=(*made.lines, *readers, *(() if count else (2,))))
    return _counted(made, -1, -layer.outputs) if count else made


def layer_gone_counted(of: Model, rng: random.Random) -> Made | None:
    return layer_gone(of, rng, count=True)


def layer_cut_out(of: Model, rng: random.Random) -> Made | None:
    """Its reader gets what it read, the counts in the head stay."""
    readers = of.readers
    layer = _pick(of, rng, lambda layer: layer.inputs == layer.outputs == 1 and layer.made[0] in readers)
    if layer is None:
        return None
    reader = readers[layer.made[0]][0]
    lines = [*of.lines]
    place = reader.words.index(layer.made[0], 4)
    lines[reader.line] = _words(of, reader, place, layer.read[0]).text.split("\n")[reader.line]
    del lines[layer.line]
    return Made(f"cut out {layer.words[1]}", "\n".join(lines), (2, layer.line + 1))


def layer_doubled(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    if layer is None:
        return None
    lines = [*of.lines[: layer.line], of.lines[layer.line], *of.lines[layer.line :]]
    return Made(f"doubled {layer.words[1]}", "\n".join(lines), (2, layer.line + 1, layer.line + 2))


def layer_doubled_counted(of: Model, rng: random.Random) -> Made | None:
    made = layer_doubled(of, rng)
    return made and _counted(made, 1, 1)._replace(lines=made.lines[1:])


def split_gone(of: Model, rng: random.Random) -> Made | None:
    """All readers get the blob that was split; the counts are right."""
    layer = _pick(of, rng, lambda layer: layer.words[0] == "Split" and layer.inputs == 1)
    if layer is None:
        return None
    lines, at = [*of.lines], []
    for reader in of.layers:
        words = [
            layer.read[0] if k in reader.blobs[: reader.inputs] and word in layer.made else word
            for k, word in enumerate(reader.words)
        ]
        if words != reader.words:
            lines[reader.line] = " ".join(words)
            at.append(reader.line)  # a line further up once the Split is gone
    del lines[layer.line]
    made = Made(f"no {layer.words[1]}", "\n".join(lines), (*at, layer.line))
    return _counted(made, -1, -layer.outputs)


def split_of_other_number(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: layer.words[0] == "Split" and layer.outputs > 1)
    if layer is None:
        return None
    fewer = rng.random() < 0.5
    blobs = layer.made[:-1] if fewer else [*layer.made, f"{layer.made[-1]}_more"]
    words = [*layer.words[:3], str(len(blobs)), *layer.read, *blobs]
    made = _line(of, layer, " ".join(words), "number of outputs")
    if fewer:
        made = _with(of, made, layer.made[-1])
    return made._replace(lines=(2, *made.lines))


def input_shape(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: layer.words[0] == "Input" and len(layer.parameters))
    if layer is None:
        return None
    place = rng.choice(layer.parameters)
    key, _, value = layer.words[place].partition("=")
    if not value.isdigit():
        return None
    return _words(of, layer, place, f"{key}={int(value) + rng.choice((1, -1, 7, 100))}")


# Parameters


def _parameter(of: Model, rng: random.Random, pattern: str = ".*") -> tuple[Layer, int, str, str] | None:
    """Any parameter, of rare layers and ids as often as of others."""
    test = re.compile(pattern)
    found: dict[tuple[str, str], list[tuple[Layer, int]]] = {}
    for layer in of.layers:
        for place in layer.parameters:
            if test.fullmatch(layer.words[place]) and "=" in layer.words[place]:
                found.setdefault((layer.words[0], layer.words[place].partition("=")[0]), []).append((layer, place))
    if not found:
        return None
    layer, place = rng.choice(found[rng.choice(sorted(found))])
    key, _, value = layer.words[place].partition("=")
    return layer, place, key, value


def id_changed(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    return _words(
        of,
        layer,
        place,
        f"{rng.choice((int(key) + 1, max(0, int(key) - 1), int(key) + 10, 32, 99, f'{key}{key}'))}={value}",
    )


def parameter_gone(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng)
    return spot and _words(of, spot[0], spot[1], "", f"no {spot[2]}={spot[3][:20]}")


def parameter_doubled(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+")
    if spot is None:
        return None
    layer, place, key, value = spot
    return _words(of, layer, place, f"{key}={value} {key}={rng.choice((int(value), int(value) + 1))}")


def value_off(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+")
    if spot is None:
        return None
    layer, place, key, value = spot
    n = int(value)
    return _words(of, layer, place, f"{key}={rng.choice((n + 1, n - 1, n * 10, n * 2, -n or 1, 0 if n else 1))}")


def weight_size(of: Model, rng: random.Random) -> Made | None:
    """The parameter that has to fit others: the largest of a layer with weights."""
    layer = _pick(of, rng, lambda layer: any(re.fullmatch(r"[1236]=\d{2,}", layer.words[k]) for k in layer.parameters))
    if layer is None:
        return None
    places = [k for k in layer.parameters if re.fullmatch(r"[1236]=\d{2,}", layer.words[k])]
    place = max(places, key=lambda k: int(layer.words[k].partition("=")[2]))
    key, _, value = layer.words[place].partition("=")
    return _words(
        of,
        layer,
        place,
        f"{key}={rng.choice((int(value) + 1, int(value) - 1, int(value) * 2, int(value) // 2, int(value[:-1])))}",
    )


def int_as_float(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+")
    return spot and _words(of, spot[0], spot[1], f"{spot[2]}={spot[3]}{rng.choice(('.0', '.000000', 'e0', '.5'))}")


def float_as_int(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"\d+=-?\d+\.\d*(?:e[-+]?\d+)?")
    if spot is None:
        return None
    layer, place, key, value = spot
    return _words(of, layer, place, f"{key}={rng.choice((round(float(value)), 1, 2))}")


def value_gone(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng)
    return spot and _words(
        of,
        spot[0],
        spot[1],
        rng.choice((f"{spot[2]}=", f"={spot[3]}", f"{spot[2]}{spot[3]}", f"{spot[2]}=x", f"{spot[2]}:{spot[3]}")),
    )


def space_in_parameter(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng)
    return spot and _words(
        of, spot[0], spot[1], rng.choice((f"{spot[2]} ={spot[3]}", f"{spot[2]}= {spot[3]}", f"{spot[2]} = {spot[3]}"))
    )


def array_count(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"-233\d\d=\d+,.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    count, _, items = value.partition(",")
    return _words(of, layer, place, f"{key}={rng.choice((int(count) + 1, int(count) - 1, int(count) * 2, 0))},{items}")


def array_key(of: Model, rng: random.Random) -> Made | None:
    spot = _parameter(of, rng, r"-233\d\d=.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    return _words(
        of,
        layer,
        place,
        f"{rng.choice((key[1:], key[:-1], f'{key}0', str(int(key) - 1), str(-23300 - int(key)), '-233'))}={value}",
    )


def array_items(of: Model, rng: random.Random) -> Made | None:
    """A comma too many or too few, spaces after commas, a float among ints."""
    spot = _parameter(of, rng, r"[-\d]+=[^,]*,.*")
    if spot is None:
        return None
    layer, place, key, value = spot
    changed = rng.choice(
        (
            value.replace(",", ", "),
            value + ",",
            value.replace(",", ",,", 1),
            value.replace(",", ";"),
            value.replace(",", " "),
            value + ".0",
            value.rpartition(",")[0],
        )
    )
    return _words(of, layer, place, f"{key}={changed}")


def parameter_before_blobs(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: len(layer.parameters) and len(layer.blobs))
    if layer is None:
        return None
    words = [*layer.words]
    words.insert(rng.choice((2, 4)), words.pop(rng.choice(layer.parameters)))
    return _line(of, layer, " ".join(words), "parameter before blobs")


# The text


def crlf(of: Model, rng: random.Random) -> Made:
    return Made("CRLF", "\r\n".join(of.lines), (1,))


def byte_order_mark(of: Model, rng: random.Random) -> Made:
    return Made("byte order mark", "\ufeff" + "\n".join(of.lines), (1,))


def blank_lines(of: Model, rng: random.Random) -> Made:
    k = rng.randrange(len(of.lines))
    return Made("blank lines", "\n".join([*of.lines[:k], "", rng.choice(("", "  ")), *of.lines[k:]]), (k + 1, k + 2))


def tabs(of: Model, rng: random.Random) -> Made:
    k = rng.randrange(2, len(of.lines))
    return Made("tabs", "\n".join([*of.lines[:k], re.sub(" +", "\t", of.lines[k]), *of.lines[k + 1 :]]), (k + 1,))


def comment(of: Model, rng: random.Random) -> Made:
    k = rng.randrange(1, len(of.lines))
    return Made(
        "comment line",
        "\n".join([*of.lines[:k], rng.choice(("# head", "// backbone", "#", "; neck", "/* end */")), *of.lines[k:]]),
        (k + 1, k + 2),
    )


def comment_behind(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: True)
    return layer and _line(
        of, layer, f"{of.lines[layer.line]} {rng.choice(('# stride was 2', '// see issue', '#3=2'))}", "comment behind"
    )


def cut_off(of: Model, rng: random.Random) -> Made:
    text = "\n".join(of.lines)
    at = rng.randrange(len(text) // 4, len(text))
    line = text.count("\n", 0, at) + 1
    return Made("cut off", text[:at], (2, line, line - 1))


def lines_merged(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: layer.line + 1 < len(of.lines) and of.lines[layer.line + 1].strip())
    if layer is None:
        return None
    lines = [
        *of.lines[: layer.line],
        of.lines[layer.line] + rng.choice(("", " ")) + of.lines[layer.line + 1],
        *of.lines[layer.line + 2 :],
    ]
    return _made(of, lines, "merged lines", layer)


def line_cut(of: Model, rng: random.Random) -> Made | None:
    layer = _pick(of, rng, lambda layer: len(layer.words) > 4)
    if layer is None:
        return None
    line = of.lines[layer.line]
    at = rng.randrange(2, len(line))
    lines = [*of.lines[: layer.line], line[:at], line[at:], *of.lines[layer.line + 1 :]]
    return _made(of, lines, f"cut at {at}", layer)


WAYS: tuple[Way, ...] = (
    layer_count, blob_count, counts_swapped, magic, line_of_head_gone, input_count, output_count, blob_gone, blob_doubled, blob_misspelt, blob_misspelt,
    output_misspelt, wrong_input, output_of_another, name_of_another, inputs_swapped, type_misspelt, type_in_other_case, type_of_another_framework,
    type_gone, lines_swapped, layer_gone, layer_gone_counted, layer_cut_out, layer_doubled, layer_doubled_counted, split_gone, split_gone,
    split_of_other_number, input_shape, id_changed, parameter_gone, parameter_gone, parameter_doubled, value_off, value_off, value_off, weight_size,
    int_as_float, float_as_int, value_gone, space_in_parameter, array_count, array_key, array_items, parameter_before_blobs, crlf, byte_order_mark,
    blank_lines, tabs, comment, comment_behind, cut_off, lines_merged, line_cut,
)  # fmt: skip
HARMLESS = (crlf, blank_lines, tabs)  # a second mistake has to be one


def two(of: Model, rng: random.Random) -> Made | None:
    """Two mistakes, the second of which does not move the first."""
    first = rng.choice([way for way in WAYS if way not in HARMLESS])(of, rng)
    if first is None:
        return None
    second = rng.choice([way for way in WAYS if way not in HARMLESS])(model(first.text), rng)
    if second is None or second.text.count("\n") != first.text.count("\n"):
        return None
    return Made(f"{first.what}; {second.what}", second.text, (*first.lines, *second.lines))


# The weights


def shortened(data: bytes, other: bytes, rng: random.Random) -> tuple[str, bytes] | None:
    gone = rng.choice((1, 4, 100, len(data) // 2, len(data)))
    return (f"{gone} bytes gone", data[:-gone]) if len(data) >= gone else None


def lengthened(data: bytes, other: bytes, rng: random.Random) -> tuple[str, bytes]:
    more = rng.choice((4, 400, len(data)))
    return f"{more} bytes more", data + bytes(more)


def of_another_model(data: bytes, other: bytes, rng: random.Random) -> tuple[str, bytes]:
    return "of another model", other


def flag_broken(data: bytes, other: bytes, rng: random.Random) -> tuple[str, bytes] | None:
    """The first word: a flag, if the first layer with weights has one."""
    flag = rng.choice((HALF, 0x000D4B38, 1, 0x01000000, 0))
    return (f"first word {flag:#x}", struct.pack("<I", flag) + data[4:]) if len(data) > 8 else None


def shifted(data: bytes, other: bytes, rng: random.Random) -> tuple[str, bytes] | None:
    at = 4 * rng.randrange(1 + len(data) // 8)
    return (f"4 bytes gone at {at}", data[:at] + data[at + 4 :]) if len(data) > 16 else None


WEIGHTS: tuple[WeightsWay, ...] = (shortened, lengthened, of_another_model, flag_broken, shifted)
