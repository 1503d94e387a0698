"""irlint works without the packages that it brings: a lint finds the same, and a command that needs one says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rule_cases import cases

from irlint.formats.samples import file_name
from irlint.rules import registry
from irlint.tools.installed import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("IRLINT_CORPUS", ROOT.parent / "shared" / "corpus"))
MODULES = [*(package.module for package in PACKAGES), "lsprotocol"]

START = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None  # Python then raises ModuleNotFoundError
sys.path[:0] = sys.argv.pop(1).split(",")
from irlint.cli import main
sys.exit(main())
"""


def _irlint(blocked: list[str], *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    paths = f"{ROOT},{ROOT / 'lsp'}"
    command = [sys.executable, "-c", START, ",".join(blocked) or "-", paths, *arguments]
    done = subprocess.run(command, cwd=cwd, input="", capture_output=True, text=True, encoding="utf-8", timeout=800)
    assert done.returncode in (0, 1, 2), done.stderr
    return done


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every example of every rule as a file."""
    folder = tmp_path_factory.mktemp("models")
    for rule in registry.all_rules().values():
        for kind, examples in (("valid", cases(rule).valid), ("invalid", cases(rule).invalid)):
            for number, example in enumerate(examples):
                end = Path(file_name(example.format)).suffix
                (folder / f"{rule.code}-{kind}-{number}{end}").write_text(example.text, "utf-8", "surrogateescape")
    return folder


def _findings(blocked: list[str], folder: Path) -> list[object]:
    options = ("--output-format", "json", "--no-cache", "--isolated", "--pedantic", "--jobs", "1")
    done = _irlint(blocked, "check", *options, str(folder), cwd=folder)
    found: list[object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("blocked", [*([name] for name in MODULES if name != "PIL"), MODULES], ids=",".join)
def test_the_same_findings_in_examples(blocked: list[str], models: Path) -> None:
    assert _findings(blocked, models) == _findings([], models)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus of real files")
def test_the_same_findings_in_real_files() -> None:
    assert _findings(MODULES, CORPUS) == _findings([], CORPUS)


COMMANDS = {  # and the package that each needs, if any
    "check examples": None,
    "check --fix --diff --unsafe-fixes examples": None,
    "check --statistics examples": None,
    "compare a.npz b.npz": "numpy",
    "completion bash": None,
    "diff examples/openvino/digits.xml examples/openvino/mistakes.xml": None,
    "flatten examples/nnvm/lenet-symbol.json": None,
    "formats": None,
    "flatten examples/ncnn/digits.param": None,
    "graph examples/openvino/digits.xml": None,
    "graph examples/ncnn/digits.param": None,
    "init --help": None,
    "ngrams examples/nnvm/lenet-symbol.json": None,
    "rule A001": None,
    "rules": None,
    "run examples/ncnn/digits.param": "numpy",
    "run examples/openvino/digits.xml": "numpy",
    "schema": None,
    "server": "pygls",
    "summary examples/nnvm/lenet-symbol.json": None,
    "weights examples/ncnn/digits.param": "numpy",
    "weights examples/openvino/digits.xml": "numpy",
    "--version -v": None,
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command: str, tmp_path: Path) -> None:
    words = [str(ROOT / word) if word.startswith("examples") else word for word in command.split()]
    done = _irlint(MODULES, *words, cwd=tmp_path)
    package = COMMANDS[command]
    if package is None:
        assert "not installed" not in done.stderr or "weights not compared" in done.stderr
    else:
        assert done.returncode == 2
        assert f"{package}, which is not installed: pip install {package}" in done.stderr


def test_configurations_need_a_reader_of_yaml(tmp_path: Path) -> None:
    (tmp_path / "irlint.yaml").write_text("ignore: [A001]\n")
    done = _irlint(MODULES, "check", ".", cwd=tmp_path)
    assert (done.returncode, "pip install ruamel.yaml" in done.stderr) == (2, True)


def test_values_that_cannot_be_checked_are_counted(tmp_path: Path) -> None:
    done = _irlint(["numpy"], "check", "--select", "W006", str(ROOT / "examples/openvino/digits.xml"), cwd=tmp_path)
    assert "1 file not checked completely" in done.stderr
