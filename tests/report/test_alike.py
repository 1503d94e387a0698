"""Findings of a file that say the same thing are shown once: which ones do, and what is said of the others."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given

from irlint import engine, report
from irlint.engine import Result
from irlint.findings import Finding, Fix, Severity
from irlint.report.alike import Group, grouped, more
from irlint.settings import Settings
from irlint.text.base import Span

from .cases import CASES
from .test_properties import ALL, results, written

FIX = Fix("Write it", ())


def finding(message: str, node: str | None = None, at: int = 0, **other: Any) -> Finding:
    given = {"code": "A001", "name": "unknown-attribute", "severity": Severity.WARNING, **other}
    return Finding(message=message, node=node, span=Span(at, at + 1), **given)


def folded(*findings: Finding) -> list[Group]:
    text = "\n" * len(findings)
    shown = [finding("x", at=at) for at in range(len(findings))]
    entries = report.locate(Result("a.json", shown, format="nnvm", text=text)).entries
    return [*grouped([report.base.replace(entry, finding=f) for entry, f in zip(entries, findings, strict=True)])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("unknown attribute `output_padding` for Convolution 'conv1'", "unknown attribute `output_padding` for Convolution 'c/2'"),
        ("expected an integer for `axis` of Concat 'a', got `x`", "expected an integer for `axis` of Concat 'b', got `1.5`"),
        ("Convolution 'a' has no attribute `pads`", "Convolution 'b b' has no attribute `pads`"),
        ("missing parameter `msg` for print 'p'", "missing parameter `msg` for print 'q'"),
        ("the tensor name '692' is given to an output of Const '9' already", "the tensor name 'b' is given to an output of Const 'x' already"),
        ("conv2d 'c': weight 'w' must have 4 dimensions, but has 1: [3]", "conv2d 'd': weight 'v' must have 1 dimension, but has 2: [1, 2]"),
        ("expected 2 inputs, got 3", "expected 1 input, got 12"),
        ("'c' is [?, 1, 2.5]; it holds 1,000", '"it\'s" is []; it holds -2e5'),
        ("size is 6, but 1, 3, 1 x f32 needs 12 bytes", "size is 0, but 1 x f32 needs 4 bytes"),
        ("a reads in a circle: 'r1' <- 'r2' <- 'r1'", "a reads in a circle: 'x' <- 'x'"),
        ("arg_nodes lacks the variables ('a', 'b' and 'c')", "arg_nodes lacks the variables ('a')"),
        ("the graph's outputs: output 1 of Dropout 'x'", "the graph's outputs: output 2 of Dropout 'y'"),
    ],
)  # fmt: skip
def test_names_and_numbers_make_no_difference(one: str, other: str) -> None:
    assert [group.lines for group in folded(finding(one), finding(other))] == [[2]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Convolution 'a' has no attribute pads", "Convolution 'a' has no attribute output_padding"),
        ("Convolution 'a' has no attribute `pads`", "Convolution 'a' has no attribute `strides`"),
        ("unknown attribute `pads` for Convolution 'a'", "unknown attribute `strides` for Convolution 'a'"),
        ("missing parameters `x` and `y` for print 'a'", "missing parameters `x` and `z` for print 'a'"),
        ("ReLU takes (x)", "ReLU takes (1)"),
        ("conv2d 'a' reads its own output", "conv3d 'a' reads its own output"),
        ("unknown operator `QConv`", "unknown operator `QPooling`"),
        ("undefined tensor 'b'; did you mean 'c'?", "undefined tensor 'b'; did you mean 'd'?"),
        ("MatMul 'a': it gives float32", "MatMul 'a': it gives float16"),
        (
            "expected `true` for `transpose` of MatMul 'a', got `True`",
            "expected `false` for `transpose` of MatMul 'a', got `False`",
        ),
    ],
)
def test_operators_attributes_and_values_do(one: str, other: str) -> None:
    assert [group.lines for group in folded(finding(one), finding(other))] == [[], []]


def test_a_nodes_name_is_one_however_it_is_quoted() -> None:
    assert len(folded(finding("operator 'a' is odd", "a"), finding("operator 'b' is odd", "b"))) == 1
    assert len(folded(finding("`a` is odd", "a"), finding("`b` is odd", "b"))) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"code": "A002"},
        {"severity": Severity.ERROR},
        {"fix": FIX},
        {"fix": Fix("Write it", (), "unsafe")},
    ],
)
def test_what_is_graded_or_fixed_otherwise_is_not_alike(other: dict[str, Any]) -> None:
    assert len(folded(finding("same"), finding("same", **other))) == 2
    assert len(folded(finding("same", fix=FIX), finding("same", fix=FIX))) == 1


def test_groups_stand_where_their_first_finding_does() -> None:
    groups = folded(*(finding(f"attribute `{word}`") for word in "abcabca"))
    assert [(group.entry.at.line, group.lines) for group in groups] == [(1, [4, 7]), (2, [5]), (3, [6])]


def test_the_line_about_the_others() -> None:
    (group,) = folded(finding("x"))
    assert more(group) == ""
    assert more(group._replace(lines=[41])) == "and 1 more like this: line 41 (--show-all lists it)"
    assert more(group._replace(lines=[41, 67])) == "and 2 more like this: lines 41, 67 (--show-all lists them)"
    assert more(group._replace(lines=[1, 41, 41])) == "and 3 more like this: line 41 (--show-all lists them)"
    assert more(group._replace(lines=[1, 1])) == "and 2 more like this on the same line (--show-all lists them)"
    many = group._replace(lines=[*range(1000, 4000)])
    assert more(many, 80) == "and 3,000 more like this: lines 1000, 1001, 1002, ... (--show-all lists them)"
    for room in range(80, 140):
        assert len(more(many, room)) <= room < len(more(many, room)) + len("9999, ")


@ALL
@given(results())
def test_folding_hides_none(files: list[Result]) -> None:
    for file in files:
        entries = report.locate(file).entries
        groups = [*grouped(entries)]
        assert sum(1 + len(group.lines) for group in groups) == len(entries)
        assert [group.entry for group in grouped(entries, show_all=True)] == [*entries]
    totals = [report.write(files, "full", io.StringIO(), show_all=show_all) for show_all in (False, True)]
    assert totals[0] == totals[1]


@pytest.mark.parametrize("format_", ["json", "jsonl", "sarif", "gitlab"])
def test_what_programs_read_lists_every_place(format_: str) -> None:
    files = CASES["alike"]()
    assert written(files, format_) == written(files, format_, show_all=True)
    assert len(json.loads(written(files, "json"))) == 46


def test_junit_counts_its_cases() -> None:
    text = written(CASES["alike"](), "junit")
    assert '<testsuite name="line.json" tests="1" failures="0" errors="0" skipped="1">' in text
    assert text.count("<testcase ") == 9


@pytest.mark.parametrize("format_", ["full", "concise"])
def test_many_findings_are_counted_by_rule(format_: str) -> None:
    def shown(count: int) -> str:
        text = "\n" * count
        found = [finding(f"attribute `{'x' * at}`", at=at, **({"code": "B001", "name": "b"} if at == 3 else {})) for at in range(count)]  # fmt: skip
        return written([Result("a.json", found, format="nnvm", text=text)], format_)

    assert shown(21).endswith("\n\n20  A001  unknown-attribute\n 1  B001  b\n\nFound 21 warnings in 1 file.\n")
    assert "A001  unknown" not in shown(20)


def test_ten_thousand_findings_are_a_screenful() -> None:
    operator = (
        '{"op": "Convolution", "name": "c%d", "attrs": {"kernl": "(3, 3)", "num_filter": "8"}, "inputs": [[0, 0, 0]]}'
    )
    nodes = ['{"op": "null", "name": "data", "inputs": []}', *(operator % k for k in range(10_000))]
    text = '{"nodes": [\n' + ",\n".join(nodes) + '\n], "arg_nodes": [0], "heads": [[10000, 0, 0]]}'
    result = engine.lint(text, "big-symbol.json", Settings(select=("A001",)))
    assert len(result.findings) == 10_000
    assert len(written([result], "full").splitlines()) < 40
