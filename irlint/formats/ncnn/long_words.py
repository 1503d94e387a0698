"""Words that are longer than what the runtime reads of them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from irlint.findings import Fix, Problem, Severity
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.releases import STRICT, oldest
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Span
from irlint.text.layers import Layer, LayerDocument
from irlint.text.layers_values import number
from irlint.text.patterns import later

_NUMBER = later(r"[=,](?P<number>[-+0-9.eE]{16,})")
_LONG = later(r"\S{256,}")
NAME, DIGITS, OLD_DIGITS = 255, 127, 15


def long_words(model: Model, document: LayerDocument) -> Iterator[Problem]:
    text = document.text
    if not model.memory.picked("long words", document.rows, _long):
        return
    for match in _LONG.finditer(text):
        if "=" not in match[0]:
            message = f"name of {len(match[0])} characters; the runtime reads up to {NAME}"
            yield Problem(R.long_word, Span(*match.span()), message, severity=Severity.ERROR)
    for match in _NUMBER.finditer(text):
        start, end = match.span("number")
        message = f"number of {end - start} characters"
        if end - start > DIGITS:
            yield Problem(R.long_word, Span(start, end), f"{message}; the runtime reads up to {DIGITS}")
            continue
        severity = Severity.ERROR if oldest(model) < STRICT else None
        message += f"; releases before {STRICT} read {OLD_DIGITS}, and the rest as another parameter"
        yield Problem(R.long_word, Span(start, end), message, fix=_shorter(start, end), severity=severity)


def _long(rows: Sequence[Layer]) -> list[int]:
    """Return the layers with words that are perhaps too long."""
    numbers = {params for params in {row.params for row in rows} if _NUMBER.search(params)}
    return [
        k
        for k, (_, _, name, _, _, outputs, params, *_) in enumerate(rows)
        if len(name) > NAME or params in numbers or any(len(output) > NAME for output in outputs)
    ]


def _shorter(start: int, end: int) -> Callable[[Document], Fix | None]:
    return partial(_written_shorter, start, end)


def _written_shorter(start: int, end: int, document: Document) -> Fix | None:
    value = number(document.text[start:end])
    if not isinstance(value, float) or abs(value) > 3e38:
        return None
    meant = struct.pack("<f", value)
    found = next((s for d in range(1, 10) if struct.pack("<f", float(s := f"{value:.{d}g}")) == meant), None)
    if found is None:
        return None
    found = found if set(found) & set(".e") else f"{found}.0"
    return Fix(f"Replace with `{found}`", (Edit(Span(start, end), found),)) if len(found) <= OLD_DIGITS else None
