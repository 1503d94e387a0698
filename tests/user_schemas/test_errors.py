"""Schemas that cannot be used: exit status 2, and the mistake at its place in the configuration or in the schema's own file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.helpers import Irlint
from rule_cases.texts import SYMBOL

GRAPH = "schemas:\n  - {schema: s/a.json, of: graph}\n"
XML = "schemas:\n  - schema: s/a.xsd\n    files: '*.xml'\n"
XS = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">'
RNG = 'xmlns="http://relaxng.org/ns/structure/1.0"'
TYPES = "['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']"
NOWHERE = "not found in this file, in one below the configuration's folder, or in a schema of irlint"
NO_TYPE = "does not resolve to a(n) type definition"

Case = tuple[str, dict[str, str], str]
CONFIGURATION: dict[str, Case] = {
    "not found": ("schemas:\n  - schema: none.json\n    of: graph\n", {}, "irlint.yaml:2:5: schema `none.json` not found"),
    "a folder": ("schemas:\n  - {schema: s, of: graph}\n", {"s/a.json": ""}, "irlint.yaml:2:6: schema `s` not found"),
    "second": ("schemas:\n  - {schema: s/a.json, of: graph}\n  - {of: graph, schema: b.json}\n", {"s/a.json": "{}"}, "irlint.yaml:3:17: schema `b.json` not found"),
    "above": ("schemas:\n  - {schema: ../x.json, of: graph}\n", {"../x.json": "{}"}, "irlint.yaml:2:6: expected a file below the configuration's folder, got `../x.json`"),
    "absolute": ("schemas:\n  - {schema: /etc/passwd, of: graph}\n", {}, "irlint.yaml:2:6: expected a file below the configuration's folder, got `/etc/passwd`"),
    "link": ("schemas:\n  - {schema: link.json, of: graph}\n", {}, "irlint.yaml:2:6: expected a file below the configuration's folder, got `link.json`"),
    "graphs in XML": ("schemas:\n  - schema: s/a.xsd\n    of: graph\n", {"s/a.xsd": f"{XS}</xs:schema>"}, "irlint.yaml:3:5: expected a JSON Schema for graphs, got `s/a.xsd`"),
    "no files": ("schemas:\n  - schema: s/a.json\n", {"s/a.json": "{}"}, "irlint.yaml:2:5: missing key `files` in an item of `schemas`"),
    "no schema": ("schemas:\n  - files: '*'\n", {}, "irlint.yaml:2:5: missing key `schema` in an item of `schemas`"),
    "not a list": ("schemas: s/a.json\n", {}, "irlint.yaml:1:1: expected a list for `schemas`, got `'s/a.json'`"),
    "unknown key": ("schemas:\n  - schema: s/a.json\n    of: graph\n    kind: x\n", {}, "irlint.yaml:4:5: unknown key `kind`; expected one of schema, files, of, severity, formats"),
    "values": (
        "schemas:\n  - schema: s/a.json\n    of: model\n    files: ''\n    severity: fatal\n    formats: 1\n",
        {},
        "irlint.yaml:3:5: expected one of `file`, `graph` for `schemas.of`, got `'model'`\n"
        "irlint.yaml:4:5: expected a non-empty value for `schemas.files`\n"
        "irlint.yaml:5:5: expected one of `error`, `warning`, `info`, `pedantic` for `schemas.severity`, got `'fatal'`\n"
        "irlint.yaml:6:5: expected a boolean for `schemas.formats`, got `1`",
    ),
}  # fmt: skip
JSON_SCHEMAS: dict[str, tuple[dict[str, str], str]] = {
    "a comma": ({"s/a.json": '{"type": "object",\n  "properties": {,}\n}'}, "s/a.json:2:18: not valid JSON: Expecting property name enclosed in double quotes"),
    "empty": ({"s/a.json": ""}, "s/a.json:1:1: not valid JSON: Expecting value"),
    "cut": ({"s/a.json": '{\n"a": ['}, "s/a.json:2:7: not valid JSON: Expecting value"),
    "type": ({"s/a.json": '{\n  "properties": {"a": {"type": "strnig"}}\n}'}, f"s/a.json:2:32: 'strnig' is not one of {TYPES}"),
    "types": ({"s/a.json": '{\n  "type": ["string", "strnig"]\n}'}, f"s/a.json:2:22: 'strnig' is not one of {TYPES}"),
    "minLength": ({"s/a.json": '{\n  "properties": {"a": {"minLength": -1}}\n}'}, "s/a.json:2:37: -1 is less than the minimum of 0"),
    "pattern": ({"s/a.json": '{\n  "properties": {"a": {"pattern": "("}}\n}'}, "s/a.json:2:35: '(' is not a 'regex'"),
    "required": ({"s/a.json": '{\n\t"required": "name"}'}, "s/a.json:2:14: 'name' is not of type 'array'"),
    "draft 4": ({"s/a.json": '{"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 5}'}, "s/a.json:1:76: 5 is not of type 'boolean'"),
    "a number": ({"s/a.json": " 5"}, "s/a.json:1:2: 5 is not of type 'object', 'boolean'"),
    "a list": ({"s/a.json": "\n[1]"}, "s/a.json:2:1: [1] is not of type 'object', 'boolean'"),
    "draft 3": ({"s/a.json": '{\n "$schema": "http://json-schema.org/draft-03/schema#"}'}, "s/a.json:2:13: expected a schema of draft 4 or later, got draft 3"),
    "pointer": ({"s/a.json": '{\n  "items": {"$ref": "#/$defs/none"}}'}, f"s/a.json:2:21: `#/$defs/none` {NOWHERE}"),
    "anchor": ({"s/a.json": '{"$ref": "#none"}'}, f"s/a.json:1:10: `#none` {NOWHERE}"),
    "other file": ({"s/a.json": '{"anyOf": [true,\n {"$ref": "other.json"}]}'}, f"s/a.json:2:11: `other.json` {NOWHERE}"),
    "other folder": ({"s/a.json": '{"$ref": "../../x.json"}', "../x.json": "{}"}, f"s/a.json:1:10: `../../x.json` {NOWHERE}"),
    "network": ({"s/a.json": '{"$ref": "https://example.com/x.json"}'}, f"s/a.json:1:10: `https://example.com/x.json` {NOWHERE}"),
    "second file": ({"s/a.json": '{"$ref": "b.json"}', "s/b.json": '{"items":\n'}, "s/b.json:2:1: not valid JSON: Expecting value"),
    "keyword of the second file": ({"s/a.json": '{"$ref": "b.json"}', "s/b.json": '{"items":\n  {"type": 5}}'}, f"s/b.json:2:12: 5 is not one of {TYPES}"),
    "reference of the second file": ({"s/a.json": '{"$ref": "b.json"}', "s/b.json": '{"items":\n  {"$ref": "#/no"}}'}, f"s/b.json:2:12: `#/no` {NOWHERE}"),
}  # fmt: skip
XML_SCHEMAS: dict[str, tuple[dict[str, str], str]] = {
    "not well-formed": ({"s/a.xsd": f'{XS}\n <xs:element name="a">\n</xs:schema>'}, "s/a.xsd:3:12: not well-formed: Opening and ending tag mismatch: element line 2 and schema"),
    "cut": ({"s/a.xsd": XS}, "s/a.xsd:1:55: not well-formed: Premature end of data in tag schema line 1"),
    "unknown type": ({"s/a.xsd": f'{XS}\n\n <xs:element name="a" type="xs:itn"/></xs:schema>'}, f"s/a.xsd:3:1: element decl. 'a', attribute 'type': The QName value '{{http://www.w3.org/2001/XMLSchema}}itn' {NO_TYPE}"),
    "unknown element": ({"s/a.xsd": f'{XS}\n <xs:elemnt name="a"/></xs:schema>'}, "s/a.xsd:2:1: Element '{http://www.w3.org/2001/XMLSchema}schema': The content is not valid."),
    "included": ({"s/a.xsd": f'{XS}\n <xs:include schemaLocation="b.xsd"/></xs:schema>', "s/b.xsd": f'{XS}\n\n<xs:element name="a" type="T"/></xs:schema>'}, f"s/b.xsd:3:1: element decl. 'a', attribute 'type': The QName value 'T' {NO_TYPE}"),
    "RELAX NG: included": ({"s/a.xsd": f'<element name="a" {RNG}><externalRef href="b.rng"/></element>', "s/b.rng": f'<element name="a" {RNG}>\n<ref name="x"/></element>'}, "s/b.rng:2:1: Internal found no define for ref x"),
    "nothing included": ({"s/a.xsd": f'{XS}\n <xs:include schemaLocation="b.xsd"/></xs:schema>'}, "s/a.xsd:2:1: `b.xsd` is not a file below the configuration's folder"),
    "another vocabulary": ({"s/a.xsd": "<html/>"}, "s/a.xsd:1:1: expected a JSON Schema, an XML Schema or RELAX NG, got <html>"),
    "RELAX NG: no definition": ({"s/a.xsd": f'<grammar {RNG}><start>\n <ref name="x"/></start></grammar>'}, "s/a.xsd:2:1: Reference x has no matching definition"),
    "RELAX NG: unknown type": ({"s/a.xsd": f'<element name="a" {RNG}>\n<data type="int"/></element>'}, "s/a.xsd:2:1: Error type 'int' is not exported by type library"),
    "RELAX NG: nothing included": ({"s/a.xsd": f'<grammar {RNG}>\n<include href="../../x.rng"/></grammar>', "../x.rng": ""}, "s/a.xsd:2:1: `../../x.rng` is not a file below the configuration's folder"),
}  # fmt: skip
CASES: dict[str, Case] = {
    **CONFIGURATION,
    **{f"JSON: {name}": (GRAPH, *case) for name, case in JSON_SCHEMAS.items()},
    **{f"XML: {name}": (XML, *case) for name, case in XML_SCHEMAS.items()},
}


@pytest.mark.parametrize("name", CASES)
def test_errors(name: str, here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    config, files, expected = CASES[name]
    folder = here / "inner"
    folder.mkdir()
    (folder / "link.json").symlink_to("/etc/passwd")
    for path, text in {**files, "irlint.yaml": config, "a-symbol.json": SYMBOL}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    monkeypatch.chdir(folder)
    done = irlint("a-symbol.json")
    assert done.status == 2
    assert done.out == ""
    said = done.err.replace("irlint: ", "").replace(f"{folder}/", "")
    assert said.startswith(expected), said
    assert said.count("\n") == expected.count("\n") + 1


def test_pyproject(here: Path, irlint: Irlint) -> None:
    (here / "a-symbol.json").write_text(SYMBOL)
    (here / "good.json").write_text("{}")
    tables = {"good.json": "of", "none.json": "of", "bad.json": "on"}
    text = '[tool.irlint]\nselect = ["ALL"]\n' + "".join(
        f'\n[[tool.irlint.schemas]]\nschema = "{name}"\n{key} = "graph"\n' for name, key in tables.items()
    )
    (here / "pyproject.toml").write_text(text)
    said = irlint("a-symbol.json").err
    assert "pyproject.toml:14:1: unknown key `on`" in said
    (here / "pyproject.toml").write_text(text.replace("on =", "of ="))
    said = irlint("a-symbol.json").err
    assert "pyproject.toml:9:1: schema `none.json` not found" in said
    assert "pyproject.toml:13:1: schema `bad.json` not found" in said
    inline = 'schemas = [{schema = "none.json", of = "graph"}]\n'
    (here / "pyproject.toml").write_text(f"[tool.irlint]\n{inline}")
    assert "pyproject.toml:2:1: schema `none.json` not found" in irlint("a-symbol.json").err


def test_a_file_that_is_not_read_again(here: Path, irlint: Irlint) -> None:
    """A mistake ends the run before any file is checked, also in a folder with other configurations."""
    (here / "inner").mkdir()
    (here / "a-symbol.json").write_text(SYMBOL)
    (here / "inner/a-symbol.json").write_text(SYMBOL)
    (here / "inner/irlint.yaml").write_text(json.dumps({"schemas": [{"schema": "none.json", "of": "graph"}]}))
    done = irlint(".")
    assert done.status == 2
    assert "schema `none.json` not found" in done.err
