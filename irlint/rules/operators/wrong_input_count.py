"""O002 wrong-input-count."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol


class WrongInputCount(Rule):
    """
    What it does
        Finds operators that get fewer or more inputs than they take.

    Why is this bad
        The loader counts them and refuses the operator, or runs it on whatever it finds in their place.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": []}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "image"}]}
        ```

    Fix safety
        In an MXNet symbol or NNVM graph only. Safe where names tell the inputs and the operator cannot do without them: a variable
        that nothing reads becomes the input that it is named for (`bn0_gamma` of `bn0`), one that is listed twice is removed.

        Unsafe where an attribute may be wrong instead (a dangling `fc0_bias` is added to the inputs, else `no_bias` is written),
        where another value of an attribute (`no_bias`, `num_args`) fits the inputs, and where an input is connected to the only
        node whose output nothing reads.
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
