"""Installs a wheel under Python after Python, and uses it: smoke.py WHEEL [PYTHON...]; without PYTHON, under each from 3.10 on.

Each Python gets an empty environment. There, the examples are checked, one of them is run, the server answers `initialize`,
and the man page is where `man` looks. In a second one, irlint is installed without its dependencies and finds the same.
"""

from __future__ import annotations

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINORS = range(10, 15)
COLUMNS = ("Python", "version", "install", "examples", "run", "server", "man page", "without dependencies")
LIMIT = 600  # seconds for one command


def main(wheel: str, *pythons: str) -> int:
    found = {python: python for python in pythons} or {f"3.{minor}": here(minor) for minor in MINORS}
    failed = False
    print(f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}")
    for name, python in found.items():
        if python is None:
            print(f"| {name} | skipped: not installed here |{' |' * (len(COLUMNS) - 2)}", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="irlint-smoke-") as folder:
            cells = list(checked(python, Path(wheel).resolve(), Path(folder)))
        failed |= any(cell.startswith("FAILED") for cell in cells)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return int(failed)


def here(minor: int) -> str | None:
    """Return a Python of this version: on the path (a shim of pyenv may be there and not run), or one of pyenv's."""
    root = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    candidates = [f"python3.{minor}", *sorted(glob.glob(f"{root}/versions/3.{minor}.*/bin/python"), reverse=True)]
    test = f"import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, {minor}))"
    for python in filter(shutil.which, candidates):
        if subprocess.run([python, "-c", test], capture_output=True, check=False).returncode == 0:
            return python
    return None


class Environment:
    """An empty environment of a Python, in a folder with the examples."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder, self.python = folder, python
        self.programs = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        shutil.copytree(ROOT / "examples", folder / "examples")

    def run(self, *words: str, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        env["PYTHONUTF8"] = "1"
        return subprocess.run(
            words, cwd=self.folder, env=env, input=input, capture_output=True, timeout=LIMIT, check=False
        )

    def irlint(self, *words: str, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return self.run(str(self.programs / "irlint"), *words, input=input)

    def install(self, wheel: Path, *options: str) -> str:
        """Return what went wrong, or nothing."""
        pip = (str(self.programs / "python"), "-m", "pip", "install", "--quiet")
        made = _expect(self.run(self.python, "-m", "venv", str(self.folder / "environment")), 0)
        return made or _expect(self.run(*pip, *options, str(wheel)), 0)


def checked(python: str, wheel: Path, folder: Path) -> Iterator[str]:
    """Yield a cell of the table for each thing done, until something fails that the rest needs."""
    whole, light = Environment(folder / "whole", python), Environment(folder / "light", python)
    yield whole.run(python, "-c", "import platform; print(platform.python_version())").stdout.decode().strip()
    problem = whole.install(wheel) or light.install(wheel, "--no-deps")
    yield problem or "ok"
    if problem:
        return
    for check in (_examples, _run, _server):
        start = time.perf_counter()
        yield check(whole) or f"{time.perf_counter() - start:.1f} s"
    yield "ok" if (whole.folder / "environment/share/man/man1/irlint.1").is_file() else "FAILED: missing"
    found, expected = (each.irlint("examples", "--output-format", "json") for each in (light, whole))
    yield _expect(found, 1) or ("same findings" if found.stdout == expected.stdout else "FAILED: other findings")


def _examples(whole: Environment) -> str:
    return _expect(whole.irlint("examples"), 1, b"[undefined-reference]")


def _run(whole: Environment) -> str:
    return _expect(whole.irlint("run", "examples/openvino/digits.xml"), 0)


def _server(whole: Environment) -> str:
    messages = (
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    )
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    said = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    return _expect(whole.irlint("server", input=said), 0, b'"capabilities"')


def _expect(done: subprocess.CompletedProcess[bytes], status: int, words: bytes = b"") -> str:
    """Return what went wrong, or nothing."""
    if done.returncode == status and words in done.stdout:
        return ""
    said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return f"FAILED: status {done.returncode}: {said[-1] if said else ''}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
