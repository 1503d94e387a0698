"""Texts and values that break readers: every format that reads JSON answers them with findings, in linear time."""

from __future__ import annotations

import time

import pytest
from rule_cases.texts import LIGHTNET, SYMBOL

from irlint import engine
from irlint.findings import Severity
from irlint.text.base import Place, apply
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import MAX_DEPTH, JsonOptions

ODD_NUMBERS = [
    "1e999",
    "-1e999",
    "NaN",
    "9" * 30,
    "9" * 4300,
    "9" * 5000,
    "-" + "9" * 5000,
    "1" * 100_000,
    "1e-999",
    "-0",
]
ODD_VALUES = [*ODD_NUMBERS, '"\\ud800"', '"\udcff"', '"\\u0000"', "[" * 900 + "]" * 900, "[" * 2000 + "]" * 2000, "{}"]
TOLERANT = JsonOptions(
    tolerated=dict.fromkeys(
        ("comment", "control-character", "trailing-text", "duplicate-key", "nul-character"), "info"
    ),
    duplicates="first",
    comments_see_escapes=False,
    nul_ends_text=True,
    nul_ends_string=True,
    longest_number=63,
    numbers=r"(?:-?[0-9]+\.?[0-9]*|-\.[0-9]+)(?:[eE][+-]?[0-9]+)?",
    escapes='"\\nrt',
    blanks=frozenset("\v\f"),
    folded_keys=frozenset({"ops"}),
)
UNITS = [
    "[", "]", "{", "}", "[]", '{"a":', '[{"a":', ",", ":", '"', '""', '\\"', '"\\', '"\n', '\\"\n', '"a\n', "'", "\\'", "/*", "//\n",
    '"/*\n', "/*/", "#\n", "1 ", "1,", "1-", "1.", "1e+", "1e999,", "9", "NaN,", "a", "e", "-", '"a":1,', '{"a":1,"a":2},', "\0", "\0 ",
    "\v", '\v"', "\u00a0", "\udcff", "\udcffa", "\\u0000", "\\ud800", "[1}", "{]", "a=1;", '{"a":1}\n', '{"a":1\n', '{"OPS":1},', " x",
]  # fmt: skip


