"""Random edits: the server's text and diagnostics are always those of a fresh lint of the same text."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
from irlint_lsp.text import Text

from irlint import engine

from .client import Client
from .samples import SAMPLES, Sample

SEQUENCES = 75  # of each of the four formats
EDITS = 6
PIECES = (
    "\U0001f600", "\u2028", "\u0085", "\r\n", "\r", "\n", '"', "{", "}", "[", "]", ",", ":", "<", ">", "/", "1", "-",
    "null", "  ", "é", "\t", "\\", "0]", '"x": 1,', "<layer", "\x0c", "nn.relu",
)  # fmt: skip


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
def test_diagnostics_are_those_of_a_fresh_lint(client: Client, sample: Sample, tmp_path: Any) -> None:
    path = tmp_path / sample.name
    for seed in range(SEQUENCES):
        uri = path.as_uri().replace(sample.name, f"{seed}-{sample.name}")
        name = str(path.parent / f"{seed}-{sample.name}")
        choose = random.Random(f"{sample.name} {seed}")
        text = sample.text.replace("\n", "\r\n") if seed % 5 == 0 else sample.text
        client.open(uri, text)
        client.diagnostics(uri, 1)
        version = 1
        for _ in range(EDITS):
            changes = []
            for _ in range(choose.randrange(1, 3)):
                change, text = _edit(choose, text)
                changes.append(change)
            version += 1
            client.change(uri, version, changes)
            if choose.random() < 0.6:
                _compare(client, uri, name, version, text)
        _compare(client, uri, name, version, text)
        client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


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


def _compare(client: Client, uri: str, name: str, version: int, text: str) -> None:
    shown = [_shown(d) for d in client.diagnostics(uri, version)]
    assert shown == expected(name, text), (name, version, text)


def _shown(diagnostic: dict[str, Any]) -> tuple[Any, ...]:
    span = diagnostic["range"]
    ends = [(span[e]["line"], span[e]["character"]) for e in ("start", "end")]
    return (diagnostic["code"], diagnostic["message"], diagnostic["severity"], *ends)


def expected(name: str, text: str) -> list[tuple[Any, ...]]:
    """What `irlint check` finds, in the editor's terms: nothing where the engine itself fails, which is told."""
    try:
        result = engine.lint(text, name, path=None)
    except Exception as error:
        warnings.warn(f"the engine failed: {type(error).__name__}: {error} in {text!r}", stacklevel=1)
        return []
    known = Text.of(text)
    return [
        (
            f.code,
            f.message,
            3 - int(f.severity),
            known.position(f.span.start, "utf-16"),
            known.position(f.span.end, "utf-16"),
        )
        for f in result.findings
    ]
