"""GitHub's workflows: zizmor and actionlint find nothing in them, and the shell steps of a release run, in a copy of the tree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.helpers import ROOT

from irlint import __version__
from irlint.config.read_yaml import read_yaml

from . import machine
from .test_action import filled
from .test_packaging import PLACES

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
LIMIT = 120


def workflow(path: Path) -> dict[str, Any]:
    return read_yaml(str(path), path.read_bytes()).values


RELEASE = workflow(ROOT / ".github/workflows/release.yml")["jobs"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_is_used_is_pinned_and_what_is_allowed_is_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for used, comment in re.findall(r"uses: (\S+)(.*)", text):
        assert used == "./" or re.fullmatch(r"[\w/.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used + comment), used
    facts = workflow(path)
    assert facts["permissions"] == {}
    for name, job in facts["jobs"].items():
        assert job["permissions"], name
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert "${{" not in step.get("run", ""), "what others write would be part of a script"


def test_one_version_of_each_action() -> None:
    texts = [path.read_text(encoding="utf-8") for path in [*WORKFLOWS, ROOT / "action.yml"]]
    used = {match for text in texts for match in re.findall(r"uses: ([\w-]+/[\w-]+)[\w/]*@(\w+)", text)}
    assert len(used) == len(dict(used))


@pytest.mark.parametrize(
    "command", [("zizmor", "--offline", "--quiet", ".github", "action.yml"), ("actionlint",)], ids=lambda c: c[0]
)
def test_linters_find_nothing(command: tuple[str, ...]) -> None:
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    if (program := shutil.which(command[0], path=programs)) is None:
        pytest.skip(f"no {command[0]} here (make workflows)")
    env = {**os.environ, "PATH": programs}
    done = subprocess.run(
        [program, *command[1:]], cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=LIMIT
    )
    assert done.returncode == 0, done.stdout + done.stderr


class Runner:
    """A runner with programs that only write down how they were called; `pip install` is one."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self.log = tree.parent / "log"
        self.programs = tree.parent / "programs"
        self.programs.mkdir()
        self.add("python", f'[ "$2" = pip ] || exec "{sys.executable}" "$@"')
        for name in ("docker", "gh", "make", "npm"):
            self.add(name, f'cat > /dev/null; echo {name} "$@" >> "{self.log}"')

    def add(self, name: str, script: str) -> None:
        (self.programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.programs / name).chmod(0o755)

    def run(self, job: str, tag: str = f"v{__version__}", **values: str) -> None:
        """Runs all shell steps of a job. `values`: of variables and secrets."""
        matrix = {f"matrix.{name}": "x" for name in ("os", "python", "arch")} | {"github.token": "secret"}
        matrix |= {"vars.PUBLISH_EXTENSION": "", "secrets.VSCE_PAT": "", "secrets.OVSX_PAT": ""}
        matrix |= {name.replace("__", "."): value for name, value in values.items()}
        for step in RELEASE[job]["steps"]:
            if "run" in step:
                env = machine.environment(self.programs, GITHUB_REF_NAME=tag, GITHUB_SHA="c0ffee", GITHUB_ACTOR="a")
                env |= {"GITHUB_REPOSITORY": "a/b", "GITHUB_OUTPUT": str(self.tree.parent / "output")}
                env |= {name: filled(text, matrix) for name, text in step.get("env", {}).items()}
                done = machine.shell(step["run"], self.tree, env, bash=True)
                assert done.returncode == 0, done.stderr

    def calls(self) -> str:
        return self.log.read_text()


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    tree = tmp_path / "tree"
    for folder in ("irlint", "lsp/irlint_lsp", "schemas", "packaging", "examples"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore", *PLACES):
        (tree / file).parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(ROOT / file, tree / file)
    changelog = tree / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace("## Unreleased (0.1.0)", "## 0.1.0 (2026-12-01)"))
    return Runner(tree)


def test_a_release_is_built_once_with_notes(runner: Runner) -> None:
    pytest.importorskip("hatchling")
    pytest.importorskip("twine", reason="twine is not installed (make packages)")
    runner.run("build")
    names = sorted(path.name for path in (runner.tree / "dist").iterdir() if path.name != ".gitignore")
    assert names == [f"irlint-{__version__}-py3-none-any.whl", f"irlint-{__version__}.tar.gz"]
    notes = (runner.tree / "notes.md").read_text()
    assert "### Formats\n" in notes
    assert "\n## " not in notes


def test_the_built_wheel_is_what_is_used(runner: Runner) -> None:
    if not machine.ONLINE:
        pytest.skip("packages come from the index (make hooks)")
    runner.add("python", f'exec "{sys.executable}" "$@"')
    runner.run("build")
    runner.run("test")


