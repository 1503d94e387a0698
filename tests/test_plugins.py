"""Plug-ins: found where packages are installed, never in the folder one happens to work in."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from irlint import plugins


def package(folder: Path, name: str, points: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text(points)


@pytest.fixture(autouse=True)
def _forget() -> None:
    plugins._declared.cache_clear()


def test_as_importlib_metadata_reads_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "[console_scripts]\nx = y:z\n\n[irlint.rules]\nA = os.path:join\nB=os:sep [extra]\n[irlint.formats]\nc = json\n"
    )
    package(tmp_path / "site", "some", text)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for group in ("irlint.rules", "irlint.formats"):
        wanted = {p.name: p.load() for p in metadata.entry_points(group=group)}
        assert dict(plugins.load(group)) == wanted


def test_not_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "evil", "[irlint.rules]\nX = antigravity:boom\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    assert "X" not in dict(plugins._declared().get("irlint.rules", ()))


def test_broken_packages_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site" / "empty-1.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "bytes-1.dist-info").mkdir()
    (tmp_path / "site" / "bytes-1.dist-info" / "entry_points.txt").write_bytes(b"[irlint.rules]\n\xff = a:b\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert plugins.load("irlint.rules") is not None


def test_the_slow_reader_is_not_imported() -> None:
    code = "import sys, irlint.engine, irlint.formats as f; f.all_formats(); print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
