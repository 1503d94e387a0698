"""A .param file as people see it, lines of words, and changes of them that know on which lines they can be seen."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple


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
    lines: tuple[int, ...]  # count from 1


Way = Callable[[Model, random.Random], "Made | None"]


@cache
def model(text: str) -> Model:
    """The lines, and the layers among them that have all the blobs they count."""
    lines = text.split("\n")
    layers = []
    for number, line in enumerate(lines[2:], 2):
        words = line.split()
        if len(words) >= 4 and words[2].isdigit() and words[3].isdigit():
            layer = Layer(number, words, int(words[2]), int(words[3]))
            if layer.blobs.stop <= len(words):
                layers.append(layer)
    return Model(lines, layers)


def word(of: Model, layer: Layer, place: int, new: str, what: str = "") -> Made:
    """One word of a layer is another; nothing: it is gone."""
    spans = list(re.finditer(r"\S+", of.lines[layer.line]))
    line = of.lines[layer.line]
    start, end = spans[place].span()
    if not new and place + 1 < len(spans):
        end = spans[place + 1].start()
    return changed(of, layer, line[:start] + new + line[end:], what or f"{layer.words[place]} -> {new}")


def changed(of: Model, layer: Layer, line: str, what: str, *also: Layer) -> Made:
    lines = [*of.lines]
    lines[layer.line] = line
    return edited(of, lines, f"{layer.words[1]}: {what}", layer, *also)


def edited(of: Model, lines: list[str], what: str, *at: Layer) -> Made:
    return Made(what, "\n".join(lines), tuple(layer.line + 1 for layer in at))


def header(of: Model, what: str, layers: int = 0, blobs: int = 0) -> Made | None:
    counts = of.lines[1].split()
    if len(counts) != 2 or not all(count.isdigit() for count in counts):
        return None
    new = [str(int(counts[0]) + layers), str(int(counts[1]) + blobs)]
    return Made(
        f"{what}: {' '.join(counts)} -> {' '.join(new)}", "\n".join([of.lines[0], " ".join(new), *of.lines[2:]]), (2,)
    )


def counted(made: Made, layers: int, blobs: int) -> Made:
    """The change with the counts in the head made to fit, as careful people do."""
    head = header(model(made.text), "", layers, blobs)
    return made._replace(text=head.text) if head else made


def pick(of: Model, rng: random.Random, test: Callable[[Layer], object]) -> Layer | None:
    """A layer, of rare types as often as of common ones."""
    found = [layer for layer in of.layers if test(layer)]
    types = sorted({layer.words[0] for layer in found})
    if not types:
        return None
    type_ = rng.choice(types)
    return rng.choice([layer for layer in found if layer.words[0] == type_])


def also(of: Model, made: Made, blob: str) -> Made:
    others = tuple(layer.line + 1 for layer in of.layers if blob in (*layer.read, *layer.made))
    return made._replace(lines=(*made.lines, *others))
