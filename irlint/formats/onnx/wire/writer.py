"""The binary of a changed model: every byte that need not change is copied."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.reader import Packed, varint
from irlint.records import NamedTuple
from irlint.text.prototext.messages import BYTES, DOUBLE, FLOAT, INTEGERS, MESSAGE, PACKED, STRING, Field, Message, Tree


class CannotWrite(Exception):
    """Why a model cannot be written."""


class _Piece(NamedTuple):
    """One field as the file has it: from its tag to its end, and its content."""

    field: Field | None
    start: int
    inner: int
    end: int


def patched(data: bytes, old: Tree, new: Tree, origins: Mapping[int, Tree]) -> bytes:
    """Return the bytes of a model that was read from `data` and changed since; `origins` are of which old messages the changed
    ones were made, by identity.
    """
    return _Patch(data, origins).message(MODEL, 0, len(data), old, new)


class _Patch:
    def __init__(self, data: bytes, origins: Mapping[int, Tree]) -> None:
        self.data, self.origins = data, origins

    def message(self, message: Message, start: int, end: int, old: Tree, new: Tree) -> bytes:
        data = self.data
        if new is old:
            return data[start:end]
        pieces: dict[str, list[_Piece]] = {}
        listed = list(_pieces(message, data, start, end))
        for piece in listed:
            if piece.field is not None:
                pieces.setdefault(piece.field.name, []).append(piece)
        found: list[bytes] = []
        written: set[str] = set()
        for piece in listed:
            field = piece.field
            if field is None or new.get(field.name) is old[field.name] or new.get(field.name) == old[field.name]:
                found.append(data[piece.start : piece.end])
            elif field.name in new and field.name not in written:
                written.add(field.name)
                found.append(self._field(field, pieces[field.name], old[field.name], new[field.name]))
        found += [
            fresh(field, new[name]) for name, field in message.fields.items() if name in new and name not in pieces
        ]
        return b"".join(found)

    def _field(self, field: Field, pieces: list[_Piece], old: Any, new: Any) -> bytes:
        """Return a field that has changed."""
        if field.kind != MESSAGE or field.message is None:
            return fresh(field, new, self.data[pieces[0].start] & 7 == PACKED)
        if not field.many:
            if len(pieces) > 1:
                return fresh(field, new)
            return _framed(field, self.message(field.message, pieces[0].inner, pieces[0].end, old, new))
        there = {id(one): piece for one, piece in zip(old, pieces, strict=True)}
        found: list[bytes] = []
        for one in new:
            origin = self.origins.get(id(one))
            if (piece := there.get(id(one))) is not None:
                found.append(self.data[piece.start : piece.end])
            elif origin is not None and (piece := there.get(id(origin))) is not None:
                found.append(_framed(field, self.message(field.message, piece.inner, piece.end, origin, one)))
            else:
                found.append(fresh(field, [one]))
        return b"".join(found)


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


def fresh(field: Field, value: Any, is_packed: bool = False) -> bytes:
    """Return the bytes of a field that no file had before."""
    if isinstance(value, Packed):
        return _framed(field, bytes(value.view))
    if field.many and (field.name in _PACKED or (is_packed and field.kind in (*INTEGERS, FLOAT, DOUBLE))):
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
    return number(field.tag) + _plain(field, value)


def _plain(field: Field, value: Any) -> bytes:
    if field.kind in INTEGERS:
        return number(value)
    if field.kind == FLOAT:
        return struct.pack("<f", value)
    assert field.kind == DOUBLE
    return struct.pack("<d", value)


def whole(message: Message, value: Tree) -> bytes:
    if value.get("cut"):
        raise CannotWrite("the text does not show all data of a tensor")
    return b"".join(fresh(field, value[name]) for name, field in message.fields.items() if name in value)
