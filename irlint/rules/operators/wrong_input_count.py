"""O002 wrong-input-count."""

from __future__ import annotations

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
        Unsafe: in an MXNet symbol or NNVM graph, where another value of one attribute (`no_bias`, `num_args`) fits the inputs
        that the operator has, the fix writes that value. The inputs may be wrong instead. Other formats have no fix.
    """

    code = "O002"
    name = "wrong-input-count"
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('"tensors_in": [{"arg_name": "src", "name": "part"}]', '"tensors_in" : []')),
            "lightnet",
            '"tensors_in"',
        ),
        Example(symbol(('"no_bias": "False"', '"no_bias": "True"')), "nnvm:mxnet", '"True"', SYMBOL),
    )
