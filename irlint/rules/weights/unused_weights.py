"""W004 unused-weights."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class UnusedWeights(Rule):
    """
    What it does
        Checks for bytes at the end of a weights file that no constant uses.

    Why is this bad
        They waste space, or the weights belong to another version of the model. In files without positions of weights, operators may
        use those of others.

    Example
        A `.bin` of 1000 bytes for a model that uses 12.

    Use instead
        Save the model again.
    """

    row = R.unused_weights
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Example(OPENVINO, "openvino", '<net name="sample" version="11">', side_files={"model.bin": bytes(64)}),)
