"""D006 declared-shape-differs."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet

_PART = '"tensors_in": [{"arg_name": "src", "name": "part"}]'


class DeclaredShapeDiffers(Rule):
    """
    What it does
        Finds shapes written in the file that are not the shapes which the operators work out.

    Why is this bad
        Readers who trust what is written are misled. Some runtimes compute with the written shape.

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
        Unsafe: the shape that follows from the operators is written down; the mistake may be in them instead.
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
