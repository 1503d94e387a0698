"""The GitHub Action: its steps run as the runner runs them, in bash, with inputs put into the environment.

The step that installs irlint takes seconds: one test runs it, in the others the irlint that is tested stands in its place.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.helpers import COMMA, MISSPELT, ROOT, environment

from irlint import __version__
from irlint.config.read_yaml import read_yaml

from . import machine

ACTION = ROOT / "action.yml"


def action() -> dict[str, Any]:
    return read_yaml(str(ACTION), ACTION.read_bytes()).values


class Runner:
    """Does what a runner does with a composite action."""

    def __init__(self, work: Path, temp: Path) -> None:
        self.work, self.temp = work, temp
        self.outputs = temp / "outputs"
        self.outputs.touch()

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """All steps but the one that installs; the last one's result."""
        self._put_irlint_there()
        return self._steps(action()["runs"]["steps"][1:], environment(), inputs)

    def run_all(self, env: dict[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
        """All steps, until one fails; the last one's result."""
        return self._steps(action()["runs"]["steps"], env, inputs)

    def _steps(
        self, steps: list[dict[str, Any]], env: dict[str, str], inputs: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        given = {name: facts.get("default", "") for name, facts in action()["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        for step in steps:
            done = self._step(step, env, given)
            if done.returncode:
                break
        return done

    def _step(
        self, step: dict[str, Any], env: dict[str, str], inputs: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        assert step["shell"] == "bash"
        env = env | {"RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(self.outputs), "GITHUB_ACTIONS": "true"}
        env |= {name: self._filled(text, inputs) for name, text in step.get("env", {}).items()}
        return machine.shell(self._filled(step["run"], inputs), self.work, env, bash=True)

    def _filled(self, text: str, inputs: dict[str, str]) -> str:
        def value(match: re.Match[str]) -> str:
            what = match[1]
            return str(ROOT) if what == "github.action_path" else inputs[what.removeprefix("inputs.")]

        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", value, text)

    def _put_irlint_there(self) -> None:
        program = self.temp / "irlint/bin/irlint"
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m irlint "$@"\n')
        program.chmod(0o755)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    work, temp = tmp_path / "work", tmp_path / "temp"
    work.mkdir()
    temp.mkdir()
    (work / "bad.json").write_text(MISSPELT)
    (work / "models").mkdir()
    (work / "models/comma.json").write_text(COMMA)
    return Runner(work, temp)


def test_annotations(runner: Runner) -> None:
    done = runner.run()
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert any(line.startswith("::error ") and "file=bad.json,line=" in line for line in lines)
    assert any(line.startswith("::error ") and "file=models/comma.json,line=" in line for line in lines)
    assert runner.outputs.read_text() == "status=1\n"


@pytest.mark.parametrize("version", ["", __version__])
def test_the_step_that_installs(runner: Runner, version: str, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    env = machine.environment(machine.add_python(tmp_path / "programs"))
    if version:
        env["PIP_FIND_LINKS"] = str(machine.build_wheel(tmp_path / "wheels"))
    done = runner.run_all(env, version=version)
    assert done.returncode == 1, done.stderr
    assert "::error " in done.stdout
    assert list(runner.temp.glob("irlint/lib/python3*/site-packages/irlint/cli/check.py"))


def test_sarif_for_code_scanning(runner: Runner) -> None:
    done = runner.run(
        output_format="sarif", output_file="irlint.sarif", args="--exit-zero --select S,R", paths="bad.json models"
    )
    assert done.returncode == 0, done.stderr
    results = json.loads((runner.work / "irlint.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["R001", "S001"]


def test_inputs_are_never_part_of_a_script() -> None:
    """What somebody writes into a pull request's branch or path is not run: inputs come by the environment."""
    for step in action()["runs"]["steps"]:
        assert "${{" not in step["run"]


def test_a_hostile_path_stays_a_path(runner: Runner) -> None:
    done = runner.run(paths="$(touch${IFS}owned) `touch owned` ;touch owned")
    assert done.returncode == 2
    assert not list(runner.work.glob("owned"))


def test_every_input_is_on_its_page() -> None:
    text = (ROOT / "docs/ci/github.md").read_text()
    for name in action()["inputs"]:
        assert f"| `{name}` |" in text
