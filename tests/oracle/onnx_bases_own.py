"""Models that onnx brings along for its own tests: light, simple, pytorch-operator, pytorch-converted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from oracle.onnx_bases import Builder

DATA = Path(onnx.__file__).parent / "backend" / "test" / "data"


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    for kind in ("light", "simple", "pytorch-operator", "pytorch-converted"):
        for path in sorted((DATA / kind).rglob("*.onnx")):
            name = path.parent.name if path.name == "model.onnx" else path.stem
            yield f"{kind}-{name}", lambda target, path=path: _copied(path, target)


def _copied(path: Path, target: Path) -> dict[str, Any] | None:
    shutil.copy(path, target)
    graph = onnx.load(path).graph
    known = {tensor.name for tensor in graph.initializer}
    names = [value.name for value in graph.input if value.name not in known]
    sets = path.parent / "test_data_set_0"
    files = [sets / f"input_{k}.pb" for k in range(len(names))]
    if not all(file.exists() for file in files):
        return None
    try:
        return {name: _array(file) for name, file in zip(names, files, strict=True)}
    except Exception:
        return None  # not a tensor


def _array(file: Path) -> Any:
    tensor = onnx.TensorProto.FromString(file.read_bytes())
    array = numpy_helper.to_array(tensor)
    return array.astype(str) if array.dtype == np.object_ else array
