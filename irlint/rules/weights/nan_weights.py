"""W006 nan-weights."""

from __future__ import annotations

import struct

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class NanWeights(Rule):
    """
    What it does
        Checks for weights that hold NaN or infinite values.

    Why is this bad
        Nearly every output of the model becomes NaN, and no runtime reports it. The training diverged, or a conversion to 16
        bits overflowed.

    Example
        A convolution whose filters hold 12 NaN.

    Use instead
        Convert the model again from weights that are finite.

    Reads all weights, so it is off unless it is selected by its code or name, or with PEDANTIC. `irlint weights` lists the
    values of all weights.
    """

    row = R.nan_weights
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": struct.pack("<3f", 1, 2, 3)}),)
    invalid = (
        Example(OPENVINO, "openvino", "scale", side_files={"model.bin": struct.pack("<3f", 1, float("nan"), 3)}),
    )
