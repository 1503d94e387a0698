"""Broken JSON comes back as it was: the one change after which it parses and has the structure of its format."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rule_cases.texts import LIGHTNET, SYMBOL

from irlint import engine, fixes, offers
from irlint.findings import Finding, Severity
from irlint.text.json.options import STRICT
from irlint.text.json.scan import FastScanner
from irlint.text.json.shape import Shapes
from irlint.text.json.walk import ShapeWalker


def lint(text: str) -> list[Finding]:
    return engine.lint(text, "a-symbol.json").findings


def errors(text: str) -> list[Finding]:
    return [finding for finding in lint(text) if finding.severity is Severity.ERROR]


SAFE = [
    ('[[0, 0, 0], [1, 0, 0]', "[[0, 0, 0], 1, 0, 0]"),
    ('[[0, 0, 0], [1, 0, 0]', "[0, 0, 0], [1, 0, 0]"),
    ('"inputs": [[3, 0, 0]]', '"inputs": [[3, 0, 0]'),
    ('"inputs": [[3, 0, 0]]', '"inputs": [[3, 0, 0]]]'),
    ('"inputs": [[3, 0, 0]]', '"inputs": [[3, 0, 0}]'),
    ('"inputs": [[3, 0, 0]]', '"inputs": {[3, 0, 0]]'),
    ('"inputs": [[3, 0, 0]]', '"inputs": [[3x, 0, 0]]'),
    ('"inputs": [[3, 0, 0]]', '"inputs": [[3; 0, 0]]'),
    ('"inputs": []},\n    {"op": "null", "name": "fc0_bias"', '"inputs": []},\n    "op": "null", "name": "fc0_bias"'),
    ('"attrs": {"act_type": "relu"},', '"attrs": {"act_type": "relu",'),
    ('"attrs": {"act_type": "relu"},', '"attrs": "act_type": "relu"},'),
    ('"attrs": {"act_type": "relu"},', '"attrs": {"act_type": "relu},'),
    ('"attrs": {"act_type": "relu"},', '"attrs": {"act_type": relu"},'),
    ('"attrs": {"act_type": "relu"},', '"attrs": {"act_type": “relu”},'),
    ('"attrs": {"act_type": "relu"},', '"attrs": {"act_type:" "relu"},'),
    ('"attrs": {"act_type": "relu"},', '"attrs": {"act_type" "relu"},'),
    ('"op": "Activation"', ': "Activation"'),
    ('"op": "Activation"', '"op": Activation'),
    ('"op": "Activation"', '"op" x: "Activation"'),
    ('  "heads"', '  ] "heads"'),
    ("10901", "109 01"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong"), SAFE)
def test_a_slip_in_a_symbol_is_taken_back(right: str, wrong: str) -> None:
    assert right in SYMBOL
    broken = SYMBOL.replace(right, wrong)
    (finding,) = errors(broken)
    line = broken.count("\n", 0, finding.span.start) - SYMBOL.count("\n", 0, SYMBOL.index(right))
    assert abs(line) <= 1
    fixed = fixes.fix(broken, lint)
    assert json.loads(fixed.text) == json.loads(SYMBOL)


LIGHT = [
    ('"dims", "value": [2, 3]}', '"dims", "value": [2, 3}'),
    ('{"arg_name": "ran"', '"arg_name": "ran"'),
    ('"name": "image"}],', '"name": "image"],'),
    ('"name": "cut",', '"name": "cut,'),
]


@pytest.mark.parametrize(("right", "wrong"), LIGHT)
def test_a_slip_in_lightnet_is_taken_back(right: str, wrong: str) -> None:
    broken = LIGHTNET.replace(right, wrong, 1)
    assert len(errors(broken)) == 1
    assert json.loads(fixes.fix(broken, lint).text) == json.loads(LIGHTNET)


def test_what_can_be_read_in_two_ways_is_a_guess() -> None:
    broken = LIGHTNET.replace("[1, 2, 3, 4, 5, 6]", "[9, 2, 7 1, 5, 6]")
    (finding,) = errors(broken)
    assert finding.fix is not None
    assert finding.fix.safety == "unsafe"


def test_an_ascending_list_tells_a_torn_number_from_a_lost_comma() -> None:
    nodes = ",".join(f'{{"op":"null","name":"a{k}","inputs":[]}}' for k in range(20))
    whole = f'{{"nodes":[{nodes}],"arg_nodes":[{",".join(map(str, range(20)))}],"heads":[[19,0,0]]}}'
    for right, wrong in ((",14,", ",1 4,"), (",14,", " 14,")):
        assert json.loads(fixes.fix(whole.replace(right, wrong), lint).text) == json.loads(whole)


def test_a_symbol_cut_before_its_heads_has_no_fix() -> None:
    cut = SYMBOL[: SYMBOL.index('"node_row_ptr"')]
    assert not any(finding.fix for finding in lint(cut))


def test_what_is_wrong_elsewhere_is_where_it_was() -> None:
    """The offsets are those of the text as it is, not of the text as it was read."""
    broken = SYMBOL.replace('"act_type": "relu"', '"act_type": "rleu"').replace("[[0, 0, 0], [1", "[[0, 0, 0], 1")
    found = {finding.code: broken[slice(*finding.span)] for finding in errors(broken)}
    assert found["S001"] == "1"
    assert '"rleu"' in found.values()


def test_a_shape_takes_what_its_schema_takes() -> None:
    schema = {
        "type": "array",
        "items": {"$ref": "#/d"},
        "maxItems": 2,
        "d": {"type": ["integer", "null"], "maximum": 3},
    }
    walker = ShapeWalker(Shapes([schema]), STRICT)
    for value, expected in (([1, None], True), ([4], False), ([1, 1, 1], False), (["1"], False), ({}, False)):
        text = json.dumps(value)
        assert (walker.walk(text, 0, walker.top(), len(text)) is None) is expected


def test_a_slip_in_a_large_text_does_not_have_each_object_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    scans = 0
    scan = FastScanner.scan

    def counted(self: FastScanner, at: int) -> tuple[Any, int] | None:
        nonlocal scans
        scans += 1
        return scan(self, at)

    monkeypatch.setattr(FastScanner, "scan", counted)
    node = '{"op": "null", "name": "%d", "attrs": {"__shape__": "(1, 2)", "__lr_mult__": "1.0"}, "inputs": []}'
    nodes = ",\n".join(node % k for k in range(4000))
    places = ", ".join(map(str, range(4000)))
    text = f'{{"nodes": [{nodes}], "arg_nodes": [{places}], "heads": [[3999, 0, 0]]}}'
    middle = text.index('"name"', len(text) // 2)
    for at in (middle, text.index("]", middle), text.index("]", text.index("arg_nodes"))):
        (finding,) = errors(text[:at] + text[at + 1 :])
        assert finding.fix is not None
        assert finding.fix.safety == "safe"
    assert scans < 400


def test_what_a_text_was_read_with_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    result = engine.lint(SYMBOL.replace('"inputs": [[3, 0, 0]]', '"inputs": [[3, 0, 0]'), "a-symbol.json")
    monkeypatch.setattr(engine, "linted", None)
    offers.confirm(result)
    (finding,) = result.findings
    assert finding.fix is not None


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ('"no_bias": "False", "num_hidden": "4"', '"no_bias"num_hidden": "4"', 'Remove `"`'),  # `: "False", "` is lost
    ],
)
def test_words_that_a_quote_parts_are_joined_by_guess_only(old: str, new: str, title: str) -> None:
    assert old in SYMBOL
    fixes_ = [finding.fix for finding in errors(SYMBOL.replace(old, new)) if finding.fix is not None]
    assert all(fix.safety != "safe" for fix in fixes_ if fix.title == title)


def test_what_may_be_left_of_a_constant_is_put_in_quotes_by_guess_only() -> None:
    assert '"value": false' in LIGHTNET
    for word in ("f", "fals", "tru", "nul"):
        found = engine.lint(LIGHTNET.replace('"value": false', f'"value": {word}'), "a.json").findings
        assert not [f for f in found if f.fix is not None and f.fix.safety == "safe"], word
