"""What the hidden attributes of variables hold."""

from __future__ import annotations

import json
from time import process_time

import pytest

from irlint import engine


def said(key: str, text: str, op: str = "softmax") -> list[tuple[str, str]]:
    nodes = [
        {"op": "null", "name": "data", "attrs": {"__shape__": "(2, 3)", key: text}, "inputs": []},
        {"op": op, "name": "node", "inputs": [[0, 0, 0]]},
    ]
    graph = {"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    return [(str(f.severity), f.code) for f in engine.lint(json.dumps(graph), "model-symbol.json").findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", []),
        ("2", []),
        ("-1", [("warning", "A005")]),  # taken where an operator tells the storage type: most of them do
        ("7", [("error", "A005")]),
        ("default", [("error", "A003")]),
    ],
)
def test_storage_types(text: str, expected: list[tuple[str, str]]) -> None:
    assert said("__storage_type__", text) == expected


@pytest.mark.parametrize(
    ("op", "severity"), [("softmax", "warning"), ("relu", "error"), ("sum", "error"), ("exp", "warning")]
)
def test_an_unknown_storage_type_that_no_operator_tells(op: str, severity: str) -> None:
    assert said("__storage_type__", "-1", op) == [(severity, "A005")]


@pytest.mark.parametrize(
    ("text", "severity"), [("(2, 3", "error"), ("(2 3)", "error"), ("", "warning"), ("two", "warning")]
)
def test_a_shape_that_cannot_be_read(text: str, severity: str) -> None:
    """A caller who feeds the data makes up for any text; a tuple that lost a sign was once read."""
    assert said("__shape__", text) == [(severity, "A003")]


def test_a_shape_of_many_digits_takes_linear_time() -> None:
    """Until 2026 the time was quadratic: half a minute for 100,000 digits."""
    began = process_time()
    assert said("__shape__", "9" * 100_000 + "x") == [("warning", "A003")]
    assert process_time() - began < 5
