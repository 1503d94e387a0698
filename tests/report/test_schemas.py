"""Reports against the schemas that their readers publish, and through other people's readers where installed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import jsonschema
import jsonschema_rs
import pytest
from companions.planted import write
from companions.triton import CONFIG, ONNX
from lxml import etree
from rule_cases import cases

from irlint import engine, report
from irlint.findings import Severity
from irlint.rules import registry
from irlint.tools.installed import load_json

from .cases import CASES
from .conftest import Published

CODE_QUALITY = {  # as GitLab's manual tells it
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "positions"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!\\./)"},
                    "positions": {
                        "required": ["begin"],
                        "additionalProperties": {
                            "required": ["line", "column"],
                            "additionalProperties": {"type": "integer", "minimum": 1},
                        },
                    },
                },
            },
        },
    },
}


def written(case: str, format: str, fail_on: Severity = Severity.ERROR) -> str:
    stream = io.StringIO()
    report.write([report.locate(result, fail_on) for result in CASES[case]()], format, stream)
    return stream.getvalue()


REPORT = load_json("irlint-report.schema.json")
SWAPPED = """{"nodes": [{"op": "sin", "name": "b", "inputs": [[1, 0, 0]]}, {"op": "sin", "name": "a", "inputs": [[2, 0, 0]]},
 {"op": "null", "name": "data", "inputs": []}], "arg_nodes": [2], "heads": [[0, 0, 0]]}"""


@pytest.mark.parametrize("case", CASES)
def test_the_published_schema_of_json(case: str) -> None:
    validator = jsonschema.Draft202012Validator(REPORT)
    findings = json.loads(written(case, "json"))
    assert [error.message for error in validator.iter_errors(findings)] == []
    assert [json.loads(line) for line in written(case, "jsonl").splitlines()] == findings


def test_the_published_schema_names_every_key(tmp_path: Path) -> None:
    """In findings of the examples of all rules, of nodes out of order, which share a fix, and of a model's companion."""
    examples = [example for rule in registry.all_rules().values() for example in cases(rule).invalid]
    results = [engine.lint(example.text, "model", as_format=example.format.partition(":")[0]) for example in examples]
    results.append(engine.lint(SWAPPED, "a-symbol.json"))
    write(ONNX, tmp_path)
    wrong = CONFIG.replace("TYPE_FP32", "TYPE_FP16")
    results.append(engine.lint(wrong, "net/config.pbtxt", path=tmp_path / "net/config.pbtxt"))
    stream = io.StringIO()
    report.write([report.locate(result) for result in results], "json", stream)
    findings = json.loads(stream.getvalue())
    jsonschema.Draft202012Validator(REPORT).validate(findings)
    fixes = [finding["fix"] for finding in findings if finding["fix"]]
    parts = {
        "finding": findings,
        "fix": fixes,
        "edit": [edit for fix in fixes for edit in fix["edits"]],
        "related": [related for finding in findings for related in finding["related"]],
    }
    for name, values in parts.items():
        known = {*REPORT["$defs"][name]["properties"]}
        if name != "fix":
            known |= {*REPORT["$defs"]["range"]["properties"]}
        assert {key for value in values for key in value} == known, name


@pytest.mark.parametrize("case", CASES)
def test_sarif_schema(case: str, published: Published) -> None:
    schema = json.loads(published("sarif_om==1.0.4", "sarif-2.1.0-rtm.4.json"))
    validator = jsonschema.Draft4Validator(schema)  # one of its patterns is none to stricter validators
    log = json.loads(written(case, "sarif"))
    assert [error.message for error in validator.iter_errors(log)] == []


@pytest.mark.parametrize("case", CASES)
def test_what_code_scanning_asks_for(case: str) -> None:
    """GitHub's list of required and recommended properties beyond the schema."""
    (run,) = json.loads(written(case, "sarif"))["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "irlint"
    assert driver["semanticVersion"]
    assert run["columnKind"] == "unicodeCodePoints"
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        if registry.find(rule["id"]):
            assert rule["help"]["text"]
            assert rule["help"]["markdown"]
            assert rule["fullDescription"]["text"]
            assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    for result in run["results"]:
        assert result["message"]["text"]
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert location["uriBaseId"] in run["originalUriBaseIds"]
        ids = [related["id"] for related in result.get("relatedLocations", [])]
        assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("case", CASES)
def test_sarif_tools_reads_it(case: str, tmp_path: Path) -> None:
    loader = pytest.importorskip("sarif.loader", reason="sarif-tools is not installed")
    path = tmp_path / "log.sarif"
    path.write_text(written(case, "sarif"), encoding="utf-8")
    records = loader.load_sarif_file(str(path)).get_records()
    findings = [finding for result in CASES[case]() for finding in result.findings]
    assert [record["Code"] for record in records] == [finding.code for finding in findings]
    levels = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    assert [record["Severity"] for record in records] == [levels[finding.severity] for finding in findings]


@pytest.mark.parametrize("case", CASES)
def test_sarif_pydantic_reads_it(case: str) -> None:
    models = pytest.importorskip("sarif_pydantic", reason="sarif-pydantic is not installed")
    log = models.Sarif.model_validate_json(written(case, "sarif"))
    assert len(log.runs[0].results) == sum(len(result.findings) for result in CASES[case]())


@pytest.mark.parametrize("fail_on", Severity)
@pytest.mark.parametrize("case", CASES)
def test_junit_schema(case: str, fail_on: Severity, published: Published) -> None:
    schema = etree.XMLSchema(etree.fromstring(published("pytest==8.3.4", "testing/example_scripts/junit-10.xsd")))
    schema.assertValid(etree.fromstring(written(case, "junit", fail_on=fail_on).encode()))


@pytest.mark.parametrize("case", CASES)
def test_junitparser_reads_it(case: str) -> None:
    junitparser = pytest.importorskip("junitparser", reason="junitparser is not installed")
    suites = junitparser.JUnitXml.fromstring(written(case, "junit").encode())
    counted = [(suite.tests, suite.failures, suite.skipped) for suite in suites]
    for suite in suites:
        suite.update_statistics()
    assert counted == [(suite.tests, suite.failures, suite.skipped) for suite in suites]


@pytest.mark.parametrize("case", CASES)
def test_code_quality(case: str) -> None:
    issues = json.loads(written(case, "gitlab"))
    assert [str(error) for error in jsonschema_rs.validator_for(CODE_QUALITY).iter_errors(issues)] == []
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_no_fixes_of_binaries_whose_lines_are_shown_only() -> None:
    """A reader that replaced lines and columns in the bytes of a binary would damage it."""
    from tests.formats.onnx.build import TINY, binary, lint

    broken = TINY.replace("Relu", "Rellu")
    stream = io.StringIO()
    report.write([report.locate(lint(binary(broken)))], "sarif", stream)
    (run,) = json.loads(stream.getvalue())["runs"]
    (result,) = run["results"]
    assert "fixes" not in result
    assert "Relu" in result["properties"]["fix"]
    assert run["properties"]["regions"] == ["Lines of .onnx files are those of `irlint show FILE`."]
