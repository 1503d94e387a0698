"""A lint that builds on the one before finds what a lint from scratch finds, whatever the edit was."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp.samples import SAMPLES, glacier, lightnet, nnvm, openvino

from irlint import engine
from irlint.engine import Before, Result
from irlint.rules import registry
from irlint.text.base import Change, Place

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
NAMES = {"openvino": "model.xml", "glacier": "model.txt"}
TOKEN = re.compile(r'"[^"\n]*"|\d+|\[[^][\n]*\]')
PIECES = (
    "1", "9", "0", "-", "x", "relu", "_2", " ", "\n", "\r\n", '"', "'", ",", "[", "]", "{", "}", ":", "<", ">", "/", "&", "null", "1e999",
    "\u2028", "\U0001f600", "\ufeff", "\udcff", "\\", "//", "/*", "<!-- irlint: ignore -->", "[0, 0, 0]", "irlint: ignore", "0.5",
)  # fmt: skip


def texts() -> dict[str, list[tuple[str, str]]]:
    """File names and texts, by format: the samples of the server's tests and every rule's examples."""
    found: dict[str, list[tuple[str, str]]] = {}
    for sample in SAMPLES:
        format_ = {"toy.xml": "openvino", "toy.txt": "glacier", "lightnet.json": "lightnet"}.get(sample.name, "nnvm")
        found.setdefault(format_, []).append((sample.name, sample.text))
    for name, make in (("a.txt", glacier), ("a.json", lightnet), ("a-symbol.json", nnvm), ("a.xml", openvino)):
        found[make.__name__] += [(name, make(size)) for size in (20, 70) for _ in range(6)]
    for rule in registry.all_rules().values():
        for example in (*rule.valid, *rule.invalid):
            format_ = example.format.partition(":")[0]
            found.setdefault(format_, []).append((NAMES.get(format_, "model.json"), example.text))
    return found


@pytest.mark.parametrize("format_", ["glacier", "lightnet", "nnvm", "openvino"])
def test_equals_a_lint_from_scratch(format_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reused = []
    reopened = engine._reopened

    def counting(*args: Any) -> Any:
        document = reopened(*args)
        reused.append(document is not None)
        return document

    monkeypatch.setattr(engine, "_reopened", counting)
    for number, (name, text) in enumerate(texts()[format_]):
        choose = random.Random(f"{format_} {number}")
        before = engine.lint(text, name)
        for change, new in edits(choose, text, 12):
            fresh = engine.lint(new, name)
            after = engine.lint(new, name, before=Before(before, change))
            assert shown(after) == shown(fresh), (name, new, change)
            _same_places(choose, after, fresh)
            before = after
    assert sum(reused) > 50


def edits(choose: random.Random, text: str, count: int) -> Iterator[tuple[Change, str]]:
    """Small changes, most of them where somebody would type, one after the other; now and then one is taken back."""
    for _ in range(count):
        kept = text
        change, text = _edit(choose, text)
        yield change, text
        if choose.random() < 0.6:
            yield Change(change.start, change.start + change.size, change.end - change.start), kept
            text = kept


def _edit(choose: random.Random, text: str) -> tuple[Change, str]:
    if choose.random() < 0.35 and len(tokens := list(TOKEN.finditer(text))) > 1:
        old, other = choose.choice(tokens), choose.choice(tokens)  # what stands elsewhere makes sense more often
        return Change(*old.span(), len(other[0])), text[: old.start()] + other[0] + text[old.end() :]
    letters = [k for k, letter in enumerate(text) if letter.isalnum()]
    start = choose.choice(letters) if letters and choose.random() < 0.8 else choose.randrange(len(text) + 1)
    end = min(len(text), start + choose.choice((0, 0, 1, 1, 1, 2, 9, 60)))
    new = choose.choice(PIECES) if choose.random() < 0.8 else text[start : start + choose.randrange(9)]
    if choose.random() < 0.5 and letters:
        new, end = (
            choose.choice("0123456789" if text[start : start + 1].isdigit() else "aeruX_"),
            start + choose.randrange(2),
        )
    return Change(start, end, len(new)), text[:start] + new + text[end:]


def shown(result: Result) -> Any:
    return result.findings, result.format, result.dialect, result.why, result.suppressed


def _same_places(choose: random.Random, after: Result, fresh: Result) -> None:
    """The way from offsets to places and back is the same, too."""
    one, other = after.document, fresh.document
    if one is None or other is None:
        return
    for _ in range(6):
        offset = choose.randrange(len(one.text) + 1)
        place = other.place_at(offset)
        assert one.place_at(offset) == place
        for part in ("value", "key", "member", "element", "tag", "name", "text"):
            at = Place(place.path, part)
            assert one.span(at) == other.span(at)
        assert one.pointer(place.path) == other.pointer(place.path)
