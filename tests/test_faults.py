"""What goes wrong outside of irlint: disks, folders, clocks, locales, and an end at any moment."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.helpers import CLEAN, COMMA, MISSPELT, environment, spawn

from irlint.cli import main

KILLED = """
import gc, os, random, signal, sys
from irlint.cli import main
from irlint.files import replace

path, broken, clean = sys.argv[1], sys.argv[2].encode(), sys.argv[3].encode()
WHERE = {"all": None, "replace": replace.__file__}

def run(at, only):
    '''Repairs the file in another process, which ends itself at its at-th call; the number of calls if it does not.'''
    with open(path, "wb") as file:
        file.write(broken)
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        count = 0
        def called(frame, event, argument):
            nonlocal count
            if only is None or frame.f_code.co_filename == only:
                count += 1
                if count == at:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.setprofile(called)
        main(["--fix", "--no-cache", "--isolated", path])
        sys.setprofile(None)
        os.write(theirs, str(count).encode())
        os._exit(0)
    os.close(theirs)
    said = os.read(ours, 100)
    os.close(ours)
    os.waitpid(child, 0)
    with open(path, "rb") as file:
        found = file.read()
    assert found in (broken, clean), found
    return int(said or 0), found == clean

sys.stdout = open(os.devnull, "w")
with open(path, "wb") as file:
    file.write(broken)
main(["--fix", "--no-cache", "--isolated", path])  # what it needs is imported once for all
choose, ends = random.Random(1), set()
for word, only in WHERE.items():
    total, done = run(0, only)
    assert done and total > 20, (word, total, done)
    for k in range(100):
        at = k % total + 1 if only else choose.randrange(1, total)
        ends.add(run(at, only)[1])
assert ends == {True, False}, ends
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_killed_at_two_hundred_moments_of_a_repair(tmp_path: Path) -> None:
    """Moments are calls, not times: half of them anywhere in the run, half inside the replacement of the file."""
    path = tmp_path / "a.json"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), COMMA, CLEAN],
        env=environment(), capture_output=True, text=True, timeout=170, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-1000:]


@pytest.mark.parametrize("step", ["irlint.files.replace.mkstemp", "os.replace", "os.fsync", "os.chmod"])
@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EIO])
def test_a_folder_that_cannot_be_written(
    step: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    path.write_text(COMMA)

    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(step, fail)
    assert main(["--fix", "--no-cache", "--isolated", str(path)]) == 2
    monkeypatch.undo()
    assert "cannot write fixes: " in capsys.readouterr().err
    assert path.read_text() == COMMA
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_file_that_is_changed_while_it_is_read(tmp_path: Path) -> None:
    from irlint.files.read import read_if

    path = tmp_path / "a.json"
    path.write_text(MISSPELT * 100)

    def cut(head: bytes) -> bool:
        os.truncate(path, 5)
        return True

    assert read_if(str(path), cut, 100) == MISSPELT.encode()[:5]  # as it is when it is read, not as it was at a look

    def remove(head: bytes) -> bool:
        path.unlink()
        return True

    assert read_if(str(path), remove, 100) == MISSPELT.encode()[:5]


def test_a_file_that_is_changed_while_it_is_repaired_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from irlint import fixes

    path = tmp_path / "a.json"
    path.write_text(COMMA)
    fix = fixes.fix

    def meanwhile(*arguments: object, **more: object) -> fixes.Fixed:
        path.write_text(MISSPELT)
        return fix(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(fixes, "fix", meanwhile)
    assert main(["--fix", "--no-cache", "--isolated", str(path)]) == 2
    assert "changed in the meantime" in capsys.readouterr().err
    assert path.read_text() == MISSPELT


@pytest.mark.parametrize("seconds", [0, 1, 4_000_000_000])
def test_clocks_that_are_wrong(seconds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("irlint.cli.commands.check.WORTH_CACHING", 0)
    for name, text in (("a.json", MISSPELT), ("b.json", CLEAN)):
        Path(name).write_text(text)
        os.utime(name, (seconds, seconds))
    real = time.time
    assert main(["."]) == 1
    monkeypatch.setattr(time, "time", lambda: real() - 1e9)
    assert main(["."]) == 1
    Path("a.json").write_text(CLEAN)
    os.utime("a.json", (seconds, seconds))
    assert main(["."]) == 0


def test_locales_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(MISSPELT.replace('"p"', '"\u0130i\u0131\u00e9"'), encoding="utf-8")
    said = set()
    for more in (
        {},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONIOENCODING": "ascii"},
        {"TZ": "X25"},
    ):
        done = spawn("--no-cache", "--isolated", str(path), "--output-format", "json", env=environment(**more))
        said.add((done.status, done.out, done.err))
    assert len(said) == 1
    assert '"R001"' in next(iter(said))[1]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_change_nothing_but_themselves(end: str, tmp_path: Path) -> None:
    from irlint import engine

    plain, other = engine.lint(MISSPELT), engine.lint(MISSPELT.replace("\n", end))
    assert [(f.code, f.message, plain.lines.position(f.span.start)) for f in plain.findings] == [
        (f.code, f.message, other.lines.position(f.span.start)) for f in other.findings
    ]
