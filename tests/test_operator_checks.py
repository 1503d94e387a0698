"""Checks by an operator table alone: argument names, outputs that are not there, and what a format's grammar decides."""

from __future__ import annotations

from typing import Any

import pytest

from irlint.checks import operators
from irlint.checks.fault import NO_VALUE
from irlint.checks.grammar import PLAIN, Grammar
from irlint.checks.operators import problems
from irlint.checks.values import KINDS
from irlint.codes import R, RuleRow, Severity
from irlint.findings import Problem
from irlint.graph import Graph, Node, Source, Value
from irlint.operators import Attribute, OperatorTable
from irlint.rules.base import Model
from irlint.text.json.document import JsonDocument

TABLE = {
    "operators": {
        "in": {"outputs": [{"name": "y"}]},
        "fc": {
            "aliases": ["full"],
            "inputs": [{"name": "data"}, {"name": "weight"}],
            "outputs": [{"name": "y"}],
            "attributes": [{"name": "units", "kind": "int", "required": True}, {"name": "odd", "kind": "of its own"}],
        },
    }
}


def model(*nodes: Node, outputs: tuple[Source, ...] = ()) -> Model:
    found = Model(JsonDocument.parse('{"w": 1}'), "plain", "plain", Graph(list(nodes), outputs=list(outputs)))
    found.operators = OperatorTable("plain", TABLE)
    return found


def fc(index: int, *inputs: Source, op: str = "fc", **more: Any) -> Node:
    return Node(index, f"n{index}", op, ("w",), inputs, attrs=more.pop("attrs", {"units": 1}), **more)


DATA = Node(0, "x", "in", ("w",), kind="var")
X = Source(0)


def told(found: Model, grammar: Grammar = PLAIN) -> list[tuple[RuleRow, str]]:
    return [(problem.rule, problem.text) for problem in problems(found, grammar)]


def test_a_sound_graph_has_no_problems() -> None:
    assert told(model(DATA, fc(1, X, X), fc(2, X, Source(1), op="full"), outputs=(Source(2),))) == []


def test_a_model_without_a_table_is_not_judged() -> None:
    found = model(fc(0, Source(-1), op="what"))
    found.operators = None
    assert told(found) == []


def test_argument_names() -> None:
    found = model(DATA, fc(1, X, X, input_names=["data", "wieght"]), fc(2, X, X, input_names=["data", "data"]))
    assert told(found) == [
        (R.unknown_argument, "unknown argument `wieght` for fc 'n1'; did you mean `weight`?"),
        (R.duplicate_argument, "duplicate argument `data` for fc 'n2'"),
    ]


def test_outputs_that_a_node_does_not_have() -> None:
    message = "fc 'n1' uses output 1 of in 'x', which has 1 output"
    assert told(model(DATA, fc(1, X, Source(0, 1)))) == [(R.output_out_of_range, message)]


def test_names_of_values() -> None:
    twice = model(DATA, fc(1, X, X, outputs=[Value("a")]), fc(2, X, X, outputs=[Value("a")]))
    assert told(twice) == [(R.duplicate_definition, "duplicate name 'a'")]


def test_unknown_and_missing_are_one_mistake_where_they_are_alike() -> None:
    assert [rule for rule, _ in told(model(DATA, fc(1, X, X, attrs={"unit": 1})))] == [R.unknown_attribute]
    both = told(model(DATA, fc(1, X, X, attrs={"colour": 1})))
    assert [rule for rule, _ in both] == [R.unknown_attribute, R.missing_attribute]


def test_a_kind_that_nobody_knows_is_not_judged() -> None:
    assert told(model(DATA, fc(1, X, X, attrs={"units": 1, "odd": object()}))) == []


def test_what_a_format_has_settled_is_left_to_it() -> None:
    found = model(DATA, fc(1, X, op="what"), fc(2, X))
    found.settled.add(R.unknown_operator)
    assert [rule for rule, _ in told(found)] == [R.wrong_input_count]
    found.silent.add(id(found.graph.nodes[2]))
    assert told(found) == []


