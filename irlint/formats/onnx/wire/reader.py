"""Protobuf's wire format: from bytes to nested dictionaries, keyed by the names of fields.

Numbers and raw data of tensors are not copied: they stay views of the file's bytes until they are needed.
"""

from __future__ import annotations

import re
import struct
from typing import Any

from irlint.formats.onnx.wire import MODEL
from irlint.records import NamedTuple
from irlint.text import words
from irlint.text.prototext.messages import (
    BYTES,
    DEPTH,
    DOUBLE,
    FLOAT,
    INT,
    INTEGERS,
    MESSAGE,
    PACKED,
    STRING,
    Field,
    Message,
    Tree,
)

_LONGEST = 10  # bytes of a varint
_SHARED = 256  # bytes of an attribute or type that is looked up before it is read
_MOST_FIELDS = 100_000  # of a model that are looked at to tell that it is one
_ENDLESS = re.compile(rb"[\x80-\xff]{%d}" % _LONGEST)
_COPY = "; copy or download it again"
_LAZY = 64  # bytes of packed numbers from which on they stay packed


class Flaw(NamedTuple):
    """What is wrong with the bytes at an offset; `is_end`: the file ends too early there."""

    offset: int
    message: str
    is_end: bool = False
    is_deep: bool = False


class Packed:
    """Numbers of a tensor as the file has them."""

    __slots__ = ("kind", "view")

    def __init__(self, view: memoryview, kind: int) -> None:
        self.view, self.kind = view, kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Packed) and self.view == other.view and self.kind == other.kind

    __hash__ = None  # type: ignore[assignment]

    def numbers(self) -> list[Any]:
        return unpacked(self.view, self.kind)


class _Broken(Exception):
    """A varint that does not end."""


