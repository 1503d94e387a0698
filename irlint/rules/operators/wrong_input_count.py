"""O002 wrong-input-count."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol


class WrongInputCount(Rule):
    """
    What it does
        Checks for operators with the wrong number of inputs.

    Why is this bad
        The loader counts them and refuses the operator, or runs it on whatever is in memory in their place.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": []}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "image"}]}
        ```

    Fix safety
        In an MXNet symbol or NNVM graph only. Safe where names identify the inputs and the operator requires them: an
        unused variable becomes the input that it is named for (`bn0_gamma` of `bn0`), and a duplicate input is removed.

        Unsafe where an attribute may be wrong instead (an unused `fc0_bias` is added to the inputs, otherwise `no_bias`
        is written), where another value of an attribute (`no_bias`, `num_args`) matches the inputs, and where an input
        is connected to the only node whose output is unused.
    """

    row = R.wrong_input_count
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('"tensors_in": [{"arg_name": "src", "name": "part"}]', '"tensors_in" : []')),
            "lightnet",
            '"tensors_in"',
        ),
        Example(symbol(("[1, 0, 0], [2", "[1, 0, 0], [1, 0, 0], [2")), "nnvm:mxnet", "[2, 0, 0]", SYMBOL),
        Example(symbol(('"no_bias": "False"', '"no_bias": "True"')), "nnvm:mxnet", '"True"', SYMBOL),
    )
