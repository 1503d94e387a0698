"""Darknet's .cfg files as a package of 300 lines: checks, shapes, repairs and answers to editors come from irlint."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import packages
import pytest
from cli.helpers import ROOT, command, environment

from irlint import engine, offers
from irlint.formats import base
from irlint.settings import Settings
from irlint.text.base import apply
from lsp import client as lsp_client

DARKNET = ROOT / "examples/darknet"
DIGITS = (DARKNET / "digits.cfg").read_text()
POINTS = "[irlint.formats]\ndarknet = irlint_darknet.format:FORMAT\n"
ALL = Settings(select=("ALL",))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return packages.site_with(tmp_path, DARKNET / "irlint_darknet", POINTS)


@pytest.fixture
def _installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with packages.formats_of(site, monkeypatch):
        yield


def lint(text: str) -> engine.Result:
    return engine.lint(text, "net.cfg", ALL)


def told(text: str) -> list[tuple[str, str, str, str]]:
    """Return severity, code, token and message of the findings in a text."""
    found = lint(text).findings
    return [(f.severity.name.lower(), f.code, text[slice(*f.span)], f.message) for f in found]


def changed(old: str, new: str, k: int = 0) -> str:
    """Return the model with its k-th `old` replaced."""
    parts = DIGITS.split(old)
    assert len(parts) > k + 1
    return old.join(parts[: k + 1]) + new + old.join(parts[k + 1 :])


def mended(text: str) -> dict[str, tuple[str, str]]:
    """Return what is offered: the text after each fix, by its title, with the grade of the fix."""
    result = lint(text)
    offers.confirm(result)
    fixes = [finding.fix for finding in result.findings if finding.fix is not None]
    return {fix.title: (fix.safety, apply(text, fix.edits)) for fix in fixes}


def test_the_package_has_300_lines_and_the_entry_point_is_that_of_its_project() -> None:
    files = [*(DARKNET / "irlint_darknet").glob("*.py")]
    assert sum(len(path.read_text().splitlines()) for path in files) <= 300
    project = (DARKNET / "pyproject.toml").read_text()
    assert '[project.entry-points."irlint.formats"]\ndarknet = "irlint_darknet.format:FORMAT"\n' in project


@pytest.mark.usefixtures("_installed")
def test_its_check_and_its_search_are_those_of_all_formats() -> None:
    kind: Any = type(base.all_formats()["darknet"])
    assert kind.checks is base.Format.checks
    assert [one for one in ("causes", "late_checks", "open", "read", "dryrun", "candidates") if one in vars(kind)] == []


@pytest.mark.usefixtures("_installed")
def test_a_clean_file_has_no_findings() -> None:
    result = lint(DIGITS)
    assert (result.format, result.findings) == ("darknet", [])


# What is changed, severity, code, the words that the finding covers, what it says, the only fix; whether that restores the file
CASES = [
    ("[maxpool]", "[maxpol]", 0, "error", "O001", "maxpol", "unknown operator `maxpol`; did you mean `maxpool`?", True),
    ("size=1", "sise=1", 0, "error", "A001", "sise", "unknown option `sise` for convolutional '2'; did you mean `size`?", True),
    ("size=1", "size=1\ncolour=red", 0, "warning", "A001", "colour", "unknown option `colour` for convolutional '2'; Darknet ignores it", True),
    ("from=-3", "form=-3", 0, "error", "A001", "form", "unknown option `form` for shortcut '4'; did you mean `from`?", True),
    ("from=-3\n", "", 0, "error", "A002", "shortcut", "missing required option `from` for shortcut '4'", False),
    ("layers=-3\n", "", 0, "error", "A002", "route", "missing required option `layers` for route '8'", False),
    ("height=64\n", "", 0, "error", "A002", "net", "missing required option `height` for net 'net'", False),
    ("filters=16", "filters=x16", 0, "error", "A003", "x16", "expected an integer for `filters` of convolutional '0', got `x16`", False),
    ("filters=16", "filters=16.0", 0, "error", "A003", "16.0", "expected an integer for `filters` of convolutional '0', got `16.0`", True),
    ("from=-3", "from=three", 0, "error", "A003", "three", "expected a list of layer numbers for `from` of shortcut '4', got `three`", False),
    ("leaky", "leeky", 0, "error", "A005", "leeky", "unknown value `leeky` for `activation` of convolutional '0'; did you mean `leaky`?", True),
    ("stride=2", "stride=0", 0, "error", "A006", "0", "expected at least 1 for `stride` of convolutional '0', got `0`", True),
    ("3,4,5", "3,4,6", 0, "error", "A006", "3,4,6", "expected anchors from 0 to 5 in `mask` for yolo '7', got 6", False),
    ("size=3", "size=3\nsize=5", 0, "warning", "A008", "size", "duplicate option `size` for convolutional '0'", True),
    ("from=-3", "from=-9", 0, "error", "R001", "-9", "undefined name '-9' in the inputs of shortcut '4'", False),
    ("-1, 4", "-1, 44", 0, "error", "R001", "44", "undefined name '44' in the inputs of route '10'", False),
    ("-1, 4", "-1, 10", 0, "error", "R003", "10", "route '10' uses its own output", False),
    ("-1, 4", "-1, 12", 0, "error", "R004", "12", "route '10' is part of a cycle: '10' -> '11' -> '12' -> '10'", False),
    ("[maxpool]", "[maxpool", 0, "error", "S001", "[maxpool", "expected `]` after the type", True),
    ("[maxpool]", "[maxpool] # 2", 0, "error", "S001", " # 2", "text after `]`; Darknet takes it as part of the type", True),
    ("batch=1", "batch=", 0, "warning", "S001", "batch=", "expected `KEY = VALUE`; Darknet ignores the line", False),
    ("batch=1", "batch 1", 0, "warning", "S001", "batch 1", "expected `KEY = VALUE`; Darknet ignores the line", False),
    ("[net]", "[nett]", 0, "error", "S001", "[nett]", "expected `[net]` as the first section, got `[nett]`; Darknet refuses the file", False),
    ("[net]", "a=1\n[net]", 0, "error", "S001", "a=1", "expected `[net]` before the first option; Darknet crashes", False),
    ("filters=45", "filters=54", 0, "error", "D001", "yolo", "yolo '7': expected 45 channels for the boxes, got 54", True),
    ("filters=45", "filters=54", 1, "error", "D001", "yolo", "yolo '12': expected 45 channels for the boxes, got 54", True),
    ("classes=10", "classes=11", 0, "error", "D001", "yolo", "yolo '7': expected 48 channels for the boxes, got 45", True),
    ("from=-3", "from=-4", 0, "error", "D001", "-4", "shortcut '4': height and width of [32, 16, 16] and [16, 31, 31] do not match", True),
    ("-1, 4", "-1, 5", 0, "error", "D001", "5", "route '10': cannot join [32, 16, 16] and [32, 8, 8] along axis 0", False),
    ("stride=2", "stride=4", 3, "error", "D001", "4", "route '10': cannot join [32, 32, 32] and [32, 16, 16] along axis 0", False),
    ("width=64", "width=2", 0, "error", "D001", "3", "convolutional '0': window of 3 is larger than dimension 2 of [3, 64, 2]", False),
    ("pad=1\nactivation=leaky\n\n[short", "pad=1\ngroups=3\nactivation=leaky\n\n[short", 0, "error", "D001", "3",
     "convolutional '3': channels of `data` (16) are not a multiple of `groups` (3)", False),
]  # fmt: skip


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("old", "new", "k", "severity", "code", "token", "words", "is_restored"), CASES, ids=lambda v: str(v)[:20]
)
def test_every_kind_of_mistake_is_one_finding_at_its_place(
    old: str, new: str, k: int, severity: str, code: str, token: str, words: str, is_restored: bool
) -> None:
    text = changed(old, new, k)
    assert told(text) == [(severity, code, token, words)]
    assert (DIGITS in [after for _, after in mended(text).values()]) is is_restored


@pytest.mark.usefixtures("_installed")
def test_repairs_are_proven_where_nothing_else_fits() -> None:
    assert mended(changed("filters=45", "filters=54"))["Set `filters` to `45`"] == ("proven", DIGITS)
    assert mended(changed("classes=10", "classes=11"))["Set `classes` to `10`"] == ("proven", DIGITS)
    assert mended(changed("from=-3", "from=-4"))["Set `from` to `-3`"] == ("unsafe", DIGITS)


@pytest.mark.usefixtures("_installed")
def test_files_as_people_write_them() -> None:
    written = DIGITS.replace("filters=16", "  filters = 16  # as wide as before").replace(
        "size=2", "; smaller\n\tsize\t=2"
    )
    assert written.count("smaller") == 1
    for text in (
        written,
        written.replace("\n", "\r\n"),
        "\ufeff" + written,
        written.rstrip(),
        "\n\n; first\n" + written,
    ):
        assert told(text) == []
    aliases = DIGITS.replace("[net]", "[network]").replace("[convolutional]", "[conv]").replace("[maxpool]", "[max]")
    assert told(aliases) == []
    text = changed("classes=10", "classes=11").replace("\n", "\r\n")
    assert DIGITS.replace("\n", "\r\n") in [after for _, after in mended(text).values()]
    text = written.replace("filters = 16  #", "filters = 16.0  #", 1)
    assert [after for _, after in mended(text).values()] == [written]
    (twice,) = mended(changed("size=3\n", "size=3\r\nsize=5\r\n")).values()
    assert twice == ("unsafe", changed("size=3\n", "size=3\r\n"))


@pytest.mark.usefixtures("_installed")
def test_comments_silence() -> None:
    silenced = changed("[maxpool]", "# irlint: ignore[O001]\n[maxpol]")
    assert (lint(silenced).findings, lint(silenced).suppressed) == ([], 1)
    assert [finding.code for finding in lint("# irlint: ignore[O001]\n" + DIGITS).findings] == ["G005"]


HOSTILE = {
    "brackets": "[net]\n" + "[" * 1_000_000,
    "only brackets": "[" * 1_000_000,
    "layers": "[net]\n" + "[convolutional]\n" * 1_000_000,
    "unknown layers": "[net]\n" + "[x]\n" * 1_000_000,
    "options": "[net]\n" + "a=1\n" * 10_000,
    "comments": "# # #   \n" * 200_000 + "[nett]\n",
    "blanks in comments": "#" + " #" * 500_000,
    "equals": "[net]\n" + "=" * 1_000_000,
    "blanks": "[net]\nwidth = 1" + " " * 500_000 + "x\n",
    "items": DIGITS.replace("-1, 4", "-1," * 50_000 + "4"),
    "commas": DIGITS.replace("3,4,5", "," * 500_000),
    "long number": DIGITS.replace("filters=16", "filters=" + "9" * 100_000),
    "long reference": DIGITS.replace("from=-3", "from=" + "9" * 100_000),
    "large numbers": DIGITS.replace("stride=2", "stride=99999999999999999999"),
    "large counts": DIGITS.replace("num=6", "num=99999999999999").replace("mask", "#"),
    "wide": DIGITS.replace("width=64", "width=99999999999999"),
    "odd": "[net]\n[con\x00v]\n[]\n[ ]\n]\n=\n=3\na=\n[shortcut]\nfrom=,\n[route]\nlayers=\n\ud800",
    "empty": "",
    "chain": "[net]\nwidth=8\nheight=8\nchannels=3\n" + "[shortcut]\nfrom=-1\n" * 5000,
}


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_read_quickly(name: str) -> None:
    start = time.perf_counter()
    result = lint(HOSTILE[name])
    offers.confirm(result)
    assert result.format in ("darknet", None)
    assert "I001" not in {finding.code for finding in result.findings}
    assert time.perf_counter() - start < 30


@pytest.mark.usefixtures("_installed")
def test_broken_files_do_not_raise() -> None:
    for k in range(0, len(DIGITS), 7):
        for text in (
            DIGITS[:k],
            DIGITS[k:],
            DIGITS[:k] + DIGITS[k + 1 :],
            f"{DIGITS[:k]}[{DIGITS[k:]}",
            f"{DIGITS[:k]}={DIGITS[k:]}",
        ):
            assert "I001" not in {finding.code for finding in lint(text).findings}


@pytest.mark.usefixtures("_installed")
def test_other_files_are_not_taken() -> None:
    for text in ("[section]\nkey=value\n", "[network-manager]\na=b\n", "{}", "# a text about [net]\n"):
        assert engine.lint(text, "setup.cfg", ALL).format is None


def test_as_an_installed_package(site: Path, tmp_path: Path) -> None:
    env = environment()
    env["PYTHONPATH"] += os.pathsep + str(site)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*arguments), cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False
        )

    (tmp_path / "net.cfg").write_text((DARKNET / "mistakes.cfg").read_text())
    done = run(".", "--no-cache", "--output-format", "json")
    assert [finding["code"] for finding in json.loads(done.stdout)] == ["A001", "A005", "O001", "R001"]
    assert done.returncode == 1
    run(".", "--no-cache", "--fix", "--unsafe-fixes")
    assert "filters=16\n" in (tmp_path / "net.cfg").read_text()
    (tmp_path / "net.cfg").write_text(DIGITS)
    assert run(".", "--no-cache").returncode == 0
    assert "convolutional" in run("summary", "net.cfg").stdout
    assert "darknet" in run("formats").stdout


def test_editors(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = lsp_client.environment()
    env["PYTHONPATH"] += os.pathsep + str(site)
    monkeypatch.setattr(lsp_client, "environment", lambda: env)
    text, uri = changed("=linear", "=liner", 2), "file:///nowhere/net.cfg"
    document = {"textDocument": {"uri": uri}}

    def at(needle: str, plus: int = 0) -> dict[str, Any]:
        before = text[: text.index(needle) + plus]
        position = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        return {**document, "position": position}

    with lsp_client.Client() as editor:
        editor.open(uri, text)
        (found,) = editor.diagnostics(uri, 1)
        assert (found["code"], found["range"]["start"]) == ("A005", at("liner")["position"])
        hover = json.dumps(editor.ask("textDocument/hover", at("shortcut]")))
        assert "The previous layer plus those that `from` names" in hover
        assert "32,16,16" in json.dumps(editor.ask("textDocument/hover", at("-3\nactivation")))
        assert "required" in json.dumps(editor.ask("textDocument/hover", at("from=")))
        for reference, layer in (
            ("-3\nactivation", "convolutional]\nbatch_normalize=1\nfilters=32"),
            ("4\n\n", "shortcut]"),
        ):
            definition = editor.ask("textDocument/definition", at(reference))
            assert definition["range"]["start"] == at(layer)["position"], reference
        references = {**at("shortcut]"), "context": {"includeDeclaration": True}}
        lines = [one["range"]["start"]["line"] for one in editor.ask("textDocument/references", references)]
        assert at("shortcut]")["position"]["line"] in lines
        assert at("4\n\n[conv")["position"]["line"] in lines
        symbols = json.dumps(editor.ask("textDocument/documentSymbol", document))
        assert "shortcut" in symbols
        labels = {item["label"] for item in editor.ask("textDocument/completion", at("liner"))["items"]}
        assert {"leaky", "mish", "linear"} <= labels
        labels = {item["label"] for item in editor.ask("textDocument/completion", at("shortcut]"))["items"]}
        assert {"shortcut", "route", "conv"} <= labels
        labels = {item["label"] for item in editor.ask("textDocument/completion", at("-3\nactivation"))["items"]}
        assert {"-1", "-2", "-3"} <= labels
        labels = {item["label"] for item in editor.ask("textDocument/completion", at("pad=1"))["items"]}
        assert "groups" in labels
        refused = editor.answer(editor.request("textDocument/rename", {**at("shortcut]"), "newName": "sum"}))
        assert "cannot be renamed" in json.dumps(refused)
        asked = {**document, "range": found["range"], "context": {"diagnostics": [found]}}
        actions = {action["title"]: action for action in editor.ask("textDocument/codeAction", asked)}
        assert '"newText": "linear"' in json.dumps(actions["Set `activation` to `linear` (A005) (proven)"])
        assert any("# irlint: ignore[A005]" in json.dumps(action) for action in actions.values())


def test_the_page_names_it() -> None:
    assert "examples/darknet" in (ROOT / "docs/own-format.md").read_text()
