"""Plug-ins: found where packages are installed, never in the folder one happens to work in."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from cli.helpers import CLEAN, command, environment

from irlint.formats import base
from irlint.tools import installed


def package(folder: Path, name: str, points: str) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text(points)


@pytest.fixture(autouse=True)
def _forget() -> None:
    installed._declared.cache_clear()


def test_as_importlib_metadata_reads_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "[console_scripts]\nx = y:z\n\n[irlint.rules]\nA = os.path:join\nB=os:sep [extra]\n[irlint.formats]\nc = json\n"
    )
    package(tmp_path / "site", "some", text)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    for group in ("irlint.rules", "irlint.formats"):
        wanted = {p.name: p.load() for p in metadata.entry_points(group=group)}
        assert dict(installed.entry_points(group)) == wanted


def test_not_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "evil", "[irlint.rules]\nX = antigravity:boom\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    assert "X" not in dict(installed._declared().get("irlint.rules", ()))


def test_broken_packages_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site" / "empty-1.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "bytes-1.dist-info").mkdir()
    (tmp_path / "site" / "bytes-1.dist-info" / "entry_points.txt").write_bytes(b"[irlint.rules]\n\xff = a:b\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert installed.entry_points("irlint.rules") is not None


@pytest.mark.parametrize(
    ("points", "code", "words"),
    [
        ("[irlint.rules]\nx = broken:X\n", "raise RuntimeError('boom')\n", "RuntimeError: boom"),
        ("[irlint.rules]\nx = broken:X\n", "import sys; sys.exit(7)\n", "SystemExit: 7"),
        ("[irlint.rules]\nx = broken:X\n", "", "AttributeError"),
        ("[irlint.rules]\nx = nowhere:X\n", "", "ModuleNotFoundError"),
        ("[irlint.rules]\nx = broken:X\n", "X = 5\n", "is not a rule"),
        ("[irlint.rules]\nx = irlint.rules.base:Rule\n", "", "is not a rule"),
        ("[irlint.rules]\nx = irlint.rules.checks.cycle:Cycle\n", "", "duplicate rule code"),
        ("[irlint.formats]\nx = broken:X\n", "X = 5\n", "is no format"),
    ],
)
def test_one_that_cannot_be_used_is_told_once(tmp_path: Path, points: str, code: str, words: str) -> None:
    package(tmp_path / "site", "broken", points)
    (tmp_path / "site/broken.py").write_text(code)
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(CLEAN)
    env = environment()
    env["PYTHONPATH"] += os.pathsep + str(tmp_path / "site")
    done = subprocess.run(
        command(".", "--no-cache"), cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


def test_the_slow_reader_is_not_imported() -> None:
    code = "import sys, irlint.engine, irlint.formats as f; f.all_formats(); print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_format_in_a_module_of_its_own_has_nothing_beside_it() -> None:
    base.all_formats()
    assert base._module("json.decoder.navigation") is None
    assert base._module("irlint.formats.onnx.navigation") is not None
