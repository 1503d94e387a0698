"""D006 declared-shape-differs."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_PART = '"tensors_in": [{"arg_name": "src", "name": "part"}]'


class DeclaredShapeDiffers(Rule):
    """
    What it does
        Checks for declared shapes that differ from those that irlint infers.

    Why is this bad
        Anyone who relies on the declared shape is misled. Some runtimes compute with it.

    Example
        ```json
        {"arg_name": "src", "name": "part", "dims": [4, 4]}
        ```
        where `part` has the shape [2, 2].

    Use instead
        ```json
        {"arg_name": "src", "name": "part", "dims": [2, 2]}
        ```

    Fix safety
        Unsafe: the fix declares the inferred shape; the mistake may be in the operators instead.
    """

    row = R.declared_shape_differs
    fixable = "unsafe"
    valid = (
        Example(LIGHTNET, "lightnet"),
        Example(lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [2, 2]}]')), "lightnet"),
    )
    invalid = (
        Example(
            lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [4, 4]}]')),
            "lightnet",
            "[4, 4]",
            lightnet((_PART, '"tensors_in": [{"arg_name": "src", "name": "part", "dims": [2, 2]}]')),
        ),
    )
