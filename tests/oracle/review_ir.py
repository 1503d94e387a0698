"""Convert ONNX models to IR: python review_ir.py FORM TARGET FILE.onnx..., in a Python with openvino.

FORM is fp32, fp16 (weights stored as such) or int8 (matrices stored as such, with a scale for each channel, as NNCF stores them).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np


def compress(model: Any) -> None:
    from openvino import opset13 as ops

    for node in model.get_ordered_ops():
        source = node.input_value(1).get_node() if node.get_type_name() == "MatMul" else None
        if source is not None and source.get_type_name() == "Constant" and source.data.ndim > 1:
            numbers = source.data.astype(np.float32)
            scale = np.abs(numbers).max(-1 if node.get_attributes()["transpose_b"] else -2, keepdims=True) / 127
            scale[scale == 0] = 1
            small = ops.constant(np.round(numbers / scale).astype(np.int8))
            whole = ops.multiply(ops.convert(small, "f32"), ops.constant(scale))
            node.input(1).replace_source_output(whole.output(0))


def main(form: str, target: Path, paths: list[Path]) -> None:
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it waits for a network
    import openvino as ov

    for path in paths:
        try:
            model = ov.convert_model(path)
        except Exception as error:
            print(f"{path.name}: {str(error)[-300:]}", file=sys.stderr)
            continue
        if form == "int8":
            compress(model)
        ov.save_model(model, target / f"{path.stem}.xml", compress_to_fp16=form == "fp16")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
