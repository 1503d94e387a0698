"""Schemas and documents that are made to hang, to crash or to open what they should not: each is answered, and soon."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irlint.config.find import Configurations
from irlint.config.source import ConfigError
from irlint.engine import lint, lint_bytes
from irlint.user_schemas import process

XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"'
RNG = 'xmlns="http://relaxng.org/ns/structure/1.0"'
LONG = "a" * 40 + "!"


def _doubling(depth: int) -> dict[str, Any]:
    parts: dict[str, Any] = {f"d{k}": {"allOf": [{"$ref": f"#/$defs/d{k + 1}"}] * 2} for k in range(depth)}
    return {"$ref": "#/$defs/d0", "$defs": {**parts, f"d{depth}": {"type": "integer"}}}


def _nested(depth: int) -> str:
    return '{"not":' * depth + "true" + "}" * depth


def _xsd(content: str) -> str:
    return f"<xs:schema {XS}>{content}</xs:schema>"


def _groups(depth: int) -> str:
    """Each group has the next one ten times."""
    groups = "".join(
        f'<xs:group name="g{k}"><xs:sequence>{f"""<xs:group ref="g{k + 1}"/>""" * 10}</xs:sequence></xs:group>'
        for k in range(depth)
    )
    last = f'<xs:group name="g{depth}"><xs:sequence><xs:element name="e"/></xs:sequence></xs:group>'
    return _xsd(
        f'<xs:element name="a"><xs:complexType><xs:group ref="g0"/></xs:complexType></xs:element>{groups}{last}'
    )


def _typed(facet: str) -> str:
    return _xsd(
        f'<xs:element name="a"><xs:simpleType><xs:restriction base="xs:string">{facet}</xs:restriction></xs:simpleType></xs:element>'
    )


def _interleaved(count: int) -> str:
    names = "".join(f'<element name="{letter}{k}"><empty/></element>' for k in range(count) for letter in "bc")
    many = "".join(f"<zeroOrMore>{name}</element></zeroOrMore>" for name in names.split("</element>") if name)
    return f'<element name="a" {RNG}><interleave>{many}</interleave></element>'


OFTEN = (
    '<xs:element name="a"><xs:complexType><xs:sequence maxOccurs="5000">'
    '<xs:element name="b" minOccurs="4000" maxOccurs="5000"/></xs:sequence></xs:complexType></xs:element>'
)
SLOW, LIMITED, BAD, FINE = "takes too long", "the check is incomplete", "refused", "answered"
Case = tuple[Any, Any, str]
SCHEMAS: dict[str, Case] = {  # schema, document, what becomes of it
    "pattern": ({"pattern": "^(a+)+$"}, LONG, SLOW),
    "pattern of keys": ({"patternProperties": {"^(a|a)*$": {"type": "integer"}}}, {LONG: "x"}, SLOW),
    "no other keys": ({"patternProperties": {"^(a|aa)+$": True, "b": True}, "additionalProperties": False}, {LONG: 1}, SLOW),
    "unevaluated": ({"patternProperties": {"^(a+)*$": True}, "unevaluatedProperties": False}, {LONG: 1}, SLOW),
    "names": ({"propertyNames": {"pattern": "(.*a){25}$"}}, {"a" * 24 + "b" * 3000: 1}, SLOW),
    "doubling": (_doubling(40), 3, LIMITED),
    "doubling in vain": ({**_doubling(40), "anyOf": [{"$ref": "#/$defs/d0"}] * 5}, "x", LIMITED),
    "itself": ({"$ref": "#"}, 3, LIMITED),
    "each other": ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}, 3, LIMITED),
    "nested": (_nested(100_000), 3, BAD),
    "large": ({"description": "x" * 3_000_000}, 3, BAD),
    "many words": ({"items": {"enum": [{"a": k} for k in range(3000)]}}, [{"a": -1}] * 5000, LIMITED),
    "unique": ({"uniqueItems": True}, [{"a": k} for k in range(20_000)], LIMITED),
    "network": ({"$ref": "http://127.0.0.1:{port}/x.json"}, 3, BAD),
    "file": ({"$ref": "file://{outside}/pipe.json"}, 3, BAD),
    "above": ({"$ref": "../outside/pipe.json"}, 3, BAD),
    "link": ({"$ref": "link.json"}, 3, BAD),
    "identified": ({"$id": "file://{outside}/x.json", "$ref": "pipe.json"}, 3, BAD),
    "identified above": ({"$id": "https://a.b/c/x.json", "$ref": "../../outside/pipe.json"}, 3, BAD),
    "dialect": ({"$schema": "file://{outside}/pipe.json", "type": "string"}, 3, FINE),
    "tiny": ({"multipleOf": 1e-300}, 1e300, FINE),
    "expression": ({"pattern": "(" * 5000 + ")" * 5000}, "x", BAD),
    "repeated": ({"pattern": "((a{1,60000}){1,60000}){1,60000}$"}, "a" * 3000 + "b", SLOW),
    "formats": ({"format": "regex"}, "(" * 5000 + ")" * 5000, LIMITED),
    "not a schema": ([1, 2], 3, BAD),
    "a keyword": ({"type": 5}, 3, BAD),
    "xsd: included": (_xsd('<xs:include schemaLocation="../outside/pipe.json"/>'), "<a/>", BAD),
    "xsd: network": (_xsd('<xs:import namespace="n" schemaLocation="http://127.0.0.1:{port}/x.xsd"/>'), "<a/>", BAD),
    "xsd: base": (f'<xs:schema {XS} xml:base="{{outside}}/"><xs:include schemaLocation="pipe.json"/></xs:schema>', "<a/>", BAD),
    "xsd: second": (_xsd('<xs:include schemaLocation="second.xsd"/>'), "<a/>", BAD),
    "xsd: itself": (_xsd('<xs:include schemaLocation="schema"/><xs:element name="a"/>'), "<a/>", BAD),
    "xsd: entities": (f'<!DOCTYPE x [<!ENTITY a SYSTEM "file://{{outside}}/pipe.json">]>{_xsd("&a;")}', "<a/>", BAD),
    "xsd: often": (_xsd(OFTEN), "<a>" + "<b/>" * 9000 + "</a>", FINE),
    "xsd: groups": (_groups(9), "<a><e/></a>", BAD),
    "xsd: pattern": (_typed('<xs:pattern value="((a{1,300}){1,300}){1,300}b"/>'), f"<a>{'a' * 500}</a>", LIMITED),
    "xsd: slow pattern": (_typed('<xs:pattern value="(a|aa|aaa)*(a|aa)*(aa|a)*c"/>'), f"<a>{'a' * 5000}</a>", LIMITED),
    "rng: elsewhere": (f'<element name="a" {RNG}><externalRef href="../outside/pipe.json"/></element>', "<a/>", BAD),
    "rng: itself": (f'<element name="a" {RNG}><externalRef href="schema"/></element>', "<a/>", BAD),
    "rng: interleaved": (_interleaved(40), "<a>" + "<b1/><c7/>" * 400 + "</a>", FINE),
}  # fmt: skip
DEEP = 100_000
DOCUMENTS: dict[str, str | bytes] = {
    "deep list": "[" * DEEP + "]" * DEEP,
    "deep object": '{"a":' * 900 + "1" + "}" * 900,
    "half": '{"a": [1, {"b": ',
    "long number": "[" + "9" * 6000 + "]",
    "large number": "[1e99999, -1e400, 1E-9999]",
    "odd numbers": "[NaN, Infinity, -Infinity, 01, .5]",
    "surrogates": '["\\ud800", "\\udfff\\ud800"]',
    "not UTF-8": b'{"a": "\xff\xfe\x80"}',
    "twice": '{"a": 1, "a": "x", "a": []}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "NUL": '{"a": "\x00\x00"}',
    "nothing": "",
    "blank": " \n" * 100_000,
    "long string": json.dumps("ab" * 1_000_000),
    "many keys": json.dumps({f"k{k}": k for k in range(50_000)}),
    "deep elements": "<a>" * DEEP + "</a>" * DEEP,
    "entities": '<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx">'
    + "".join(f'<!ENTITY b{k} "{f"&b{k - 1 if k else str()};" * 10}">' for k in range(12))
    + "]><a>&b11;</a>",
    "external": '<!DOCTYPE a [<!ENTITY b SYSTEM "file://{outside}/pipe.json">]><a>&b;</a>',
    "its own schema": '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="file://{outside}/pipe.json"/>',
    "included": '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file://{outside}/pipe.json"/></a>',
    "many attributes": "<a " + " ".join(f'b{k}="1"' for k in range(30_000)) + "/>",
    "long attribute": f'<a b="{"x" * 11_000_000}"/>',
    "two roots": "<a/><b/>",
    "undeclared": '<x:a y:b="1">&c;</x:a>',
}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder beside one in which nothing may be opened: whoever opens its pipe waits forever."""
    (tmp_path / "outside").mkdir()
    os.mkfifo(tmp_path / "outside/pipe.json")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.json").symlink_to(tmp_path / "outside/pipe.json")
    (inside / "second.xsd").write_text(_xsd('<xs:include schemaLocation="../outside/pipe.json"/>'))
    return inside


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server that nobody may ask."""
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=lambda: asked.append(server.accept()), daemon=True)
        thread.start()
        yield server.getsockname()[1]
        assert not asked


def _written(text: str, folder: Path, port: int) -> str:
    return text.replace("{outside}", str(folder.parent / "outside")).replace("{port}", str(port))


def _configured(folder: Path, schema: str, **more: Any) -> Configurations:
    (folder / "schema").write_text(schema, "utf-8")
    (folder / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": "schema", "files": "*.doc", **more}]}))
    return Configurations()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas(name: str, folder: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PATIENCE", 4.0)
    schema, document, expected = SCHEMAS[name]
    text = _written(schema if isinstance(schema, str) else json.dumps(schema), folder, port)
    configurations = _configured(folder, text, formats=True)
    path = str(folder / "a.doc")
    is_xml = isinstance(document, str) and document.startswith("<")
    try:
        settings = configurations.of_folder(str(folder)).settings(path)
    except ConfigError:
        settings = None
    assert (settings is None) == (expected == BAD)
    if settings is None:
        return
    findings = lint(document if is_xml else json.dumps(document), path, settings).findings
    incomplete = [f.message for f in findings if f.name == "check-incomplete"]
    if expected == SLOW:
        assert any("takes too long" in message and "expression" in message for message in incomplete), findings
        assert not [f for f in findings if f.name == "user-schema"]
    elif expected == LIMITED:
        assert incomplete, findings
    else:
        assert not incomplete


PLAIN = {
    "json": {"type": ["object", "array"], "additionalProperties": {"type": "integer"}, "items": {"type": "integer"}},
    "xsd": _xsd('<xs:element name="a"><xs:complexType><xs:attribute name="b" type="xs:int"/></xs:complexType></xs:element>'),
    "rng": f'<element name="a" {RNG}><optional><attribute name="b"/></optional></element>',
}  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name: str, kind: str, folder: Path, port: int) -> None:
    schema = PLAIN[kind]
    settings = _configured(folder, schema if isinstance(schema, str) else json.dumps(schema)).of_folder(str(folder))
    document, path = DOCUMENTS[name], str(folder / "a.doc")
    data = (
        document if isinstance(document, bytes) else _written(document, folder, port).encode("utf-8", "surrogatepass")
    )
    for finding in lint_bytes(data, path, settings.settings(path)).findings:
        assert finding.name != "internal-error"
        words = finding.message
        assert "cannot be applied" not in words or "nested too deeply" in words or "XML Schema validation" in words
