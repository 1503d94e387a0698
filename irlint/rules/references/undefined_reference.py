"""R001 undefined-reference."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_CUT = '"tensors_in": [{"arg_name": "src", "name": "image"}]'


class UndefinedReference(Rule):
    """
    What it does
        Checks for names and numbers that refer to a tensor, node or layer that the file does not define.

    Why is this bad
        The loader cannot connect the operator: it refuses the file, or crashes.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "imgae"}]}
        ```
        where the tensor is named `image`.

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "image"}]}
        ```

    Fix safety
        Unsafe: the most similar name is used instead, which is a guess.
    """

    row = R.undefined_reference
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet((_CUT, '"tensors_in": [{"arg_name": "src", "name": "imgae"}]')), "lightnet", '"imgae"', LIGHTNET
        ),
        Example(lightnet((_CUT, '"tensors_in": [{"arg_name": "src", "name": "weights"}]')), "lightnet", '"weights"'),
    )
