"""Whatever files, names and messages hold: every format parses, shows each finding once, and says where."""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from irlint import report
from irlint.engine import Result
from irlint.findings import Finding, Fix, Related, Severity
from irlint.report import excerpt, snippet
from irlint.report.terminal import Terminal
from irlint.rules import registry
from irlint.text.base import Edit, Lines, Span

from .cases import CASES

CHARACTERS = "\x00\x07\x08\t\n\v\f\r\x1b\x7f\x85\x9b\xa0\xad\u061c\u200b\u200d\u2028\u2029\u202e\u2066\ufeff\ufffe"
CHARACTERS += "\uffff\udc80\udcff\ud800\udfff\U000e0041\U0010ffff\u0301卷한\U0001f9e0\\|\"'%"
WORDS = ["\r\n", "::error::", "##vso[a]", "%0A", "]]>", "&amp;", "<!--", "[a](b)", "{0}", "../", "//"]
NASTY = st.sampled_from([*CHARACTERS, *WORDS])
PIECES = st.one_of(NASTY, st.text(max_size=5), st.text("ab{}[]:, ", max_size=12), st.characters())
TEXT = st.lists(PIECES, max_size=12).map("".join)
NAME = TEXT.filter(bool)
SHOWN_ONLY_AS_ESCAPE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@st.composite
def results(draw: st.DrawFn) -> list[Result]:
    found = []
    for _ in range(draw(st.integers(1, 3))):
        text = draw(TEXT)
        places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(lambda p: Span(min(p), max(p)))
        edits = st.lists(st.builds(Edit, places, TEXT), max_size=2).map(tuple)
        fixes = st.builds(Fix, NAME, edits, st.sampled_from(["safe", "unsafe"]))
        findings = st.builds(
            Finding,
            st.sampled_from(["R001", "S001", "O001", "Z999"]),
            st.sampled_from(["undefined-reference", "syntax-error"]),
            st.sampled_from(Severity),
            TEXT,
            places,
            st.none() | TEXT,
            st.none() | TEXT,
            st.none() | fixes,
            st.lists(st.builds(Related, TEXT, places), max_size=6).map(tuple),
        )
        found.append(Result(draw(NAME), draw(st.lists(findings, max_size=4)), text=text))
    return found


def written(files: list[Result], format: str, **options: Any) -> str:
    stream = io.StringIO()
    fail_on = options.pop("fail_on", Severity.ERROR)
    report.write([report.locate(file, fail_on) for file in files], format, stream, **options)
    text = stream.getvalue()
    assert text.encode("utf-8").decode("utf-8") == text  # no lone surrogates
    return text


def line_column(text: str, offset: int) -> tuple[int, int]:
    """What Lines.position says, worked out the slow way."""
    if text.startswith("\ufeff") and offset:
        text, offset = text[1:], offset - 1
    before, at = text[:offset], 0
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        before = before[:-1] + "x"  # between CR and LF no line has ended yet
    lines = re.split(r"\r\n|\r|\n", before)
    at = len(lines[-1])
    return len(lines), at + 1


def where(text: str, span: Span) -> dict[str, int]:
    (line, column), (end_line, end_column) = line_column(text, span.start), line_column(text, span.end)
    return {"line": line, "column": column, "end_line": end_line, "end_column": end_column}


def pairs(files: list[Result]) -> list[tuple[Result, Finding]]:
    return [(file, finding) for file in files for finding in file.findings]


