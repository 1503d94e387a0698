"""One cause, one finding: what follows from something else is not told."""

from __future__ import annotations

import pytest

from irlint import engine, fixes
from irlint.findings import Severity

TEXT = """{
  "nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "weight", "inputs": []},
    {
      "op": "FullyConnected",
      "name": "dense",
      "attrs": {"num_hidden": "4", "no_bias": "True"},
      "inputs": [[0, 0, 0], [1, 0, 0]]
    },
    {"op": "relu", "name": "relu", "inputs": [[2, 0, 0]]}
  ],
  "arg_nodes": [0, 1],
  "node_row_ptr": [0, 1, 2, 3, 4],
  "heads": [[3, 0, 0]],
  "attrs": {"mxnet_version": ["int", 10901]}
}
"""


def errors(text: str) -> list[tuple[str, int]]:
    found = engine.lint(text, "model-symbol.json").findings
    return [(f.code, text.count("\n", 0, f.span.start) + 1) for f in found if f.severity == Severity.ERROR]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"heads": [[3, 0', '"heads": [[3, 18446744073709551616', [("S004", 15)]),
        ("[1, 0, 0]]", "[1, 4294967296, 0]]", [("T006", 9)]),
        ('"num_hidden": "4"', '"": "4"', [("A001", 8)]),
        ('"num_hidden": "4"', '"units": "4"', [("A001", 8)]),
        ('{"op": "null", "name": "weight"', '{"op": "nil", "name": "weight"', [("O001", 4)]),
        ('"num_hidden": "4", "no_bias": "True"', '"num_hidden": "4", "note": []', [("T001", 8)]),
        ('{"num_hidden": "4", "no_bias": "True"}', "7", [("T001", 8)]),
        ("[1, 0, 0]]", "[1L, 0, 0]]", [("S001", 9)]),
        ('"name": "dense"', '"name: "dense"', [("S001", 7)]),
        ('"name": "dense"', '\'name": "dense"', [("S001", 7)]),
        ('    {\n      "op": "Fully', '    {\n    {\n      "op": "Fully', [("S001", 6)]),
        (
            '      "inputs": [[0, 0, 0], [1, 0, 0]]\n    },',
            '      "inputs": [[0, 0, 0], [1, 0, 0]]\n    ',
            [("S001", 11)],
        ),
        ('  "heads": [[3, 0, 0]],\n', "", [("T002", 1)]),
        ('  "heads": [[3, 0, 0]],\n  "attrs"', '  "attrs"', [("T002", 1)]),
        ('"inputs": [[2, 0, 0]]}', '"inputs": [[2, 0, 0]]}]}', [("T002", 11)]),
        ('{"mxnet_version": ["int", 10901]}', '{"mxnet_version": ["int", 10901],}', [("S001", 16)]),
    ],
)
def test_one_cause(old: str, new: str, expected: list[tuple[str, int]]) -> None:
    assert old in TEXT
    assert errors(TEXT.replace(old, new)) == expected


def test_a_list_with_something_else_in_it_lacks_nothing() -> None:
    found = engine.lint(TEXT.replace('"arg_nodes": [0, 1]', '"arg_nodes": [0, 1.5]'), "model-symbol.json").findings
    assert [f.code for f in found] == ["T001"]


@pytest.mark.parametrize(("op", "safety"), [("NULL", "safe"), ("nul", "unsafe"), ("nulll", "unsafe")])
def test_a_misspelt_variable(op: str, safety: str) -> None:
    text = TEXT.replace('"op": "null", "name": "weight"', f'"op": "{op}", "name": "weight"')
    (found,) = (f for f in engine.lint(text, "model-symbol.json").findings if f.code == "O001")
    assert found.fix is not None
    assert (found.fix.edits[0].text, found.fix.safety) == ('"null"', safety)


def test_what_is_missing_although_the_text_cannot_be_read_is_told() -> None:
    text = TEXT.replace('  "heads": [[3, 0, 0]],\n', "").replace('"True"},', '"True",},')
    assert errors(text) == [("T002", 1), ("S001", 8)]


@pytest.mark.parametrize(
    ("value", "fixed"),
    [("4", '"4"'), ("4.0", '"4"'), ("4.5", None), ("-4", None), ("null", None), ("[4]", '"4"'), ("[]", None)],
)
def test_values_become_text_where_their_operator_takes_it(value: str, fixed: str | None) -> None:
    text = TEXT.replace('"num_hidden": "4"', f'"num_hidden": {value}')
    found = fixes.fix(text, lambda t: engine.lint(t, "model-symbol.json").findings).text
    assert found == (text if fixed is None else TEXT.replace('"num_hidden": "4"', f'"num_hidden": {fixed}'))


def test_files_that_begin_with_blanks_of_any_kind() -> None:
    assert errors("\v\f" + "\n" * 100 + TEXT) == []
