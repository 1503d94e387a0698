"""Bytes that protobuf refuses: which part of the model they are, and what is shown there."""

from __future__ import annotations

from collections import Counter

from irlint.codes import R
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.reader import Flaw, varint
from irlint.text.base import Document, Path, Place, Span, Trouble
from irlint.text.prototext.messages import MESSAGE, PACKED, Field, Message

_WIDTHS = {1: 8, 5: 4}  # bytes of a number, by its wire type


def troubles(document: Document, data: bytes, flaws: list[Flaw]) -> list[Trouble]:
    """Return what is wrong first: protobuf gives up there, and what follows may only look wrong."""
    flaw = min(flaws, key=lambda one: (not one.is_end, one.offset))
    rule = R.too_deep if flaw.is_deep else R.truncated_file if flaw.is_end else R.syntax_error
    path = path_of(data, min(flaw.offset, len(data) - 1))
    span = document.span(Place(path)) if path else Span(0, min(1, len(document.text)))
    if flaw.is_end and path and not _has(document, path):
        end = len(document.text.rstrip())
        span = Span(max(end - 1, 0), end)
    where = "" if flaw.is_end else f" (byte {flaw.offset:,})"
    return [Trouble(rule, span, f"{flaw.message}{where}")]


def _has(document: Document, path: Path) -> bool:
    """Return whether a path leads to something that could be read."""
    try:
        return document.value_at(path) is not None
    except LookupError:
        return False


def path_of(data: bytes, offset: int) -> Path:
    """Return the innermost message that contains a byte, as far as lengths can be believed."""
    path: list[str | int] = []
    message: Message | None = MODEL
    at, end = 0, len(data)
    while message is not None:
        found = _around(message, data, at, end, offset)
        message = None
        if found is not None:
            field, k, at, stop = found
            path += [field.name, k] if field.many else [field.name]
            message, end = field.message, min(stop, end)
    return tuple(path)


def _around(message: Message, data: bytes, at: int, end: int, offset: int) -> tuple[Field, int, int, int] | None:
    """Return the field of a message that holds a byte and is a message itself: which of its name it is, where it begins and ends."""
    numbers: Counter[str] = Counter()
    try:
        while at < end:
            tag, at = varint(data, at)
            field = message.tags.get(tag)
            start, size = at, _WIDTHS.get(tag & 7, end)  # nothing after a group can be read
            if tag & 7 == PACKED:
                size, start = varint(data, at)
            elif tag & 7 == 0:
                size = varint(data, at)[1] - at
            at = start + size
            if field is not None and field.kind == MESSAGE:
                if start <= offset < at:
                    return field, numbers[field.name], start, at
                numbers[field.name] += 1
    except Exception:  # the damage itself
        return None
    return None
