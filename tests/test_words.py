"""Words are for readers only: if every sentence is another one, the findings, their fixes and the repairs are the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import messages
import pytest

from irlint import engine, fixes, offers
from irlint.findings import Finding, Fix, Problem
from irlint.settings import Settings

READERS = 40  # broken texts of the readers' tests
EXAMPLES = ("nnvm/mistakes-symbol.json", "openvino/mistakes.xml", "lightnet/misspelt.json", "ncnn/mistakes.param")
TRAP = "Rename Replace: did you mean `x`; should it be"  # what code might look for
WORDS = {Problem: ("message", "hint", "addition"), Fix: ("title",)}


def _reworded(text: str) -> str:
    """Return other words, as different from those of other texts as the text is."""
    return text if not text or text.startswith(TRAP) else f"{TRAP} {sha256(text.encode(errors='replace')).hexdigest()}?"


def _sources() -> Iterator[messages.Source]:
    yield from messages._of_rules()
    yield from random.Random("words").sample([*messages._of_readers()], READERS)
    for name in EXAMPLES:
        text = (messages.EXAMPLES / name).read_text(encoding="utf-8")
        yield messages.Source(text, name.partition("/")[0])


def _row(finding: Finding) -> tuple[Any, ...]:
    fix = finding.fix and (finding.fix.safety, finding.fix.edits)
    related = sorted(related.span for related in finding.related)
    return finding.code, finding.span, finding.severity, finding.node or "", finding.pointer, fix, related


def _found(source: messages.Source) -> tuple[Any, ...]:
    """Return what is found, what is offered after trials, and the text after all fixes; no sentence of it."""
    settings = Settings(("ALL", "PEDANTIC"), targets=source.targets)
    result = engine.lint(source.text, "model", settings, source.format)
    found = sorted(map(_row, result.findings), key=repr)
    offers.confirm(result)
    fixed = ""
    if result.document is not None and result.certain:
        bench = offers.TrialLinter(result)
        fixed = fixes.fix(result.document.text, bench.lint, True, bench.search, budget=bench.budget).text
    return found, sorted(map(_row, result.findings), key=repr), fixed


def _rewording(original: Callable[..., None], names: tuple[str, ...], fields: tuple[str, ...]) -> Callable[..., None]:
    def init(self: object, *values: Any, **more: Any) -> None:
        given = {**dict(zip(fields, values, strict=False)), **more}
        original(self, **{name: _reworded(value) if name in names else value for name, value in given.items()})

    return init


@pytest.mark.timeout(600)  # 10 s on a machine that does nothing else
def test_other_words_change_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [*_sources()]
    expected = [*map(_found, sources)]
    for kind, names in WORDS.items():
        monkeypatch.setattr(kind, "__init__", _rewording(kind.__init__, names, kind.__match_args__))
    for source, before in zip(sources, expected, strict=True):
        assert _found(source) == before, source.text
    result = engine.lint('{"nodes": []}', "a-symbol.json")
    assert all(finding.message.startswith(TRAP) for finding in result.findings if finding.code != "S012")
