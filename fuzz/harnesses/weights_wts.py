"""LightNet's weight files: read, held against the model, and run with."""

from __future__ import annotations

from fuzz import seeds as made
from fuzz.weights import beside
from irlint.formats.lightnet.samples import LIGHTNET

_MODEL = LIGHTNET.replace('"from_file", "value": false', '"from_file", "value": true')


def seeds() -> list[bytes]:
    return [*made.words(), *made.archives()]


def check(data: bytes) -> None:
    beside("net.json", _MODEL, "net.wts", data)
