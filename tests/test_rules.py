"""The cases of every rule, and what every rule has to have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rule_cases import Case, cases

from irlint import engine, fixes
from irlint.codes import BESIDE, COMPARING, RuleRow, rows
from irlint.findings import Finding
from irlint.formats.base import all_formats
from irlint.rules import registry
from irlint.rules.base import Rule
from irlint.rules.page import fixes as fixed_by
from irlint.rules.page import sections
from irlint.settings import Settings

RULES = list(registry.all_rules().values())
UNSHOWN = (
    "I001",
    "I002",
    "T008",
    *COMPARING,
)  # what no file leads to by itself: test_last_net.py, test_work.py, user_schemas, inspection/test_breaking.py
INVALID = [pytest.param(rule, e, id=f"{rule.code}-{i}") for rule in RULES for i, e in enumerate(cases(rule).invalid)]
VALID = [pytest.param(rule, e, id=f"{rule.code}-{i}") for rule in RULES for i, e in enumerate(cases(rule).valid)]
HEADINGS = ["What it does", "Why is this bad", "Example", "Use instead", "Fix safety", "References", "Security"]


class File:
    """An example as a file beside its side files, linted as often as its fixes need."""

    def __init__(self, rule: type[Rule], example: Case, folder: Path) -> None:
        self.rule, self.example = rule, example
        self.path = folder / (example.name or f"model{'.xml' if example.text.lstrip().startswith('<') else '.json'}")
        for name, data in example.side_files.items():
            (self.path.parent / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path.parent / name).write_bytes(data)
        for name, target in example.links.items():
            (folder / name).symlink_to(target)

    def lint(self, text: str) -> list[Finding]:
        data = text.encode("utf-8", "surrogateescape")
        self.path.write_bytes(data)
        # by its code, so that findings of every grade are reported and repaired
        select = ("ALL", self.rule.code)
        settings = Settings(select, targets=tuple(self.example.targets.items()))
        return engine.lint_bytes(data, str(self.path), settings, self.example.format or None, self.path).findings


@pytest.mark.parametrize(("rule", "example"), INVALID)
def test_invalid(rule: type[Rule], example: Case, tmp_path: Path) -> None:
    findings = [f for f in File(rule, example, tmp_path).lint(example.text) if f.code == rule.code]
    assert findings, "not found"
    if example.token is not None:
        tokens = [example.text[f.span.start : f.span.end] for f in findings]
        assert example.token in tokens


@pytest.mark.parametrize(("rule", "example"), [p for p in INVALID if p.values[1].fixed is not None])
def test_fixed(rule: type[Rule], example: Case, tmp_path: Path) -> None:
    file = File(rule, example, tmp_path)
    fixed = fixes.fix(example.text, file.lint, unsafe=rule.fixable != "safe")
    assert fixed.text == example.fixed
    assert rule.code not in {f.code for f in fixed.findings}


@pytest.mark.parametrize(("rule", "example"), VALID)
def test_valid(rule: type[Rule], example: Case, tmp_path: Path) -> None:
    assert rule.code not in {f.code for f in File(rule, example, tmp_path).lint(example.text)}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_is_complete(rule: type[Rule]) -> None:
    assert re.fullmatch(r"[STROADWFGCXIB]\d{3}", rule.code)
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.name)
    assert cases(rule).invalid or rule.code in UNSHOWN, "no invalid example"
    assert cases(rule).valid or rule.code in COMPARING, "no valid example"
    if rule.fixable:
        assert any(example.fixed is not None for example in cases(rule).invalid), "fixable, but no example of a fix"
    found = list(sections(rule))
    assert found == [heading for heading in HEADINGS if heading in found], "headings are others, or in another order"
    assert {"What it does", "Why is this bad", "Example", "Use instead"} <= set(found)
    assert ("Fix safety" in found) == (rule.fixable is not None or fixed_by(rule) != "no fix")
    if rule.code not in (*UNSHOWN, *BESIDE):
        assert re.search(r"^ *(Example|Use instead)$", rule.__doc__ or "", re.MULTILINE) is None, (
            "examples are in pages.md"
        )


def test_codes_and_names_are_unique() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) == len({rule.code for rule in RULES})


def test_redirects_lead_to_rules() -> None:
    assert all(registry.find(code) for code in registry.REDIRECTS.values())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_has_a_row_and_a_check_a_file_of_its_name(rule: type[Rule]) -> None:
    """By its row a rule has a web page. `registry.checks` finds the row by the name of the file, without importing that; pages stand
    together with others of their topic."""
    module = rule.__module__
    format_name = module.split(".")[2] if module.startswith("irlint.formats.") else ""
    is_check = ".checks." in module
    assert rule.row in rows(registry.table(format_name))
    assert module.rpartition(".")[2].replace("_", "-") == rule.name or not is_check
    assert rule.__name__ == rule.name.title().replace("-", "")


@pytest.mark.parametrize("format_name", ["", *all_formats()])
def test_every_row_is_of_a_rule(format_name: str) -> None:
    names = {
        name
        for part in registry.table(format_name).__mro__
        for name in vars(part)
        if isinstance(vars(part)[name], RuleRow)
    }
    assert {name.replace("_", "-") for name in names} == {row.name for row in rows(registry.table(format_name))}
    assert {row.code for row in rows(registry.table(format_name))} <= {rule.code for rule in RULES}


@pytest.mark.parametrize("format_name", all_formats())
def test_rules_with_a_check_of_their_own_are_among_the_checks(format_name: str) -> None:
    def checks(rule: type[Rule]) -> bool:
        return any({"check", "visit"} & vars(base).keys() for base in rule.__mro__[: rule.__mro__.index(Rule)])

    own = {rule for rule in (*registry.shared_rules(), *registry.format_rules(format_name)) if checks(rule)}
    assert {check.rule for check in registry.checks(format_name)} == own
    assert all(check.row is check.rule.row for check in registry.checks(format_name))


def test_the_page_of_a_guess_says_when_it_is_proven() -> None:
    from irlint.rules.page import grades, section
    from irlint.rules.registry import find

    for code in ("R001", "S002", "W004"):
        rule = find(code)
        assert rule is not None
        told = "is proven, and is made by `--fix`" in section(rule, "Fix safety")
        assert told is ("proven" in grades(rule))
