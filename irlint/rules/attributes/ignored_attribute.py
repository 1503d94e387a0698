"""A009 ignored-attribute."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class IgnoredAttribute(Rule):
    """
    What it does
        Finds attributes that have no effect because another one overrules them.

    Why is this bad
        Whoever reads or edits the file believes that the value counts.

    Example
        ```json
        {"arg_name": "ran", "value": [0, 1]}, {"arg_name": "data", "value": [1, 2, 3]}
        ```
        LightNet fills the tensor with random numbers and never looks at `data`.

    Use instead
        ```json
        {"arg_name": "ran", "value": [0, 0]}, {"arg_name": "data", "value": [1, 2, 3]}
        ```

    In MXNet symbols, attributes of an operator that takes none are pedantic.
    """

    code = "A009"
    name = "ignored-attribute"
    severity = Severity.WARNING
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(('"value": [0, 0]', '"value": [0, 1]')), "lightnet", "[1, 2, 3, 4, 5, 6]"),)
