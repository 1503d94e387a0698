"""What files say is not to be reported, per format; and what says so in vain."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from rule_cases.texts import LIGHTNET, SYMBOL, lightnet, openvino, symbol

from irlint import engine, fixes
from irlint.findings import Severity
from irlint.settings import Settings

SLICE = '"name": "cut", "optype": "slice",'
BAD_AXIS = ('"axis", "value": 1', '"axis", "value": 7')  # D004
LAYER = '<layer id="2" name="scaled" type="Multiply" version="opset1">'


def codes(text: str, settings: Settings = Settings()) -> list[str]:
    return [f.code for f in engine.lint(text, "model", settings).findings if f.code not in ("S013", "W001", "W004")]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("", ["D004"]),
        ("// irlint: ignore[D004]", []),
        ("// irlint: ignore", []),
        ("// irlint: ignore[axis-out-of-range]", []),
        ("// irlint: ignore[D004, A001]", ["G005"]),
        ("// irlint: ignore[A001]", ["G005", "D004"]),
        ("// irlint: ignore[A01]", ["G005", "D004"]),
    ],
)
def test_lightnet(comment: str, expected: list[str]) -> None:
    line = '      "params": [{"arg_name": "axis"'
    assert sorted(codes(lightnet(BAD_AXIS, (line, f"{comment}\n{line}")))) == sorted(expected)


@pytest.mark.parametrize("holder", ["attrs", "attr"])
def test_an_attribute_of_a_node(holder: str) -> None:
    said = f'"{holder}": {{"act_type": "relux", "__irlint__": "ignore[value-not-in-enum]"}}'
    bad = symbol(('"attrs": {"act_type": "relu"}', '"attrs": {"act_type": "relux"}'))
    assert codes(bad) == ["A005"]
    assert codes(symbol(('"attrs": {"act_type": "relu"}', said))) == []
    assert codes(symbol(('"act_type": "relu"', '"act_type": "relu", "__irlint__": "ignore[A005]"'))) == ["G005"]
    other = symbol(
        ('"attrs": {"act_type": "relu"}', '"attrs": {"act_type": "relux"}'),
        ('"no_bias": "False"', '"no_bias": "False", "__irlint__": "ignore[A005]"'),
    )
    assert sorted(codes(other)) == ["A005", "G005"], "it speaks for its own node"


def test_an_attribute_of_the_graph() -> None:
    said = ('"mxnet_version": ["int", 10901]', '"mxnet_version": ["int", 10901], "__irlint__": ["str", "ignore[A005]"]')
    assert codes(symbol(('"act_type": "relu"', '"act_type": "relux"'), said)) == []
    assert codes(symbol(said)) == ["G005"]


def test_what_was_not_looked_for_is_not_in_vain() -> None:
    text = symbol(('"act_type": "relu"', '"act_type": "relu", "__irlint__": "ignore[A005]"'))
    assert codes(text, Settings(select=("G",))) == []
    assert codes(text, Settings(ignore=("A005",))) == []
    assert codes(text, Settings(ignore=("G005",))) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"\t\t<!-- irlint: ignore[D001] -->\n\t\t{LAYER}", f"\t\t{LAYER}"),
        (
            f"\t\t<!-- irlint: ignore[O001, D001] why -->\n\t\t{LAYER}",
            f"\t\t<!-- irlint: ignore[O001] why -->\n\t\t{LAYER}",
        ),
        (f"\t\t{LAYER}  <!-- irlint: ignore -->", f"\t\t{LAYER}"),
    ],
)
def test_what_says_so_in_vain_is_taken_out(before: str, after: str) -> None:
    broken = ('type="Multiply"', 'type="Multipli"') if "O001" in before else ('name="sample"', 'name="sample"')
    text = openvino((f"\t\t{LAYER}", before)).replace(*broken)
    fixed = fixes.fix(
        text, lambda changed: engine.lint(changed, "model", Settings(repairs_from=Severity.INFO)).findings
    )
    assert fixed.text == openvino((f"\t\t{LAYER}", after)).replace(*broken)


def test_foreign_words_change_nothing() -> None:
    assert codes(LIGHTNET) == []
    for value in ('"keep"', "3", '["ignore"]'):
        text = SYMBOL.replace('"act_type": "relu"', f'"act_type": "relu", "__irlint__": {value}')
        assert "G005" not in codes(text)


def test_mxnet_takes_the_attribute() -> None:
    """MXNet itself loads it, at nodes, variables and the graph, infers the same and keeps it at nodes."""
    python = os.environ.get("IRLINT_MXNET_PYTHON")
    if not python:
        pytest.skip("no MXNet here (set IRLINT_MXNET_PYTHON)")
    said = '"__irlint__": "ignore[A005]"'
    text = symbol(
        ('"act_type": "relu"', f'"act_type": "relu", {said}'),
        ('"__shape__": "(4, 8)"', f'"__shape__": "(4, 8)", {said}'),
        ('"mxnet_version": ["int", 10901]', '"mxnet_version": ["int", 10901], "__irlint__": ["str", "ignore"]'),
    )
    code = (
        "import json, sys, mxnet as mx\n"
        "s = [mx.sym.load_json(t) for t in json.load(sys.stdin)]\n"
        "print(json.dumps([[x.infer_shape(data=(2, 8))[1] for x in s], s[1].tojson().count('__irlint__')]))"
    )
    done = subprocess.run(
        [python, "-c", code], input=json.dumps([SYMBOL, text]), capture_output=True, text=True, timeout=120, check=True
    )
    shapes, kept = json.loads(done.stdout.splitlines()[-1])
    assert shapes == [[[2, 4]], [[2, 4]]]
    assert kept == 2
