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
    """Does what a runner does with a composite action. Steps of other actions, which keep caches, are left out."""

    def __init__(self, work: Path, temp: Path) -> None:
        self.work, self.temp = work, temp
        self.summary = temp / "summary.md"
        self.outputs: dict[str, str] = {}

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """The step that checks, with the irlint that is tested in place of an installed one."""
        programs = self.temp / "programs"
        programs.mkdir()
        (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (programs / "python").chmod(0o755)
        self.outputs["steps.install.outputs.programs"] = str(programs)
        return self._steps([step for step in steps() if step.get("id") == "check"], environment(), inputs)

    def run_all(self, env: dict[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
        """All steps, until one fails; the last one's result."""
        return self._steps([step for step in steps() if step.get("id") != "comment"], env, inputs)

    def _steps(
        self, steps: list[dict[str, Any]], env: dict[str, str], inputs: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        given = {f"inputs.{name}": facts.get("default", "") for name, facts in action()["inputs"].items()}
        given |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        given |= {"github.action_path": str(ROOT), "runner.temp": str(self.temp)}
        for step in steps:
            done = self._step(step, env, given)
            if done.returncode:
                break
        return done

    def _step(
        self, step: dict[str, Any], env: dict[str, str], given: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        assert step["shell"] == "bash"
        outputs = self.temp / "outputs"
        outputs.write_text("")
        env = env | {"RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(outputs), "GITHUB_ACTIONS": "true"}
        env |= {"GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_SERVER_URL": "https://github.com"}
        env |= {"GITHUB_REPOSITORY": "a/b", "GITHUB_SHA": "c0ffee"}
        values = given | self.outputs
        env |= {name: filled(text, values) for name, text in step.get("env", {}).items()}
        done = machine.shell(filled(step["run"], values), self.work, env, bash=True)
        for line in outputs.read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs[f"steps.{step['id']}.outputs.{name}"] = value
        return done


def filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: values[match[1]], text)


def steps() -> list[dict[str, Any]]:
    return [step for step in action()["runs"]["steps"] if "run" in step]


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
    assert runner.outputs["steps.check.outputs.status"] == "1"


@pytest.mark.parametrize("version", ["", __version__])
def test_every_step(runner: Runner, version: str, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    env = machine.environment(machine.add_python(tmp_path / "programs"))
    if version:
        env["PIP_FIND_LINKS"] = str(machine.build_wheel(tmp_path / "wheels"))
    done = runner.run_all(env, version=version)
    assert done.returncode == 1, done.stderr
    assert "::error " in done.stdout
    assert list(runner.temp.glob("irlint/lib/python3*/site-packages/irlint/cli/commands/check.py"))
    assert runner.outputs["steps.python.outputs.irlint"] == __version__
    assert list(runner.temp.glob("irlint-reports/*")), "what is kept between runs"


def test_windows_has_programs_in_another_folder(runner: Runner, tmp_path: Path) -> None:
    """And `python`, but often no `python3`."""
    programs = tmp_path / "programs"
    programs.mkdir()
    python = programs / "python"
    python.write_text(
        f"""#!/bin/sh
case "$1 $2" in
  "-m venv") mkdir -p "$3/Scripts" && cp "$0" "$3/Scripts/python" ;;
  "-m pip") echo "$@" > pip.txt ;;
  *) exec "{sys.executable}" "$@" ;;
esac
"""
    )
    python.chmod(0o755)
    stub = programs / "python3"
    stub.write_text("#!/bin/sh\nexit 49\n")
    stub.chmod(0o755)
    env = environment() | {"PATH": f"{programs}:/usr/bin:/bin"}
    done = runner.run_all(env)
    assert done.returncode == 1, done.stderr
    assert runner.outputs["steps.install.outputs.programs"] == f"{runner.temp}/irlint/Scripts"
    assert (runner.work / "pip.txt").read_text() == f"-m pip install --quiet {ROOT}\n"


def test_without_a_python_that_will_do(runner: Runner, tmp_path: Path) -> None:
    env = environment() | {"PATH": str(tmp_path)}
    env["PATH"] = str(tmp_path / "programs")
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs/bash").symlink_to(str(shutil.which("bash")))
    done = runner.run_all(env)
    assert done.returncode == 1
    assert done.stdout.startswith("::error::irlint needs Python 3.10 or later")


def test_annotations_and_sarif_at_once(runner: Runner) -> None:
    done = runner.run(
        output_format="github\nsarif:irlint.sarif\n", args="--exit-zero\n--select=S,R", paths="bad.json\r\nmodels\r\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("::error ") == 2
    results = json.loads((runner.work / "irlint.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["R001", "S001"]


def test_a_path_with_spaces_is_one_path(runner: Runner) -> None:
    (runner.work / "two words; $(touch owned).json").write_text(MISSPELT)
    done = runner.run(paths="two words; $(touch owned).json\n\n  models\n")
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("::error ") == 2
    assert "R001 undefined-reference,file=two words; $(touch owned).json" in done.stdout
    assert not list(runner.work.glob("owned"))


def test_inputs_are_never_part_of_a_script() -> None:
    """What somebody writes into a pull request's branch or path is not run: inputs come by the environment."""
    for step in steps():
        assert "${{" not in step["run"]


def test_no_input_is_an_option_unless_it_is_meant_to_be(runner: Runner) -> None:
    done = runner.run(paths="--fix")
    assert done.returncode == 2
    assert (runner.work / "models/comma.json").read_text() == COMMA


def test_other_actions_are_pinned() -> None:
    used = [step["uses"] for step in action()["runs"]["steps"] if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/cache/(restore|save)@[0-9a-f]{40}", name)] == []


def test_the_summary_of_the_job(runner: Runner) -> None:
    (runner.work / "a|b.json").write_text(MISSPELT.replace("imgae", "<img src=x>\u202e**[x](y)**"))
    done = runner.run(args="--exit-zero")
    assert done.returncode == 0, done.stderr
    text = runner.summary.read_text(encoding="utf-8")
    assert "<p>3 errors (" in text
    assert '<a href="https://github.com/a/b/blob/c0ffee/models/comma.json#L' in text
    assert '<a href="https://github.com/a/b/blob/c0ffee/a%7Cb.json#L' in text
    assert "&lt;img src=x&gt;" in text
    assert "<img" not in text
    assert "\u202e" not in text
    assert "\n\n" not in text, "HTML ends there, and names would be Markdown"


def test_a_long_summary_is_cut(runner: Runner) -> None:
    for number in range(250):
        (runner.work / f"models/{number}.json").write_text(COMMA)
    runner.run()
    text = runner.summary.read_text(encoding="utf-8")
    assert text.count("<tr>") == 201
    assert text.endswith("<p>and 52 more</p>\n")


def test_a_summary_without_findings(runner: Runner) -> None:
    done = runner.run(args="--select=D004")
    assert done.returncode == 0
    assert runner.summary.read_text(encoding="utf-8") == "<h3>irlint</h3>\n<p>No findings.</p>\n"


def test_no_summary_where_none_is_wanted(runner: Runner) -> None:
    runner.run(summary="false")
    assert not runner.summary.exists()


def test_every_input_is_on_its_page() -> None:
    text = (ROOT / "docs/ci/github.md").read_text(encoding="utf-8")
    for name in action()["inputs"]:
        assert f"| `{name}` |" in text
