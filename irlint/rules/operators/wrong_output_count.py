"""O003 wrong-output-count."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class WrongOutputCount(Rule):
    """
    What it does
        Finds operators that name fewer or more outputs than they have.

    Why is this bad
        The loader counts them and refuses the operator; others would read an output that is never written.

    Example
        ```json
        {"name": "cut", "optype": "slice", "tensors_out": []}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice", "tensors_out": [{"arg_name": "dst", "name": "part"}]}
        ```
    """

    code = "O003"
    name = "wrong-output-count"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(
                ('"tensors_out": [{"arg_name": "dst", "name": "part"}]', '"tensors_out" : []'),
                ('{"arg_name": "src", "name": "part"}', '{"arg_name": "src", "name": "image"}'),
            ),
            "lightnet",
            '"tensors_out"',
        ),
    )
