"""Operations of an IR against what OpenVINO 2026.4.1 made of them (openvino_goldens.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.api import run
from tests.formats.openvino import tiny

from .openvino_goldens import CASES, GOLDENS, model

FOUND: dict[str, Any] = json.loads(GOLDENS.read_text())


@pytest.mark.parametrize("case", CASES)
def test_operations(case: str, tmp_path: Path) -> None:
    path, feeds = model(case, tmp_path)
    assert not tiny.errors(path)
    for array, (dtype, shape, numbers) in zip(run(path, feeds).values(), FOUND[case], strict=True):
        assert (array.dtype.name, list(array.shape)) == (dtype, shape)
        if array.dtype.kind == "f":
            np.testing.assert_allclose(array.ravel(), np.array(numbers, float), rtol=2e-4, atol=2e-5)
        else:
            assert array.ravel().tolist() == numbers
