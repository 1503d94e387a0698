"""T006 value-not-allowed."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, SYMBOL, openvino, symbol


class ValueNotAllowed(Rule):
    """
    What it does
        Checks for structural values that have the right type but are not allowed by the format: a word that is not in a
        list, a number below its minimum, a text in the wrong form.

    Why is this bad
        Loaders look such words up and stop if they find nothing.

    Example
        ```json
        {"attrs": {"mxnet_version": ["float", 10901]}}
        ```

    Use instead
        ```json
        {"attrs": {"mxnet_version": ["int", 10901]}}
        ```

    Fix safety
        Safe: in OpenVINO IR, the fix writes the precision or the version in the format's spelling: `FP32` for `f32`,
        `11` for `011`. The reader reads the same value, or refuses the file. Other values have no fix.
    """

    row = R.value_not_allowed
    fixable = "safe"
    valid = (Example(SYMBOL, "nnvm"),)
    invalid = (
        Example(symbol(('["int", 10901]', '["float", 10901]')), "nnvm", '"float"'),
        Example(
            openvino(('<net name="sample" version="11"', '<net name="sample" version="011"')),
            "openvino",
            "011",
            OPENVINO,
        ),
    )
