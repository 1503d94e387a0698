"""O004 unknown-argument."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class UnknownArgument(Rule):
    """
    What it does
        Checks for inputs and outputs under a name that their operator does not have.

    Why is this bad
        Operators look up their tensors by these names, case-sensitively. One under another name is not found; an extra
        one is refused because the count is wrong.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "source", "name": "image"}]}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "image"}]}
        ```

    Fix safety
        Unsafe: the name is changed to the one that is missing, or the extra tensor is removed.
    """

    row = R.unknown_argument
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('{"arg_name": "src", "name": "image"}', '{"arg_name": "source", "name": "image"}')),
            "lightnet",
            '"source"',
            LIGHTNET,
        ),
        Example(
            lightnet(
                (
                    '{"arg_name": "src", "name": "part"}',
                    '{"arg_name": "src", "name": "part"}, {"arg_name": "also", "name": "image"}',
                )
            ),
            "lightnet",
            '"also"',
            LIGHTNET,
        ),
    )
