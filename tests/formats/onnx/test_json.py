"""The JSON form of a model: the same tree, findings at its tokens, fixes that write values."""

from __future__ import annotations

import base64
import json
from math import prod
from typing import Any

import pytest

from irlint import api, engine
from irlint.fixes import fix
from irlint.formats.onnx.tensors import bits
from irlint.formats.onnx.text.document import read_text
from irlint.formats.onnx.text.json_form import OnnxJson, read_json
from irlint.formats.onnx.text.printer import shown
from irlint.formats.onnx.text.suppress import MetadataIgnores
from irlint.formats.onnx.wire import DTYPES, MODEL
from irlint.formats.onnx.wire.reader import Packed
from irlint.settings.ignores import ignoring
from irlint.text.base import Place
from irlint.text.prototext.messages import BYTES, MESSAGE, Message, Tree
from tests.formats.onnx.build import BRANCHES, FUNCTIONS, TINY, graph, opened, tree
from tests.formats.onnx.test_candidates import RESTORED, Case


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


def filled(text: str) -> Tree:
    """Return the tree of a text, with zeros for the data that it cuts."""
    found = tree(text)
    for tensor in found["graph"].get("initializer", ()):
        if tensor.pop("cut", False):
            tensor["raw_data"] = bytes(prod(tensor["dims"]) * bits(DTYPES[tensor["data_type"]]) // 8)
    return found


@pytest.mark.parametrize(("spelled", "indent"), [(camel, 2), (str, None)])
@pytest.mark.parametrize("case", RESTORED.values(), ids=RESTORED.keys())
def test_fixes_are_those_of_the_text(case: Case, spelled: Any, indent: int | None) -> None:
    broken = json.dumps(as_json(MODEL, filled(case.broken), spelled), indent=indent)
    fixed = api.fix(broken, unsafe=True, as_format="onnx")
    assert shown(read_json(fixed, "a.json").tree).text == shown(filled(case.goal)).text
    assert fixed == json.dumps(json.loads(fixed), indent=indent)


NODES = "b = Abs (a)\na = Relu (x)\ny = Neg (b)"
PLAIN = graph("a = Relu (x)\nb = Abs (a)\ny = Neg (b)")


@pytest.mark.parametrize(
    ("broken", "goal"),
    [
        (graph(NODES), PLAIN),
        (graph("a = Relu (x)\ny = Neg (b)\nb = Abs (a)"), PLAIN),
        (PLAIN.replace("   ir_version: 9,\n", ""), PLAIN.replace("9", "8")),
        (PLAIN.replace(',\n   opset_import: ["" : 17]', ""), PLAIN.replace("17", "20")),
        (PLAIN.replace("   b =", "   c = Exp (a)\n   b ="), PLAIN),
        (PLAIN.replace(") {", f") <\n   float[256] w = {{{','.join('1' * 256)}}}\n> {{"), PLAIN),
        (PLAIN.replace("Neg", "ai.onnx.Neg"), PLAIN),
        (PLAIN.replace("Neg (b)", "Neg <axis: int = 1> (b)"), PLAIN),
    ],
)
def test_fixes_of_whole_items(broken: str, goal: str) -> None:
    for text, lint in ((broken, "a.onnxtxt"), (" ".join(broken.split()), "a.onnxtxt"), (written(broken), "a.json")):
        fixed = api.fix(text, unsafe=True, as_format="onnx")
        found = (read_json if lint == "a.json" else read_text)(fixed, lint)
        assert not found.troubles
        assert shown(found.tree).text == goal


def test_suppressions_are_written_to_the_metadata() -> None:
    text = written(graph("y = Reluu (x)", outputs="float[2,4] y"))
    result = engine.lint(text, "a.json")
    assert [finding.code for finding in result.findings] == ["O001"]
    added = ignoring(result.document, result.findings, (), MetadataIgnores(), "")  # type: ignore[arg-type]
    assert json.loads(added)["metadataProps"] == [{"key": "irlint", "value": "ignore[O001]"}]
    assert engine.lint(added, "a.json").findings == []


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


@pytest.mark.parametrize("key", ["dims", "int64Data", "floatData"])
def test_null_is_no_element_of_a_list(key: str) -> None:
    made = {"graph": {"name": "g", "initializer": [{"name": "w", "dims": [1], "dataType": 7, key: [None]}]}}
    found = [finding.message for finding in engine.lint(json.dumps(made), "a.json", as_format="onnx:json").findings]
    assert any(words.startswith("expected a") and words.endswith("got `null`") for words in found), found
