"""W007 zero-weights."""

from __future__ import annotations

import struct

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class ZeroWeights(Rule):
    """
    What it does
        Checks for floating-point weights of more than one element that are all zero.

    Why is this bad
        A layer whose weights are all zero computes nothing: its weights were not loaded, or not saved. Biases are often
        zero on purpose.

    Example
        A matrix of 512 x 512 zeros.

    Use instead
        Save the model again after its weights are loaded.

    Reads all weights, so it is off unless it is selected by its code or name, or with PEDANTIC. `irlint weights` lists the
    values of all weights.
    """

    row = R.zero_weights
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": struct.pack("<3f", 1, 2, 3)}),)
    invalid = (Example(OPENVINO, "openvino", "scale", side_files={"model.bin": struct.pack("<3f", 0, 0, 0)}),)
