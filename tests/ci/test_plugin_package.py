"""The example of a plug-in: installed as a package, its rule and its format are irlint's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.helpers import ROOT, command, environment

LIMIT = 120


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the package is installed in."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("plugin") / "site"
    how = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    install = [sys.executable, "-m", "pip", "install", *how, "--target", str(folder), str(ROOT / "examples/plugin")]
    done = subprocess.run(install, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)
    if "No module named pip" in done.stderr:
        pytest.skip("no pip here")
    assert done.returncode == 0, done.stderr
    return folder


def irlint(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = environment()
    env["PYTHONPATH"] += os.pathsep + str(site)
    return subprocess.run(
        command(*arguments), cwd=folder, env=env, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def test_its_rule_is_one_of_irlints(site: Path, tmp_path: Path) -> None:
    assert "E001 dropout-left-in" in irlint(site, tmp_path, "rule", "dropout-left-in").stdout
    (tmp_path / "net.json").write_text('{"chain": ["conv2d", "dropout", "softmax"]}')
    done = irlint(site, tmp_path, "net.json", "--output-format", "json")
    (finding,) = json.loads(done.stdout)
    assert (finding["format"], finding["code"], finding["node"]) == ("chain", "E001", "dropout1")
    assert (finding["line"], finding["column"], finding["end_column"]) == (1, 22, 31)
    assert finding["url"] is None, "irlint's site has no page for it"
    assert done.returncode == 0
    assert irlint(site, tmp_path, "net.json", "--ignore", "E001", "--fail-on", "info").returncode == 0


def test_its_format_is_one_of_irlints(site: Path, tmp_path: Path) -> None:
    (tmp_path / "net.json").write_text('{"chain": ["conv2d", 3]}')
    (tmp_path / "other.json").write_text('{"chains": 1}')
    done = irlint(site, tmp_path, ".", "--output-format", "concise")
    assert done.stdout.startswith("net.json:1:22: T001[wrong-type] expected a string for operator 1, got `3`\n"), done.stdout
    assert "chain" in irlint(site, tmp_path, "formats").stdout


def test_without_it_the_rule_is_unknown(tmp_path: Path) -> None:
    done = subprocess.run(
        command("rule", "dropout-left-in"), env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
