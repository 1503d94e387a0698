"""The binary of a changed model: every byte that need not change is copied."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from irlint.formats.onnx.messages import (
    BYTES,
    DOUBLE,
    FLOAT,
    INT,
    MESSAGE,
    MODEL,
    PACKED,
    STRING,
    Field,
    Message,
    tag_of,
)
from irlint.formats.onnx.wire import Packed, Tree, varint
from irlint.records import NamedTuple


class CannotWrite(Exception):
    """Why a model cannot be written."""


class _Piece(NamedTuple):
    """One field as the file has it: from its tag to its end, and its content."""

    field: Field | None
    start: int
    inner: int
    end: int


def patched(data: bytes, old: Tree, new: Tree) -> bytes:
    """Return the bytes of a model that was read from `data` and changed since."""
    return _patched(MODEL, data, 0, len(data), old, new)


def _patched(message: Message, data: bytes, start: int, end: int, old: Tree, new: Tree) -> bytes:
    if new is old:
        return data[start:end]
    pieces = list(_pieces(message, data, start, end))
    found: list[bytes] = []
    written: set[str] = set()
    for piece in pieces:
        field = piece.field
        if field is None or (field.name in new and _same(new[field.name], old[field.name])):
            found.append(data[piece.start : piece.end])
        elif field.name in new and field.name not in written:
            written.add(field.name)
            found.append(_field(field, data, [p for p in pieces if p.field is field], old[field.name], new[field.name]))
    there = {piece.field.name for piece in pieces if piece.field is not None}
    for name, field in message.fields.items():
        if name in new and name not in there:
            found.append(fresh(field, new[name]))
    return b"".join(found)


def _same(new: Any, old: Any) -> bool:
    return new is old or bool(new == old)


def _field(field: Field, data: bytes, pieces: list[_Piece], old: Any, new: Any) -> bytes:
    """Return a field that has changed."""
    if field.kind != MESSAGE or field.message is None:
        return fresh(field, new)
    if not field.many:
        if len(pieces) > 1:
            return fresh(field, new)
        return _framed(field, _patched(field.message, data, pieces[0].inner, pieces[0].end, old, new))
    by_identity = {id(one): k for k, one in enumerate(old)}
    origins = _origins(old, new, by_identity)
    found: list[bytes] = []
    for k, one in enumerate(new):
        if (at := by_identity.get(id(one))) is not None:
            found.append(data[pieces[at].start : pieces[at].end])
        elif (at := origins.get(k)) is not None:
            piece = pieces[at]
            found.append(_framed(field, _patched(field.message, data, piece.inner, piece.end, old[at], one)))
        else:
            found.append(fresh(field, [one]))
    return b"".join(found)


def _origins(old: list[Tree], new: list[Tree], kept: dict[int, int]) -> dict[int, int]:
    """Return of which old items the changed ones were made: `edited.adopted` gave them what the old ones hide."""
    still = {id(one) for one in new}
    gone = [k for k, one in enumerate(old) if id(one) not in still]
    changed = [k for k, one in enumerate(new) if id(one) not in kept]
    return dict(zip(changed, gone, strict=True)) if len(changed) == len(gone) else {}


def _pieces(message: Message, data: bytes, at: int, end: int) -> Iterator[_Piece]:
    while at < end:
        start = at
        tag, at = varint(data, at)
        wire, inner = tag & 7, at
        if wire == 0:
            at = varint(data, at)[1]
        elif wire == PACKED:
            size, inner = varint(data, at)
            at = inner + size
        elif wire in (1, 5):
            at += 8 if wire == 1 else 4
        else:
            raise CannotWrite("the file has groups, which are not written")
        yield _Piece(message.tags.get(tag), start, inner, at)


def _framed(field: Field, inner: bytes) -> bytes:
    return number(field.number << 3 | PACKED) + number(len(inner)) + inner


def number(value: int) -> bytes:
    """Return a varint."""
    value &= 0xFFFFFFFFFFFFFFFF
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def fresh(field: Field, value: Any) -> bytes:
    """Return the bytes of a field that no file had before."""
    if isinstance(value, Packed):
        return _framed(field, bytes(value.view))
    if field.many and field.name in _PACKED:
        return _framed(field, b"".join(_plain(field, one) for one in value)) if value else b""
    return b"".join(_one(field, one) for one in (value if field.many else (value,)))


_PACKED = ("float_data", "int32_data", "int64_data", "double_data", "uint64_data")


def _one(field: Field, value: Any) -> bytes:
    if field.kind == MESSAGE:
        assert field.message is not None
        return _framed(field, whole(field.message, value))
    if field.kind == STRING:
        return _framed(field, value.encode("utf-8", "surrogateescape"))
    if field.kind == BYTES:
        return _framed(field, bytes(value))
    return number(tag_of(field)) + _plain(field, value)


def _plain(field: Field, value: Any) -> bytes:
    if field.kind == INT:
        return number(value)
    if field.kind == FLOAT:
        return struct.pack("<f", value)
    assert field.kind == DOUBLE
    return struct.pack("<d", value)


def whole(message: Message, value: Tree) -> bytes:
    if value.get("cut"):
        raise CannotWrite("the text does not show all data of a tensor")
    return b"".join(fresh(field, value[name]) for name, field in message.fields.items() if name in value)
