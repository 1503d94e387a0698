"""Operations of an IR against what OpenVINO 2026.4.1 made of them (openvino_goldens.json)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.api import infer, load, run
from irlint.dryrun.dims import compatible
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


@pytest.mark.parametrize("shape", ["...", None])
@pytest.mark.parametrize("case", CASES)
def test_types_of_open_inputs(case: str, shape: str | None, tmp_path: Path) -> None:
    """Without shapes, or without lengths, of the inputs nothing is wrong, and what is known of the outputs is true."""
    path, _feeds = model(case, tmp_path)
    opened = re.sub(
        r'(type="Parameter".*\n?.*shape=")([\d,]*)"',
        lambda m: f'{m[1]}{re.sub("[0-9]+", "?", m[2]) if shape is None else shape}"',
        path.read_text(),
    )
    path.write_text(opened)
    assert tiny.errors(path) <= {"A006", "R305"}  # the plug-in wants to know ranks, and the sizes of some windows
    found = load(path)
    types = infer(found)
    for k, (dtype, sizes, _) in enumerate(FOUND[case]):
        kind, known = types["y"][k]
        assert kind in (None, dtype)
        assert known is None or (len(known) == len(sizes) and all(map(compatible, known, sizes)))
