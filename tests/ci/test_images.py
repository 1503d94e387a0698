"""The Dockerfile and GitLab's job, step by step as a shell runs them: stages and images are folders with a Python of their own."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from cli.helpers import CLEAN, COMMA, MISSPELT, ROOT

from irlint.config.read_yaml import read_yaml

from .machine import LIMIT, ONLINE, add_environment, build_wheel, environment, shell

pytestmark = pytest.mark.skipif(os.name == "nt" or shutil.which("sh") is None, reason="no sh here")


class Step(NamedTuple):
    instruction: str
    words: str


def steps(text: str) -> list[Step]:
    joined = re.sub(r"\\\n", " ", text)
    lines = [line.strip() for line in joined.split("\n")]
    return [Step(*line.split(maxsplit=1)) for line in lines if line and not line.startswith("#")]


class Stage:
    """An image in the making: a folder for its root, and a Python."""

    def __init__(self, root: Path, before: dict[str, Stage]) -> None:
        self.root, self.before = root, before
        self.programs = add_environment(root / "usr")
        self.folder = "/"
        self.settings: dict[str, str] = {}

    def at(self, path: str) -> Path:
        return self.root / os.path.join(self.folder, path).strip("/")

    def do(self, step: Step) -> None:
        match step.instruction:
            case "WORKDIR":
                self.folder = os.path.join(self.folder, step.words)
                self.at(".").mkdir(parents=True, exist_ok=True)
            case "COPY":
                assert step.words == ". ."
                _copied(ROOT, self.at("."))
            case "RUN":
                self._run(step.words)
            case "USER" | "ENTRYPOINT" | "CMD" | "LABEL":
                self.settings[step.instruction] = step.words
            case _:
                pytest.fail(f"the test knows no {step.instruction}")

    def _run(self, words: str) -> None:
        while (mount := re.match(r"--mount=(\S+) +", words)) is not None:
            facts = dict(fact.split("=") for fact in mount[1].split(","))
            assert facts["type"] == "bind"
            self.at(facts["target"]).symlink_to(self.before[facts["from"]].at(facts["source"]))
            words = words[mount.end() :]
        script = re.sub(r"(?<= )/(?=\w)", f"{shlex.quote(str(self.root))}/", words)
        done = shell(script, self.at("."), environment(self.programs))
        assert done.returncode == 0, done.stderr

    def start(self, *arguments: str, work: Path) -> subprocess.CompletedProcess[str]:
        """What `docker run --volume WORK:/work IMAGE ARGUMENTS` does."""
        assert self.folder == "/work"
        command = json.loads(self.settings["ENTRYPOINT"]) + (list(arguments) or json.loads(self.settings["CMD"]))
        program = self.programs / command[0]
        return subprocess.run(
            [str(program), *command[1:]], cwd=work, env=environment(self.programs, NO_COLOR="1"),
            capture_output=True, text=True, timeout=LIMIT, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip


def _copied(root: Path, folder: Path) -> None:
    """What .dockerignore lets into the build: it names what is taken, and `**/NAME` what is not."""
    lines = (ROOT / ".dockerignore").read_text().split()
    assert lines[0] == "*"
    left_out = shutil.ignore_patterns(*(line.removeprefix("**/") for line in lines if line.startswith("**/")))
    for name in (line[1:] for line in lines if line.startswith("!")):
        if (root / name).is_dir():
            shutil.copytree(root / name, folder / name, dirs_exist_ok=True, ignore=left_out)
        else:
            shutil.copy(root / name, folder / name)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / "models").mkdir(parents=True)
    (folder / "models/bad.json").write_text(MISSPELT)
    (folder / "models/good.json").write_text(CLEAN)
    (folder / "package.json").write_text('{"name": "x"}')
    return folder


def test_the_image(work: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    stages: dict[str, Stage] = {}
    last: Stage | None = None
    for step in steps((ROOT / "Dockerfile").read_text()):
        if step.instruction == "FROM":
            image, _, name = step.words.partition(" AS ")
            assert re.fullmatch(r"python:3\.1\d-slim-\w+", image)
            last = stages[name] = Stage(tmp_path / f"stage{len(stages)}", dict(stages))
        else:
            assert last is not None
            last.do(step)
    assert last is not None
    assert last.settings["USER"] not in ("root", "0")
    assert 'org.opencontainers.image.source="https://github.com/irlint/irlint"' in last.settings["LABEL"]
    done = last.start(work=work)
    assert done.returncode == 1, done.stderr
    assert "models/bad.json:" in done.stdout
    assert last.start("models/good.json", work=work).returncode == 0
    assert last.start("--version", work=work).stdout.startswith("irlint ")
    (work / "models/comma.json").write_text(COMMA)
    assert last.start("--fix", "models/comma.json", work=work).returncode == 0
    assert (work / "models/comma.json").read_text() == CLEAN


def test_gitlabs_job(work: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    path = ROOT / "ci/gitlab.yml"
    job = read_yaml(str(path), path.read_bytes()).values["irlint"]
    programs = add_environment(tmp_path / "usr")
    wheel = str(build_wheel(tmp_path / "wheels"))
    env = environment(programs, PIP_FIND_LINKS=wheel, PIP_PRE="1")
    done = shell("\n".join(job["script"]), work, env)
    assert done.returncode == 1, done.stderr
    report = job["artifacts"]["reports"]["codequality"]
    assert [issue["check_name"] for issue in json.loads((work / report).read_text())] == ["undefined-reference"]
    assert (work / job["cache"]["paths"][0]).is_dir()
    assert ONLINE or str(programs.parent) in shell("command -v irlint", work, env).stdout
    assert job["artifacts"]["when"] == "always", "findings are no reason to keep the report back"


def test_the_images_python_is_one_that_irlint_takes() -> None:
    text = (ROOT / "Dockerfile").read_text() + (ROOT / "ci/gitlab.yml").read_text()
    least = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text())
    assert least is not None
    assert all(int(minor) >= int(least[1]) for minor in re.findall(r"python:3\.(\d+)", text))
    assert sys.version_info >= (3, int(least[1]))
