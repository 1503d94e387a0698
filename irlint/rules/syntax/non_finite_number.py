"""S003 non-finite-number."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class NonFiniteNumber(Rule):
    """
    What it does
        Checks for `NaN`, `Infinity` and similar words in place of a number.

    Why is this bad
        JSON has no such numbers. Python writes and reads them, so a script does not notice; the C++ readers of model
        files stop at them.

    Example
        ```json
        {"epsilon": NaN}
        ```

    Use instead
        ```json
        {"epsilon": 1e-5}
        ```

    References
        RFC 8259, section 6: numeric values that cannot be represented in digits are not permitted.
    """

    row = R.non_finite_number
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, NaN, 4, 5, 6]")), "lightnet", "NaN"),)
