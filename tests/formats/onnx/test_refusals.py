"""How severe a wrong value is: an error where something refuses it."""

from __future__ import annotations

from typing import Any

import pytest

from irlint.codes import R, RuleRow
from irlint.formats.onnx.refusals import is_refused
from irlint.operators import table


@pytest.mark.parametrize(
    ("operator", "attribute", "value", "rule", "refused"),
    [
        ("Conv-11", "auto_pad", "SAME", R.value_not_in_enum, True),
        ("Conv-11", "auto_pad", "same_upper", R.value_not_in_enum, True),
        ("LSTM-14", "activations", ["Sigmoyd"], R.value_not_in_enum, True),
        ("LSTM-14", "activations", ["sigmoid", "tanh", "tanh"], R.value_not_in_enum, False),
        ("RNN-14", "activations", ["tanh"], R.value_not_in_enum, True),
        ("Resize-13", "coordinate_transformation_mode", "tf_half_pixel_for_nn", R.value_not_in_enum, False),
        ("RoiAlign-16", "mode", "AVG", R.value_not_in_enum, False),
        ("MaxPool-12", "ceil_mode", 2, R.value_out_of_range, False),
        ("MaxPool-12", "strides", [0, 1], R.value_out_of_range, True),
        ("MaxRoiPool-1", "pooled_shape", [2], R.wrong_value_length, True),
        ("com.microsoft.MatMulBnb4-1", "quant_type", 2, R.value_out_of_range, False),
        ("com.microsoft.CropAndResize-1", "mode", "linear", R.value_not_in_enum, True),
    ],
)
def test_a_wrong_value_is_refused(operator: str, attribute: str, value: Any, rule: RuleRow, refused: bool) -> None:
    found = table("onnx").get(operator)
    assert found is not None
    assert is_refused(rule, value, found.attributes[attribute]) is refused
