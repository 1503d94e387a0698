"""Mutations that leave an input nearly what it was: tokens of texts, numbers of binary files."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(rb'"[^"\n]{0,200}"|[A-Za-z_][A-Za-z0-9_.-]*|-?[0-9]+(?:\.[0-9]*)?|[ \t\r\n]+|.', re.DOTALL)
_MOST = 60_000  # bytes: more of the same finds nothing new

ODD = (
    b"", b"0", b"-1", b"1e999", b"NaN", b"18446744073709551616", b"-9223372036854775809", b"9" * 5000, b"1.5", b"00",
    b"null", b"true", b'""', b'"\\ud800"', b'"\\u0000"', b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\0", b"[", b"]",
    b"{", b"}", b"<", b"</", b"/>", b"&", b"&#0;", b"<!--", b"-->", b"<![CDATA[", b"]]>",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"/*", b"*/", b"//", b"#", b"\r\n", b"\xe2\x80\xa8", b"'", b"\\", b",", b":",
    b"[[[0, 0, 0]]]", b"(1, 0)", b"[-1]", b"4294967296,4294967296", b'"../../etc/passwd"', b"irlint: ignore",
    b"irlint: ignore[S001]",
)  # fmt: skip
_WORDS = (0, 1, 2, 0x7F, 0xFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 40, (1 << 63) - 1, (1 << 64) - 1)


def mutate(data: bytes, choose: random.Random, others: Sequence[bytes] = ()) -> bytes:
    """The input with one to four changes; `others` lend pieces of theirs."""
    for _ in range(choose.choice((1, 1, 1, 2, 2, 4))):
        data = choose.choice(_CHANGES)(data, choose, others)[:_MOST]
    return data


def _tokens(data: bytes) -> list[bytes]:
    return _TOKEN.findall(data)


def _range(count: int, choose: random.Random) -> tuple[int, int]:
    start = choose.randrange(count + 1)
    return start, min(count, start + choose.choice((1, 1, 1, 2, 3, 8, 40)))


def _drop(data: bytes, choose: random.Random, _: Sequence[bytes]) -> bytes:
    tokens = _tokens(data)
    start, end = _range(len(tokens), choose)
    return b"".join(tokens[:start] + tokens[end:])


def _repeat(data: bytes, choose: random.Random, _: Sequence[bytes]) -> bytes:
    tokens = _tokens(data)
    start, end = _range(len(tokens), choose)
    return (
        b"".join(tokens[:start])
        + b"".join(tokens[start:end]) * choose.choice((2, 2, 3, 50, 1500))
        + b"".join(tokens[end:])
    )


def _exchange(data: bytes, choose: random.Random, _: Sequence[bytes]) -> bytes:
    tokens = _tokens(data)
    if len(tokens) > 1:
        a, b = choose.randrange(len(tokens)), choose.randrange(len(tokens))
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return b"".join(tokens)


def _replace(data: bytes, choose: random.Random, others: Sequence[bytes]) -> bytes:
    """A token becomes an odd one, or one that stands elsewhere."""
    tokens = _tokens(data)
    if not tokens:
        return choose.choice(ODD)
    at = choose.randrange(len(tokens))
    lender = _tokens(choose.choice(others)) if others and choose.random() < 0.3 else tokens
    tokens[at] = choose.choice(ODD) if choose.random() < 0.5 or not lender else choose.choice(lender)
    return b"".join(tokens)


def _insert(data: bytes, choose: random.Random, others: Sequence[bytes]) -> bytes:
    tokens = _tokens(data)
    piece = choose.choice(ODD)
    if others and choose.random() < 0.4:
        foreign = _tokens(choose.choice(others))
        start, end = _range(len(foreign), choose)
        piece = b"".join(foreign[start:end])
    at = choose.randrange(len(tokens) + 1)
    return b"".join(tokens[:at]) + piece + b"".join(tokens[at:])


def _cut(data: bytes, choose: random.Random, _: Sequence[bytes]) -> bytes:
    at = choose.randrange(len(data) + 1)
    return data[:at] if choose.random() < 0.7 else data[at:]


def _flip(data: bytes, choose: random.Random, _: Sequence[bytes]) -> bytes:
    if not data:
        return b"\0"
    at = choose.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << choose.randrange(8)]) + data[at + 1 :]


def _word(data: bytes, choose: random.Random, _: Sequence[bytes]) -> bytes:
    """A number of a binary file."""
    size = choose.choice((1, 2, 4, 8))
    at = choose.randrange(len(data) + 1) // size * size
    value = choose.choice(_WORDS) & (1 << 8 * size) - 1
    return data[:at] + value.to_bytes(size, "little") + data[at + size :]


_CHANGES: tuple[Callable[[bytes, random.Random, Sequence[bytes]], bytes], ...] = (
    _drop, _repeat, _exchange, _replace, _replace, _replace, _insert, _insert, _cut, _flip, _word,
)  # fmt: skip
