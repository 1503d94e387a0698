"""Operators of ONNX against what onnxruntime 1.32 made of them (onnx_goldens.json)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from irlint.api import lint, run

from .onnx_goldens import CASES, GOLDENS, inputs, text

FOUND: dict[str, Any] = json.loads(GOLDENS.read_text())
# onnxruntime has no kernel, or no locale: by the schema
BY_HAND: dict[str, Any] = {"IsAllFinite": [True], "LOWER": ["quick", "fox"], "UPPER": [""]}


@pytest.mark.parametrize("case", CASES)
def test_operators(case: str) -> None:
    model = text(case)
    assert not [finding.message for finding in lint(model) if finding.severity == "error"]
    results = list(run(model, inputs(case)).values())
    if case not in FOUND:
        assert [results[0].ravel().tolist()] == [numbers for word, numbers in BY_HAND.items() if word in case]
        return
    for array, (dtype, shape, numbers) in zip(results, FOUND[case], strict=True):
        assert (array.dtype.name, list(array.shape)) == (dtype, shape)
        if array.dtype.kind == "f":
            np.testing.assert_allclose(array.ravel(), numbers, rtol=2e-4, atol=2e-5)
        else:
            assert array.ravel().tolist() == numbers
