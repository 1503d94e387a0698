"""Words that are longer than what the runtime reads of them."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from irlint.findings import Fix, Problem, Severity
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.releases import STRICT, oldest
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Span
from irlint.text.layers import Layer, LayerDocument, Word
from irlint.text.layers_values import number
from irlint.text.patterns import later

_WIDE = later(r"[-+0-9.eE]{16}|[^\s=]{63}")
_PARTS = later(r'^[-+0-9]+(?==)|(?<==)(?:"[^"]*"|[A-Za-z]\S*)|(?<=[=,])[-+0-9.eE]+')
_NAME, _OUTPUTS, _PARAMS = map(attrgetter, ("name", "outputs", "params"))
NAME, ID, DIGITS, OLD_DIGITS = 255, 15, 127, 15  # bytes


def long_words(model: Model, document: LayerDocument) -> Iterator[Problem]:
    for k in model.memory.picked("long words", document.rows, _long):
        row, words = document.rows[k], document.words(document.rows[k])
        names = 4 + len(row.inputs) + len(row.outputs)
        for start, end, text in words[:names]:
            if (size := len(text.encode(errors="replace"))) > NAME:
                yield _too_long(start, end, "name", size, NAME)
        for word in words[names:]:
            yield from _long_parts(word, oldest(model))


def _long_parts(word: Word, oldest: int) -> Iterator[Problem]:
    for match in _PARTS.finditer(word.text):
        text, (start, end) = match[0], (word.start + at for at in match.span())
        size = len(text.encode(errors="replace"))
        if match.end() < len(word.text) and match.start() == 0:
            what, most = "id", ID
        else:
            what, most = ("number", DIGITS) if text[0] in "+-.0123456789" else ("string", NAME + 2 * (text[0] == '"'))
        if size > most:
            yield _too_long(start, end, what, size, most)
        elif what == "number" and size > OLD_DIGITS:
            message = f"number of {size} characters; releases before {STRICT} read {OLD_DIGITS}, and the rest as another parameter"
            severity = Severity.ERROR if oldest < STRICT else None
            yield Problem(R.long_word, Span(start, end), message, fix=partial(_shorter, start, end), severity=severity)


def _too_long(start: int, end: int, what: str, size: int, most: int) -> Problem:
    message = f"{what} of {size} bytes; the runtime reads up to {most}"
    return Problem(R.long_word, Span(start, end), message, severity=Severity.ERROR)


def _long(rows: Sequence[Layer]) -> list[int]:
    """Return the layers with words that are perhaps too long: a character may take 4 bytes."""
    params, most = {params for params in set(map(_PARAMS, rows)) if _WIDE.search(params)}, NAME // 4
    names = chain(map(_NAME, rows), chain.from_iterable(map(_OUTPUTS, rows)))
    if not params and max(map(len, names), default=0) <= most:
        return []
    return [k for k, row in enumerate(rows) if row.params in params or max(map(len, (row.name, *row.outputs))) > most]


def _shorter(start: int, end: int, document: Document) -> Fix | None:
    value = number(document.text[start:end])
    if not isinstance(value, float) or abs(value) > 3e38:
        return None
    meant = struct.pack("<f", value)
    found = next((s for d in range(1, 10) if struct.pack("<f", float(s := f"{value:.{d}g}")) == meant), None)
    if found is None:
        return None
    found = found if set(found) & set(".e") else f"{found}.0"
    return Fix(f"Replace with `{found}`", (Edit(Span(start, end), found),)) if len(found) <= OLD_DIGITS else None
