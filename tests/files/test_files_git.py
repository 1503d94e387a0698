"""The index of a repository, held against git itself."""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from irlint.files import git

NAMES = ["a.bin", "deep/er/b.bin", "deep/er/b.bin.txt", "deep-/c", "deep.d", "deep0", "ä ö.bin", "x" * 200 + "/y"]


@pytest.fixture(autouse=True)
def plain_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def run(root: Path, *words: str) -> str:
    given = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *given, *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    run(folder, "init", "-q")
    make(folder, *NAMES)
    run(folder, "add", ".")
    make(folder, "untracked.bin", "deep/untracked.bin")
    return folder


def known(folder: Path) -> git.Repository:
    found = git.repository(str(folder))
    assert found is not None
    return found


def below(found: git.Repository, folder: Path) -> list[str] | None:
    """The tracked files in a folder, as paths below it; None where the index cannot tell."""
    index, name = found.read_index(), found.name_of(str(folder))
    if index is None or name is None:
        return None
    start = name + b"/" if name else b""
    paths = [path[len(start) :] for path in index.paths if path.startswith(start) and not path.endswith(b"/")]
    assert index.has_below(name) is bool([path for path in index.paths if path.startswith(start)])
    return [os.fsdecode(path).replace("/", os.sep) for path in paths]


def listed(root: Path) -> list[str]:
    return sorted(set(run(root, "ls-files", "-z").split("\0")) - {""})


def assert_as_git_says(root: Path) -> None:
    found = known(root)
    files = below(found, root)
    assert files is not None
    assert sorted(files) == listed(root)
    for name in files:
        assert found.tracks(str(root / name)) is True
    for name in ("untracked.bin", "deep/untracked.bin", "deep", "deep/er", "no/such", "a.bi", "a.bin2"):
        assert found.tracks(str(root / name)) is False


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version(root: Path, version: str) -> None:
    run(root, "update-index", "--index-version", version)
    if version == "3":
        run(root, "add", "--intent-to-add", "untracked.bin")  # a flag that version 2 has no room for
        (root / "untracked.bin").rename(root / "later.bin")
        run(root, "add", "--intent-to-add", "later.bin")
        run(root, "rm", "-q", "--cached", "untracked.bin")
    assert (root / ".git/index").read_bytes()[7] == int(version)
    assert_as_git_says(root)


def test_many_files_in_version_4(root: Path) -> None:
    make(root, *(f"many/{k % 37}/{k}.json" for k in range(12_000)))  # in blocks of their own from 10,000 on
    run(root, "-c", "index.threads=4", "-c", "index.version=4", "add", "many")
    run(root, "update-index", "--index-version", "4")
    assert_as_git_says(root)


def test_folders(root: Path) -> None:
    found = known(root)
    assert below(found, root / "deep") == [os.path.join("er", "b.bin"), os.path.join("er", "b.bin.txt")]
    assert below(found, root / "dee") == []
    assert below(found, root.parent) is None, "outside the repository"


def test_the_repository_of_a_folder(root: Path, tmp_path: Path) -> None:
    assert git.repository(str(root / "deep/er")) == known(root)
    assert git.repository(str(tmp_path)) is None
    (root / "deep/.git").mkdir()
    assert git.repository(str(root / "deep/er")) == known(root), "git looks further up as well"


