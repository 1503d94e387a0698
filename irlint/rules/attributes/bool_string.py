"""A004 bool-string."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class BoolString(Rule):
    """
    What it does
        Finds `"true"`, `"false"`, `0` and `1` where a boolean belongs.

    Why is this bad
        Loaders that keep types apart refuse them. Those that do not may take the text `"false"` for true, as it is
        not empty.

    Example
        ```json
        {"arg_name": "from_file", "value": "false"}
        ```

    Use instead
        ```json
        {"arg_name": "from_file", "value": false}
        ```

    In NNVM graphs `true`, `false`, `0` and `1` are pedantic, as MXNet reads them as meant.

    Fix safety
        Safe: the file could not be read as it was, or is read as the same value.
    """

    code = "A004"
    name = "bool-string"
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"value": false', '"value": "false"')), "lightnet", '"false"', LIGHTNET),
        Example(lightnet(('"from_file", "value": false', '"from_file", "value": 0')), "lightnet", "0", LIGHTNET),
    )
