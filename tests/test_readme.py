"""The README shows what irlint does today: its commands are run, and their output is what it prints.

IRLINT_UPDATE=1 writes the outputs anew.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from irlint.cli._dispatch import parser_of
from irlint.config.build import build
from irlint.config.read_yaml import read_yaml

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[str]:
    return [match[2] for match in _BLOCK.finditer(README.read_text(encoding="utf-8")) if match[1] == kind]


def output(line: str) -> str:
    words = shlex.split(line)
    assert words[0] == "irlint"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]), "NO_COLOR": "1"}
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split("\n")[0])
def test_what_is_shown_is_what_is_printed(block: str) -> None:
    line, _, shown = block.partition("\n")
    printed = output(line.removeprefix("$ "))
    if os.environ.get("IRLINT_UPDATE"):
        text = README.read_text(encoding="utf-8")
        README.write_text(
            text.replace(f"```console\n{block}```", f"```console\n{line}\n{printed}```"), encoding="utf-8"
        )
    else:
        assert shown == printed, "IRLINT_UPDATE=1 writes the README anew"


def commands() -> list[str]:
    shell = [line.partition(" #")[0].strip() for block in blocks("sh") for line in block.split("\n")]
    inline = re.findall(r"`(irlint [^`]+)`", README.read_text(encoding="utf-8"))
    return [line for line in (*shell, *inline) if line.startswith("irlint ")]


@pytest.mark.parametrize("line", commands())
def test_every_command_is_one(line: str) -> None:
    """Names, options and choices exist; `> file` is the shell's."""
    from irlint.cli import commands as known

    name, *arguments = shlex.split(line.partition(" >")[0])[1:]
    if name not in known():
        name, arguments = "check", [name, *arguments]
    parser_of(name).parse_args(arguments)


def test_the_configuration_is_one() -> None:
    shown = [block for block in blocks("yaml") if "select:" in block]
    assert len(shown) == 1
    assert build(read_yaml("README.md", shown[0].encode()), str(ROOT)).severities


def test_the_python_is_python(tmp_path: Path) -> None:
    code = blocks("python")[0].replace('"model.json"', repr(str(ROOT / "examples/lightnet/misspelt.json")))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert "R001" in done.stdout


def test_links_lead_somewhere() -> None:
    text = README.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target
