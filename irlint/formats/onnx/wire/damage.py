"""Bytes that protobuf refuses: which part of the model they are, and what is shown there."""

from __future__ import annotations

from irlint.codes import R
from irlint.formats.onnx.wire.messages import MESSAGE, MODEL, PACKED, Message
from irlint.formats.onnx.wire.reader import Flaw, varint
from irlint.text.base import Document, Path, Place, Span, Trouble


def troubles(document: Document, data: bytes, flaws: list[Flaw]) -> list[Trouble]:
    """Return what is wrong first: protobuf gives up there, and what follows may only look wrong."""
    flaw = min(flaws, key=lambda one: (not one.is_end, one.offset))
    rule = R.too_deep if flaw.is_deep else R.truncated_file if flaw.is_end else R.syntax_error
    path = path_of(data, min(flaw.offset, len(data) - 1))
    span = document.span(Place(path)) if path else Span(0, min(1, len(document.text)))
    where = "" if flaw.is_end else f" (byte {flaw.offset:,})"
    return [Trouble(rule, span, f"{flaw.message}{where}")]


def path_of(data: bytes, offset: int) -> Path:
    """Return the innermost message that contains a byte, as far as lengths can be believed."""
    path: list[str | int] = []
    message: Message | None = MODEL
    at, end = 0, len(data)
    while message is not None:
        numbers: dict[str, int] = {}
        inside = None
        try:
            while at < end and inside is None:
                tag, at = varint(data, at)
                field = message.tags.get(tag)
                if tag & 7 == PACKED:
                    size, at = varint(data, at)
                    if field is not None and field.kind == MESSAGE:
                        k = numbers[field.name] = numbers.get(field.name, -1) + 1
                        if at <= offset < at + size:
                            path += [field.name, k] if field.many else [field.name]
                            inside, end = field.message, min(at + size, end)
                            continue
                    at += size
                elif tag & 7 == 0:
                    at = varint(data, at)[1]
                else:
                    at += {1: 8, 5: 4}.get(tag & 7, end)
        except Exception:  # the damage itself
            return tuple(path)
        message = inside
    return tuple(path)
