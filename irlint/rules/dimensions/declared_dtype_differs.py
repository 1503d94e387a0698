"""D007 declared-dtype-differs."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.dimensions._samples import IR
from irlint.rules.samples import changed

_CONV = '<output><port id="2" precision="FP32">'


class DeclaredDtypeDiffers(Rule):
    """
    What it does
        Checks for declared element types that differ from those that irlint infers.

    Why is this bad
        Anyone who relies on the declared type is misled. Some runtimes compute with it.

    Example
        A ReLU of 32-bit floating-point numbers whose output port declares `precision="FP16"`.

    Use instead
        `precision="FP32"`

    Fix safety
        Unsafe: the fix declares the inferred type; the mistake may be in the operators instead. For an output of an ONNX model that
        was converted to another precision and kept the types of its inputs, the fix inserts a Cast.
    """

    row = R.declared_dtype_differs
    fixable = "unsafe"
    valid = (Example(IR, "openvino"),)
    invalid = (Example(changed(IR, (_CONV, _CONV.replace("FP32", "FP16"))), "openvino", "FP16", IR),)
