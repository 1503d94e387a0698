"""T007 empty-model."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class EmptyModel(Rule):
    """
    What it does
        Checks for model files without a single operator or node.

    Why is this bad
        Such a file loads and does nothing, which is almost certainly not intended.

    Example
        ```json
        {"ops": []}
        ```

    Use instead
        At least one operator.

    Graphs nested in an operator that takes none are not checked for this: MXNet loads them and OpenVINO ignores them.
    """

    row = R.empty_model
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example('{"ops": []}\n', "lightnet", "[]"),)
