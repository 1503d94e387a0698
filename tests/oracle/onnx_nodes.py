"""All of onnx's node tests as files: python -m oracle.onnx_nodes FOLDER, in the oracle's Python."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import onnx


def write(folder: Path) -> None:
    from onnx.backend.test.case.node import collect_testcases

    warnings.filterwarnings("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    for case in collect_testcases(None):
        onnx.save(case.model, folder / f"{case.name}.onnx")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
