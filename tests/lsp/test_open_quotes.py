"""While a quote or a bracket is open, lints go on from the last text whose syntax was sound."""

from __future__ import annotations

from typing import Any

from irlint_lsp.documents import MOST_CHANGES, Analysis, OpenDocument
from irlint_lsp.text import Text
from lsprotocol import types

from irlint import engine

from .samples import nnvm

SAMPLE = nnvm(30)


def position(document: OpenDocument, offset: int) -> types.Position:
    return types.Position(*document.text.position(offset, "utf-16"))


def edit(document: OpenDocument, start: int, end: int, new: str) -> None:
    range_ = types.Range(position(document, start), position(document, end))
    document.change([types.TextDocumentContentChangePartial(range=range_, text=new)])


def linted(document: OpenDocument) -> list[Analysis]:
    result = engine.lint(document.text.string, "a-symbol.json", before=document.before)
    return document.replace(Analysis(document.text, document.version, document.edits, result))


def opened() -> OpenDocument:
    document = OpenDocument("file:///a-symbol.json", None, 1, Text.of(SAMPLE), "utf-16")
    linted(document)
    return document


def findings(document: OpenDocument) -> list[Any]:
    assert document.analysis is not None
    return [(f.code, f.span, f.message) for f in document.analysis.result.findings]


def test_a_quote_that_is_typed_and_closed() -> None:
    document = opened()
    sound = document.analysis
    quote = SAMPLE.index('"', len(SAMPLE) // 2)
    for new in '"', "x", '"':
        edit(document, quote, quote, new)
        assert linted(document) == [] or document.sound is sound
        assert document.sound is sound
        assert findings(document) == [
            (f.code, f.span, f.message) for f in engine.lint(document.text.string, "a-symbol.json").findings
        ]
        quote += 1
    edit(document, quote - 3, quote, "")
    assert document.before is not None
    assert sound is not None
    assert document.before.result is sound.result
    assert document.before.change.delta == 0
    assert sound in linted(document)
    assert document.sound is document.analysis
    assert document.changes == []


def test_a_text_that_stays_broken_is_not_carried_along() -> None:
    document = opened()
    edit(document, 0, 0, "{")
    linted(document)
    assert document.sound is not document.analysis
    for _ in range(MOST_CHANGES):
        edit(document, 0, 0, " ")
    linted(document)
    assert document.sound is None
    assert document.changes == []
