"""The search for repairs in files whose parts are of the wrong kind: whatever is written there, it may find nothing, but not fail."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from rule_cases.texts import OPENVINO, SYMBOL

import irlint.work
from irlint import engine, fixes, offers, repairs
from irlint.findings import Candidate, Finding, Safety, Severity
from irlint.formats.base import by_name
from irlint.settings import Settings
from irlint.text.base import Edit, Span
from irlint.work import FEWEST, Budget
from tests.hostile_families import FAMILIES

SOON = 5.0  # seconds of the processor; the slowest takes one
DIGITS = "9" * 5000  # more than Python makes a number of
ODD = ["5", "1.5", "true", "null", '""', '"\\u0000"', "[]", "[[]]", "[5]", "[null]", "{}", '{"a": []}', DIGITS]
WORDS = ["", "²", "opset²", DIGITS, f"-{DIGITS}", "1,,2", "opset1", "?", "Const", "a" * 5000]


NUMBER, LEAD = '"num_hidden": "4"', '"inputs": [[0, 0, 0], '
MEMBERS = ('"inputs": []', '"attrs": {"no_bias": "False", "num_hidden": "4"}', '"op": "FullyConnected"', NUMBER)
ATTRIBUTES = ('version="opset1"', 'offset="0"', 'size="12"', 'shape="1,3,8,8"', 'from-port="0"', 'id="0"')


def _replaced(text: str, old: str, new: str) -> str:
    assert old in text, old
    return text.replace(old, new, 1)


def _symbols() -> Iterator[str]:
    led_astray = _replaced(SYMBOL, LEAD, '"inputs": [[9, 0, 0], ')
    for value in ODD:
        for member in MEMBERS:
            changed = f"{member.partition(':')[0]}: {value}"
            yield _replaced(SYMBOL, member, changed)
            yield _replaced(led_astray, member, changed)
        yield _replaced(_replaced(SYMBOL, "[[4, 0, 0]]", f"[{value}]"), '"nodes"', '"nods"')
        yield _replaced(_replaced(SYMBOL, "[[4, 0, 0]]", "[[9, 0, 0]]"), '"inputs": []', f'"inputs": {value}')


def _networks() -> Iterator[str]:
    contradicted = _replaced(OPENVINO, "<dim>8<", "<dim>7<")
    for word in WORDS:
        for attribute in ATTRIBUTES:
            changed = f'{attribute.partition("=")[0]}="{word}"'
            yield _replaced(OPENVINO, attribute, changed)
            yield _replaced(contradicted, attribute, changed)


def _hostile() -> list[tuple[str, str]]:
    return [*(("nnvm", text) for text in _symbols()), *(("openvino", text) for text in _networks())]


def _strictly(form: str, text: str) -> engine.Result:
    return engine.lint(text, as_format=form, settings=repairs.strict(Settings()))


def test_candidates_change_text_that_is_there_and_never_the_same_twice() -> None:
    for form, text in _hostile():
        result = _strictly(form, text)
        format_ = by_name(form)
        if format_ is None or result.model is None or result.document is None or result.document.guesses:
            continue
        for finding in result.findings:
            if finding.severity == Severity.ERROR:
                for candidate in repairs._whole(format_.candidates(result.model, finding)):
                    _lies_inside(candidate, text)


def _lies_inside(candidate: Candidate, text: str) -> None:
    end = 0
    for span, _ in sorted(candidate.edits):
        assert end <= span.start <= span.end <= len(text), candidate
        end = span.end
    assert len({edit.span.start for edit in candidate.edits}) == len(candidate.edits), candidate


@pytest.mark.parametrize(("form", "text"), _hostile()[::9])
def test_no_file_makes_the_search_fail(form: str, text: str) -> None:
    result = engine.lint(text, as_format=form)
    offers.confirm(result)


BROKEN = Finding("A005", "broken", Severity.ERROR, "", Span(0, 1))


def _grade(candidates: list[str], budget: Budget | None = None) -> Safety | None:
    """How sure a repair is whose text is `good`, found among these texts."""

    def lint(text: str) -> list[Finding]:
        return [] if text == "good" else [BROKEN]

    proposed = [Candidate(text, (Edit(Span(0, 3), text),) if text else (), 0) for text in candidates]
    found = repairs.searched("bad", [BROKEN], [BROKEN], lambda finding: proposed, lint, budget or Budget())
    return found[0].fix.safety if found[0].fix else None


def test_what_was_compared_with_nothing_else_is_not_proven() -> None:
    assert _grade(["good", "worse"]) == "proven"
    assert _grade(["worse", "good"]) == "proven"
    assert _grade(["good"]) == "unsafe"
    assert _grade(["good", "good"]) == "unsafe"  # the same once more
    assert _grade(["", "good", ""]) == "unsafe"  # no change at all


def test_where_the_budget_ends_nothing_is_proven() -> None:
    budget = Budget()
    budget.trials = 2
    assert _grade(["good", "worse", "worst"], budget) == "unsafe"
    budget = Budget()
    budget.trials = 3
    assert _grade(["good", "worse", "worst"], budget) == "proven"


def test_a_large_file_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial of it takes too long for as many as are needed; a smaller one is repaired."""
    text = _replaced(OPENVINO, '<edge from-layer="0"', '<edge from-layer="7"')
    asked: list[str] = []
    monkeypatch.setattr(type(by_name("openvino")), "relint_cost", 1.0)
    monkeypatch.setattr(repairs, "searched", lambda text, findings, *_: asked.append(text) or findings)
    for characters, expected in ((FEWEST * len(text), [text]), (FEWEST * len(text) - 1, [])):
        asked.clear()
        monkeypatch.setattr(irlint.work, "CHARACTERS", characters)
        result = engine.lint(text, "model.xml")
        assert repairs.wanting(result.findings)
        offers.TrialLinter(result).search(text, result.findings)
        assert asked == expected


@pytest.mark.parametrize(
    "text", [_replaced(SYMBOL, LEAD, '"inputs": [[9, 0, 0] '), _replaced(OPENVINO, "</layers>", "<")]
)
def test_what_cannot_be_read_is_not_searched(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def fail(*_: object) -> list[Finding]:
        raise AssertionError("each trial would read all that is broken with care")

    monkeypatch.setattr(repairs, "searched", fail)
    result = engine.lint(text, "model.xml" if text[0] == "<" else "model.json")
    assert any(finding.code == "S001" for finding in result.findings)
    offers.TrialLinter(result).search(text, result.findings)


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if isinstance(family.text(1), str)])
def test_a_search_in_hostile_families_ends_soon(name: str) -> None:
    family = FAMILIES[name]
    text = family.text(max(family.size // 3, 1))
    assert isinstance(text, str)
    result = engine.lint(text, as_format=family.form)
    began = time.process_time()
    offers.confirm(result)
    assert time.process_time() - began < SOON


def test_many_misspelt_names_are_repaired_in_one_round() -> None:
    nodes = "".join(f"   value_{k} = Relu ({f'valu_{k - 1}' if k else 'x'})\n" for k in range(900))
    text = f'<ir_version: 9, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] value_899) {{\n{nodes}}}\n'
    lints = 0

    def lint(text: str) -> list[Finding]:
        nonlocal lints
        lints += 1
        return engine.lint(text, as_format="onnx").findings

    found = fixes.offered(text, lint(text), lint)
    assert [one.fix.title if one.fix else None for one in found][-2:] == [
        "Replace with 'value_897'",
        "Replace with 'value_898'",
    ]
    assert len(found) == 899
    assert lints <= 4
