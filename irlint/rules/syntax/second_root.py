"""S022 second-root."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class SecondRoot(Rule):
    """
    What it does
        Checks for a second root element.

    Why is this bad
        XML allows only one. Readers use the first and silently drop the other, for example where two files were
        concatenated.

    Example
        ```xml
        <net name="a" version="11">...</net>
        <net name="b" version="11">...</net>
        ```

    Use instead
        One file per model.
    """

    row = R.second_root
    valid = (Example(OPENVINO, "openvino"),)
    invalid = (Example(OPENVINO + "<net/>\n", "openvino", "<net/>"),)
