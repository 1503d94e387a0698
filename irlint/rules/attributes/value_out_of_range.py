"""A006 value-out-of-range."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class ValueOutOfRange(Rule):
    """
    What it does
        Checks for numbers that are too small or too large: a stride of 0, a slice that ends past the tensor, a range
        that ends before it starts.

    Why is this bad
        The loader refuses the operator, or computes impossible sizes.

    Example
        ```json
        {"arg_name": "len", "value": 5}
        ```
        for an axis of 3 elements.

    Use instead
        ```json
        {"arg_name": "len", "value": 3}
        ```

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value. In an MXNet symbol, a number too small for its type becomes 0, and a
        negative one loses its sign where that is valid. Both are guesses.
    """

    row = R.value_out_of_range
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"len", "value": 2', '"len", "value": 5')), "lightnet", "5"),
        Example(lightnet(('"start", "value": 0', '"start", "value": -1')), "lightnet", "-1"),
        Example(
            lightnet(('"axis", "value": 1', '"axis", "value": 0'), ('"len", "value": 2', '"len", "value": 3')),
            "lightnet",
            "0",
            lightnet(('"len", "value": 2', '"len", "value": 3')),
        ),
    )
