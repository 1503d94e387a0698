"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
os.environ["IRLINT_RAISE"] = "1"  # no exception becomes a finding, so that no test passes thanks to the last net
os.environ.pop("PYTHONUNBUFFERED", None)  # what the tests start buffers its output, as a user's Python does
os.environ.pop("COLUMNS", None)  # output that is compared with what was expected is not wrapped


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real model files; tests that need it are skipped, visibly, where it is not."""
    folder = Path(os.environ.get("IRLINT_CORPUS") or ROOT.parent / "shared" / "corpus")
    if not folder.is_dir():
        pytest.skip("no corpus of real files here (set IRLINT_CORPUS)")
    return folder


settings.register_profile("irlint", deadline=None)  # the machines that run this are shared: time says nothing there
settings.register_profile("mutation", deadline=None, derandomize=True, max_examples=30)  # make mutation
settings.load_profile("irlint")