def test_no_index_yet(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    found = known(tmp_path)
    assert found.tracks(str(tmp_path / "a")) is False
    assert below(found, tmp_path) == []


def test_a_new_version_is_seen(root: Path) -> None:
    found = known(root)
    assert found.tracks(str(root / "untracked.bin")) is False
    run(root, "add", "untracked.bin")
    assert found.tracks(str(root / "untracked.bin")) is True
    run(root, "rm", "-q", "--cached", "untracked.bin")
    assert found.tracks(str(root / "untracked.bin")) is False


def test_an_index_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = known(root)
    assert found.tracks(str(root / "a.bin")) is True
    monkeypatch.setattr(git, "read", None)
    assert found.tracks(str(root / "deep/er/b.bin")) is True


def test_a_worktree_and_a_submodule(root: Path, tmp_path: Path) -> None:
    run(root, "commit", "-q", "-m", "x")
    run(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    make(tmp_path / "tree", "only-here")
    run(tmp_path / "tree", "add", "only-here")
    assert_as_git_says(tmp_path / "tree")
    assert known(root).tracks(str(root / "only-here")) is False
    run(root, "submodule", "--quiet", "add", str(tmp_path / "tree"), "sub")
    assert_as_git_says(root / "sub")


def test_a_git_file_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /no/such/folder\n")
    assert known(tmp_path).tracks(str(tmp_path / "a")) is None
    (tmp_path / ".git").write_text("something else\n")
    assert git.repository(str(tmp_path)) is None


def test_long_hashes(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "--object-format=sha256")
    make(tmp_path, *NAMES)
    run(tmp_path, "add", ".")
    assert_as_git_says(tmp_path)


def test_a_conflict(root: Path) -> None:
    run(root, "commit", "-q", "-m", "1")
    run(root, "branch", "other")
    (root / "a.bin").write_text("one")
    run(root, "commit", "-q", "-a", "-m", "2")
    run(root, "checkout", "-q", "other")
    (root / "a.bin").write_text("two")
    run(root, "commit", "-q", "-a", "-m", "3")
    subprocess.run(["git", "merge", "-q", "-"], cwd=root, capture_output=True)
    assert_as_git_says(root)


@pytest.mark.parametrize("sparse_index", [False, True])
def test_a_sparse_checkout(root: Path, sparse_index: bool) -> None:
    run(root, "commit", "-q", "-m", "1")
    (root / "deep/untracked.bin").unlink()
    run(root, "-c", f"index.sparse={sparse_index}", "sparse-checkout", "init", "--cone", f"--{'' if sparse_index else 'no-'}sparse-index")  # fmt: skip
    run(root, "sparse-checkout", "set", "deep-")
    assert not (root / "deep").exists()
    found = known(root)
    assert found.skips(str(root / "deep/er/b.bin")) is True
    assert found.tracks(str(root / "deep/er/b.bin")) is (None if sparse_index else True)
    assert found.skips(str(root / "a.bin")) is False
    assert found.tracks(str(root / "a.bin")) is True


def test_links(root: Path) -> None:
    (root / "a-link.bin").symlink_to("untracked.bin")
    (root / "er").symlink_to("deep/er")
    run(root, "add", "a-link.bin")
    found = known(root)
    assert found.tracks(str(root / "a-link.bin")) is True
    assert found.tracks(str(root / "er/b.bin")) is True, "by the folder that it really is in"
    assert below(found, root / "er/..")


def broken(data: bytes) -> Iterator[bytes]:
    yield b""
    yield b"DIRC"
    yield data[:-200]
    yield data[: len(data) // 2]
    yield b"DIRX" + data[4:]
    yield data[:4] + struct.pack(">I", 5) + data[8:]
    yield data[:8] + struct.pack(">I", 0xFFFFFFFF) + data[12:]


@pytest.mark.parametrize("version", ["2", "4"])
def test_an_index_that_cannot_be_read(root: Path, version: str) -> None:
    run(root, "update-index", "--index-version", version)
    data = (root / ".git/index").read_bytes()
    for number, text in enumerate(broken(data)):
        (root / ".git/index").write_bytes(text)
        os.utime(root / ".git/index", (number, number))
        assert known(root).tracks(str(root / "a.bin")) is None, number
        assert below(known(root), root) is None


def test_a_split_index(root: Path) -> None:
    run(root, "update-index", "--split-index")
    assert known(root).tracks(str(root / "a.bin")) is None


def test_a_small_index_of_endless_names(root: Path) -> None:
    """Each path of version 4 is the one before and one letter more."""
    entry = bytes(60) + b"\0\0" + b"\0" + b"a\0"
    count = 200_000
    (root / ".git/index").write_bytes(b"DIRC" + struct.pack(">II", 4, count) + entry * count + bytes(20))
    assert known(root).tracks(str(root / "a.bin")) is None
