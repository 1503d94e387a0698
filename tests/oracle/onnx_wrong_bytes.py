"""Damage to the file itself, one kind for each function."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator

BytesWay = Callable[[bytes, random.Random], "tuple[str, bytes]"]
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:%064x\nsize %d\n"


def _fields(data: bytes, start: int = 0, end: int | None = None, depth: int = 0) -> Iterator[tuple[int, int, int, int]]:
    """Offsets of tags, their wire types, and where their lengths or values begin and end, down to three messages deep, as far as they can be read."""
    at, end = start, len(data) if end is None else end
    while at < end:
        tag = at
        number, at = _varint(data, at, end)
        kind = number & 7
        if at < 0 or kind not in (0, 1, 2, 5) or not number >> 3:
            return
        if kind == 2:
            value = at
            length, at = _varint(data, at, end)
            if at < 0 or at + length > end:
                return
            yield tag, kind, value, at
            if depth < 3 and length > 2:
                yield from _fields(data, at, at + length, depth + 1)
            at += length
        else:
            value = at
            at = _varint(data, at, end)[1] if kind == 0 else at + (8 if kind == 1 else 4)
            if at < 0 or at > end:
                return
            yield tag, kind, value, at


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= end:
            return 0, -1
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    return 0, -1


def _set(data: bytes, at: int, value: int) -> bytes:
    return data[:at] + bytes([value & 255]) + data[at + 1 :]


def cut_off(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at = rng.choice((len(data) - 1, len(data) // 2, rng.randrange(len(data)), min(100, len(data) // 2)))
    return f"cut off at {at}", data[:at]


def byte_changed(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at = rng.randrange(len(data))
    return f"byte {at} changed", _set(data, at, data[at] ^ rng.randrange(1, 256))


def tag_changed(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at = rng.choice(list(_fields(data)))[0]
    return f"tag at {at} changed", _set(data, at, data[at] ^ rng.choice((8, 16, 32, 64)))


def wire_type_changed(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at, kind, *_ = rng.choice(list(_fields(data)))
    return f"wire type at {at} changed", _set(
        data, at, data[at] & ~7 | rng.choice([one for one in range(8) if one != kind])
    )


def length_changed(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at = rng.choice([row for row in _fields(data) if row[1] == 2])[2]
    return f"length at {at} changed", _set(data, at, (data[at] & 128) | ((data[at] + rng.choice((1, -1, 5, 60))) & 127))


def varint_endless(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at = rng.choice(list(_fields(data)))[2]
    return f"eleven bytes of a number at {at}", data[:at] + b"\xff" * 11 + data[at:]


def string_broken(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """A byte in a name that is not UTF-8."""
    found = [row for row in _fields(data) if row[1] == 2 and data[row[3] : row[3] + 1].isalpha()]
    at = rng.choice(found)[3] if found else 0
    return f"byte {at} is not UTF-8", _set(data, at, 0xFF)


def rubbish_behind(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    more = rng.choice((b"\n", b"\0\0\0\0", b"\xff" * 5, b"hello world"))
    return f"{more!r} behind the end", data + more


def piece_gone(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at, size = rng.randrange(len(data)), rng.choice((1, 3, 64))
    return f"{size} bytes gone at {at}", data[:at] + data[at + size :]


def piece_twice(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    at, size = rng.randrange(len(data)), rng.choice((1, 3, 64))
    return f"{size} bytes twice at {at}", data[: at + size] + data[at:]


def line_ends(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """As Git or FTP does to what it takes for text."""
    return "line ends changed", data.replace(b"\n", b"\r\n")


def recoded(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """As an editor does that reads UTF-8 and writes what it understood."""
    return "read as UTF-8 and written", data.decode("utf-8", "replace").encode()


def another_file(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    return rng.choice(
        (
            ("a Git LFS pointer", (POINTER % (rng.getrandbits(256), len(data))).encode()), ("gzip", gzip.compress(data, mtime=0)), ("empty", b""),
            ("HTML", b"<!DOCTYPE html><html><head><title>404</title></head></html>"), ("JSON", b'{"error": "not found"}'),
        )
    )  # fmt: skip


WAYS: tuple[BytesWay, ...] = (
    cut_off, byte_changed, tag_changed, wire_type_changed, length_changed, varint_endless, string_broken, rubbish_behind, piece_gone, piece_twice, line_ends, recoded, another_file,
)  # fmt: skip