@pytest.mark.parametrize("value", ODD_VALUES, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize(
    ("text", "old", "form"),
    [(LIGHTNET, "[2, 3]", "lightnet"), (LIGHTNET, '"slice"', "lightnet"), (SYMBOL, "[[3, 0, 0]]", "nnvm")],
)
def test_odd_values_are_found(text: str, old: str, form: str, value: str) -> None:
    assert old in text
    for new in (value, f"[{value}, 0]", f"[[{value}, 0, 0]]"):
        result = engine.lint(text.replace(old, new, 1), as_format=form)
        assert result.findings
        assert all(0 <= f.span.start <= f.span.end for f in result.findings)


@pytest.mark.parametrize(
    "options", [JsonOptions(), TOLERANT, JsonOptions(lines=True)], ids=["strict", "tolerant", "lines"]
)
@pytest.mark.parametrize("unit", UNITS, ids=repr)
@pytest.mark.parametrize("start", ["", "[", '["', '{"k":'])
def test_repetition_costs_linear_time(unit: str, start: str, options: JsonOptions) -> None:
    def cost(size: int) -> float:
        text = start + unit * (size // len(unit))
        began = time.process_time()
        document = JsonDocument.parse(text, options=options)
        for trouble in document.troubles[:50]:
            assert 0 <= trouble.span.start <= trouble.span.end <= len(text)
            document.span(document.place_at(trouble.span.start))
        return time.process_time() - began

    assert min(cost(40_000) for _ in range(2)) < 12 * min(cost(10_000) for _ in range(2)) + 0.05


def test_places_in_what_lies_too_deep() -> None:
    document = JsonDocument.parse('{"a": ' + "[" * 3000)
    assert [t.rule.name for t in document.troubles] == ["too-deep"]
    place = document.place_at(2500)
    assert document.span(place).end == len(document.text)
    assert document.span(Place(place.path)).start < 2500


@pytest.mark.parametrize("before", ["", '"' + r"\\" * 40_000 + '",', '"a' + r"\\" * 40_000 + r"\"" + '",'])
@pytest.mark.parametrize(
    ("begin", "end", "levels"),
    [('["]",', ',"["]', 1), ('{"]":"]","a":["}",', ',"{"],"[":"["}', 2), (r'["\\]\"",', r',"[\\\"[\\"]', 1)],
)
@pytest.mark.parametrize("limit", [21, 201, MAX_DEPTH])
def test_brackets_in_strings_hide_no_depth(before: str, begin: str, end: str, levels: int, limit: int) -> None:
    times = (limit - 1) // levels
    for depth, rules in ((times, []), (times + 1, ["too-deep"])):
        text = f"[{before}{begin * depth}1{end * depth}]"
        document = JsonDocument.parse(text, options=JsonOptions(max_depth=limit))
        assert [t.rule.name for t in document.troubles] == rules


def test_a_colon_between_lines() -> None:
    (trouble,) = JsonDocument.parse('"a"\n: 1', options=JsonOptions(lines=True)).troubles
    assert trouble.span == (4, 5)


@pytest.mark.parametrize("text", ['{} {"a": ] "b": 1}', '[} "a"]', '{"a": ] "b": 1}', '{"x": 1, "a": ] "b": 2}'])
def test_a_comma_is_not_put_behind_what_is_no_element(text: str) -> None:
    troubles = JsonDocument.parse(text).troubles
    assert troubles
    assert not any(edit.text == "," for trouble in troubles for edit in (trouble.edits() if trouble.edits else ()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"axis"', 'axis"'), ('"axis"', '"axis'), ('"src"', 'src"'), ('"src"', '"src'), ('"slice",', '"slice\\",'), ('"value": 1', '"value: 1'),
        ('"value": 1', '"value": --1'), ('"value": 1}', '"value": 1'), ('"value": 1}', '"value": 1;'), ('"value": 1}', '"value": 1}}'),
        ('"params": [{', '"params": [;'), ('"tensors_in": [', '"tensors_in": '), ('"tensors_in": [', '"tensors_in" ['), ('"src"', "'src\""),
    ],
)  # fmt: skip
def test_one_slip_is_one_syntax_error(old: str, new: str) -> None:
    at = LIGHTNET.index(old, LIGHTNET.index('"optype": "slice"') - 9)
    findings = engine.lint(LIGHTNET[:at] + LIGHTNET[at:].replace(old, new, 1)).findings
    errors = [(finding.code, finding.message) for finding in findings if finding.severity == Severity.ERROR]
    assert len(errors) == 1, errors
    assert errors[0][0].startswith("S")


def test_a_text_that_is_cut_off_is_one_error_where_it_ends() -> None:
    text = '{\n  "a": [\n    true,\n    -1.5e-3,\n    "b:"\n  ],\n  "c": {\n    "d": null,\n    "e": false\n  }\n}'
    for size in range(1, len(text)):
        document = JsonDocument.parse(text[:size])
        line = text.count("\n", 0, size - 1) + 1  # a line end belongs to the line that it ends
        assert [(t.rule.name, document.lines.position(t.span.start).line) for t in document.troubles] == [
            ("truncated-file", line)
        ], text[:size]


def test_every_beginning_of_a_text_that_repeats_itself_is_answered() -> None:
    for text in ('{"a": [1, 2], "a": [1, 2]}', '{"a":"b","a":"b","c":{"a":1,"a":1}}', '[{"a":1.5,"a":1.5},{"a":1.5}]'):
        for size in range(len(text)):
            for end in ("", "}", ",", '"a":1', "\n"):
                JsonDocument.parse(text[:size] + end)


@pytest.mark.parametrize("blanks", ["", " ", "  "])
def test_only_a_key_with_the_very_same_value_is_safe_to_delete(blanks: str) -> None:
    value = f"[{blanks}" + "1, " * 700
    (other,) = JsonDocument.parse(f'{{"a": {value}2], "a": {value}3]}}').troubles
    assert (other.rule.name, other.safety) == ("duplicate-key", "unsafe")


def test_a_quote_is_missing_behind_a_colon() -> None:
    text = '{\n  "a": "b:,\n  "c": ["d"]\n}'
    (trouble,) = JsonDocument.parse(text).troubles
    assert (trouble.rule.name, text[slice(*trouble.span)]) == ("syntax-error", '"b:')


@pytest.mark.parametrize("rest", ["/* open", " the end /* open", '{"a": "/*"} /*', "// */ /*\n/*"])
def test_a_comment_behind_the_model_that_is_never_closed(rest: str) -> None:
    findings = engine.lint(LIGHTNET + rest).findings
    (error,) = [f for f in findings if f.severity == Severity.ERROR]
    assert error.code == "S001"
    assert error.message in ("unclosed comment", "unexpected `/*`")


@pytest.mark.parametrize("rest", ["/* closed */", '"/* in a string', "// /* open", "the end", "/*/"])
def test_other_text_behind_the_model(rest: str) -> None:
    assert not [f for f in engine.lint(LIGHTNET + rest).findings if f.severity == Severity.ERROR]


@pytest.mark.parametrize(
    ("text", "token", "mended"),
    [
        ("[1, 2,,, 3]", ",,", "[1, 2, 3]"),
        ("[1, 2 , ,\n, ]", ", ,\n,", "[1, 2  ]"),
        ('{,,"a": 1}', ",,", '{"a": 1}'),
        ('[{"a": 1}\n  "  ]', '"', '[{"a": 1}\n    ]'),
        ('[{"a": 1}\n  "\n]', '"', '[{"a": 1}\n  \n]'),
    ],
)
def test_what_is_too_much_is_said_once(text: str, token: str, mended: str) -> None:
    (trouble,) = JsonDocument.parse(text).troubles
    assert text[slice(*trouble.span)] == token
    assert trouble.edits
    assert apply(text, trouble.edits()) == mended


@pytest.mark.parametrize("broken", ["[1, 0,0 0]", '[1, 0, "0" 0]', '[1, 0 "0", 0]'])
def test_an_element_behind_a_lost_comma_may_be_none(broken: str) -> None:
    text = SYMBOL.replace("[1, 0, 0]", broken)
    assert text != SYMBOL
    assert [f.code for f in engine.lint(text, "a-symbol.json").findings if f.severity == Severity.ERROR] == ["S001"]


@pytest.mark.parametrize("value", ["9", '"w"', "null", "[3, 3]"])
def test_a_repeated_member_may_be_the_last_thing(value: str) -> None:
    text = f'[{{"a": {value}, "a": {value}'
    assert "duplicate-key" in [trouble.rule.name for trouble in JsonDocument.parse(text).troubles]


def test_a_slip_in_a_text_with_more_errors_than_are_told() -> None:
    text = '{"nodes": [{"op": "null", ' + ('"name", ' * 39 + '"name"') * 100
    assert len(JsonDocument.parse(text).troubles) > 100
