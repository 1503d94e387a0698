"""The example of a text format: what a reader and an operator table are enough for."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import packages
import pytest
from cli.helpers import ROOT, command, environment

from irlint import engine
from irlint.dryrun import infer
from irlint.fixes import fix
from irlint.formats import base
from irlint.settings import Settings
from irlint.text.base import Document
from irlint.tools import installed
from lsp import client as lsp_client

TOY = ROOT / "examples/toyformat"
DIGITS = (TOY / "digits.toy").read_text()
POINTS = "[irlint.formats]\ntoy = irlint_toy.format:FORMAT\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return packages.site_with(tmp_path, TOY / "irlint_toy", POINTS)


@pytest.fixture
def _installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with packages.formats_of(site, monkeypatch):
        yield


def lint(text: str) -> engine.Result:
    return engine.lint(text, "net.toy", Settings(select=("ALL",)))


def test_the_reader_is_short_and_the_entry_point_is_that_of_its_project() -> None:
    lines = sum(len(path.read_text().splitlines()) for path in (TOY / "irlint_toy").glob("*.py"))
    assert lines <= 250
    project = (TOY / "pyproject.toml").read_text()
    assert '[project.entry-points."irlint.formats"]\ntoy = "irlint_toy.format:FORMAT"\n' in project


@pytest.mark.usefixtures("_installed")
def test_a_clean_file_has_no_findings() -> None:
    result = lint(DIGITS)
    assert (result.format, result.findings) == ("toy", [])


CASES = [  # old text, new text, code, the words that the finding covers, what it says; whether --fix --unsafe-fixes restores the file
    ("= dense", "= dens", "O001", "dens", "unknown operator `dens`; did you mean `dense`?", True),
    ("= dense", "= rotate", "O001", "rotate", "unknown operator `rotate`", False),
    ("dense x w", "dense x", "O002", "dense", "expected 2 to 3 inputs (data, weight, bias) for dense 'h', got 1", False),
    ("dense x w", "dense x w w w", "O002", "w", "expected 2 to 3 inputs (data, weight, bias) for dense 'h', got 4", False),
    ("concat right left", "concat", "O002", "concat", "expected at least 1 input (parts) for concat 'joined', got 0", False),
    ("y = act", "y y2 = act", "O003", "y2", "expected 1 output (value) for activation 'y', got 2", False),
    ("units=4", "unist=4", "A001", "unist", "unknown attribute `unist` for dense 'h'; did you mean `units`?", True),
    ("units=4", "units=4 colour=red", "A001", "colour", "expected one of `units`, `flatten`", True),
    ("dense x w units=4", "dense x w", "A002", "dense", "missing required attribute `units` for dense 'h'", False),
    (" kind=relu", "", "A002", "activation", "missing required attribute `kind` for activation 'y'", True),
    ("units=4", "units=four", "A003", "four", "expected an integer for `units` of dense 'h', got `four`", False),
    ("units=4", "units=4.0", "A003", "4.0", "expected an integer for `units` of dense 'h', got `4.0`", True),
    ("shape=4,8", "shape=4,x", "A003", "4,x", "expected a list of integers for `shape` of input 'w', got `4,x`", False),
    ("kind=relu", "kind=rleu", "A005", "rleu", "did you mean `relu`?", True),
    ("kind=relu", "kind=swish", "A005", "swish", "unknown value `swish` for `kind` of activation 'y'; expected one of `relu`, `sigmoid`, `tanh`", False),
    ("units=4", "units=0", "A006", "0", "expected at least 1 for `units` of dense 'h', got `0`", False),
    ("units=4", "units=4 units=4", "A008", "units", "duplicate attribute `units` for dense 'h'", True),
    ("concat right left", "concat rihgt left", "R001", "rihgt", "undefined name 'rihgt' in the inputs of concat 'joined'", True),
    ("out y", "out z", "R001", "z", "undefined name 'z' in the outputs of the graph", False),
    ("activation joined", "activation y", "R003", "y", "", False),
    ("dense x w", "dense joined w", "R004", "joined", "", False),
    ("w = input", "x = input", "R005", "x", "duplicate name 'x'", False),
    ("shape=4,8", "shape=4,9", "D001", "w", "", False),
    ("x = input shape=1,8", "x = input shape=8", "D004", "split", "", False),  # at an attribute that is left at its default
    ("= split h ", "", "S001", "left right num_outputs=2", "expected `NAME = OPERATOR", False),
]  # fmt: skip


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(("old", "new", "code", "token", "words", "is_fixed"), CASES, ids=lambda v: str(v)[:20])
def test_every_kind_of_mistake_is_found_at_its_place(
    old: str, new: str, code: str, token: str, words: str, is_fixed: bool
) -> None:
    assert DIGITS.count(old) == 1
    text = DIGITS.replace(old, new)
    found = next(finding for finding in lint(text).findings if finding.code == code)
    assert text[slice(*found.span)] == token
    assert words in found.message
    assert (fix(text, lambda new: lint(new).findings, unsafe=True).text == DIGITS) is is_fixed


@pytest.mark.usefixtures("_installed")
def test_one_mistake_is_one_finding() -> None:
    for old, new, code, *_ in CASES:
        found = {f.code for f in lint(DIGITS.replace(old, new)).findings if f.severity.name == "ERROR"}
        assert code in found
        if code[0] in "OA":
            assert found == {code}, (old, new)


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    "comment", ["# irlint: ignore[O001]", "# irlint: ignore", "# irlint: ignore[unknown-operator]"]
)
def test_comments_silence(comment: str) -> None:
    text = DIGITS.replace("= dense", "= dens")
    for silenced in (text.replace("units=4", f"units=4 {comment}"), text.replace("h = dens", f"{comment}\nh = dens")):
        result = lint(silenced)
        assert (result.findings, result.suppressed) == ([], 1)
    assert [finding.code for finding in lint(f"{comment}\n{DIGITS}").findings[:1]] != ["O001"]
    idle = lint(DIGITS.replace("out y", "out y # irlint: ignore[O001]"))
    assert [finding.code for finding in idle.findings] == ["G005"]


@pytest.mark.usefixtures("_installed")
def test_what_its_mapping_raises_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    mapping: Any = base.all_formats()["toy"].dryrun(None)  # type: ignore[arg-type]

    def call(*_: object) -> None:
        raise ValueError("no such thing")

    monkeypatch.setattr(type(mapping), "call", call)
    monkeypatch.setattr(type(mapping), "unforeseen", ())
    for name in ("_known", "_like"):
        mapping.__dict__.pop(name, None)
    with pytest.raises(installed.PluginError, match=r"ToyMapping cannot map dense 'h': ValueError: no such thing"):
        lint(DIGITS)
    monkeypatch.setattr(type(mapping), "unforeseen", infer.UNFORESEEN)
    assert not [finding for finding in lint(DIGITS).findings if finding.severity.name == "ERROR"]


@pytest.mark.usefixtures("_installed")
def test_a_document_that_cannot_write_has_findings_without_these_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    document: Any = type(lint(DIGITS).document)
    monkeypatch.setattr(document, "write", Document.write)
    (finding,) = lint(DIGITS.replace("kind=relu", "kind=rleu")).findings
    assert (finding.code, finding.fix) == ("A005", None)


@pytest.mark.usefixtures("_installed")
def test_values_with_flaws_decide_no_shape() -> None:
    result = lint(DIGITS.replace("shape=1,8", "shape=1,8 dtype=float33"))
    assert [finding.code for finding in result.findings] == ["A005"]


def test_as_an_installed_package(site: Path, tmp_path: Path) -> None:
    env = environment()
    env["PYTHONPATH"] += os.pathsep + str(site)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*arguments), cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False
        )

    (tmp_path / "net.toy").write_text((TOY / "mistakes.toy").read_text())
    done = run(".", "--no-cache", "--output-format", "json")
    assert [finding["code"] for finding in json.loads(done.stdout)] == ["A001", "O001", "A002", "R001"]
    assert done.returncode == 1
    assert run(".", "--no-cache", "--fix", "--unsafe-fixes").returncode == 1
    assert "h = dense x w units=4\n" in (tmp_path / "net.toy").read_text()
    (tmp_path / "net.toy").write_text(DIGITS)
    assert run(".", "--no-cache").returncode == 0
    assert "dense" in run("run", "net.toy").stdout
    assert "toy" in run("formats").stdout


def test_editors(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = lsp_client.environment()
    env["PYTHONPATH"] += os.pathsep + str(site)
    monkeypatch.setattr(lsp_client, "environment", lambda: env)
    text, uri = DIGITS.replace("kind=relu", "kind=rleu"), "file:///nowhere/net.toy"
    document = {"textDocument": {"uri": uri}}

    def at(needle: str, plus: int = 0) -> dict[str, Any]:
        before = text[: text.index(needle) + plus]
        position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        return {**document, "position": position}

    with lsp_client.Client() as editor:
        editor.open(uri, text)
        (found,) = editor.diagnostics(uri, 1)
        assert (found["code"], found["range"]["start"]) == ("A005", at("rleu")["position"])
        hover = json.dumps(editor.ask("textDocument/hover", at("dense")))
        assert "Every row of data" in hover
        definition = editor.ask("textDocument/definition", at("joined kind"))
        assert definition["range"]["start"] == at("joined =")["position"]
        references = {**at("h ="), "context": {"includeDeclaration": True}}
        assert len(editor.ask("textDocument/references", references)) == 2
        symbols = editor.ask("textDocument/documentSymbol", document)
        assert {"h", "left", "joined", "y"} <= {symbol["name"] for symbol in symbols}
        labels = {item["label"] for item in editor.ask("textDocument/completion", at("rleu"))["items"]}
        assert labels == {"relu", "sigmoid", "tanh"}
        renamed = json.dumps(editor.ask("textDocument/rename", {**at("h ="), "newName": "hidden"}))
        assert renamed.count('"hidden"') == 2
        asked = {**document, "range": found["range"], "context": {"diagnostics": [found]}}
        actions = {action["title"]: action for action in editor.ask("textDocument/codeAction", asked)}
        assert '"newText": "relu"' in json.dumps(actions["Set `kind` to `relu` (A005) (proven)"])
        assert any("# irlint: ignore[A005]" in json.dumps(action) for action in actions.values())


def test_the_page_names_what_there_is() -> None:
    page = (ROOT / "docs/own-format.md").read_text()
    for name in ("irlint_toy/format.py", "irlint_toy/document.py", "irlint_toy/operators.json", "digits.toy"):
        assert name in page
        assert (TOY / name).exists()
