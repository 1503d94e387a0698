"""schemas/operators/onnx.json is what onnx_tables.py makes of the schemas, and its facts are what the runtimes do. Needs IRLINT_ONNX_PYTHON."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from irlint.tools.installed import read_text

PYTHON = "IRLINT_ONNX_PYTHON"
TESTS = Path(__file__).parents[1]
MADE = "from oracle.onnx_tables import made; import sys; sys.stdout.buffer.write(made().encode())"

pytestmark = pytest.mark.skipif(PYTHON not in os.environ, reason=f"needs {PYTHON}; make oracle runs it")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [os.environ[PYTHON], "-W", "ignore", *arguments]
    return subprocess.run(command, cwd=TESTS, capture_output=True, encoding="utf-8", check=False, timeout=600)


def test_the_table_is_what_the_schemas_say() -> None:
    found = run("-c", MADE)
    assert found.returncode == 0, found.stderr
    assert found.stdout == read_text("operators/onnx.json")


@pytest.mark.parametrize(
    "operators",
    [
        ("AveragePool", "Conv", "MaxPool"),
        ("Pad", "Resize", "ScatterElements"),
        ("GRU", "LSTM", "Scan"),
        ("ai.onnx.ml.Normalizer", "ai.onnx.ml.TreeEnsembleRegressor"),
        ("com.microsoft.FusedConv", "com.microsoft.MatMulNBits"),
    ],
)
def test_wrong_values_are_refused_by_whom_the_table_says(operators: tuple[str, ...]) -> None:
    found = run("-m", "oracle.onnx_refusals", *operators)
    assert found.returncode == 0, found.stderr
