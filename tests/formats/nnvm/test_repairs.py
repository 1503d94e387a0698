"""Values that are spelled wrongly, and names of attributes: what they were meant to be, and how sure that is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from irlint.engine import lint
from irlint.findings import Finding
from irlint.formats.nnvm.keys.repair import repair
from irlint.operators import Attribute

from .models import Builder

CONVOLUTION = {"kernel": "(3, 3)", "num_filter": "4", "pad": "(1, 1)", "stride": "(1, 1)"}


def findings(op: str, attrs: dict[str, str]) -> list[Finding]:
    net = Builder()
    inputs = [net.var("data", (2, 3, 8, 8))]
    if op == "Convolution":
        inputs += [net.var("node0_weight"), net.var("node0_bias")]
    graph: Any = net.graph(net.add(op, "node0", inputs, attrs))
    return [f for f in lint(json.dumps(graph), "a-symbol.json").findings if str(f.severity) == "error"]


def fixes(found: Iterable[Finding]) -> list[tuple[str, str] | None]:
    return [f.fix and (f.fix.edits[0].text.strip('"'), f.fix.safety) for f in found]


@pytest.mark.parametrize(
    ("kind", "text", "better", "safety"),
    [
        ("int", "four", "4", "safe"), ("int", "0x10", "16", "safe"), ("int", "4 filters", "4", "unsafe"),
        ("int", "1,000", "1000", "unsafe"), ("int", "#4", "4", "unsafe"), ("int", "4.0", "4", "safe"),
        ("shape", "((3,3))", "(3, 3)", "safe"), ("shape", "(three, 3)", "(3, 3)", "safe"), ("shape", "3x3", "(3, 3)", "unsafe"),
        ("shape", "<3,3>", "(3, 3)", "unsafe"), ("shape", "(3/3)", "(3, 3)", "unsafe"), ("shape", "(0x3, 3)", "(3, 3)", "safe"),
        ("shape", "(3 3)", "(3, 3)", "unsafe"), ("shape", "3 ,3", "(3, 3)", "safe"),
        ("bool", "Ture", "True", "safe"), ("bool", "flase", "False", "safe"), ("bool", "True ", "True", "safe"),
    ],
)  # fmt: skip
def test_values(kind: str, text: str, better: str, safety: str) -> None:
    assert repair(Attribute("a", kind), text) == (better, safety)


@pytest.mark.parametrize(
    ("kind", "text"),
    [("int", "True"), ("int", "1.2.3"), ("int", ""), ("shape", "(3, a)"), ("shape", "((1,1),(2,2))"), ("bool", "none")],
)
def test_what_could_be_anything_is_left(kind: str, text: str) -> None:
    assert repair(Attribute("a", kind), text) is None


@pytest.mark.parametrize(
    ("words", "text", "better", "safety"),
    [
        ("relu sigmoid tanh softrelu softsign", "rleu", "relu", "safe"), ("relu sigmoid tanh softrelu softsign", "elu", "relu", "unsafe"),
        ("relu sigmoid tanh softrelu softsign", "Soft-Sign", "softsign", "safe"),
        ("avg lp max sum", "amx", "max", "unsafe"), ("avg lp max sum", "average", "avg", "unsafe"), ("avg lp max sum", "MaxPool", "max", "unsafe"),
        ("avg lp max sum", "mean", "avg", "unsafe"), ("float32 float64 int32 int8", "int3", "int32", "unsafe"),
    ],
)  # fmt: skip
def test_words(words: str, text: str, better: str, safety: str) -> None:
    assert repair(Attribute("a", "enum", values=tuple(words.split())), text) == (better, safety)


@pytest.mark.parametrize("text", ["3", "3.0", "three", "0x3", "(,3)"])
def test_one_number_is_repeated_as_the_tuples_beside_it_want(text: str) -> None:
    found = findings("Convolution", {**CONVOLUTION, "kernel": text})
    if text != "3":  # which is a tuple of one, of which the others may be too long
        assert fixes(found) == [("(3, 3)", "unsafe")]


def test_a_tuple_that_is_too_short_is_repeated() -> None:
    assert fixes(findings("Convolution", {**CONVOLUTION, "pad": "(1,)"})) == [("(1, 1)", "unsafe")]


def test_a_negative_number_loses_its_sign() -> None:
    assert fixes(findings("Convolution", {**CONVOLUTION, "num_filter": "-4"})) == [("4", "unsafe")]


@pytest.mark.parametrize("text", ["", "None"])
def test_a_required_attribute_is_not_removed(text: str) -> None:
    assert fixes(findings("Convolution", {**CONVOLUTION, "num_filter": text})) == [None]


@pytest.mark.parametrize(
    ("op", "attrs", "better", "safety"),
    [
        ("Convolution", {"kernal": "(3, 3)", "num_filter": "4"}, "kernel", "safe"),
        ("Convolution", {"kernel": "(3, 3)", "num_fitler": "4"}, "num_filter", "safe"),
        ("Convolution", {"kernel": "(3, 3)", "units": "4"}, "num_filter", "unsafe"),
        ("Convolution", {**CONVOLUTION, "padding": "(2, 2)"}, None, None),
        ("Convolution", {"kernel": "(3, 3)", "num_filter": "4", "padding": "(2, 2)"}, "pad", "unsafe"),
        ("Pooling", {"kernel": "(2, 2)", "type": "max"}, "pool_type", "unsafe"),
        ("Activation", {"foo": "relu"}, "act_type", "unsafe"),
    ],
)
def test_names_of_attributes(op: str, attrs: dict[str, str], better: str | None, safety: str | None) -> None:
    found = [f for f in findings(op, attrs) if f.code == "A001"]
    assert fixes(found) == [(better, safety) if better else ("", "unsafe")]


@pytest.mark.parametrize("value", ["sigmoidal curve", "(1, 1)", "7"])
def test_a_value_that_does_not_fit_is_not_renamed(value: str) -> None:
    """An unknown attribute was renamed to the only one that is missing, whatever its value."""
    found = [f for f in findings("Activation", {"foo": value}) if f.code == "A001"]
    assert fixes(found) == [None]
