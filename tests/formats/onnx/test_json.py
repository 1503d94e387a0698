"""The JSON form of a model: the same tree, findings at its tokens, fixes that write values."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from irlint import engine
from irlint.fixes import fix
from irlint.formats.onnx.json_form import OnnxJson, read_json
from irlint.formats.onnx.messages import BYTES, MESSAGE, MODEL, Message
from irlint.formats.onnx.wire import Packed
from irlint.text.base import Place
from tests.formats.onnx.build import BRANCHES, FUNCTIONS, TINY, graph, opened


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def as_json(message: Message, tree: dict[str, Any], spelled: Any = camel) -> dict[str, Any]:
    """What protobuf's json_format writes of a message."""

    def one(kind: int, sub: Message | None, value: Any) -> Any:
        if kind == MESSAGE:
            assert sub is not None
            return as_json(sub, value, spelled)
        if kind == BYTES:
            return base64.b64encode(value).decode()
        return str(value) if isinstance(value, int) and spelled is camel else value

    found = {}
    for name, value in tree.items():
        field = message.fields[name]
        listed = value.numbers() if isinstance(value, Packed) else value
        found[spelled(name)] = (
            [one(field.kind, field.message, v) for v in listed] if field.many else one(field.kind, field.message, value)
        )
    return found


def written(text: str, spelled: Any = camel) -> str:
    return json.dumps(as_json(MODEL, opened(text).tree, spelled), indent=1)


@pytest.mark.parametrize("spelled", [camel, str])
@pytest.mark.parametrize("text", [TINY, BRANCHES, FUNCTIONS])
def test_the_tree_is_that_of_the_binary(text: str, spelled: Any) -> None:
    document = read_json(written(text, spelled), "a.json")
    assert not document.troubles
    assert document.tree == opened(text).tree
    result = engine.lint(document.text, "a.json")
    assert (result.format, result.dialect, result.findings) == ("onnx", "json", [])


def test_names_of_enumerations_and_special_numbers() -> None:
    attribute = {"name": "a", "type": "FLOATS", "floats": ["NaN", "-Infinity", 1, "0.5"]}
    tensor = {"name": "w", "dataType": "INT64", "dims": [1, "2"], "rawData": base64.b64encode(bytes(16)).decode()}
    model = {"irVersion": "9", "graph": {"node": [{"attribute": [attribute]}], "initializer": [tensor], "name": None}}
    document = read_json(json.dumps(model), "a.json")
    assert not document.troubles
    found = document.tree["graph"]
    assert repr(found["node"][0]["attribute"][0]) == "{'name': 'a', 'type': 6, 'floats': [nan, -inf, 1.0, 0.5]}"
    assert found["initializer"][0]["dims"] == [1, 2]
    assert found["initializer"][0]["data_type"] == 7
    assert bytes(found["initializer"][0]["raw_data"]) == bytes(16)


@pytest.mark.parametrize(
    ("old", "new", "name", "shown"),
    [
        ('"MatMul"', '"MatMull"', "unknown-operator", '"MatMull"'),
        ('"w"', '"v"', "undefined-reference", '"v"'),
        ('"alpha"', '"alhpa"', "unknown-attribute", '"alhpa"'),
        ('"17"', '"99"', "value-not-allowed", '"99"'),
        ('"irVersion": "9"', '"irVersion": "x"', "wrong-type", '"x"'),
        ('"irVersion": "9"', '"irVersion": "9", "more": 1', "unknown-key", "1"),
        ('"irVersion": "9"', '"irVersion": [9]', "wrong-type", "[9]"),
        ('"irVersion": "9"', '"irVersion": 9.5', "wrong-type", "9.5"),
    ],
)
def test_findings_are_at_their_tokens(old: str, new: str, name: str, shown: str) -> None:
    text = written(TINY)
    assert old in text
    result = engine.lint(text.replace(old, new, 1), "a.json", as_format="onnx")
    found = [finding for finding in result.findings if finding.name == name]
    assert found, result.findings
    assert shown in [result.lines.text[finding.span.start : finding.span.end] for finding in found]


def test_fixes_write_values() -> None:
    text = written(graph("y = LeakyRelu <alhpa: float = 0.5> (x)", outputs="float[2,4] y"))

    def lint(text: str) -> list[engine.Finding]:
        return engine.lint(text, "a.json").findings

    made = fix(text, lint, unsafe=True)
    assert made.findings == []
    assert json.loads(made.text) == json.loads(
        written(graph("y = LeakyRelu <alpha: float = 0.5> (x)", outputs="float[2,4] y"))
    )


def test_fixes_of_lines_are_not_offered() -> None:
    text = written(graph("b = Abs (a)\na = Relu (x)\ny = Neg (b)"))
    found = engine.lint(text, "a.json").findings
    assert "used-before-defined" in [finding.name for finding in found]
    assert all(finding.fix is None for finding in found), found
    for header in ('<\n   opset_import: ["" : 17]\n>\n', "<\n   ir_version: 9\n>\n"):
        assert all(f.fix is None for f in engine.lint(written(graph("y = Abs (x)", header=header)), "a.json").findings)


def test_places_go_both_ways() -> None:
    document = read_json(written(BRANCHES), "a.json")
    path = ("graph", "node", 0, "attribute", 1, "g", "node", 0, "op_type")
    start, end = document.span(Place(path))
    assert document.text[start:end] == '"Add"'
    assert document.place_at(start).path == path
    assert document.pointer(path) == "/graph/node/0/attribute/1/g/node/0/opType"


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        '{"graph": 1}',
        '{"irVersion": 1, "graph": []}',
        '{"graph": {"node": {"a": 1}}}',
        "{",
        '{"irVersion": ',
    ],
)
def test_json_of_any_kind(text: str) -> None:
    for form in ("onnx", "onnx:json", None):
        engine.lint(text, "a.json", as_format=form)
    assert isinstance(read_json(text, "a.json"), OnnxJson)


def test_other_json_is_not_taken() -> None:
    for text in ('{"nodes": [], "arg_nodes": [], "heads": []}', '{"ops": []}', '{"opset_import": 1}'):
        assert engine.lint(text, "a.json").format != "onnx"
