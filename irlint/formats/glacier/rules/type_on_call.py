"""T402 type-on-call: a dtype or shape on a call."""

from __future__ import annotations

from irlint.rules.base import Example, Rule


class TypeOnCall(Rule):
    """What it does
    Finds a dtype or a shape on a call: behind the input list of a line, or in an event whose nodeID is a number.

    Why is this bad
    Only variables and constants carry a type in the flat view. A line with more than an id, an operator and a list is
    read by nobody, and the size of an event cannot be checked against a type that is not its own.

    Example
    ```
    0 nn.conv2d ['x', 'w'] float32 (1, 8, 16, 16)
    ```

    Use instead
    ```
    0 nn.conv2d ['x', 'w']
    ```

    Fix safety
    Unsafe: what the line says of the type is lost.
    """

    code = "T402"
    name = "type-on-call"
    formats = ("glacier",)
    fixable = "unsafe"
    valid = (Example("0 nn.conv2d ['x', 'w']\n", "glacier:listing"),)
    invalid = (
        Example(
            "0 nn.conv2d ['x', 'w'] float32 (1, 8, 16, 16)\n1 tanh [0]\n",
            "glacier:listing",
            "float32 (1, 8, 16, 16)",
            "0 nn.conv2d ['x', 'w']\n1 tanh [0]\n",
        ),
    )
