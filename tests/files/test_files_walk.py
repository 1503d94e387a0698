"""Folder walks: what they find, what they leave out, and where they never go."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from time import perf_counter

import pytest

from irlint.files.globs import Globs
from irlint.files.walk import DEFAULT_EXCLUDE, Exclusion, Tracked, walk

JSON = frozenset({".json"})


def found(root: Path | str, exclude: tuple[str, ...] = DEFAULT_EXCLUDE, base: Path | None = None) -> list[str]:
    exclusion = Exclusion(str(base or Path(root).absolute()), Globs(exclude))
    heard: list[str] = []
    paths = sorted(walk(str(root), JSON, lambda folder: exclusion, lambda path, why: heard.append(f"{path}: {why}")))
    return paths + heard


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_names_begin_as_the_root_does(here: Path) -> None:
    make(here, "a/b.json", "c.JSON", "d.txt")
    assert found(".") == ["a/b.json", "c.JSON"]
    assert found("./a") == ["./a/b.json"]
    assert found("a/") == ["a/b.json"]
    assert found(here / "a") == [str(here / "a/b.json")]


def test_hidden_folders_and_excluded_ones_are_left_out(here: Path) -> None:
    make(
        here, ".git/a.json", ".cache/a.json", "node_modules/a.json", "x/node_modules/y/a.json", "x/old/a.json", "b.json"
    )
    assert found(".") == ["b.json", "x/old/a.json"]
    assert found(".", ("x/old",)) == ["b.json", "node_modules/a.json", "x/node_modules/y/a.json"]
    assert found(".cache") == [".cache/a.json"], "a folder that is named is walked"


def test_a_folder_elsewhere_than_the_configuration(here: Path) -> None:
    make(here, "models/a.json", "models/old/b.json")
    assert found("models", ("old/",), here / "elsewhere") == ["models/a.json"]


def test_gitignore_files_nest(here: Path) -> None:
    make(here, "a.json", "x/a.json", "x/y/a.json", "x/keep.json", "out/a.json", "x/out/a.json")
    (here / ".gitignore").write_text("/out/\nx/*.json\n")
    (here / "x/.gitignore").write_text("!keep.json\ny/a.json\n")
    assert found(".") == ["a.json", "x/keep.json", "x/out/a.json"]


def test_gitignore_files_above_count_within_the_repository(here: Path) -> None:
    make(here, "repo/x/a.json", "repo/x/b.json", "repo/x/c.json")
    (here / ".gitignore").write_text("*.json\n")
    (here / "repo/.git/info").mkdir(parents=True)
    (here / "repo/.git/info/exclude").write_text("b.json\n")
    (here / "repo/.gitignore").write_text("x/c.json\n")
    assert found("repo/x") == ["repo/x/a.json"]
    assert found("repo") == ["repo/x/a.json"]


def git(folder: Path, *words: str) -> None:
    given = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *given, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repo(here: Path) -> Path:
    """A repository that tracks files although a .gitignore names them, or a folder that they are in."""
    git(here, "init", "-q")
    make(here, "kept.json", "left.json", "build/kept.json", "build/deep/kept.json", "build/left.json", "out/left.json")
    git(here, "add", "kept.json", "build/kept.json", "build/deep/kept.json")
    (here / ".gitignore").write_text("*.json\nbuild/\nout/\n")
    return here


def test_what_git_tracks_is_not_ignored(repo: Path) -> None:
    assert found(".") == ["build/deep/kept.json", "build/kept.json", "kept.json"]
    assert found("build/deep") == ["build/deep/kept.json"]
    assert found(".", ("build/",)) == ["kept.json"], "the configuration has its own say"
    (repo / "kept.json").unlink()
    assert found(".") == ["build/deep/kept.json", "build/kept.json"]


@pytest.mark.parametrize("index", [b"", b"DIRC", b"DIRC\0\0\0\x09\0\0\0\x01", None])
def test_an_index_that_cannot_be_read_tells_nothing(repo: Path, index: bytes | None) -> None:
    file = repo / ".git/index"
    file.unlink()
    if index is not None:
        file.write_bytes(index)
    assert found(".") == []


def test_worktrees_and_submodules_have_an_index_of_their_own(
    repo: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    git(repo, "commit", "-qm", "x")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    git(repo, "worktree", "add", "-q", str(elsewhere / "tree"))
    make(elsewhere / "tree", "left.json")
    (elsewhere / "tree/.gitignore").write_text("*.json\n")
    tree = elsewhere / "tree"
    assert found(tree) == [str(tree / f"{name}kept.json") for name in ("build/deep/", "build/", "")]
    above = elsewhere / "above"
    above.mkdir()
    git(above, "init", "-q")
    git(above, "submodule", "add", "-q", str(repo), "lib/sub")
    make(above, "lib/sub/left.json", "lib/left.json")
    for ignored in ("*.json\n", "lib/\n*.json\n"):
        (above / ".gitignore").write_text(ignored)
        (above / "lib/sub/.gitignore").write_text("*.json\n")
        assert found(above) == [str(above / f"lib/sub/{name}kept.json") for name in ("build/deep/", "build/", "")]


def test_the_index_is_read_only_where_something_is_ignored(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tracked, "_found", property(lambda self: pytest.fail("the index was read")))
    (repo / ".gitignore").unlink()
    assert len(found(".")) == 6


def test_many_ignored_files_cost_little(here: Path) -> None:
    git(here, "init", "-q")
    (here / "data").mkdir()
    for k in range(5000):
        (here / f"data/{k}.json").touch()
    git(here, "add", "data/17.json")
    (here / ".gitignore").write_text("*.json\n")
    began = perf_counter()
    assert found(".") == ["data/17.json"]
    assert perf_counter() - began < 2


def test_links_never_lead_out(here: Path) -> None:
    make(here, "outside/a.json", "inside/real.json")
    (here / "inside/folder").symlink_to(here / "outside")
    (here / "inside/file.json").symlink_to(here / "outside/a.json")
    (here / "inside/again.json").symlink_to("real.json")
    (here / "inside/loop").symlink_to(".")
    (here / "inside/self.json").symlink_to("self.json")
    (here / "inside/nowhere.json").symlink_to("gone.json")
    assert found("inside") == ["inside/again.json", "inside/real.json"]
    assert found("inside/folder") == ["inside/folder/a.json"], "a link that is named is followed"


def test_what_is_no_file_is_left_out(here: Path) -> None:
    make(here, "folder.json/a.json")
    os.mkfifo(here / "fifo.json")
    assert found(".") == ["folder.json/a.json"]


def test_odd_names(here: Path) -> None:
    names = [b"a\nb.json", b"\xff\xfe.json", b"-x.json", b"\x1b[31m.json", "ü.json".encode()]
    for name in names:
        (here / os.fsdecode(name)).write_text("{}")
    assert sorted(map(os.fsencode, found("."))) == sorted(names)


@pytest.mark.skipif(os.getuid() == 0 if hasattr(os, "getuid") else True, reason="root may read everything")
def test_a_closed_folder_is_said(here: Path) -> None:
    make(here, "a/b.json", "c.json")
    (here / "a").chmod(0)
    try:
        assert found(".") == ["c.json", "a: permission denied"]
    finally:
        (here / "a").chmod(0o755)


def test_a_folder_that_vanishes_is_said(here: Path) -> None:
    assert found("gone") == ["gone: no such file or folder"]


def test_deep_trees(here: Path) -> None:
    folder = here
    for _ in range(300):
        folder = folder / "d"
    make(folder, "a.json")
    assert len(found(".")) == 1


def test_git_and_the_walk_agree(here: Path) -> None:
    make(here, *(f"{a}/{b}/{c}.json" for a in "xyz" for b in ("out", "src") for c in "ab"))
    (here / ".gitignore").write_text("out/\n!/y/out/\n/z/src/a.*\n")
    subprocess.run(["git", "init", "-q"], check=True)
    git = subprocess.run(
        ["git", "ls-files", "-o", "--exclude-standard", "*.json"], capture_output=True, text=True, check=True
    )
    assert found(".") == sorted(git.stdout.split())
