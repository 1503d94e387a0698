"""A file that is replaced is the old one or the new one, whole, at every moment."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from irlint.files.read import Unreadable
from irlint.files.replace import replace


def test_mode_stays_and_nothing_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace(str(path), b"new", expected=b"old")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.json"]


def test_owner_stays(tmp_path: Path) -> None:
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root can give files away")
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    replace(str(path), b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    replace(str(path), b"new")
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target = tmp_path / "folder/real.json"
    target.write_bytes(b"old")
    link = tmp_path / "link.json"
    link.symlink_to("folder/real.json")
    replace(str(link), b"new", expected=b"old")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert os.listdir(tmp_path / "folder") == ["real.json"]


def test_somebody_elses_work_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"theirs")
    with pytest.raises(Unreadable, match="changed in the meantime"):
        replace(str(path), b"new", expected=b"old")
    assert path.read_bytes() == b"theirs"
    assert os.listdir(tmp_path) == ["a.json"]


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_what_fails_on_the_way_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, step, fail)
    with pytest.raises(Unreadable, match="no space left on device"):
        replace(str(path), b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_full_disk(tmp_path: Path) -> None:
    """A limit on file size stands for the disk: writing fails in the middle."""
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
        "from irlint.files.replace import replace; replace(sys.argv[1], b'x' * 10000)"
    )
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert "Unreadable: file too large" in done.stderr
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.json"]


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_and_a_read_only_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(Unreadable, match="read-only"):
        replace(str(path), b"new")
    path.chmod(0o644)
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(Unreadable, match="permission denied"):
            replace(str(path), b"new")
    finally:
        tmp_path.chmod(0o755)
    assert path.read_bytes() == b"old"


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Two contents are written in turn; whenever the writer is killed, the file is one of them."""
    path = tmp_path / "a.json"
    contents = b"a" * 300_000, b"b" * 300_000
    path.write_bytes(contents[0])
    code = (
        "import sys; from irlint.files.replace import replace\n"
        "print(flush=True)\n"
        "while True:\n  for c in b'ab': replace(sys.argv[1], bytes([c]) * 300_000)"
    )
    for attempt in range(12):
        with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout
            writer.stdout.readline()
            time.sleep(0.0007 * attempt)
            writer.kill()
        assert path.read_bytes() in contents
