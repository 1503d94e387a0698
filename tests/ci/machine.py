"""A machine on which steps run that are written for other people's: programs of its own, and packages without a network.

With IRLINT_TRY_REPO set (`make hooks`), packages come from where they come from for a user.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from cli.helpers import ROOT

LIMIT = 300  # seconds, for a machine under load
ONLINE = bool(os.environ.get("IRLINT_TRY_REPO"))

OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_IGNORE_INSTALLED": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it the wrong way round: there is none
}


def environment(programs: Path | None = None, **more: str) -> dict[str, str]:
    """For a shell in which irlint has to be installed: dependencies are those of the tests, irlint itself is not among them."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHONPATH"))}
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    if not ONLINE:
        env |= {**OFFLINE, "PYTHONPATH": sysconfig.get_path("purelib")}
    elif "PIP_INDEX_URL" in os.environ:
        env["PIP_INDEX_URL"] = os.environ["PIP_INDEX_URL"]
    if programs is not None:
        env["PATH"] = os.pathsep.join([str(programs), env.get("PATH", os.defpath)])
    return {**env, **more}


def add_python(folder: Path) -> Path:
    """A folder with the `python3` of the tests."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "python3"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    return folder


def add_environment(folder: Path) -> Path:
    """The programs of a new Python: python, pip, and what is installed."""
    subprocess.run(
        [sys.executable, "-m", "venv", *([] if ONLINE else ["--without-pip"]), str(folder)],
        check=True, capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    programs = folder / "bin"
    if not ONLINE:  # the tests' pip does as well, and need not be installed
        pytest.importorskip("pip")
        pip = programs / "pip"
        pip.write_text(f'#!/bin/sh\nexec "{programs}/python" -m pip "$@"\n')
        pip.chmod(0o755)
    return programs


def build_wheel(folder: Path) -> Path:
    """The folder, with a wheel of irlint in it."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return folder


def shell(script: str, where: Path, env: dict[str, str], *, bash: bool = False) -> subprocess.CompletedProcess[str]:
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"] if bash else ["sh", "-ec"]
    return subprocess.run(
        [*command, script], cwd=where, env=env, capture_output=True, text=True, timeout=LIMIT, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
