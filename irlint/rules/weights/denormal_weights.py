"""W008 denormal-weights."""

from __future__ import annotations

import struct

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class DenormalWeights(Rule):
    """
    What it does
        Checks for weights of 32 or 64 bits, or of bfloat16, with denormal values: nonzero, but too small for the normal
        precision of their type.

    Why is this bad
        Arithmetic with denormal numbers is up to a hundred times slower on many processors, and other processors take them
        for zero, so that results differ.

    Example
        A weight of 1e-41.

    Use instead
        Set such values to zero.

    Reads all weights, so it is off unless it is selected by its code or name, or with PEDANTIC. `irlint weights` lists the
    values of all weights.
    """

    row = R.denormal_weights
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": struct.pack("<3f", 1, 2, 3)}),)
    invalid = (Example(OPENVINO, "openvino", "scale", side_files={"model.bin": struct.pack("<3f", 1, 1e-41, 3)}),)
