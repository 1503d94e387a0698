"""Running the command line in this process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from irlint.cli import main

from .helpers import Done, Irlint


@pytest.fixture
def irlint(capfdbinary: pytest.CaptureFixture[bytes]) -> Irlint:
    """Runs irlint in this process."""

    def run(*arguments: str) -> Done:
        capfdbinary.readouterr()
        status = main(list(arguments))
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Done(status, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape"))

    return run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "IRLINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
