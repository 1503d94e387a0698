"""One model of each of onnx's node tests, every fourth of them: all operators are among them, and most of their forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from oracle.onnx_bases import Builder

RANDOM = {
    "RandomNormal",
    "RandomNormalLike",
    "RandomUniform",
    "RandomUniformLike",
    "Bernoulli",
    "Multinomial",
    "Dropout",
}
EVERY = 4


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    from onnx.backend.test.case.node import collect_testcases

    seen: dict[str, int] = {}
    for case in sorted(collect_testcases(None), key=lambda case: str(case.name)):
        model = case.model
        types = {node.op_type for node in model.graph.node}
        if types & RANDOM or case.name.endswith("_expanded") or "training" in case.name:
            continue
        first = model.graph.node[0].op_type
        seen[first] = seen.get(first, -1) + 1
        if seen[first] % EVERY == 0:
            yield case.name.removeprefix("test_"), lambda target, case=case: _written(case, target)


def _written(case: Any, target: Path) -> dict[str, Any] | None:
    model = case.model
    onnx.save(model, target)
    arrays = case.data_sets[0][0]
    if not all(isinstance(array, (np.ndarray, np.generic)) for array in arrays):
        return None
    known = [np.asarray(array) for array in arrays]
    names = [value.name for value in model.graph.input]
    return {
        name: array.astype(str) if array.dtype == np.object_ else array
        for name, array in zip(names, known, strict=False)
    }
