"""What findings have to do with published vulnerabilities: on pages of rules, in JSON and in SARIF."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rule_cases import cases

from irlint import engine, report
from irlint.rules import advisories, page
from irlint.rules.page import formats_of
from irlint.rules.registry import all_rules


def test_advisories_are_about_rules_that_their_format_reports() -> None:
    found = [(code, name, row) for code in all_rules() for name, row in advisories.of_rule(code)]
    assert len(found) == len(advisories._table()), "each row has a rule that exists"
    for code, name, row in found:
        assert not name or name in (formats_of(all_rules()[code]) or [name]), row
        assert row.cwe, row
        assert re.fullmatch(r"(CVE-\d{4}-\d{4,})?", row.cve), row
        assert not row.says.endswith("."), row
        assert "\n" not in row.says, row
        re.compile(row.token)
    assert [(name, row.cve) for code, name, row in found if row.cve and not name] == []


def test_the_page_of_a_rule_shows_its_advisories() -> None:
    rule = all_rules()["X002"]
    assert (
        "- [CVE-2022-25882](https://nvd.nist.gov/vuln/detail/CVE-2022-25882) (CWE-22), in onnx: "
        in page.sections(rule)["Security"]
    )
    assert "CVE-2022-25882 <https://nvd.nist.gov/vuln/detail/CVE-2022-25882>" in page.render_text(rule)
    record = page.as_json(rule)["advisories"]
    assert {"cve": None, "cwe": ["CWE-22", "CWE-59"], "format": None}.items() <= record[0].items()
    assert {"CVE-2022-25882", "CVE-2024-27318", "CVE-2025-51480"} < {each["cve"] for each in record}
    assert "Security" not in page.sections(all_rules()["R001"])


DATA = (
    '<ir_version: 8, opset_import: ["": 17]>\ng (float[2] x) => (float[2] y)\n<float[2] w = [%s]>\n{ y = Add (x, w) }\n'
)
TRAVERSAL = ["CVE-2022-25882", "CVE-2024-27318", "CVE-2025-51480"]


@pytest.mark.parametrize(
    ("text", "format_", "code", "cve"),
    [
        (DATA % '"location": "../w.bin"', "onnx", "X002", TRAVERSAL),
        (DATA % '"location": "a/../../w.bin"', "onnx", "X002", TRAVERSAL),
        (DATA % '"location": "/etc/passwd"', "onnx", "X002", TRAVERSAL),
        (DATA % '"location": "w.bin", "__class__": "x"', "onnx", "T003", ["CVE-2026-34445"]),
        (DATA % '"location": "w.bin", "offset": "-1"', "onnx", "T006", ["CVE-2026-34445"]),
        (DATA % '"location": "w.bin", "offset": "abc"', "onnx", "T006", []),
        (DATA % '"location": "w.bin", "length": "9000000000000000"', "onnx", "T004", ["CVE-2026-34445"]),
        (DATA % '"location": "w.bin", "length": "12"', "onnx", "T004", []),
        ("7767517\n2 2\nInput data 0 1 data\nReLU relu 1 1 data out -5=1\n", "ncnn", "A001", ["CVE-2026-50144"]),
        ("7767517\n2 2\nInput data 0 1 data\nReLU relu 1 1 data out 40=1\n", "ncnn", "A001", []),
        ("7767517\n2 2\nInput data 0 1 data\nReLU relu 1 1 data out -23360=1,1\n", "ncnn", "A001", []),
        ('{"ops": [], "opss": 1}\n', "lightnet", "T003", []),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 9 else "",
)
def test_sarif_names_what_a_finding_exploits(text: str, format_: str, code: str, cve: list[str]) -> None:
    stream = io.StringIO()
    report.write([engine.lint(text, "model", as_format=format_)], "sarif", stream)
    run = json.loads(stream.getvalue())["runs"][0]
    (result,) = [result for result in run["results"] if result["ruleId"] == code]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert result.get("properties", {}).get("cve", []) == rule["properties"].get("cve", []) == cve
    assert ("security" in rule["properties"]["tags"]) == bool(cve)
    assert any(tag.startswith("external/cwe/cwe-") for tag in rule["properties"]["tags"]) == bool(cve)


def test_a_link_out_of_the_folder_and_a_doctype_are_weaknesses(tmp_path: Path) -> None:
    (tmp_path / "w.bin").symlink_to("/etc/hostname")
    (tmp_path / "m.onnxtxt").write_text(DATA % '"location": "w.bin"')
    (tmp_path / "m.xml").write_text(cases(all_rules()["X001"]).invalid[0].text)
    stream = io.StringIO()
    paths = [tmp_path / name for name in ("m.onnxtxt", "m.xml")]
    report.write([engine.lint_bytes(path.read_bytes(), path.name, path=path) for path in paths], "sarif", stream)
    rules = {
        rule["id"]: rule["properties"] for rule in json.loads(stream.getvalue())["runs"][0]["tool"]["driver"]["rules"]
    }
    assert rules["X002"]["cve"] == ["CVE-2026-34447", "CVE-2026-27489"]
    assert {"security", "external/cwe/cwe-22", "external/cwe/cwe-61"} < set(rules["X002"]["tags"])
    assert rules["X001"]["tags"] == ["safety", "security", "external/cwe/cwe-611", "external/cwe/cwe-776"]
    assert "cve" not in rules["X001"]
