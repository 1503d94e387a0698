"""W004 unused-weights."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import ONNX, OPENVINO, onnx

_WEIGHT = "float[10,256] weight = {...}"


class UnusedWeights(Rule):
    """
    What it does
        Checks for bytes at the end of a weights file that no constant uses, for entries of an archive that no operator reads, and for
        initializers of an ONNX graph that no node uses.

    Why is this bad
        They waste space, or the weights belong to another version of the model. In files without positions of weights, operators may
        use those of others.

    Example
        A `.bin` of 1000 bytes for a model that uses 12.

    Use instead
        Save the model again.

    Fix safety
        Unsafe: an unused initializer of an ONNX graph is removed; a program may still request it by name. Files of weights have no fix.
    """

    row = R.unused_weights
    fixable = "unsafe"
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (
        Example(OPENVINO, "openvino", '<net name="sample" version="11">', side_files={"model.bin": bytes(64)}),
        Example(onnx((_WEIGHT, f"{_WEIGHT},\n   float[2] spare = {{1, 2}}")), "onnx", "spare", ONNX),
    )
