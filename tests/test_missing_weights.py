"""`weights`: how severe it is that the weights of a model are not there, by what git tracks."""

from __future__ import annotations

import os
import re
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from rule_cases.texts import OPENVINO, SYMBOL, openvino

from irlint import api, engine
from irlint.findings import Finding
from irlint.rules.base import Weights
from irlint.settings import Settings

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
SETTING = "`weights: optional`"


@pytest.fixture(autouse=True)
def plain_git(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(folder: Path, *words: str) -> None:
    given = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *given, *words], cwd=folder, check=True, capture_output=True)


def untracked(folder: Path) -> None:
    git(folder, "init", "-q")


def ignored(folder: Path) -> None:
    git(folder, "init", "-q")
    (folder / ".gitignore").write_text("*.bin\n*.params\n")


def tracked(folder: Path) -> None:
    git(folder, "init", "-q")
    for name in ("model.bin", "model.params"):
        (folder / name).write_bytes(bytes(12))
        git(folder, "add", "-f", name)
        (folder / name).unlink()


def tracked_though_ignored(folder: Path) -> None:
    ignored(folder)
    tracked(folder)


def left_out_by_a_sparse_checkout(folder: Path) -> None:
    tracked(folder)
    git(folder, "update-index", "--skip-worktree", "model.bin", "model.params")


def of_an_index_that_cannot_be_read(folder: Path) -> None:
    tracked(folder)
    (folder / ".git/index").write_bytes(b"DIRC\0\0\0\x09")


def of_a_worktree_whose_repository_is_elsewhere(folder: Path) -> None:
    (folder / ".git").write_text("gitdir: /no/such/folder/.git/worktrees/x\n")


def outside_of_any_repository(folder: Path) -> None:
    pass


# The severity, how the note begins, and whether the message or the note names the setting
STATES: dict[Callable[[Path], None], tuple[str, str, str]] = {
    outside_of_any_repository: ("error", "", "message"),
    tracked: ("error", "git tracks this file; restore it with `git restore :/model.", ""),
    tracked_though_ignored: ("error", "git tracks this file; restore it with `git restore :/model.", ""),
    untracked: ("warning", "git does not track this file", "message"),
    ignored: ("warning", "git ignores this file", "message"),
    left_out_by_a_sparse_checkout: ("warning", "excluded by a sparse checkout", "note"),
    of_an_index_that_cannot_be_read: ("warning", "cannot read git's index", "note"),
    of_a_worktree_whose_repository_is_elsewhere: ("warning", "cannot read git's index", "note"),
}


def lint(folder: Path, kind: str, weights: Weights = "auto", pedantic: bool = False) -> list[Finding]:
    """Findings of a model that has no weights."""
    if kind == "openvino":
        path, text, options = folder / "model.xml", OPENVINO, {}
    else:
        path, text = folder / "model-symbol.json", SYMBOL
        options = {"nnvm": {"weights": str(folder / "model.params")}}
    path.write_text(text)
    settings = Settings(missing_weights=weights, pedantic=pedantic, options=options)
    return [f for f in engine.lint(text, path.name, settings, path=path).findings if f.code[0] == "W"]


@pytest.mark.parametrize("kind", ["openvino", "nnvm"])
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_what_git_says_decides(tmp_path: Path, state: Callable[[Path], None], kind: str) -> None:
    state(tmp_path)
    (finding,) = lint(tmp_path, kind)
    severity, begin, names_the_setting = STATES[state]
    assert (finding.code, str(finding.severity)) == ("W001", severity)
    (note,) = [related.message for related in finding.related] or [""]
    assert note.startswith(begin)
    assert (SETTING in finding.message) is (names_the_setting == "message")
    assert (SETTING in note) is (names_the_setting == "note")
    assert finding.fix is None


@pytest.mark.parametrize("kind", ["openvino", "nnvm"])
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_required_and_optional_do_not_ask_git(tmp_path: Path, state: Callable[[Path], None], kind: str) -> None:
    state(tmp_path)
    (finding,) = lint(tmp_path, kind, "required")
    assert (finding.code, str(finding.severity), finding.related) == ("W001", "error", ())
    assert lint(tmp_path, kind, "optional") == []
    (finding,) = lint(tmp_path, kind, "optional", pedantic=True)
    assert str(finding.severity) == "pedantic"


