"""The published schemas in other hands: check-jsonschema, ajv and VS Code's JSON service say of real files what irlint says.

ajv and the service need node, and IRLINT_NODE_MODULES, a folder that npm has filled (make elsewhere).
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli.helpers import ROOT
from lxml import etree
from rule_cases import cases

from irlint import engine
from irlint.formats.base import all_formats
from irlint.rules.registry import all_rules
from irlint.schema import is_valid
from irlint.tools.installed import load_json

from . import schema_examples

SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))
XSDS = sorted((ROOT / "schemas").glob("*.xsd"))
SITE = "https://irlint.readthedocs.io/schemas/"
LIMIT = 300
SIZE = 2_000_000  # bytes: larger files would only make it slow


def _constant(word: str) -> float:
    raise ValueError(word)


def _finite(word: str) -> float:
    if math.isinf(float(word)):
        raise ValueError(word)
    return float(word)


def _value(path: Path) -> Any:
    """What every JSON reader makes of a file; ValueError where they differ."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    text = path.read_text(encoding="utf-8")
    value = json.loads(text, parse_constant=_constant, parse_float=_finite, object_pairs_hook=once)
    json.dumps(value, ensure_ascii=False).encode()  # half a character is none to some
    return value


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples of all rules, wrong ones and right ones."""
    folder = tmp_path_factory.mktemp("rules")
    for rule in all_rules().values():
        for number, example in enumerate((*cases(rule).invalid, *cases(rule).valid)):
            (folder / f"{rule.code}-{number}.json").write_text(example.text, encoding="utf-8", errors="surrogateescape")
    return folder


@pytest.fixture(scope="module")
def verdicts(corpus: Path, examples: Path) -> dict[str, dict[str, bool]]:
    """Schema -> file -> whether irlint finds it valid, for all that JSON readers agree on."""
    dialects = {(f.name, d.name): d.schema for f in all_formats().values() for d in f.dialects}
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    for folder in (corpus, ROOT / "examples", examples):
        for path in sorted(folder.rglob("*.json")):
            if path.stat().st_size > SIZE:
                continue
            try:
                value = _value(path)
            except (ValueError, RecursionError):
                continue
            for format_, seen in engine.recognize(path.read_text(encoding="utf-8"), path.name)[:1]:
                judged = (
                    format_.dialect_of(format_.open(path.read_text(encoding="utf-8"), path.name))
                    if seen.score
                    else None
                )
                schema = dialects.get((format_.name, judged.dialect or "")) if judged else None
                if schema is not None:
                    found[schema][str(path)] = is_valid(schema, value)
    return found


GENERIC = {"", "model", "net", "network", "graph", "config", "events", "data", "schema"}  # names of anybody's files


def test_the_catalog_has_every_schema_and_may_be_part_of_schemastore() -> None:
    """Entries are what SchemaStore's checks and its guide for contributors ask for: sorted, no pattern that others' files match."""
    catalog = json.loads((ROOT / "schemas/catalog.json").read_text())
    assert set(catalog) == {"$schema", "version", "schemas"}
    entries = catalog["schemas"]
    named = {url for entry in entries for url in (entry["url"], *entry.get("versions", {}).values())}
    assert named == {load_json(path.name)["$id"] for path in SCHEMAS}
    names, patterns = [e["name"] for e in entries], [pattern for e in entries for pattern in e["fileMatch"]]
    assert names == sorted(set(names), key=str.casefold)
    assert len(set(patterns)) == len(patterns)
    for entry in entries:
        assert set(entry) - {"versions"} == {"name", "description", "fileMatch", "url"}
        for text in (entry["name"], entry["description"]):
            assert "schema" not in text.lower()
            assert re.fullmatch(r"\S.*[^\s,.-]", text)
    assert "*-symbol.json" in patterns
    for pattern in patterns:
        assert re.fullmatch(r"[\w.*-]+", pattern), "neither folders nor anything that editors read differently"
        name, _, extension = pattern.rpartition(".")
        assert name.strip("*_.-") not in GENERIC
        assert extension in ("json", "yaml", "yml")


def test_the_xml_catalog_has_every_xsd() -> None:
    root = etree.parse(str(ROOT / "schemas/catalog.xml")).getroot()
    expected = {(SITE + path.name, path.name) for path in XSDS}
    namespace = "{urn:oasis:names:tc:entity:xmlns:xml:catalog}"
    for tag, name in (("system", "systemId"), ("uri", "name")):
        entries = root.findall(f"{namespace}{tag}")
        assert {(entry.get(name), entry.get("uri")) for entry in entries} == expected
        assert len(entries) == len(expected)


@pytest.mark.parametrize("xsd", XSDS, ids=lambda path: path.name)
def test_xsds_are_usable_as_they_are_published(xsd: Path) -> None:
    """By lxml, and by xmllint if it is installed."""
    schema = etree.XMLSchema(etree.parse(str(xsd)))
    examples = sorted((ROOT / "examples/openvino").glob("*.xml"))
    valid = {path: schema.validate(etree.parse(str(path))) for path in examples}
    assert set(valid.values()) == {xsd.name == "openvino-ir-11.xsd"}
    if (xmllint := shutil.which("xmllint")) is None:
        return
    for path, is_valid_ in valid.items():
        command = [xmllint, "--nonet", "--noout", "--schema", str(xsd), str(path)]
        done = subprocess.run(command, capture_output=True, timeout=LIMIT, check=False, stdin=subprocess.DEVNULL)
        assert done.returncode == (0 if is_valid_ else 3)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bool]]:
    """Schema -> file -> whether the schema accepts it: files of `schema_examples`."""
    return schema_examples.write(tmp_path_factory.mktemp("examples"))


def test_each_schema_has_a_file_that_it_accepts_and_one_that_it_refuses(written: dict[str, dict[str, bool]]) -> None:
    """By jsonschema and lxml; the XSD of what versions share is part of the others."""
    assert set(written) == {path.name for path in (*SCHEMAS, *XSDS)} - {"openvino-ir-common.xsd"}
    for name, files in written.items():
        assert set(files.values()) == {True, False}, name
        if name.endswith(".xsd"):
            xsd = etree.XMLSchema(etree.parse(str(ROOT / "schemas" / name)))
            assert {file: xsd.validate(etree.parse(file)) for file in files} == files, name
        else:
            schema = load_json(name)
            validator = jsonschema.validators.validator_for(schema)(schema)
            assert {file: validator.is_valid(json.loads(Path(file).read_text())) for file in files} == files, name


@pytest.mark.parametrize("program", ["xmllint", "java"])
def test_xmllint_and_the_validator_of_vs_code_agree(program: str, written: dict[str, dict[str, bool]]) -> None:
    if (found := shutil.which(program)) is None:
        pytest.skip(f"{program} is not installed (make elsewhere)")
    script = str(Path(__file__).with_name("Validate.java"))
    for name, files in written.items():
        if not name.endswith(".xsd"):
            continue
        xsd = str(ROOT / "schemas" / name)
        if program == "xmllint":
            said = [
                subprocess.run([found, "--nonet", "--noout", "--schema", xsd, file], capture_output=True, timeout=LIMIT, check=False).returncode == 0
                for file in files
            ]  # fmt: skip
        else:
            done = subprocess.run(
                [found, script, xsd, *files], capture_output=True, text=True, timeout=LIMIT, check=False
            )
            if "compiler" in done.stderr:
                pytest.skip("no JDK here, only a runtime of Java")
            said = [line == "true" for line in done.stdout.split()]
        assert dict(zip(files, said, strict=True)) == files, name


def test_check_jsonschema_accepts_and_refuses_files_of_each_schema(written: dict[str, dict[str, bool]]) -> None:
    pytest.importorskip("check_jsonschema")
    for name, files in written.items():
        if name.endswith(".xsd"):
            continue
        said = json.loads(_check_jsonschema("--schemafile", str(ROOT / "schemas" / name), *files).stdout)
        assert not said.get("parse_errors"), said
        assert {error["filename"] for error in said["errors"]} == {file for file, valid in files.items() if not valid}


def test_ajv_and_vs_code_accept_and_refuse_files_of_each_schema(
    written: dict[str, dict[str, bool]], tmp_path: Path
) -> None:
    _ajv_and_vs_code({name: files for name, files in written.items() if not name.endswith(".xsd")}, tmp_path)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.name)
def test_each_names_itself(schema: Path) -> None:
    assert load_json(schema.name)["$id"] == SITE + schema.name
    text = json.dumps(load_json(schema.name))
    assert not re.search(r'"\$ref": "(?!#)', text), "one file is the whole schema"


def _check_jsonschema(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "check_jsonschema", "--output-format", "json", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False, stdin=subprocess.DEVNULL)


def test_check_jsonschema_accepts_the_schemas() -> None:
    pytest.importorskip("check_jsonschema")
    done = _check_jsonschema("--check-metaschema", *map(str, SCHEMAS))
    assert done.returncode == 0, done.stdout


def test_check_jsonschema_agrees(verdicts: dict[str, dict[str, bool]]) -> None:
    pytest.importorskip("check_jsonschema")
    for schema, files in verdicts.items():
        done = _check_jsonschema("--schemafile", str(ROOT / "schemas" / schema), *files)
        said = json.loads(done.stdout)
        assert not said.get("parse_errors"), said["parse_errors"]
        wrong = {error["filename"] for error in said["errors"]}
        assert wrong == {file for file, valid in files.items() if not valid}, schema


def test_ajv_and_vs_code_agree(verdicts: dict[str, dict[str, bool]], tmp_path: Path) -> None:
    _ajv_and_vs_code(verdicts, tmp_path)


def _ajv_and_vs_code(verdicts: dict[str, dict[str, bool]], folder: Path) -> None:
    """Compare what ajv and VS Code's JSON service say of files with verdicts by schema."""
    modules = os.environ.get("IRLINT_NODE_MODULES")
    if not modules:
        pytest.skip("no ajv here (set IRLINT_NODE_MODULES)")
    jobs = [{"schema": str(ROOT / "schemas" / schema), "files": list(files)} for schema, files in verdicts.items()]
    (folder / "jobs.json").write_text(json.dumps(jobs))
    done = subprocess.run(
        ["node", str(Path(__file__).with_name("validators.cjs")), str(folder / "jobs.json")],
        env={**os.environ, "NODE_PATH": modules}, capture_output=True, text=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    expected = {file: valid for files in verdicts.values() for file, valid in files.items()}
    for who in ("ajv", "vscode"):
        assert said[who] == expected, who
