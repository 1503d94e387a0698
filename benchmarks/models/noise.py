"""Noise in the last bits of a model's values: results that it changes depend on how a runtime rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
from openvino import opset13 as op

AMOUNT = 1e-6  # of a value
SHAKEN = ("Parameter", "FakeQuantize", "FakeConvert", "TopK", "NonMaxSuppression", "MatrixNms", "MulticlassNms")


def shaken(model: Any) -> Any:
    """Add noise to the inputs of a model, and before operators that round or choose."""
    for node in model.get_ordered_ops():
        if not node.get_type_name().startswith(SHAKEN):
            continue
        if node.get_type_name() == "Parameter":
            targets, source = list(node.output(0).get_target_inputs()), node.output(0)
        else:
            targets = [port for port in node.inputs() if _is_float(port) and not _is_constant(port)][:2]
            source = None
        for target in targets:
            taken = target.get_source_output() if source is None else source
            if taken.get_element_type().get_type_name() == "f32":
                target.replace_source_output(_noisy(taken))
    model.validate_nodes_and_infer_types()
    return model


def _noisy(value: Any) -> Any:
    """Return a value times 1 + AMOUNT * sin(a large multiple of it): no shape has to be known."""
    wave = op.sin(op.multiply(value, op.constant(np.float32(12345.678))))
    return op.multiply(
        value, op.add(op.multiply(wave, op.constant(np.float32(AMOUNT))), op.constant(np.float32(1)))
    ).output(0)


def _is_float(port: Any) -> bool:
    return port.get_element_type().get_type_name() == "f32"


def _is_constant(port: Any) -> bool:
    return port.get_source_output().get_node().get_type_name() in ("Constant", "Convert")