@pytest.mark.parametrize("kind", ["openvino", "nnvm"])
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_pointer_is_a_warning_in_a_repository(tmp_path: Path, state: Callable[[Path], None], kind: str) -> None:
    state(tmp_path)
    (tmp_path / f"model.{'bin' if kind == 'openvino' else 'params'}").write_bytes(POINTER)
    (finding,) = lint(tmp_path, kind)
    is_outside = state is outside_of_any_repository
    assert (finding.code, str(finding.severity)) == ("W003", "error" if is_outside else "warning")
    assert "`git lfs pull`" in finding.message
    assert is_outside or SETTING in "".join(related.message for related in finding.related)
    (finding,) = lint(tmp_path, kind, "required")
    assert (finding.code, str(finding.severity)) == ("W003", "error")
    assert lint(tmp_path, kind, "optional") == []


@pytest.mark.parametrize("weights", ["auto", "optional"])
@pytest.mark.parametrize(("data", "code"), [(b"", "W002"), (bytes(8), "W002"), (b"<html>", "W003")])
def test_weights_that_are_there_have_to_be_right(tmp_path: Path, weights: Weights, data: bytes, code: str) -> None:
    ignored(tmp_path)
    (tmp_path / "model.bin").write_bytes(data)
    assert [(f.code, str(f.severity)) for f in lint(tmp_path, "openvino", weights)] == [(code, "error")]


def test_a_model_in_an_ignored_folder(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / "build").mkdir()
    (finding,) = lint(tmp_path / "build", "openvino")
    assert str(finding.severity) == "warning"
    assert finding.related[0].message.startswith("git ignores this file")


@pytest.mark.parametrize(
    ("above", "own", "expected"),
    [
        ("", "*.bin\n", True),
        ("*.bin\n", "!model.bin\n", False),
        ("sub/\n", "!model.bin\n", True),
        ("*.params\n", "", False),
    ],
)
def test_the_gitignore_files_of_all_folders_count(tmp_path: Path, above: str, own: str, expected: bool) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text(above)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/.gitignore").write_text(own)
    (finding,) = lint(tmp_path / "sub", "openvino")
    assert finding.related[0].message.startswith("git ignores this file") is expected


def test_the_way_back_holds_in_every_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    tracked(folder)
    (folder / ".git").rename(tmp_path / ".git")
    git(tmp_path, "rm", "-q", "-r", "--cached", ".")
    (folder / "model.bin").write_bytes(bytes(12))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "a")
    (folder / "model.bin").unlink()
    (finding,) = lint(folder, "openvino")
    assert finding.related[0].message == "git tracks this file; restore it with `git restore ':/a b/model.bin'`"
    git(folder, "restore", ":/a b/model.bin")
    assert lint(folder, "openvino") == []


def test_a_file_that_the_user_names_is_required(tmp_path: Path) -> None:
    untracked(tmp_path)
    settings = Settings(weights=tmp_path / "other.bin", missing_weights="optional")
    (finding,) = engine.lint(OPENVINO, "a.xml", settings, path=tmp_path / "a.xml").findings
    assert (finding.code, str(finding.severity)) == ("W001", "error")


# Of a file that only points to the weights nothing is read

_SCALED = OPENVINO[OPENVINO.index('\t\t<layer id="2"') : OPENVINO.index('\t\t<layer id="3"')]
_RESHAPED = (
    _SCALED.replace('name="scaled" type="Multiply"', 'name="flat" type="Reshape"')
    .replace('auto_broadcast="numpy"', 'special_zero="true"')
    .replace('<port id="1" precision="FP32">', '<port id="1" precision="I64">')
    .replace("".join(f"\t\t\t\t\t<dim>{d}</dim>\n" for d in (1, 3, 1, 1)), "\t\t\t\t\t<dim>4</dim>\n")
)
RESHAPE = openvino((_SCALED, _RESHAPED)).replace(
    'element_type="f32" shape="1, 3, 1, 1" offset="0" size="12"', 'element_type="i64" shape="4" offset="0" size="32"'
)
RESHAPE = RESHAPE.replace(
    '<port id="0" precision="FP32">\n' + "".join(f"\t\t\t\t\t<dim>{d}</dim>\n" for d in (1, 3, 1, 1)),
    '<port id="0" precision="I64">\n\t\t\t\t\t<dim>4</dim>\n',
)


def codes(path: Path, settings: Settings = Settings()) -> list[str]:
    return [f.code for f in engine.lint(RESHAPE, path.name, settings, path=path).findings]


def test_a_pointer_is_not_read_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(RESHAPE)
    (tmp_path / "model.bin").write_bytes(struct.pack("<4q", 1, 3, 8, 8))
    assert codes(path) == []
    (tmp_path / "model.bin").write_bytes(struct.pack("<4q", 1, 3, 8, 9))
    assert "D008" in codes(path)
    (tmp_path / "model.bin").write_bytes(POINTER)
    assert codes(path) == ["W003"]
    with pytest.raises(ValueError, match="git lfs pull"):
        api.run(path)