def test_a_grammar_words_and_grades() -> None:
    class Lenient(Grammar):
        word = "parameter"
        kinds = {**KINDS, "of its own": ("a moon", lambda value: {"Io": 1}[value] if value == "Io" else int("no"))}

        def severity(self, rule: RuleRow, node: Node | None) -> Severity | None:
            return Severity.WARNING if rule == R.missing_attribute else None

    found: list[Problem] = list(problems(model(DATA, fc(1, X, X, attrs={"odd": "Rhea"})), Lenient()))
    assert [(p.message, p.severity) for p in found] == [
        ("missing required parameter `units` for fc 'n1'", Severity.WARNING),
        ("expected a moon for `odd` of fc 'n1', got `Rhea`", None),
    ]


@pytest.mark.parametrize(
    ("kind", "value", "held"),
    [
        ("int", "-3", -3), ("int", 3, 3), ("float", "1e-3", 1e-3), ("float", 2, 2.0), ("bool", "true", True), ("bool", False, False),
        ("string", "a", "a"), ("ints", "1,2", [1, 2]), ("ints", "(1, 2,)", [1, 2]), ("ints", [1, 2], [1, 2]), ("ints", "[]", []),
        ("floats", "1 2.5", [1.0, 2.5]), ("strings", "a,b", ["a", "b"]),
    ],
)  # fmt: skip
def test_values_are_read(kind: str, value: Any, held: Any) -> None:
    attribute = Attribute("a", kind)
    assert list(PLAIN.flaws(value, attribute)) == []
    operator = OperatorTable("t", {"operators": {"o": {"attributes": [{"name": "a", "kind": kind}]}}}).get("o")
    assert PLAIN.values({"a": value, "unknown": 1}, operator) == {"a": held}


@pytest.mark.parametrize(
    ("attribute", "value", "rule", "better"),
    [
        (Attribute("a", "int"), "3.5", R.wrong_attribute_type, NO_VALUE),
        (Attribute("a", "int"), True, R.wrong_attribute_type, NO_VALUE),
        (Attribute("a", "int"), "9" * 5000, R.wrong_attribute_type, NO_VALUE),
        (Attribute("a", "int"), None, R.wrong_attribute_type, NO_VALUE),
        (Attribute("a", "int"), '"3"', R.wrong_attribute_type, 3),
        (Attribute("a", "float"), "'2.5'", R.wrong_attribute_type, 2.5),
        (Attribute("a", "bool"), "Yes", R.wrong_attribute_type, True),
        (Attribute("a", "ints"), {}, R.wrong_attribute_type, NO_VALUE),
        (Attribute("a", "ints", facts={"length": 2}), "1,2,3", R.wrong_value_length, NO_VALUE),
        (Attribute("a", "floats", facts={"max": 1}), "0.5 2", R.value_out_of_range, NO_VALUE),
        (Attribute("a", "float", facts={"min": 0}), "nan", R.value_out_of_range, NO_VALUE),
        (Attribute("a", "string", values=("same", "valid")), "smae", R.value_not_in_enum, "same"),
        (Attribute("a", "strings", values=("same", "valid")), "same,smae", R.value_not_in_enum, NO_VALUE),
    ],
)
def test_values_with_faults(attribute: Attribute, value: Any, rule: RuleRow, better: Any) -> None:
    (fault,) = PLAIN.flaws(value, attribute)
    assert (fault.rule, fault.better) == (rule, better)


def test_names_are_compared_a_bounded_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def count(name: str, words: list[str]) -> None:
        nonlocal compared
        compared += len(words)

    monkeypatch.setattr(operators, "nearest", count)
    nodes = [fc(k, X, Source(-1)) for k in range(1, 2000)]
    assert len(told(model(DATA, *nodes))) == 1999
    assert 0 < compared <= operators.COMPARISONS + 2000
