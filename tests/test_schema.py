"""Our validator gives the verdicts of jsonschema-rs and the errors of jsonschema, for every schema of ours."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from odd_values import ODD, mutated

from irlint import schema
from irlint.engine import lint
from irlint.rules.registry import all_rules
from irlint.schema.errors import errors
from irlint.schema.gate import SchemaGate, TooLong
from irlint.tools.installed import load_json

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = sorted(path.name for path in (ROOT / "schemas").glob("*.schema.json"))


def _values() -> list[Any]:
    texts = [example.text for rule in all_rules().values() for example in (*rule.valid, *rule.invalid)]
    texts += [path.read_text() for path in sorted((ROOT / "examples").rglob("*.json*"))]
    found = []
    for text in texts:
        try:
            value = json.loads(text)
            json.dumps(value, allow_nan=False)  # the reader of JSON tells of NaN; no validator sees one
            found.append(copy.deepcopy(value))  # which Python does not do at every depth that it reads
        except (ValueError, RecursionError):
            continue
    return [value for value in found if isinstance(value, (dict, list))]


@pytest.mark.parametrize("name", SCHEMAS)
def test_verdicts(name: str) -> None:
    schema_ = load_json(name)
    library, check = jsonschema_rs.validator_for(schema_), SchemaGate(schema_).check(schema_)
    verdicts = set()
    for value in _mutants(name, 2500):
        verdict = check(value)
        assert verdict == library.is_valid(value), value
        verdicts.add(verdict)
    assert False in verdicts


@pytest.mark.parametrize("name", SCHEMAS)
def test_errors(name: str) -> None:
    schema_ = load_json(name)
    library = jsonschema.validators.validator_for(schema_)(schema_)
    for value in _mutants(name, 600):
        theirs = {(error.validator, tuple(error.absolute_path)) for error in library.iter_errors(value)}
        ours = {(error.keyword, error.path) for error in errors(name, value)}
        assert ours == theirs, value


def _mutants(name: str, count: int) -> list[Any]:
    pick, values = random.Random(name), _values()
    return [*ODD, *values, *(mutated(pick.choice(values), pick, values) for _ in range(count))]


def test_long_lists_are_left_to_a_faster_library(monkeypatch: pytest.MonkeyPatch) -> None:
    name, value = "lightnet.schema.json", {"ops": [{}] * 301}
    with pytest.raises(TooLong):
        schema._gate(name, 300)(value)
    op = {"name": "a", "optype": "b", "tensors_in": [], "tensors_out": [], "params": []}
    values = value, {"ops": [op] * 301}
    assert [schema.is_valid(name, value) for value in values] == [False, True]
    monkeypatch.setattr(schema, "_validator", lambda name: None)
    assert [schema.is_valid(name, value) for value in values] == [False, True]


@pytest.mark.parametrize("key", ["0", "00", "+7", "7", "99999999999999999999", "-1", "\u0663"])
def test_keys_that_look_like_indices(key: str) -> None:
    node = {"op": "Activation", "name": "a", "attrs": {"act_type": "relu", key: 5}, "inputs": [[0, 0, 0]]}
    graph = {
        "nodes": [{"op": "null", "name": "data", "inputs": []}, node],
        "arg_nodes": [0],
        "heads": [[1, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }
    text = json.dumps(graph)
    found = [f for f in lint(text, "a-symbol.json").findings if f.name == "wrong-type"]
    assert [text[slice(*f.span)] for f in found] == ["5"]


@pytest.mark.parametrize("inside", ['[{"op": "null"}]', '{"": [1]}', '{"0": {"": [[]]}}', "3"])
def test_empty_keys(inside: str) -> None:
    for text in (f'{{"nodes": 0, "attrs": {{"": {inside}}}}}', f'{{"": {inside}, "nodes": [{{"": {inside}}}]}}'):
        assert lint(text, "a-symbol.json", as_format="nnvm").findings