def varint(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """Return an unsigned number of 64 bits, and where it ends."""
    value = shift = 0
    for end in range(at, at + _LONGEST):
        byte = data[end]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, end + 1
        shift += 7
    raise _Broken


def signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def unpacked(view: memoryview, kind: int) -> list[Any]:
    """Return packed numbers; as many as there are whole ones."""
    if kind not in INTEGERS:
        code, size = ("f", 4) if kind == FLOAT else ("d", 8)
        return list(struct.unpack(f"<{len(view) // size}{code}", view[: len(view) // size * size]))
    found, at, end = [], 0, len(view)
    data = bytes(view)
    while at < end:
        byte = data[at]
        if byte < 0x80:
            found.append(byte)
            at += 1
        else:
            value, at = varint(data, at)
            found.append(signed(value) if kind == INT else value)
    return found


class Reader:
    """Reads one file. `flaws` are what makes protobuf refuse it, in order."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.view = memoryview(data)
        self.flaws: list[Flaw] = []
        self._shared: dict[tuple[Message | None, bytes], Tree] = {}
        self._is_cut = False
        self._merged: set[int] = set()  # messages with a shared part that is their own since it came twice
        self._depth = 0

    def model(self) -> Tree:
        return self.message(MODEL, 0, len(self.data))

    def message(self, message: Message | None, at: int, end: int, before: Tree | None = None) -> Tree:
        """Return what a message holds, as far as it can be read; `before` is what other copies of it hold."""
        assert message is not None
        found: Tree = {} if before is None else before
        self._depth += 1
        start = at
        try:
            if self._depth > DEPTH:
                self.flaws.append(Flaw(start, f"messages are nested more than {DEPTH} deep", is_deep=True))
            else:
                start = self._fields(message, found, at, end)
        except IndexError:
            self.flaws.append(
                Flaw(len(self.data), f"the end of the file is missing, in a field of a {message.name}{_COPY}", True)
            )
        except _Broken:
            self.flaws.append(Flaw(start, f"a number in a {message.name} does not end after {_LONGEST} bytes"))
        self._depth -= 1
        return found

    def _fields(self, message: Message, found: Tree, at: int, end: int) -> int:
        data, known = self.data, message.tags
        while at < end:
            start = at
            tag = data[at]
            at += 1
            if tag > 0x7F:
                tag, at = varint(data, start)
            field = known.get(tag)
            if field is None:
                at = self._skip(tag, start, at, end, message)
                if at < 0:
                    return start
                continue
            name, _, kind, many, sub, shared, _, _ = field
            value: Any
            if tag & 7 == PACKED:
                size = data[at]
                at += 1
                if size > 0x7F:
                    size, at = varint(data, at - 1)
                stop = at + size
                if stop > end:
                    stop = self._beyond(field, message, at, stop, end)
                if kind == STRING:
                    try:
                        value = data[at:stop].decode()
                    except UnicodeDecodeError:
                        value = data[at:stop].decode("utf-8", "surrogateescape")
                elif kind == MESSAGE:
                    if not many and name in found:
                        self._merge(found, field, at, stop)
                        at = stop
                        continue
                    value = self._piece(sub, at, stop) if shared and size < _SHARED else self.message(sub, at, stop)
                    if self._is_lost(value, many):
                        return end
                elif kind == BYTES:
                    value = self.view[at:stop] if name == "raw_data" else data[at:stop]
                else:
                    self._add_packed(found, field, at, stop)
                    at = stop
                    continue
                at = stop
            elif kind in INTEGERS:
                value = data[at]
                at += 1
                if value > 0x7F:
                    value, at = varint(data, at - 1)
                    value = signed(value) if kind == INT else value
            else:
                size, code = (4, "<f") if kind == FLOAT else (8, "<d")
                if at + size > end:
                    self._beyond(field, message, at, at + size, end)
                    return end
                value = struct.unpack_from(code, data, at)[0]
                at += size
            if not many:
                found[name] = value
            elif (listed := found.get(name)) is None:
                found[name] = [value]
            else:
                if listed.__class__ is Packed:
                    listed = found[name] = listed.numbers()
                listed.append(value)
        if at > end:
            self.flaws.append(Flaw(end, f"a number reaches over the end of its {message.name}"))
        return at

    def _is_lost(self, value: Tree, many: bool) -> bool:
        """Return whether nothing of the last one of several messages is in the file."""
        return self._is_cut and many and not value

    def _piece(self, message: Message | None, at: int, stop: int) -> Tree:
        """Return a message that may be the same as an earlier one."""
        key = message, self.data[at:stop]
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self.message(message, at, stop)
        return found

    def _merge(self, found: Tree, field: Field, at: int, stop: int) -> None:
        """Read one more copy of a message into the first, as protobuf does."""
        if field.shared and id(found) not in self._merged:
            from copy import deepcopy

            self._merged.add(id(found))
            found[field.name] = deepcopy(found[field.name])
        assert field.message is not None
        self.message(field.message, at, stop, found[field.name])

    def _add_packed(self, found: Tree, field: Field, at: int, stop: int) -> None:
        view, before = self.view[at:stop], found.get(field.name)
        size = {FLOAT: 4, DOUBLE: 8}.get(field.kind, 1)
        if len(view) % size:
            self.flaws.append(Flaw(at, f"{len(view)} bytes of `{field.name}` are no whole numbers of {size} bytes"))
        elif field.kind in INTEGERS and ((len(view) and view[-1] > 0x7F) or _ENDLESS.search(view)):
            self.flaws.append(Flaw(at, f"a number of `{field.name}` does not end"))
            found.setdefault(field.name, [])
            return
        if before is None and stop - at >= _LAZY and field.name != "dims":
            found[field.name] = Packed(view, field.kind)
            return
        numbers = found[field.name] = before.numbers() if isinstance(before, Packed) else before or []
        numbers += unpacked(view, field.kind)

    def _beyond(self, field: Field, message: Message, at: int, stop: int, end: int) -> int:
        """Report a length that reaches over the end of the message; return where reading ends instead."""
        if stop > len(self.data):
            part, missing = f"`{field.name}` of a {message.name}", words.count(stop - len(self.data), "byte")
            text = f"the end of the file is missing: at least {missing}, in {part}{_COPY}"
            if not self._is_cut:
                self._is_cut = True
                self.flaws.append(Flaw(len(self.data), text, True))
        else:
            text = f"the length of `{field.name}` reaches {stop - end} bytes over the end of its {message.name}"
            self.flaws.append(Flaw(at, text))
        return end

    def _skip(self, tag: int, start: int, at: int, end: int, message: Message) -> int:
        """Return where an unknown field ends, which protobuf ignores, too; -1 if nothing after it can be read."""
        wire, number = tag & 7, tag >> 3
        if wire == 0:
            at = varint(self.data, at)[1]
        elif wire in (1, 5):
            at += 8 if wire == 1 else 4
        elif wire == 2:
            size, at = varint(self.data, at)
            at += size
        elif wire == 3:
            depth = 1
            while depth and at < end:
                inner, at = varint(self.data, at)
                if inner & 7 in (3, 4):
                    depth += 1 if inner & 7 == 3 else -1
                elif (at := self._skip(inner, start, at, end, message)) < 0:
                    return -1
            at = end + 1 if depth else at
        else:
            at = end + 1
        if number == 0 or at > end:
            is_end = at > len(self.data) and wire in (1, 2, 5) and number > 0
            text = (
                f"the end of the file is missing, in field {number} of a {message.name}{_COPY}"
                if is_end
                else f"invalid tag {tag} (field {number}, type {wire}) in a {message.name}"
            )
            self.flaws.append(Flaw(len(self.data) if is_end else start, text, is_end))
            return -1
        return at


def fields(data: bytes) -> frozenset[int]:
    """Return the numbers of a message's fields, as far as they are known without reading their content."""
    found, at = set(), 0
    try:
        for _ in range(_MOST_FIELDS):
            if at >= len(data):
                break
            tag, at = varint(data, at)
            found.add(tag >> 3)
            wire = tag & 7
            size = 0
            if wire == 0:
                at = varint(data, at)[1]
            elif wire == PACKED:
                size, at = varint(data, at)
            elif wire in (1, 5):
                size = 8 if wire == 1 else 4
            else:
                break
            at += size
    except (IndexError, _Broken):
        pass
    return frozenset(found)
