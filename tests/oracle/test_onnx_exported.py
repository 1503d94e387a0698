"""irlint on models of today's exporters, drawn by a seed: nothing is wrong with what runtimes take, and next to nothing is said of it. Needs IRLINT_ONNX_PYTHON.

IRLINT_ONNX_BASES is a folder that onnx_bases.py has filled with the groups onnx_bases.DRAWN (make oracle-exported SEED=...).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oracle import onnx_bases, onnx_exported
from oracle.onnx_exported import Model
from oracle.onnx_measure import PYTHON

ENOUGH = 300  # models for figures that count


def _paths() -> list[Path]:
    return list(onnx_bases.exported(onnx_bases.folder())) if onnx_bases.FOLDER in os.environ else []


pytestmark = [
    pytest.mark.skipif(
        PYTHON not in os.environ or not _paths(),
        reason=f"{PYTHON} names no Python, or {onnx_bases.FOLDER} no folder with models of exporters: make oracle-exported",
    ),
    pytest.mark.timeout(7200),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[Model]:
    found = list(onnx_exported.judged(_paths(), tmp_path_factory.mktemp("exported")))
    print(onnx_exported.table(found))
    return found


def test_no_error_in_what_is_accepted(models: list[Model]) -> None:
    """By onnx's checker, its full check, and onnxruntime with all optimizations and with none."""
    wrong = {str(model.path): [error.message for error in model.errors] for model in models if model.is_accepted}
    assert {path: errors for path, errors in wrong.items() if errors} == {}


def test_silence(models: list[Model]) -> None:
    accepted = [model for model in models if model.is_accepted]
    silent = [model for model in accepted if not model.findings]
    assert len(accepted) >= 0.8 * len(models)
    assert len(silent) >= (0.98 if len(models) >= ENOUGH else 0.95) * len(accepted)


def test_time(models: list[Model]) -> None:
    """A lint takes what its graph explains, whatever the size of the weights."""
    slow = {str(model.path): (model.seconds, model.nodes) for model in models if model.is_slow}
    assert slow == {}