PLACE = "line column end_line end_column"
KEYS = f"file format dialect code name severity message {PLACE} pointer node fix related url"
ALL = settings(
    max_examples=int(os.environ.get("IRLINT_EXAMPLES", 40)), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("format_", report.FORMATS)
@ALL
@given(results(), st.booleans(), st.sampled_from([None, 40, 80]))
def test_nothing_but_visible_text(format_: str, files: list[Result], unsafe: bool, columns: int | None) -> None:
    text = written(files, format_, unsafe_fixes=unsafe, columns=columns)
    assert not text or text.endswith("\n")
    assert {c for c in text if unicodedata.category(c) in SHOWN_ONLY_AS_ESCAPE} <= {"\n"}
    assert not re.search(r"(?m)^\s*::(?!error |warning |notice )", text)
    if format_ in ("full", "concise", "github", "junit"):
        assert not re.search(r"##[\w-]*\[", text)


@ALL
@given(results(), st.sampled_from(["full", "concise"]), st.sampled_from([None, 40, 80]))
def test_color_changes_nothing_but_color(files: list[Result], format_: str, columns: int | None) -> None:
    colored = written(files, format_, columns=columns, color=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == written(files, format_, columns=columns)
    for line in colored.split("\n"):
        assert line.count("\x1b[0m") * 2 == line.count("\x1b["), "no line leaves its color to the next"


@ALL
@given(results())
def test_json(files: list[Result]) -> None:
    records = json.loads(written(files, "json"))
    assert records == [json.loads(line) for line in written(files, "jsonl").splitlines()]
    assert len(records) == len(pairs(files))
    for record, (file, finding) in zip(records, pairs(files), strict=True):
        assert list(record) == KEYS.split()
        assert {key: record[key] for key in PLACE.split()} == where(file.text, finding.span)
        assert [{**r, "message": ""} for r in record["related"]] == [
            {"message": "", **where(file.text, r.span)} for r in finding.related
        ]
        assert (record["url"] is not None) == (finding.name in registry.documented(file.format))
        if record["fix"] is None:
            assert finding.fix is None or re.search("[\ud800-\udfff]", "".join(e.text for e in finding.fix.edits))
        else:
            assert finding.fix is not None
            assert record["fix"]["safety"] == finding.fix.safety
            assert record["fix"]["edits"] == [
                {**where(file.text, edit.span), "text": edit.text} for edit in finding.fix.edits
            ]


@ALL
@given(results())
def test_sarif_and_gitlab(files: list[Result]) -> None:
    run = json.loads(written(files, "sarif"))["runs"][0]
    issues = json.loads(written(files, "gitlab"))
    assert len(run["results"]) == len(issues) == len(pairs(files))
    prints = [result["partialFingerprints"]["irlint/v1"] for result in run["results"]]
    assert prints == [issue["fingerprint"] for issue in issues]
    assert len(set(prints)) == len(prints)
    for result, issue, (file, finding) in zip(run["results"], issues, pairs(files), strict=True):
        at = where(file.text, finding.span)
        physical = result["locations"][0]["physicalLocation"]
        assert physical["region"] == {
            "startLine": at["line"],
            "startColumn": at["column"],
            "endLine": at["end_line"],
            "endColumn": at["end_column"],
        }
        assert issue["location"]["positions"]["begin"] == {"line": at["line"], "column": at["column"]}
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == finding.code
        assert "](" not in result["message"]["text"]
        assert re.fullmatch(
            r"[\w.~!$&'()*+,;=@%/:-]*", result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], re.A
        )


@ALL
@given(results(), st.sampled_from(Severity))
def test_junit(files: list[Result], fail_on: Severity) -> None:
    root = etree.fromstring(written(files, "junit", fail_on=fail_on, show_all=True).encode())
    assert len(root) == len(files)
    for suite, file in zip(root, files, strict=True):
        outcomes = [["failure" if f.severity >= fail_on else "skipped"] for f in file.findings]
        assert [[child.tag for child in case] for case in suite] == (outcomes or [[]])
        assert int(suite.get("tests")) == len(suite)
        assert int(suite.get("failures")) == outcomes.count(["failure"])


@ALL
@given(results())
def test_one_line_each(files: list[Result]) -> None:
    found = pairs(files)
    assert len(written(files, "github", show_all=True).splitlines()) == len(found)
    lines = written(files, "concise", show_all=True).splitlines()
    assert len(lines) == len(found) + 1
    for line, (file, finding) in zip(lines, found, strict=False):
        at = where(file.text, finding.span)
        assert f":{at['line']}:{at['column']}: {finding.code}[{finding.name}]" in line


def cells(text: str) -> list[str]:
    """One entry per cell of a terminal: a wide letter takes two, a combining mark none."""
    found: list[str] = []
    for char in text:
        if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
            if found:
                found[-1] += char
        else:
            found += [char, ""] if unicodedata.east_asian_width(char) in "WF" else [char]
    return found


LINE = st.text(st.sampled_from("ab\t卷e\u0301\x1b\u202e🧠[]\"' "), max_size=30)


@ALL
@given(st.lists(LINE, min_size=1, max_size=6), st.sampled_from([None, 60, 80, 100]), st.data())
def test_carets_stand_under_the_token(lines: list[str], columns: int | None, data: st.DataObject) -> None:
    if columns is not None:  # far beyond what fits
        lines = [line * data.draw(st.integers(1, 9)) for line in lines]
    row = data.draw(st.integers(0, len(lines) - 1))
    start = data.draw(st.integers(0, len(lines[row])))
    end = data.draw(st.integers(start, min(len(lines[row]), start + 4 if columns else 30)))
    token = lines[row][start:end]
    offset = sum(len(line) + 1 for line in lines[:row])
    finding = Finding("S001", "syntax-error", Severity.ERROR, "here", Span(offset + start, offset + end))
    shown = written(
        [Result("a.json", [finding], format="lightnet", text="\n".join(lines))], "full", columns=columns
    ).splitlines()
    if columns is not None:
        assert max(len(cells(line)) for line in shown) <= columns
    at = next(n for n, line in enumerate(shown) if re.fullmatch(r" +\| +\^+", line))
    source, carets = cells(shown[at - 1]), shown[at]
    marked = "".join(c for c, mark in zip(source, carets + " " * len(source), strict=False) if mark == "^")
    expected = token.replace("\t", "    ").replace("\x1b", r"\x1b").replace("\u202e", r"\u{202e}")
    if expected.strip() and not unicodedata.combining(expected[0]):
        assert marked.rstrip(" \u0301") == expected.rstrip(" \u0301")
        assert carets.count("^") == len(cells(expected))


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize("format_", report.FORMATS)
def test_streams_of_any_encoding(format_: str, encoding: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    finding = Finding("S001", "syntax-error", Severity.ERROR, "卷 \u202e é", Span(0, 1), node="层")
    report.write([Result("宽\udcff.json", [finding], text="卷积\udcfe")], format_, stream)
    stream.flush()
    assert raw.getvalue().decode(encoding)


@pytest.mark.parametrize("format_", report.FORMATS)
@pytest.mark.parametrize("case", CASES)
def test_reports_travel_between_processes(case: str, format_: str) -> None:
    results = CASES[case]()
    travelled = pickle.loads(pickle.dumps([report.locate(result) for result in results]))
    stream = io.StringIO()
    report.write(travelled, format_, stream)
    assert stream.getvalue() == written(results, format_)


@pytest.mark.parametrize("format_", report.FORMATS)
def test_long_names_stay_out_of_reports(format_: str) -> None:
    long = "n" * 1_000_000
    finding = Finding("R001", "undefined-reference", Severity.ERROR, "here", Span(1, 2), f"/{long}", long)
    assert len(written([Result("a.json", [finding] * 20, text=f'["{long}"]')], format_)) < 100_000


@given(results(), st.booleans(), st.sampled_from([None, 40, 80]))
def test_the_quick_way_to_draw_draws_the_same(files: list[Result], color: bool, columns: int | None) -> None:
    pen = snippet.Pen(Terminal(io.StringIO(), color, columns), "^", "red")
    for file in files:
        for entry in report.locate(file).entries:
            for shown in (entry.excerpt, *(shown for _, shown in entry.related if shown)):
                if isinstance(shown, excerpt.ExcerptPart):
                    drawn = list(snippet._snippet(pen, "a:1:1", shown.rows()))
                    assert snippet._plain(pen, "a:1:1", shown) in (None, drawn)


LINES = st.lists(
    st.sampled_from(
        ["", "  ", "a", "\t b ", "\x0b", "\t\tb", "\t" * 29 + "c\td", "x" * 119, "y" * 120, "z" * 121, "é" * 400]
    ),
    max_size=9,
)


@given(LINES.map("\n".join), st.data())
def test_the_quick_way_to_cut_cuts_the_same(text: str, data: st.DataObject) -> None:
    lines = Lines(text)
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, min(len(text), start + 130))))
    for context in (0, 1, 2):
        piece = excerpt.piece(text, span, lines.position(start).line, context)
        if piece is not None:
            assert piece.rows() == excerpt.cut(lines, span, context)
            pen = snippet.Pen(Terminal(io.StringIO(), False, data.draw(st.sampled_from([None, 50, 100]))), "^", "red")
            drawn = list(snippet._snippet(pen, "a:1:1", piece.rows()))
            assert snippet._plain(pen, "a:1:1", piece) in (None, drawn)
        if "\n" not in text[span.start : span.end] and max(map(len, text.split("\n"))) <= excerpt.WIDTH:
            assert piece is not None


@pytest.mark.parametrize("inserted", [" ", "\t", "a \t"])
def test_space_at_the_end_of_a_fix_is_not_colored(inserted: str) -> None:
    fix = Fix("Add", (Edit(Span(0, 0), inserted),), "safe")
    file = Result("m.json", [Finding("R001", "undefined-reference", Severity.ERROR, "", Span(0, 0), fix=fix)], text="")
    colored = written([file], "full", color=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == written([file], "full")
