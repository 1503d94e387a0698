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
