"""The pre-commit hooks, run by pre-commit itself in a repository of 40 mixed files.

With IRLINT_TRY_REPO set (`make hooks`), `pre-commit try-repo` installs irlint as it does for a user, which takes a minute; else
the same hooks run with the irlint that is tested.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.helpers import ROOT, environment

from irlint.cli.dispatch import parser_of
from irlint.companions import PATTERNS
from irlint.config.read_yaml import read_yaml
from irlint.formats.base import all_formats, extensions

from . import repository
from .repository import commit_all, git

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
LIMIT = 300  # seconds, for a machine under load
PLACE = re.compile(r"^(?P<code>[A-Z]\d{3})\[[\w-]+\].*\n +--> (?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+)$", re.M)


def hooks() -> list[dict[str, Any]]:
    text = "hooks:\n" + MANIFEST.read_text(encoding="utf-8")
    found = read_yaml(str(MANIFEST), text.encode()).values["hooks"]
    assert isinstance(found, list)
    return found


def test_the_manifest_has_both_names() -> None:
    link = ROOT / "pre-commit-hooks.yaml"
    assert link.read_bytes() == MANIFEST.read_bytes()
    assert link.is_symlink() or os.name == "nt"


def test_every_hook_runs_a_command_that_there_is() -> None:
    assert [hook["id"] for hook in hooks()] == ["irlint", "irlint-fix", "irlint-schema"]
    for hook in hooks():
        program, command, *arguments = shlex.split(hook["entry"])
        assert program == "irlint"
        assert parser_of(command).parse_args(arguments).skip_unrecognized


def test_hooks_see_every_file_that_can_decide() -> None:
    """As a folder walk does, and weights besides."""
    weights = {extension for format_ in all_formats().values() for extension in format_.side_extensions}
    for hook in hooks():
        for extension in extensions() | weights:
            assert re.search(hook["files"], f"folder/model{extension}"), extension
        for name in (name for patterns in PATTERNS.values() for name in patterns):
            assert re.search(hook["files"], f"folder/{name.replace('*', 'x')}"), name
        assert not re.search(hook["files"], "model.py")
        assert not re.search(hook["files"], "settings.yaml")


class Repository:
    """A folder under git in which hooks can be run."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.env = environment(
            PRE_COMMIT_HOME=str(home),
            PATH=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
            GIT_CONFIG_GLOBAL=os.devnull,
            NO_COLOR="1",
        )
        for name in [
            name for name in self.env if name.startswith(("GIT_DIR", "GIT_INDEX", "GIT_WORK", "PRE_COMMIT_FROM"))
        ]:
            del self.env[name]
        git(folder, "init", "--quiet")
        self.planted = repository.write(folder)
        commit_all(folder, "begin")

    def run(self, hook: str, *files: str) -> tuple[int, str]:
        """Runs a hook over all files, or these."""
        what = ["--files", *files] if files else ["--all-files"]
        if os.environ.get("IRLINT_TRY_REPO"):
            command = ["try-repo", os.environ["IRLINT_TRY_REPO"], hook, *what, "--color=never"]
            self.env.pop("PYTHONPATH", None)
        else:
            command = ["run", "--config", self._local(), hook, *what, "--color=never"]
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", *command],
            cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def _local(self) -> str:
        """The manifest's hooks as hooks of the repository itself: nothing has to be installed."""
        lines = ["repos:", "- repo: local", "  hooks:"]
        for hook in hooks():
            entry = hook["entry"].replace("irlint", f"{shlex.quote(sys.executable)} -m irlint", 1)
            changed = {**hook, "language": "system", "entry": entry, "require_serial": "true"}
            rows = [f"{key}: {value}" for key, value in changed.items()]
            lines += [f"  - {rows[0]}", *(f"    {row}" for row in rows[1:])]
        path = self.folder.parent / "hooks.yaml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    def found(self, text: str) -> dict[str, tuple[str, str]]:
        """What a hook's output tells: file -> code and token."""
        found = {}
        for match in PLACE.finditer(text):
            line = (self.folder / match["file"]).read_text(encoding="utf-8").split("\n")[int(match["line"]) - 1]
            rest = line[int(match["column"]) - 1 :]
            _, token = self.planted.get(match["file"], ("", ""))
            assert match["file"] not in found, f"two findings in {match['file']}"
            found[match["file"]] = (match["code"], token if rest.startswith(token) else rest)
        return found


@pytest.fixture
def repo(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    pytest.importorskip("pre_commit")
    if shutil.which("git") is None:
        pytest.skip("no git here")
    folder = tmp_path / "repository"
    folder.mkdir()
    home = tmp_path_factory.getbasetemp() / "pre-commit"  # one for all tests: what is installed is installed once
    return Repository(folder, home)


def test_it_has_40_files(repo: Repository) -> None:
    assert len(git(repo.folder, "ls-files").split()) == 40


def test_finds_what_is_planted_and_nothing_else(repo: Repository) -> None:
    status, text = repo.run("irlint")
    assert status == 1, text
    assert repo.found(text) == repo.planted
    assert git(repo.folder, "status", "--porcelain", "--ignored") == "!! .irlint_cache/\n" or not git(
        repo.folder, "status", "--porcelain"
    )


def test_repairs_and_then_has_nothing_to_repair(repo: Repository) -> None:
    status, _ = repo.run("irlint-fix", *repository.SAFE)
    assert status == 1, "files were changed"
    assert git(repo.folder, "diff", "--name-only").split() == sorted(repository.SAFE)
    git(repo.folder, "add", "--all")
    status, text = repo.run("irlint-fix", *repository.SAFE)
    assert status == 0, text
    status, text = repo.run("irlint")
    assert repo.found(text) == {name: what for name, what in repo.planted.items() if name in repository.OTHER}


def test_a_clean_repository_is_passed(repo: Repository) -> None:
    for name in repo.planted:
        (repo.folder / name).unlink()
    commit_all(repo.folder, "without mistakes")
    for hook in ("irlint", "irlint-fix", "irlint-schema"):
        status, text = repo.run(hook)
        assert status == 0, text
        assert "-->" not in text


def test_the_schema_hook_looks_no_further(repo: Repository) -> None:
    _, text = repo.run("irlint-schema")
    assert set(repo.found(text)) == {"lightnet/comma.json", "lightnet/python.json"}


def test_changed_weights_have_their_model_checked(repo: Repository) -> None:
    (repo.folder / "openvino/sample.bin").write_bytes(bytes(8))
    git(repo.folder, "add", "--all")
    status, text = repo.run("irlint", "openvino/sample.bin")
    assert status == 1, text
    assert [match["code"] for match in PLACE.finditer(text)] == ["W002"]
    assert "openvino/sample.xml" in text
    assert repo.run("irlint", "firmware.bin", "package.json")[0] == 0


def test_weights_that_are_not_added(repo: Repository) -> None:
    git(repo.folder, "rm", "--quiet", "--cached", "openvino/sample.bin")
    status, text = repo.run("irlint", "openvino/sample.xml")
    assert status == 1, text
    assert "git does not track weights file 'sample.bin'" in text
    git(repo.folder, "add", "openvino/sample.bin")
    assert repo.run("irlint", "openvino/sample.xml")[0] == 0  # not the report of the run before
