"""O005 duplicate-argument."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class DuplicateArgument(Rule):
    """
    What it does
        Checks for operators with two inputs, or two outputs, under one argument name.

    Why is this bad
        The operator uses the first and either misses another argument or never reads the second.

    Example
        ```json
        {"name": "add", "optype": "elew",
         "tensors_in": [{"arg_name": "src1", "name": "a"}, {"arg_name": "src1", "name": "b"}]}
        ```

    Use instead
        ```json
        {"name": "add", "optype": "elew",
         "tensors_in": [{"arg_name": "src1", "name": "a"}, {"arg_name": "src2", "name": "b"}]}
        ```

    Fix safety
        Unsafe: the second one gets the name that is missing; if none is missing, it is removed.
    """

    row = R.duplicate_argument
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(
                (
                    '{"arg_name": "src", "name": "part"}',
                    '{"arg_name": "src", "name": "part"}, {"arg_name" : "src", "name": "image"}',
                )
            ),
            "lightnet",
            '"src"',
            LIGHTNET,
        ),
    )
