"""R005 duplicate-definition."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class DuplicateDefinition(Rule):
    """
    What it does
        Checks for duplicate names and numbers that identify operators, tensors or layers.

    Why is this bad
        The loader refuses the second one, crashes on it, or silently lets it replace the first.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "image"}],
         "tensors_out": [{"arg_name": "dst", "name": "image"}]}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "image"}],
         "tensors_out": [{"arg_name": "dst", "name": "part"}]}
        ```

    Fix safety
        Unsafe: the second one gets a new name; which of the two its users mean is a guess.
    """

    row = R.duplicate_definition
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('"name": "show", "optype"', '"name": "cut", "optype"')),
            "lightnet",
            '"cut"',
            lightnet(('"name": "show", "optype"', '"name": "cut_2", "optype"')),
        ),
    )