def test_images_of_both_architectures_are_joined(runner: Runner) -> None:
    runner.run("image")
    runner.run("images")
    calls = runner.calls()
    assert "docker push ghcr.io/irlint/irlint:0.1.0-x\n" in calls
    assert (
        "--tag ghcr.io/irlint/irlint:0.1.0 --tag ghcr.io/irlint/irlint:latest ghcr.io/irlint/irlint:0.1.0-amd64"
        in calls
    )
    assert "secret" not in calls, "the token goes through stdin"


def test_the_release_on_github(runner: Runner) -> None:
    (runner.tree / "files").mkdir()
    for name in ("irlint-0.1.0.tar.gz", "irlint-0.1.0-py3-none-any.whl", "irlint-linux-x64.vsix", "notes.md"):
        (runner.tree / "files" / name).touch()
    runner.run("extension")
    runner.run("github")
    made, released = runner.calls().splitlines()
    assert made == "make vsix"
    assert released.startswith("gh release create v0.1.0 --repo a/b --verify-tag --title irlint 0.1.0 ")
    assert released.count("files/") == 4


@pytest.fixture
def packed(runner: Runner) -> Runner:
    """A runner on which the extension has been packed and the programs that publish it write down how they were called."""
    programs = runner.tree / "packaging/marketplaces/node_modules/.bin"
    programs.mkdir(parents=True)
    for name in ("vsce", "ovsx"):
        (programs / name).write_text(
            f'#!/bin/sh\necho {name} "$@" "${{VSCE_PAT:-}}${{OVSX_PAT:-}}" >> "{runner.log}"\n'
        )
        (programs / name).chmod(0o755)
    (runner.tree / "files").mkdir()
    for name in ("linux-x64", "win32-x64"):
        (runner.tree / f"files/irlint-{name}.vsix").write_text("packed")
    return runner


def test_the_extension_is_published_in_a_dry_run_by_default(packed: Runner) -> None:
    packed.run("marketplaces")
    calls = packed.calls().splitlines()
    assert calls[0].startswith("npm ci --ignore-scripts ")
    assert [call.split() for call in calls[1:]] == [["vsce", "--version"], ["ovsx", "--version"]]


def test_the_extension_is_published_where_the_variable_says_so(packed: Runner) -> None:
    packed.run("marketplaces", vars__PUBLISH_EXTENSION="true", secrets__VSCE_PAT="one", secrets__OVSX_PAT="two")
    files = "files/irlint-linux-x64.vsix files/irlint-win32-x64.vsix"
    expected = [
        f"{name} publish --skip-duplicate --packagePath {files} {token}"
        for name, token in (("vsce", "one"), ("ovsx", "two"))
    ]
    assert packed.calls().splitlines()[1:] == expected
    with pytest.raises(AssertionError, match="the secret OVSX_PAT is not set"):
        packed.run("marketplaces", vars__PUBLISH_EXTENSION="true", secrets__VSCE_PAT="one")


def test_what_publishes_the_extension_is_what_packs_it() -> None:
    """And both are the program that the lock file of the extension names."""
    packs = json.loads((ROOT / "lsp/vscode/package.json").read_text())["devDependencies"]
    publishes = json.loads((ROOT / "packaging/marketplaces/package.json").read_text())["dependencies"]
    assert publishes["@vscode/vsce"] == packs["@vscode/vsce"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in publishes.values())


@pytest.mark.parametrize("tag", ["v0.2.0", "0.1.0", "v0.1"])
def test_a_tag_that_is_not_the_version_is_refused(runner: Runner, tag: str) -> None:
    with pytest.raises(AssertionError, match=f"has version 0.1.0, the tag is {tag}"):
        runner.run("build", tag)


def test_a_version_without_notes_is_refused(runner: Runner) -> None:
    shutil.copy(ROOT / "CHANGELOG.md", runner.tree)
    if re.search(rf"^## {__version__}", (runner.tree / "CHANGELOG.md").read_text(), re.MULTILINE):
        pytest.skip("it has notes")
    with pytest.raises(AssertionError, match="has no heading"):
        runner.run("build")


def test_only_the_job_that_publishes_is_trusted_by_pypi() -> None:
    trusted = {name for name, job in RELEASE.items() if "environment" in job}
    assert trusted == {"pypi", "marketplaces"}
    assert {name for name, job in RELEASE.items() if "secrets." in str(job)} == {"marketplaces"}
    assert RELEASE["pypi"]["permissions"] == {"id-token": "write"}
    assert [step for step in RELEASE["pypi"]["steps"] if "run" in step] == [], "no script runs where the token is"
    assert {name for name, job in RELEASE.items() if "cache" in str(job["steps"])} <= {"extension", "marketplaces"}
