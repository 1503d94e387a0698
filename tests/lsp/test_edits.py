"""Random edits: the server's text and diagnostics are always those of a fresh lint of the same text."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edits import texts_and_edits
from hypothesis import given
from hypothesis import strategies as st
from irlint_lsp.features.code_action import sayable
from irlint_lsp.text import Encoding, Text

from irlint import engine
from irlint.text.base import Edit, apply

from .client import Client
from .samples import Sample

SEQUENCES = int(os.environ.get("IRLINT_EDIT_SEQUENCES", "75"))  # of each of the four formats
AT_A_TIME = 15
EDITS = 6
PIECES = (
    "\U0001f600", "\u2028", "\u0085", "\r\n", "\r", "\n", '"', "{", "}", "[", "]", ",", ":", "<", ">", "/", "1", "-",
    "null", "  ", "é", "\t", "\\", "0]", '"x": 1,', "<layer", "\x0c", "nn.relu",
)  # fmt: skip


@dataclass
class Typist:
    """One sequence of edits of one document."""

    uri: str
    name: str
    choose: random.Random
    text: str
    version: int = 1

    def edit(self, client: Client) -> None:
        changes = []
        for _ in range(self.choose.randrange(1, 3)):
            change, self.text = _edit(self.choose, self.text)
            changes.append(change)
        self.version += 1
        client.change(self.uri, self.version, changes)


def test_diagnostics_are_those_of_a_fresh_lint(shared: Client, sample: Sample, tmp_path: Path) -> None:
    """Many documents at a time, so that lints are superseded, and queue."""
    for first in range(0, SEQUENCES, AT_A_TIME):
        typists = [_typist(sample, tmp_path, seed) for seed in range(first, min(first + AT_A_TIME, SEQUENCES))]
        for typist in typists:
            shared.open(typist.uri, typist.text)
        for typist in typists:
            shared.diagnostics(typist.uri, 1)  # a file that never was a model gets none later
        for _ in range(EDITS):
            compared = [typist for typist in typists if typist.choose.random() < 0.6]
            for typist in typists:
                typist.edit(shared)
            for typist in compared:
                _compare(shared, typist)
        for typist in typists:
            _compare(shared, typist)
            shared.close(typist.uri)
        shared.forget()


def _typist(sample: Sample, folder: Path, seed: int) -> Typist:
    path = folder / f"{seed}-{sample.name}"
    text = sample.text.replace("\n", "\r\n") if seed % 5 == 0 else sample.text
    return Typist(path.as_uri(), str(path), random.Random(f"{sample.name} {seed}"), text)


def _edit(choose: random.Random, text: str) -> tuple[dict[str, Any], str]:
    """One change as an editor sends it, and the text after it."""
    start = choose.randrange(len(text) + 1)
    length = choose.choice((0, 0, 0, 1, 2, 9, 120))
    end = min(len(text), start + length)
    if choose.random() < 0.35:
        numbers = [k for k, letter in enumerate(text) if letter.isdigit()]
        if numbers:
            start = choose.choice(numbers)
            end = start + 1
    new = choose.choice(PIECES) if choose.random() < 0.8 else text[start : start + choose.randrange(40)]
    known = Text.of(text)
    first, last = known.position(start, "utf-16"), known.position(end, "utf-16")
    start, end = known.offset(*first, "utf-16"), known.offset(*last, "utf-16")
    places = [{"line": line, "character": character} for line, character in (first, last)]
    return {"range": dict(zip(("start", "end"), places, strict=True)), "text": new}, text[:start] + new + text[end:]


def _compare(client: Client, typist: Typist) -> None:
    shown = [_shown(d) for d in client.diagnostics(typist.uri, typist.version)]
    assert shown == expected(typist.name, typist.text), (typist.name, typist.version, typist.text)


def _shown(diagnostic: dict[str, Any]) -> tuple[Any, ...]:
    span = diagnostic["range"]
    ends = [(span[e]["line"], span[e]["character"]) for e in ("start", "end")]
    return (diagnostic["code"], diagnostic["message"], diagnostic["severity"], *ends)


def expected(name: str, text: str) -> list[tuple[Any, ...]]:
    """What `irlint check` finds, in the editor's terms."""
    result = engine.lint(text, name, path=None)
    known = Text.of(text)
    return [
        (
            f.code,
            f.message,
            4 - int(f.severity),
            known.position(f.span.start, "utf-16"),
            known.position(f.span.end, "utf-16"),
        )
        for f in result.findings
    ]


@given(texts_and_edits("a\r\n"), st.sampled_from(("utf-8", "utf-16", "utf-32")))
def test_edits_are_said_in_positions_that_there_are(drawn: tuple[str, list[Edit]], encoding: Encoding) -> None:
    """Also those that begin or end inside a CRLF."""
    text, edits = drawn
    known, after = Text.of(text), text
    for edit in reversed(sayable(known, edits)):
        ends = [known.offset(*known.position(at, encoding), encoding) for at in edit.span]
        for at in ends:
            line = known.position(at, encoding)[0]
            assert known.line_range(line)[0] <= at <= known.line_range(line)[1]
        assert tuple(ends) == tuple(edit.span)
        after = after[: ends[0]] + edit.text + after[ends[1] :]
    assert after == apply(text, edits)
