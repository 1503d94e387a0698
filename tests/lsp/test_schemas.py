"""Schemas of the configuration in an editor: findings, hover and completion; a schema that is saved holds at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .client import Client
from .samples import SAMPLES
from .test_requests import position, slice_of

GRAPH = {
    "properties": {
        "nodes": {
            "items": {
                "properties": {
                    "name": {"pattern": "^n_", "description": "Names begin with n"},
                    "attributes": {"properties": {"house": {"enum": ["one", "two"], "title": "Our house"}}},
                }
            }
        }
    }
}
FILE = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["small", "large"], "description": "How large it is"},
        "size": {"$ref": "shared.schema.json#/$defs/size"},
    },
    "required": ["kind"],
    "additionalProperties": False,
}
SHARED = {"$defs": {"size": {"type": "integer", "title": "Size in pixels"}}}
XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="plan"><xs:complexType>
    <xs:choice maxOccurs="unbounded">
      <xs:element name="step" type="Step"><xs:annotation><xs:documentation>A step</xs:documentation></xs:annotation></xs:element>
      <xs:element name="pause"/>
    </xs:choice>
  </xs:complexType></xs:element>
  <xs:complexType name="Step">
    <xs:attribute name="speed"><xs:annotation><xs:documentation>How fast</xs:documentation></xs:annotation>
      <xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="slow"/><xs:enumeration value="fast"/></xs:restriction></xs:simpleType>
    </xs:attribute>
    <xs:attribute name="count" type="xs:int"/>
  </xs:complexType>
</xs:schema>
"""
CONFIG = {
    "schemas": [
        {"schema": "graph.schema.json", "of": "graph", "severity": "warning"},
        {"schema": "file.schema.json", "files": "conf/*.json"},
        {"schema": "plan.xsd", "files": "*.plan.xml"},
    ]
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {"graph": GRAPH, "file": FILE, "shared": SHARED}.items():
        (tmp_path / f"{name}.schema.json").write_text(json.dumps(content))
    (tmp_path / "plan.xsd").write_text(XSD)
    (tmp_path / "irlint.yaml").write_text(json.dumps(CONFIG))
    (tmp_path / "conf").mkdir()
    return tmp_path


def _opened(editor: Client, path: Path, text: str) -> dict[str, Any]:
    editor.open(path.as_uri(), text)
    return {"textDocument": {"uri": path.as_uri()}}


def _found(editor: Client, path: Path) -> list[dict[str, Any]]:
    if editor.pulls:
        found: list[dict[str, Any]] = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": path.as_uri()}})[
            "items"
        ]
        return found
    return editor.diagnostics(path.as_uri(), 1)


def _hover(editor: Client, document: dict[str, Any], text: str, needle: str, plus: int = 1) -> str:
    found = editor.ask("textDocument/hover", {**document, "position": position(text, needle, plus)})
    return found["contents"]["value"] if found else ""


def _completed(editor: Client, document: dict[str, Any], text: str, offset: int) -> dict[str, str]:
    """Return the text after each completion, by its label."""
    before = text[:offset]
    at = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
    found = editor.ask("textDocument/completion", {**document, "position": at})
    done = {}
    for item in found["items"]:
        edit = item["textEdit"]
        old = slice_of(text, edit["range"])
        start = text.rindex(old, 0, offset + len(old)) if old else offset
        done[item["label"]] = text[:start] + edit["newText"] + text[start + len(old) :]
    return done


def test_a_file_that_is_not_a_model(editor: Client, folder: Path) -> None:
    text = '{"kind": "tiny", "size": "x", "more": 1}'
    path = folder / "conf/a.json"
    document = _opened(editor, path, text)
    found = _found(editor, path)
    assert [(d["code"], slice_of(text, d["range"])) for d in found] == [
        ("T008", '"tiny"'),
        ("T008", '"x"'),
        ("T008", '"more"'),
    ]
    assert "How large it is" in _hover(editor, document, text, '"kind"')
    assert "Size in pixels" in _hover(editor, document, text, '"x"')
    done = _completed(editor, document, text, text.index("tiny") + 2)
    assert done == {
        "small": text.replace("tiny", "small"),
        "large": text.replace("tiny", "large"),
    }


@pytest.mark.parametrize(
    ("text", "label", "after"),
    [
        ('{"size": 3, |}', "kind", '{"size": 3, "kind"}'),
        ('{"size": 3, "|"}', "kind", '{"size": 3, "kind"}'),
        ('{"size": 3, "ki|', "kind", '{"size": 3, "kind"'),
        ('{"kind": |}', "large", '{"kind": "large"}'),
        ('{"kind": "la|"}', "large", '{"kind": "large"}'),
        ("{|}", "size", '{"size"}'),
    ],
)
def test_what_is_being_written(editor: Client, folder: Path, text: str, label: str, after: str) -> None:
    offset = text.index("|")
    text = text.replace("|", "")
    document = _opened(editor, folder / "conf/b.json", text)
    assert _completed(editor, document, text, offset)[label] == after


def test_graphs(editor: Client, folder: Path) -> None:
    sample = next(sample for sample in SAMPLES if sample.name == "toy.onnxtxt")
    path = folder / sample.name
    document = _opened(editor, path, sample.text)
    found = [d for d in _found(editor, path) if d["code"] == "T008"]
    assert found
    assert {d["severity"] for d in found} == {2}
    name = slice_of(sample.text, found[0]["range"])
    offset = sample.text.index(name)
    assert "Names begin with n" in _hover(editor, document, sample.text, sample.text[offset : offset + 20])


def test_xml(editor: Client, folder: Path) -> None:
    text = '<plan>\n  <step speed="slow" count="x"/>\n  <pause/>\n</plan>\n'
    path = folder / "a.plan.xml"
    document = _opened(editor, path, text)
    found = _found(editor, path)
    assert [(d["code"], slice_of(text, d["range"])) for d in found] == [("T008", "x")]
    assert "A step" in _hover(editor, document, text, "step")
    assert "How fast" in _hover(editor, document, text, "speed")
    assert set(_completed(editor, document, text, text.index("slow") + 1)) == {"slow", "fast"}
    assert set(_completed(editor, document, text, text.index("speed") + 1)) == {"speed"}
    assert set(_completed(editor, document, text, text.index("pause") + 1)) == {"step", "pause"}


def test_a_saved_schema_holds_at_once(editor: Client, folder: Path) -> None:
    text = '{"kind": "small", "size": "x"}'
    path = folder / "conf/c.json"
    document = _opened(editor, path, text)
    assert len(_found(editor, path)) == 1
    editor.forget()
    (folder / "shared.schema.json").write_text(json.dumps({"$defs": {"size": {"type": "string", "title": "A word"}}}))
    editor.tell("textDocument/didSave", {"textDocument": {"uri": (folder / "shared.schema.json").as_uri()}})
    assert _found(editor, path) == []
    assert "A word" in _hover(editor, document, text, '"x"')
    editor.forget()
    (folder / "shared.schema.json").write_text("{")  # the mistake is shown, and then mended
    editor.tell("textDocument/didSave", {"textDocument": {"uri": (folder / "shared.schema.json").as_uri()}})
    said = editor.find(lambda message: message.get("method") == "window/showMessage")["params"]["message"]
    assert "shared.schema.json:1:2: not valid JSON" in said
    assert _found(editor, path) == []  # meanwhile the schema holds that was sound
    (folder / "shared.schema.json").write_text(json.dumps(SHARED))
    editor.forget()
    editor.tell("textDocument/didSave", {"textDocument": {"uri": (folder / "shared.schema.json").as_uri()}})
    assert len(_found(editor, path)) == 1