# The file of weights is among what a lint depends on


def test_other_weights_are_looked_at_again(tmp_path: Path) -> None:
    path, right, wrong = tmp_path / "model.xml", tmp_path / "a.weights", tmp_path / "b.weights"
    right.write_bytes(struct.pack("<4q", 1, 3, 8, 8))
    wrong.write_bytes(struct.pack("<4q", 1, 3, 8, 9))
    assert codes(path, Settings(weights=right)) == []
    assert "D008" in codes(path, Settings(weights=wrong))


def test_rewritten_weights_are_looked_at_again(tmp_path: Path) -> None:
    path, weights = tmp_path / "model.xml", tmp_path / "a.weights"
    weights.write_bytes(struct.pack("<4q", 1, 3, 8, 8))
    settings = Settings(weights=weights)
    assert codes(path, settings) == []
    weights.write_bytes(struct.pack("<4q", 1, 3, 8, 9))
    os.utime(weights, ns=(1, 1))
    assert "D008" in codes(path, settings)


def test_an_edit_after_git_add(tmp_path: Path) -> None:
    """What git tracks is asked for in every lint."""
    untracked(tmp_path)
    path = tmp_path / "model.xml"
    first = engine.lint(OPENVINO, path.name, path=path)
    assert [str(f.severity) for f in first.findings] == ["warning"]
    (tmp_path / "model.bin").write_bytes(bytes(12))
    git(tmp_path, "add", "model.bin")
    (tmp_path / "model.bin").unlink()
    second = engine.lint(OPENVINO, path.name, path=path)
    assert [str(f.severity) for f in second.findings] == ["error"]


def test_a_file_of_just_the_size_is_named(tmp_path: Path) -> None:
    """Not where it has the name of another model, or another size."""
    (tmp_path / "openvino_model.bin").write_bytes(bytes(8))
    (short,) = lint(tmp_path, "openvino")
    assert short.related == ()
    wanted = int(max(re.findall(r'size="(\d+)"', OPENVINO), key=int))
    (tmp_path / "openvino_model.bin").write_bytes(bytes(wanted))
    (finding,) = lint(tmp_path, "openvino")
    told = f"'openvino_model.bin' is next to the model and has exactly the {wanted:,} bytes that the model reads"
    assert [note.message for note in finding.related] == [told]
    (tmp_path / "openvino_model.xml").write_text(OPENVINO)
    (other,) = lint(tmp_path, "openvino")
    assert other.related == ()


# A hook is run where the weights are, and what it has to find is in the commit


@pytest.mark.parametrize("is_ignored", [False, True])
def test_weights_that_a_commit_lacks(tmp_path: Path, is_ignored: bool) -> None:
    (ignored if is_ignored else untracked)(tmp_path)
    (tmp_path / "model.xml").write_text(OPENVINO)
    (tmp_path / "model.bin").write_bytes(struct.pack("<4q", 1, 3, 8, 8))

    def found(weights: Weights = "auto") -> list[tuple[str, str]]:
        settings = Settings(missing_weights=weights, in_commit=True)
        return [(f.code, str(f.severity)) for f in lint_file(tmp_path / "model.xml", settings)]

    assert found() == []  # neither is the model
    git(tmp_path, "add", "model.xml")
    assert lint_file(tmp_path / "model.xml", Settings()) == []
    assert found() == [("W001", "warning" if is_ignored else "error")]
    assert found("optional") == []
    (finding,) = lint_file(tmp_path / "model.xml", Settings(in_commit=True))
    flag = "-f " if is_ignored else ""
    assert [note.message for note in finding.related] == [f"add it with `git add {flag}:/model.bin`"]
    git(tmp_path, "add", "-f", "model.bin")
    assert found() == []


def test_weights_that_the_commit_deletes(tmp_path: Path) -> None:
    untracked(tmp_path)
    (tmp_path / "model.xml").write_text(OPENVINO)
    (tmp_path / "model.bin").write_bytes(struct.pack("<4q", 1, 3, 8, 8))
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "-qm", "both")
    git(tmp_path, "rm", "-q", "model.bin")
    (plain,) = lint_file(tmp_path / "model.xml", Settings())
    (finding,) = lint_file(tmp_path / "model.xml", Settings(in_commit=True))
    assert [str(f.severity) for f in (plain, finding)] == ["warning", "error"]
    assert [note.message for note in finding.related] == ["the next commit deletes this file"]


def lint_file(path: Path, settings: Settings) -> list[Finding]:
    return [f for f in engine.lint(path.read_text(), path.name, settings, path=path).findings if f.code == "W001"]
