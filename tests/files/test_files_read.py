"""Only regular files are read, and nothing makes irlint wait."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from irlint.files.read import Unreadable, read, read_if
from irlint.formats.samples import samples
from irlint.jobs import Job, JobOptions
from irlint.jobs.one_file import check
from irlint.settings import Settings


def why(path: Path | str) -> str:
    with pytest.raises(Unreadable) as caught:
        read(str(path))
    return str(caught.value)


def test_a_file_and_its_head(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abcdef")
    assert read(str(path)) == b"abcdef"
    assert read(str(path), 2) == b"ab"


def test_the_rest_is_read_only_if_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abcdef")
    assert read_if(str(path), lambda head: head == b"abc", 3) == b"abcdef"
    assert read_if(str(path), lambda head: False, 3) is None


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    (tmp_path / "loop").symlink_to("loop")
    assert why(tmp_path / "fifo") == "a FIFO, not a regular file"
    assert why(tmp_path / "socket") == "a socket, not a regular file"
    assert why(tmp_path) == "a folder, not a regular file"
    assert why("/dev/null") == "a device, not a regular file"
    assert why(tmp_path / "gone") == "no such file or folder"
    assert why("a\0b") == "no such file or folder"
    assert "symbolic links" in why(tmp_path / "loop")
    assert "too long" in why("x" * 300)


@pytest.mark.parametrize("form", samples())
def test_a_large_file_that_is_mapped_is_checked_as_one_that_is_read(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irlint.files.read.MAPPED", 1)
    sample = samples()[form]
    for k, content in enumerate((sample.data, sample.data[: len(sample.data) // 2], sample.data.replace(b"1", b"7"))):
        path = tmp_path / f"{k}{sample.name}"
        path.write_bytes(content)
        read_, mapped = (check(Job(str(path), Settings()), JobOptions(mapped=how)).report for how in (False, True))
        assert read_ is not None
        assert read_ == mapped


def test_an_empty_file_is_not_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irlint.files.read.MAPPED", 1)
    path = tmp_path / "a"
    path.touch()
    assert read(str(path), mapped=True) == b""
