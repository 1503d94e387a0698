"""D009 too-large."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, POOL, changed, lightnet


class TooLarge(Rule):
    """
    What it does
        Checks for tensors with more elements than the runtime can count, or more bytes than it can allocate.

    Why is this bad
        The number of elements overflows: the runtime aborts, allocates too little, or requests a negative amount.

    Example
        ```json
        {"arg_name": "dims", "value": [65536, 65536]}
        ```
        has 2^32 elements, which is 0 in 32 bits.

    Use instead
        Shapes whose product is below 2^31.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess. Other formats have no fix.
    """

    row = R.too_large
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(('"value": [2, 3]', '"value": [65536, 65536]'), ("[1, 2, 3, 4, 5, 6]", "[0]")),
            "lightnet",
            "[65536, 65536]",
        ),
        Example(changed(POOL, ("[0, 0, 0, 0]", "[0, 0, 2147483647, 0]")), "lightnet", "2147483647", POOL),
    )
