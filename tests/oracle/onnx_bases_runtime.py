"""What onnxruntime makes of other bases: quantised in three ways, optimised (com.microsoft), converted to float16, and to a later opset by onnx."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import version_converter

from oracle.onnx_bases import Builder

STEMS = (
    "torch/traced-head-13", "torch/traced-open-unet-17", "torch/traced-open-bert-17", "torch/traced-resnet-d-15", "torch/captured-vit-20", "torch/captured-text-23", "torch/traced-gpt2-13",
    "torch/traced-vgg-9", "torch/captured-lstm-18", "torch/traced-attention-14", "torch/captured-mobilenet_v2-21", "torch/captured-llama-18", "torch/captured-convnext-18", "plain/annotated", "torch/traced-distilbert-15",
)  # fmt: skip


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    logging.disable(logging.WARNING)
    ways: dict[str, Callable[[Path, Path], None]] = {
        "dynamic": _dynamic, "qdq": partial(_static, "QDQ"), "qoperator": partial(_static, "QOperator"), "basic": partial(_optimised, "BASIC"), "extended": partial(_optimised, "EXTENDED"),
        "newer": _newer,
    }  # fmt: skip
    for stem in STEMS:
        base = root / f"{stem}.onnx"
        if base.exists():
            for name, way in ways.items():
                yield f"{name}-{base.stem}", lambda path, way=way, base=base: _made(way, base, path)


def _made(way: Callable[[Path, Path], None], base: Path, path: Path) -> dict[str, Any]:
    way(base, path)
    with np.load(base.with_suffix(".npz")) as feeds:
        return dict(feeds)


def _dynamic(base: Path, path: Path) -> None:
    from onnxruntime.quantization import quantize_dynamic

    quantize_dynamic(base, path)


def _static(form: str, base: Path, path: Path) -> None:
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, quantize_static

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            with np.load(base.with_suffix(".npz")) as feeds:
                self.left = [dict(feeds)]

        def get_next(self) -> Any:
            return self.left.pop() if self.left else None

    quantize_static(base, path, Reader(), quant_format=QuantFormat[form], per_channel=form == "QDQ")


def _optimised(level: str, base: Path, path: Path) -> None:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_ENABLE_{level}")
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 4
    onnxruntime.InferenceSession(str(base), options, providers=["CPUExecutionProvider"])


def _newer(base: Path, path: Path) -> None:
    onnx.save(version_converter.convert_version(onnx.load(base), 21), path)
