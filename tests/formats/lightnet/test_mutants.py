"""Properties of what irlint says of models with one planted defect, over many seeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from irlint import engine, fixes
from irlint.findings import Finding, Severity

from . import oracle
from .layout import LAYOUTS, render
from .models import MODELS, model
from .mutants import STRUCTURED, TEXTUAL, TEXTUAL_NAMES, Mutant, plant

SEEDS = range(400)

# kinds of defects whose changed value is itself the offending token
_AT_THE_VALUE = ("misspell_reference", "misspell_argument", "repeat_op_name", "repeat_definition", "other_optype")
_ODD_TEXT = ("odd_number", "odd_string", "odd_literal", *TEXTUAL_NAMES)


def _mutants(seeds: range) -> list[Mutant]:
    return [mutant for seed in seeds if (mutant := plant(seed)) is not None]


def _lint(text: str) -> list[Finding]:
    return engine.lint_bytes(text.encode("utf-8", "surrogateescape"), "model.json").findings


def _errors(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity == Severity.ERROR]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_base_models_are_clean(name: str, layout: str) -> None:
    findings = _lint(render(model(name), layout).text)
    assert {finding.code for finding in findings} <= ({"C001", "G002"} if name == "rarities" else set())


def test_the_text_at_a_span_is_a_token() -> None:
    for mutant in _mutants(SEEDS):
        for finding in _lint(mutant.text):
            start, end = finding.span
            assert 0 <= start <= end <= len(mutant.text), mutant
            if mutant.kind not in _ODD_TEXT and finding.code not in ("S001", "S002"):
                token = mutant.text[start:end]
                assert token in ("{", "[") or json.loads(token) is not ..., mutant


def test_the_text_at_a_span_is_the_offending_token() -> None:
    for kind in _AT_THE_VALUE:
        for seed in range(60):
            mutant = plant(seed, kind=kind)
            if mutant is None:
                continue
            errors = [tuple(finding.span) for finding in _errors(_lint(mutant.text)) if finding.code != "C001"]
            assert not errors or mutant.span in errors, (mutant.change, errors)


def test_findings_do_not_depend_on_the_layout() -> None:
    for name in MODELS:
        for kind in ("misspell_reference", "retype_value"):
            mutated = plant(7, base=name, kind=kind)
            assert mutated is not None
            document = json.loads(mutated.text)
            told = {
                tuple((f.code, f.pointer, f.message) for f in _lint(render(document, layout).text))
                for layout in LAYOUTS
            }
            assert len({frozenset(each) for each in told}) == 1


def test_fixes_leave_no_more_errors() -> None:
    for mutant in _mutants(range(240)):
        before = _errors(_lint(mutant.text))
        if not any(finding.fix for finding in before):
            continue
        done = fixes.fix(mutant.text, _lint, unsafe=True)
        assert len(_errors(done.findings)) <= len(before), mutant
        if not any(finding.code.startswith("S") for finding in done.findings):
            json.loads(done.text, strict=False)


def test_equal_seeds_give_equal_mutants() -> None:
    assert [plant(seed) for seed in range(50)] == [plant(seed) for seed in range(50)]
    kinds = {mutant.kind for mutant in _mutants(SEEDS)}
    assert kinds == {mutate.__name__ for mutate in (*STRUCTURED, *TEXTUAL)}


@pytest.mark.skipif(oracle.BINARY is None, reason="IRLINT_LIGHTNET does not name a LightNet binary")
def test_the_real_loader_agrees(tmp_path: Path) -> None:
    """Refused or crashed by LightNet if and only if irlint has an error; on the line of the defect."""
    differ, elsewhere, judged = [], [], 0
    for seed in SEEDS:
        mutant = plant(seed)
        if mutant is None or mutant.kind == "misspell_definition":
            continue
        outcome, message = _outcome(mutant, tmp_path)
        result = engine.lint_bytes(mutant.text.encode("utf-8", "surrogateescape"), "model.json")
        errors = [f for f in _errors(result.findings) if not ("rarities" in mutant.change and f.code == "C001")]
        lines = [result.lines.position(finding.span.start).line for finding in errors]
        if any("other memory" in finding.message for finding in errors):
            continue  # undefined behaviour, which may go well
        judged += 1
        if (outcome == "ok") == bool(errors):
            differ.append((seed, mutant.kind, mutant.change, outcome, message, errors))
        elif errors and not any(mutant.line - 1 <= line <= mutant.last for line in lines):
            elsewhere.append((seed, mutant.kind, mutant.change, lines))
    assert len(differ) <= judged / 100, differ
    assert len(elsewhere) <= judged / 40, elsewhere  # some shapes of the smallest model could be meant either way


def _outcome(mutant: Mutant, folder: Path) -> tuple[str, str]:
    data = mutant.text.encode("utf-8", "surrogateescape")
    loaded, message = oracle.verdict(data, folder, run=False)
    if loaded != "ok":
        return loaded, message
    ran, message = oracle.verdict(data, folder, run=True)
    lacks = "unsupported optype" in message and "_cpu" not in message
    return ("ok" if lacks else ran), message
