"""The text in blocks, held against plain strings."""

from __future__ import annotations

import random
import re
import time

import pytest
from irlint_lsp import text as module
from irlint_lsp.text import ENCODINGS, Text, backward, forward, moved, units

from irlint.text.base import Change

LETTERS = ("a", "b", "\n", "\r", "\r\n", "\u2028", "\x85", "\x0c", "\U0001f600", "é", "xyz")


def test_edits_and_positions_are_those_of_a_plain_string(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 5)
    choose = random.Random(7)
    for _ in range(3000):
        plain = "".join(choose.choices(LETTERS, k=choose.randrange(12)))
        text = Text.of(plain)
        for _ in range(5):
            start = choose.randrange(len(plain) + 1)
            end = min(len(plain), start + choose.randrange(6))
            new = "".join(choose.choices(LETTERS, k=choose.randrange(4)))
            plain = plain[:start] + new + plain[end:]
            text = text.replaced(start, end, new)
            assert text.string == plain
            _same_positions(text, plain, choose.randrange(len(plain) + 1))


def _same_positions(text: Text, plain: str, offset: int) -> None:
    starts = [0, *(m.end() for m in re.finditer(r"\r\n|\n|\r", plain))]
    assert text.line_count == len(starts)
    line = sum(start <= offset for start in starts) - 1
    for encoding in ENCODINGS:
        position = text.position(offset, encoding)
        assert position == (line, units(plain[starts[line] : offset], encoding))
        if plain[offset - 1 : offset + 1] != "\r\n" or offset == 0:
            assert text.offset(*position, encoding) == offset
        for end in range(offset, offset + 4):
            both = text.position(offset, encoding), text.position(end, encoding)
            assert text.positions(offset, end, encoding) == both


def test_positions_beyond_the_end_are_at_the_end() -> None:
    text = Text.of("ab\ncd")
    assert text.offset(0, 99, "utf-16") == 2
    assert text.offset(99, 0, "utf-16") == 5


def test_a_position_inside_a_character_is_at_its_start() -> None:
    text = Text.of("a\U0001f600b")
    assert [text.offset(0, k, "utf-16") for k in range(5)] == [0, 1, 1, 2, 3]
    assert [text.offset(0, k, "utf-8") for k in range(7)] == [0, 1, 1, 1, 1, 2, 3]


def test_offsets_move_with_edits() -> None:
    changes = [Change(5, 8, 1), Change(0, 0, 10)]
    assert forward(changes, 3) == 13
    assert forward(changes, 6) is None
    assert forward(changes, 8) == 16
    assert backward(changes, 16) == 8
    assert backward(changes, 13) == 3


def test_spans_move_as_their_ends_do() -> None:
    choose = random.Random(5)
    for _ in range(5000):
        changes = [Change(at := choose.randrange(9), at + choose.randrange(4), choose.randrange(4)) for _ in range(3)]
        changes = changes[: choose.randrange(4)]
        start = choose.randrange(12)
        end = start + choose.randrange(4)
        begins, ends = forward(changes, start), forward(changes, end, is_end=True)
        kept = begins is not None and ends is not None and begins <= ends
        assert moved(changes, start, end) == ((begins, ends) if kept else None)


def test_an_edit_of_ten_megabytes_costs_what_the_edit_costs() -> None:
    small, large = (_seconds(Text.of('  "key": "value",\n' * n)) for n in (6_000, 600_000))
    assert large < small * 40, (small, large)  # a hundred times the text


def _seconds(text: Text) -> float:
    line = text.line_count // 2
    text = text.replaced(0, 0, "x")
    text.position(len(text) // 2, "utf-16")
    best = 1.0
    for _ in range(20):
        started = time.perf_counter()
        at = text.offset(line, 3, "utf-16")
        text = text.replaced(at, at, "x")
        best = min(best, time.perf_counter() - started)
    return best
