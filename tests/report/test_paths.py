"""What reports say of a file's whereabouts, and what they recognise a finding by."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from irlint import report
from irlint.engine import Result
from irlint.findings import Finding, Severity
from irlint.report.outputs.text import path
from irlint.report.paths import uri

from .cases import span


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a/b.json", "a/b.json"),
        ("./a//b.json", "a/b.json"),
        ("ROOT/a b.json", "a%20b.json"),
        ("100%#?.json", "100%25%23%3F.json"),
        ("c:d.json", "c%3Ad.json"),
        ("b\udcff.json", "b%FF.json"),
        ("卷.json", "%E5%8D%B7.json"),
        ("\ud800", "%ED%A0%80"),
        ("..json", "..json"),
        ("-", "-"),
        ("a\0/../b", "b"),
    ],
)
def test_relative(name: str, expected: str, tmp_path: Path) -> None:
    assert uri(name.replace("ROOT", str(tmp_path)), tmp_path) == (expected, True)


def test_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / "here"
    root.mkdir()
    assert uri("../b c.json", root) == (f"file://{tmp_path}/b%20c.json", False)
    assert uri("/b.json", root) == ("file:///b.json", False)
    (tmp_path / "far" / "deep").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path / "far" / "deep")
    assert uri("link/../b.json", root) == (f"file://{tmp_path}/far/b.json", False)
    assert uri("link/../../here/b.json", root) == ("b.json", True)


BEFORE = '{"nodes": [\n  {"name": "a", "op": "bad"},\n  {"name": "b", "op": "bad"}\n]}\n'
AFTER = '{"nodes": [\n\n  {"name": "new"},\n      {"name": "a", "op": "bad"}, {"name": "b", "op": "bad"}\n]}\n'


def fingerprints(text: str, shift: int, name: str, root: Path) -> list[str]:
    findings = [
        Finding(
            "O001",
            "unknown-operator",
            Severity.ERROR,
            "bad",
            span(text, '"bad"', n + 1),
            f"/nodes/{n + shift}/op",
            node,
        )
        for n, node in enumerate("ab")
    ]
    stream = io.StringIO()
    report.write([Result(name, findings, text=text)], "gitlab", stream, root=root)
    return [issue["fingerprint"] for issue in json.loads(stream.getvalue())]


def test_a_finding_keeps_its_fingerprint_when_lines_and_nodes_move(tmp_path: Path) -> None:
    before = fingerprints(BEFORE, 0, "a.json", tmp_path)
    assert fingerprints(AFTER, 1, str(tmp_path / "a.json"), tmp_path) == before
    assert fingerprints(BEFORE, 0, "b.json", tmp_path) != before
    assert len(set(before)) == 2


@pytest.mark.parametrize("name", [":", " :", "::error::x.json", "::"])
def test_no_name_begins_a_command_of_a_ci_system(name: str) -> None:
    """Lines begin with the name and a colon."""
    assert path(name) == f"./{name}"
    assert path("a::b.json") == "a::b.json"
