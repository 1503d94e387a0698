"""Our validator gives the verdicts of jsonschema-rs and jsonschema, and the errors of jsonschema, for every schema of ours."""

from __future__ import annotations

import copy
import io
import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from companions.genai import CONFIG as GENAI
from companions.ovms import CONFIG as OVMS
from odd_values import ODD, mutated
from report.cases import CASES
from report.zoo_records import records
from rule_cases import cases

from irlint import report, schema
from irlint.engine import lint
from irlint.rules.registry import all_rules
from irlint.schema.errors import SchemaError, errors
from irlint.schema.gate import SchemaGate, TooLong
from irlint.tools.installed import load_json

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = sorted(path.name for path in (ROOT / "schemas").glob("*.schema.json"))


# What irlint refuses and jsonschema does not: by keyword, whether an error is such a one, and why
DIFFERENCES: dict[str, tuple[Callable[[SchemaError], bool], str]] = {
    "pattern": (
        lambda error: error.value.endswith("\n") and re.search(error.schema["pattern"], error.value) is not None,
        "$ is the end of the text; in Python it also is the place before a last line end",
    ),
}


def _is_known(error: SchemaError) -> bool:
    return error.keyword in DIFFERENCES and DIFFERENCES[error.keyword][0](error)


@cache
def _values() -> list[Any]:
    texts = [example.text for rule in all_rules().values() for example in (*cases(rule).valid, *cases(rule).invalid)]
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


CONFIGURATION = {
    "select": ["A", "R001"],
    "per-file-ignores": {"old/*.json": ["T"]},
    "severity": {"A001": "info"},
    "exclude": ["build/"],
    "targets": {"openvino": "2024.6", "ncnn": 20240410},
    "weights": {"*.xml": "optional"},
    "extensions": {
        "my.domain": {
            "MyOperator": {"inputs": [1, None], "outputs": ["y", "z?"], "attributes": {"alpha": "float", "mode": {"values": ["a"]}}}
        }
    },
    "rules": [
        {"name": "no-odd", "code": "U007", "message": "{op} of {name}", "match": {"shape": [1, "*", "..."], "attribute": {"k": None}},
         "deny": "Conv*"}
    ],
}  # fmt: skip


@cache
def _own(name: str) -> list[Any]:
    """Return values that a schema is for."""
    if name == "irlint-config.schema.json":
        return [CONFIGURATION]
    if name == "genai-config.schema.json":
        return [json.loads(GENAI)]
    if name == "ovms-config.schema.json":
        return [json.loads(OVMS)]
    if name == "ultralytics-metadata.schema.json":
        return [
            {"task": "pose", "names": {"0": "cat"}, "stride": 32, "imgsz": [640, 640], "batch": 1, "kpt_shape": [17, 3]}
        ]
    if name == "zoo-object.schema.json":
        return list(records(40))
    if name == "glacier-event.schema.json":
        return [event for value in _values() for event in (value if isinstance(value, list) else [])]
    if name == "irlint-report.schema.json":
        stream = io.StringIO()
        report.write([result for case in CASES.values() for result in case()], "json", stream)
        return [json.loads(stream.getvalue())[:6]]
    return [value for value in _values() if schema.is_valid(name, value)]


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
def test_verdicts_of_jsonschema(name: str) -> None:
    schema_ = load_json(name)
    library, check = jsonschema.validators.validator_for(schema_)(schema_), SchemaGate(schema_).check(schema_)
    verdicts = {True: 0, False: 0}
    for value in _mutants(name, 2000):
        verdict = check(value)
        found = [] if verdict else errors(name, value)
        assert library.is_valid(value) == all(map(_is_known, found)), value
        verdicts[verdict] += 1
    assert min(verdicts.values()) > 30


@pytest.mark.parametrize("name", SCHEMAS)
def test_errors(name: str) -> None:
    schema_ = load_json(name)
    library = jsonschema.validators.validator_for(schema_)(schema_)
    for value in _mutants(name, 600):
        theirs = {(error.validator, tuple(error.absolute_path)) for error in library.iter_errors(value)}
        ours = {(error.keyword, error.path) for error in errors(name, value) if not _is_known(error)}
        assert ours == theirs, value


def _mutants(name: str, count: int) -> list[Any]:
    pick, values, own = random.Random(name), _values(), _own(name)
    bases = own * (len(values) // len(own)) + values  # as many of one as of the other
    return [*ODD, *values, *own, *(mutated(pick.choice(bases), pick, values) for _ in range(count))]


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
