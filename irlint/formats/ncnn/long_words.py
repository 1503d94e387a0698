"""Words that are longer than what the runtime reads of them."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from irlint.findings import Fix, Problem, Severity
from irlint.formats.ncnn.arguments import STRICT, oldest
from irlint.formats.ncnn.rules import R
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Span
from irlint.text.layers.document import LayerDocument, LayerRow
from irlint.text.layers.values import number
from irlint.tools import later

_LONG = later(
    r'(?<![-+0-9])(?P<id>[-+0-9]{16,})=|(?<==)"?(?P<string>(?<=")[^"]{64,}|(?<==)[A-Za-z]\S{63,})|(?<=[=,])(?P<number>[-+0-9.eE]{16,})'
)
_NAME, _OUTPUTS, _PARAMS = map(attrgetter, ("name", "outputs", "params"))
MOST = {"name": 255, "string": 255, "number": 127, "id": 15}  # bytes
OLD_DIGITS = 15


def long_words(model: Model, document: LayerDocument) -> Iterator[Problem]:
    target = oldest(model)
    for k in _long(document.rows):
        row, words = document.rows[k], document.words(document.rows[k])
        names = 4 + len(row.inputs) + len(row.outputs)
        for word in words[:names]:
            yield from _too_long("name", *word)
        for word in words[names:]:
            for match in _LONG.finditer(word.text):
                what = match.lastgroup or ""
                start, end = (word.start + at for at in match.span(what))
                found = list(_too_long(what, start, end, match[what]))
                yield from found
                if what == "number" and not found:
                    rest = f"releases before {STRICT} read {OLD_DIGITS}, and the rest as another parameter"
                    message = f"number of {end - start} characters; {rest}"
                    fix, severity = partial(_shorter, start, end), Severity.ERROR if target < STRICT else None
                    yield Problem(R.long_word, Span(start, end), message, fix=fix, severity=severity)


def _too_long(what: str, start: int, end: int, text: str) -> Iterator[Problem]:
    if (size := len(text.encode(errors="replace"))) > MOST[what]:
        message = f"{what} of {size} bytes; the runtime reads up to {MOST[what]}"
        yield Problem(R.long_word, Span(start, end), message, severity=Severity.ERROR)


def _long(rows: Sequence[LayerRow]) -> list[int]:
    """Return the layers with words that are perhaps too long: a character may take 4 bytes."""
    params, most = {params for params in set(map(_PARAMS, rows)) if _LONG.search(params)}, MOST["name"] // 4
    names = chain(map(_NAME, rows), chain.from_iterable(map(_OUTPUTS, rows)))
    if not params and max(map(len, names), default=0) <= most:
        return []
    return [k for k, row in enumerate(rows) if row.params in params or max(map(len, (row.name, *row.outputs))) > most]


def _shorter(start: int, end: int, document: Document) -> Fix | None:
    value = number(document.text[start:end])
    if not isinstance(value, float) or abs(value) > 3e38:
        return None
    meant = struct.pack("<f", value)
    found = next(s for d in range(1, 18) if struct.pack("<f", float(s := f"{value:.{d}g}")) == meant)
    found = found if set(found) & set(".e") else f"{found}.0"
    return Fix(f"Replace with `{found}`", (Edit(Span(start, end), found),)) if len(found) <= OLD_DIGITS else None
