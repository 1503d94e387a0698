"""T006 value-not-allowed."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO, SYMBOL, openvino, symbol


class ValueNotAllowed(Rule):
    """
    What it does
        Finds structural values that are of the right type, but not among those that the format knows: a word
        that is not in a list, a number below its bound, a text that does not have the form.

    Why is this bad
        Loaders look such words up and stop where they find nothing.

    Example
        ```json
        {"attrs": {"mxnet_version": ["float", 10901]}}
        ```

    Use instead
        ```json
        {"attrs": {"mxnet_version": ["int", 10901]}}
        ```

    Fix safety
        Safe: in OpenVINO IR, the fix writes the precision or the version in the spelling of the format: `FP32` for `f32`,
        `11` for `011`. The reader takes both for the same value, or refuses the file. Other values have no fix.
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
