"""A009 ignored-attribute."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet, symbol


class IgnoredAttribute(Rule):
    """
    What it does
        Checks for attributes that have no effect because another attribute overrides them.

    Why is this bad
        Anyone who reads or edits the file assumes that the value is used.

    Example
        ```json
        {"arg_name": "ran", "value": [0, 1]}, {"arg_name": "data", "value": [1, 2, 3]}
        ```
        LightNet fills the tensor with random numbers and ignores `data`.

    Use instead
        ```json
        {"arg_name": "ran", "value": [0, 0]}, {"arg_name": "data", "value": [1, 2, 3]}
        ```

    In MXNet symbols, attributes of an operator that has none are pedantic findings.

    Fix safety
        Unsafe: in an MXNet symbol, the fix renames an attribute such as `lr_mult` to `__lr_mult__`, so that it takes
        effect and training changes. Other ignored attributes have no fix.
    """

    row = R.ignored_attribute
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"value": [0, 0]', '"value": [0, 1]')), "lightnet", "[1, 2, 3, 4, 5, 6]"),
        Example(
            symbol(('"name": "data", ', '"name": "data", "attrs": {"lr_mult": "2.0"}, ')),
            "nnvm:mxnet",
            '"lr_mult"',
            symbol(('"name": "data", ', '"name": "data", "attrs": {"__lr_mult__": "2.0"}, ')),
        ),
    )
