"""What rare schemas and documents lead to: the verdict, the token and the words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irlint.config.find import Configurations
from irlint.config.source import ConfigError
from irlint.engine import lint_bytes

XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"'
LONG = "a" * 45 + "!"


def _findings(folder: Path, schema: Any, document: Any, **more: Any) -> list[tuple[str, str]]:
    """Return token and message of each finding."""
    (folder / "s").write_text(schema if isinstance(schema, str) else json.dumps(schema), "utf-8")
    (folder / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": "s", "files": "d", **more}]}))
    path = str(folder / "d")
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    result = lint_bytes(data, path, Configurations().of_folder(str(folder)).settings(path))
    assert result.document is not None
    text = result.document.text
    return [(text[slice(*f.span)], f.message.removesuffix(" (by s)")) for f in result.findings]


CASES: dict[str, tuple[Any, Any, list[tuple[str, str]]]] = {
    "false": ({"properties": {"old": False}}, {"old": 5}, [("5", "`old` is not allowed, got `5`")]),
    "no further elements": ({"prefixItems": [{}], "items": False}, [1, 22, 3], [("22", "element 2 of the file is not allowed")]),
    "keys of patterns": (
        {"patternProperties": {"n": {}}, "additionalProperties": False},
        {"n": 1, "x": 2},
        [('"x"', "unknown key `x` in the file")],
    ),
    "a constant": ({"properties": {"c": {"const": False}}}, {"c": 1}, [("1", "expected `false` for `c`, got `1`")]),
    "an object": ({"properties": {"c": {"const": {"a": 1}}}}, {"c": 1}, [("1", 'expected `{"a": 1}` for `c`, got `1`')]),
    "nothing": ({"properties": {"c": {"enum": []}}}, {"c": 1}, [("1", "1 is not one of []")]),
    "exclusive": (
        {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"minimum": 3, "exclusiveMinimum": True}}},
        {"a": 3},
        [("3", "expected more than 3 for `a`, got `3`")],
    ),
    "missing": (
        {"required": ["name"], "properties": {"name": {"pattern": "x", "errorMessage": "names have an x"}}},
        {},
        [("{", "missing key `name` in the file")],
    ),
    "lines": (
        {"properties": {"a": {"type": "string", "description": "One line.\nAnd\n\nanother."}}},
        {"a": 1},
        [("1", "expected a string for `a`, got `1`; One line. And another")],
    ),
    "a key called pattern": (
        {"properties": {"pattern": {"type": "string", "pattern": "^(a+)+$"}, "e": {"enum": [{"pattern": "^(a+)+$"}]}}},
        {"pattern": LONG, "e": {"pattern": "^(a+)+$"}},
        [("", "the check is incomplete: the regular expression `^(a+)+$` takes too long and was left out")],
    ),
    "two of one element": (
        f'<xs:schema {XS}><xs:element name="a"><xs:complexType><xs:attribute name="p" use="required"/>'
        f'<xs:attribute name="q" use="required"/></xs:complexType></xs:element></xs:schema>',
        b"<a/>",
        [("a", "missing attribute `p` of `a`"), ("a", "missing attribute `q` of `a`")],
    ),
    "another encoding": (
        f'<xs:schema {XS}><xs:element name="a"><xs:simpleType><xs:restriction base="xs:string">'
        f'<xs:enumeration value="\u00fc"/></xs:restriction></xs:simpleType></xs:element></xs:schema>',
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>\u00fc</a>'.encode("latin-1"),
        [],
    ),
    "deep elements": (
        f'<xs:schema {XS}><xs:element name="a"><xs:complexType><xs:sequence minOccurs="0"><xs:element ref="a"/>'
        f"</xs:sequence></xs:complexType></xs:element></xs:schema>",
        b"<a>" * 300 + b"</a>" * 300,
        [],
    ),
    "an entity": (
        f'<xs:schema {XS}><xs:element name="a" type="xs:int"/></xs:schema>',
        b'<!DOCTYPE a [<!ENTITY u "3">]><a>&u;</a>',
        [],
    ),
    "an empty file": (f'<xs:schema {XS}><xs:element name="a"/></xs:schema>', b"", [("", "the file is empty")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_findings(name: str, tmp_path: Path) -> None:
    schema, document, expected = CASES[name]
    found = _findings(tmp_path, schema, document)
    assert [token for token, _ in found] == [token for token, _ in expected], found
    for (_, message), (_, words) in zip(found, expected, strict=True):
        assert words in message


def test_many_siblings(tmp_path: Path) -> None:
    schema = (
        f'<xs:schema {XS}><xs:element name="a"><xs:complexType><xs:sequence><xs:element name="s" maxOccurs="unbounded">'
        '<xs:complexType><xs:attribute name="p" type="xs:int"/></xs:complexType></xs:element></xs:sequence></xs:complexType>'
        "</xs:element></xs:schema>"
    )
    document = b"<a>\n" + b'<s p="1"/>\n' * 60_000 + b'<s p="x"/>\n' * 1000 + b"</a>"
    found = _findings(tmp_path, schema, document)
    assert [token for token, _ in found] == ["x"] * 1000


MISTAKES = {
    "no schema": ({"$ref": "#/x/n", "x": {"n": 5}}, "s:1:10: `#/x/n` does not lead to a valid schema"),
    "no dialect": ({"$schema": 5}, "s:1:13: expected a string for `$schema`"),
    "no URI": ({"$id": "http://["}, "s:1:9: not a URI"),
    "an expression": ({"pattern": "a{99999999999}"}, "the repetition number is too large"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    schema, words = MISTAKES[name]
    with pytest.raises(ConfigError) as caught:
        _findings(tmp_path, schema, 1)
    assert words in str(caught.value)


def test_a_format_that_cannot_be_checked(tmp_path: Path) -> None:
    schema = {"items": {"format": "uri"}}
    try:
        import rfc3987_syntax  # noqa: F401 - one of the packages
    except ImportError:
        with pytest.raises(ConfigError, match=r"pip install 'jsonschema\[format-nongpl\]'"):
            _findings(tmp_path, schema, ["x"], formats=True)
    assert _findings(tmp_path, {"items": {"format": "ipv4"}}, ["x"], formats=True) == [
        ('"x"', 'expected the format `ipv4` for element 1 of the file, got `"x"`')
    ]


@pytest.mark.parametrize(
    ("files", "holds"), [("./d", True), ("!d", False), ("!e", True), (["!./e"], True), (["e", "d"], True)]
)
def test_globs(files: Any, holds: bool, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("false")
    (tmp_path / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": "s", "files": files}]}))
    assert bool(Configurations().of_folder(str(tmp_path)).settings(str(tmp_path / "d")).schemas) is holds


def _graph(folder: Path, schema: Any, text: str, name: str) -> list[tuple[str, str]]:
    (folder / "s").write_text(json.dumps(schema), "utf-8")
    (folder / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": "s", "of": "graph"}]}))
    path = str(folder / name)
    found = lint_bytes(text.encode(), path, Configurations().of_folder(str(folder)).settings(path)).findings
    return [(text[slice(*f.span)], f.message.removesuffix(" (by s)")) for f in found if f.code == "T008"]


TEXT = """<ir_version: 8, opset_import: ["" : 17]>
main (float[N,4] x, bool flag) => (float[N,4] y) {
   h = Relu (x)
   [named] z = Neg (h)
   [choose] y = If (flag) <then_branch: graph = a () => (float[N,4] p) { p = Relu (z) }, else_branch: graph = b () => (float[N,4] q) { q = Neg (z) }>
}
"""


def test_nodes_without_a_name_have_none(tmp_path: Path) -> None:
    schema = {"properties": {"nodes": {"items": {"required": ["name"]}}}}
    assert _graph(tmp_path, schema, TEXT, "a.onnxtxt") == [("Relu", "missing key `name` in element 1 of `nodes`")]


def test_inputs_are_those_of_the_file(tmp_path: Path) -> None:
    schema = {"properties": {"nodes": {"items": {"if": {"properties": {"op": {"const": "If"}}}, "then": {"properties": {"inputs": {"maxItems": 1}}}}}}}  # fmt: skip
    assert _graph(tmp_path, schema, TEXT, "a.onnxtxt") == []


REFERRED = {  # what is not where schemas are
    "a place": {"$ref": "#/components/a", "components": {"a": {"properties": {"x": False, "y": {"$ref": "p"}}}}},
    "another dialect": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "allOf": [{"$ref": "#/$defs/a"}],
        "$defs": {"a": {"properties": {"x": False, "y": {"$ref": "p"}}}},
    },
}


@pytest.mark.parametrize("name", REFERRED)
def test_only_a_reference_says_that_it_is_a_schema(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="`p` not found"):
        _findings(tmp_path, REFERRED[name], {"x": 11})
    (tmp_path / "p").write_text('{"type": "string", "pattern": "^(a+)+$"}')
    found = _findings(tmp_path, REFERRED[name], {"x": 11, "y": LONG})
    assert [token for token, _ in found] == ["", "11"]
    assert "takes too long" in found[0][1]
    before = Configurations().of_folder(str(tmp_path)).schemas[0][1].digest
    (tmp_path / "p").write_text('{"type": "integer"}')
    assert Configurations().of_folder(str(tmp_path)).schemas[0][1].digest != before


def test_a_key_called_like_a_keyword(tmp_path: Path) -> None:
    schema = {"properties": {"propertyNames": {"minLength": 5}}}
    found = _findings(tmp_path, schema, {"propertyNames": "a"})
    assert found == [('"a"', 'expected at least 5 characters for `propertyNames`, got `"a"`')]


@pytest.mark.parametrize("schema", ["a\0b", "a\ud800b"])
def test_no_path(schema: str, tmp_path: Path) -> None:
    (tmp_path / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": schema, "files": "*.json"}]}))
    with pytest.raises(ConfigError, match=r"irlint.yaml:1:\d+: expected the path of a file"):
        Configurations().of_folder(str(tmp_path))


def test_texts_of_other_kinds_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "s").write_text('{"type": "object"}')
    (tmp_path / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": "s", "files": "!d.json"}]}))
    path = str(tmp_path / "requirements.txt")
    settings = Configurations().of_folder(str(tmp_path)).settings(path)
    assert [f.name for f in lint_bytes(b"numpy>=1.0\n", path, settings).findings] == ["unrecognized-file"]


def test_attributes_with_dots(tmp_path: Path) -> None:
    schema = (
        f'<xs:schema {XS}><xs:element name="a"><xs:complexType><xs:attribute name="x.y" type="xs:int"/>'
        '<xs:attribute name="net.name" type="xs:int"/></xs:complexType></xs:element></xs:schema>'
    )
    found = _findings(tmp_path, schema, b'<a x.y="v" net.name="w" z.w="u"/>')
    assert [token for token, _ in found] == ["v", "w", "z.w"]
