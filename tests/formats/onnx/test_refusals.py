"""How severe a wrong value is: an error where something refuses it."""

from __future__ import annotations

from typing import Any

import pytest

from irlint.formats.onnx.grammar import refused
from irlint.operators import table


@pytest.mark.parametrize(
    ("operator", "attribute", "value", "fact", "expected"),
    [
        ("Conv-11", "auto_pad", "SAME", "values", True),
        ("Conv-11", "auto_pad", "same_upper", "values", True),
        ("LSTM-14", "activations", ["Sigmoyd"], "values", True),
        ("LSTM-14", "activations", ["sigmoid", "tanh", "tanh"], "values", False),
        ("RNN-14", "activations", ["tanh"], "values", True),
        ("Resize-13", "coordinate_transformation_mode", "tf_half_pixel_for_nn", "values", False),
        ("RoiAlign-16", "mode", "AVG", "values", False),
        ("MaxPool-12", "ceil_mode", 2, "max", False),
        ("MaxPool-12", "strides", [0, 1], "min", True),
        ("MaxRoiPool-1", "pooled_shape", [2], "length", True),
        ("com.microsoft.MatMulBnb4-1", "quant_type", 2, "max", False),
        ("com.microsoft.CropAndResize-1", "mode", "linear", "values", True),
    ],
)
def test_a_wrong_value_is_refused(operator: str, attribute: str, value: Any, fact: str, expected: bool) -> None:
    found = table("onnx").get(operator)
    assert found is not None
    assert refused(fact, value, found.attributes[attribute]) is expected
