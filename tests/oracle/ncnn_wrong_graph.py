"""Mistakes in the head of a .param file, in its layers and in the names of blobs."""

from __future__ import annotations

import random

from oracle.ncnn_lines import Made, Model, also, changed, counted, edited, header, pick, word
from oracle.typos import typo

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


# The head


def layer_count(of: Model, rng: random.Random) -> Made | None:
    return header(of, "layer count", layers=rng.choice((-1, 1, -2, 2, 10, -3)))


def blob_count(of: Model, rng: random.Random) -> Made | None:
    return header(of, "blob count", blobs=rng.choice((-1, 1, -2, 2, 10, -3)))


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
    layer = pick(of, rng, lambda layer: True)
    return layer and word(of, layer, 2, str(max(0, layer.inputs + rng.choice((-1, 1, 1)))), "input count")


def output_count(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    return layer and word(of, layer, 3, str(max(0, layer.outputs + rng.choice((-1, 1, 1)))), "output count")


def blob_gone(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: len(layer.blobs))
    return layer and word(of, layer, rng.choice(layer.blobs), "", "blob gone")


def blob_doubled(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: len(layer.blobs))
    if layer is None:
        return None
    place = rng.choice(layer.blobs)
    return word(of, layer, place, f"{layer.words[place]} {layer.words[place]}", "blob doubled")


def blob_misspelt(of: Model, rng: random.Random) -> Made | None:
    """Where it is read: the line that makes it is as good a place to tell."""
    layer = pick(of, rng, lambda layer: layer.inputs)
    if layer is None:
        return None
    place = rng.choice(layer.blobs[: layer.inputs])
    made = word(of, layer, place, typo(layer.words[place], rng))
    return also(of, made, layer.words[place])


def output_misspelt(of: Model, rng: random.Random) -> Made | None:
    readers = of.readers
    layer = pick(of, rng, lambda layer: any(blob in readers for blob in layer.made))
    if layer is None:
        return None
    place = rng.choice([place for place in layer.blobs[layer.inputs :] if layer.words[place] in readers])
    made = word(of, layer, place, typo(layer.words[place], rng))
    return also(of, made, layer.words[place])


def wrong_input(of: Model, rng: random.Random) -> Made | None:
    """Another blob that exists: read twice now, or read before it is made."""
    layer = pick(of, rng, lambda layer: layer.inputs)
    blobs = [blob for other in of.layers for blob in other.made]
    if layer is None or not blobs:
        return None
    place = rng.choice(layer.blobs[: layer.inputs])
    new = rng.choice([blob for blob in blobs if blob != layer.words[place]] or [""])
    return also(of, word(of, layer, place, new), new) if new else None


def output_of_another(of: Model, rng: random.Random) -> Made | None:
    """A layer was copied, and its output not renamed."""
    layer = pick(of, rng, lambda layer: layer.outputs)
    blobs = sorted({blob for other in of.layers for blob in other.made if other is not layer})
    if layer is None or not blobs:
        return None
    place = rng.choice(layer.blobs[layer.inputs :])
    new = rng.choice(blobs)
    return also(of, also(of, word(of, layer, place, new), new), layer.words[place])


def name_of_another(of: Model, rng: random.Random) -> Made | None:
    layer, other = (pick(of, rng, lambda layer: True) for _ in range(2))
    if layer is None or other is None or layer is other:
        return None
    made = word(of, layer, 1, other.words[1])
    return made._replace(lines=(*made.lines, other.line + 1))


def inputs_swapped(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: len({*layer.read}) > 1)
    if layer is None:
        return None
    words = [*layer.words]
    a, b = rng.sample(layer.blobs[: layer.inputs], 2)
    words[a], words[b] = words[b], words[a]
    return changed(of, layer, " ".join(words), "inputs swapped")


# Layers


def type_misspelt(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    return layer and word(of, layer, 0, typo(layer.words[0], rng))


def type_in_other_case(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    return layer and word(of, layer, 0, rng.choice((str.lower, str.upper, str.capitalize))(layer.words[0]))


def type_of_another_framework(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    return layer and word(of, layer, 0, rng.choice(ELSEWHERE))


def type_gone(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    return layer and word(of, layer, rng.choice((0, 1)), "", "type or name gone")


def lines_swapped(of: Model, rng: random.Random) -> Made | None:
    """Neighbours, or a layer that reads and one that makes."""
    layer = pick(of, rng, lambda layer: layer.inputs and layer.line > 2)
    if layer is None:
        return None
    makers = [other for other in of.layers if {*other.made} & {*layer.read} and other.line < layer.line]
    if not makers:
        return None
    other = makers[-1]
    lines = [*of.lines]
    lines[layer.line], lines[other.line] = lines[other.line], lines[layer.line]
    return edited(of, lines, f"swapped {other.words[1]} and {layer.words[1]}", other, layer)


def layer_gone(of: Model, rng: random.Random, count: bool = False) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    if layer is None:
        return None
    lines = [*of.lines[: layer.line], *of.lines[layer.line + 1 :]]
    made = edited(of, lines, f"no {layer.words[1]}", layer)
    readers = tuple(other.line for other in of.layers if {*other.read} & {*layer.made} or {*other.made} & {*layer.read})
    made = made._replace(lines=(*made.lines, *readers, *(() if count else (2,))))
    return counted(made, -1, -layer.outputs) if count else made


def layer_gone_counted(of: Model, rng: random.Random) -> Made | None:
    return layer_gone(of, rng, count=True)


def layer_cut_out(of: Model, rng: random.Random) -> Made | None:
    """Its reader gets what it read, the counts in the head stay."""
    readers = of.readers
    layer = pick(of, rng, lambda layer: layer.inputs == layer.outputs == 1 and layer.made[0] in readers)
    if layer is None:
        return None
    reader = readers[layer.made[0]][0]
    lines = [*of.lines]
    place = reader.words.index(layer.made[0], 4)
    lines[reader.line] = word(of, reader, place, layer.read[0]).text.split("\n")[reader.line]
    del lines[layer.line]
    return Made(f"cut out {layer.words[1]}", "\n".join(lines), (2, layer.line + 1))


def layer_doubled(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: True)
    if layer is None:
        return None
    lines = [*of.lines[: layer.line], of.lines[layer.line], *of.lines[layer.line :]]
    return Made(f"doubled {layer.words[1]}", "\n".join(lines), (2, layer.line + 1, layer.line + 2))


def layer_doubled_counted(of: Model, rng: random.Random) -> Made | None:
    made = layer_doubled(of, rng)
    return made and counted(made, 1, 1)._replace(lines=made.lines[1:])


def split_gone(of: Model, rng: random.Random) -> Made | None:
    """All readers get the blob that was split; the counts are right."""
    layer = pick(of, rng, lambda layer: layer.words[0] == "Split" and layer.inputs == 1)
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
    return counted(made, -1, -layer.outputs)


def split_of_other_number(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: layer.words[0] == "Split" and layer.outputs > 1)
    if layer is None:
        return None
    fewer = rng.random() < 0.5
    blobs = layer.made[:-1] if fewer else [*layer.made, f"{layer.made[-1]}_more"]
    words = [*layer.words[:3], str(len(blobs)), *layer.read, *blobs]
    made = changed(of, layer, " ".join(words), "number of outputs")
    if fewer:
        made = also(of, made, layer.made[-1])
    return made._replace(lines=(2, *made.lines))


def input_shape(of: Model, rng: random.Random) -> Made | None:
    layer = pick(of, rng, lambda layer: layer.words[0] == "Input" and len(layer.parameters))
    if layer is None:
        return None
    place = rng.choice(layer.parameters)
    key, _, value = layer.words[place].partition("=")
    if not value.isdigit():
        return None
    return word(of, layer, place, f"{key}={int(value) + rng.choice((1, -1, 7, 100))}")
