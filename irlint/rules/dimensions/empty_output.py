"""D005 empty-output."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, POOL, changed


class EmptyOutput(Rule):
    """
    What it does
        Checks for operators whose output would have a dimension of zero or less: a window larger than its padded input,
        a scale so small that nothing is left.

    Why is this bad
        The runtime refuses the operator, or aborts without reporting which value is wrong.

    Example
        A pooling window of 9 x 9 on an image of 8 x 8.

    Use instead
        A window that fits, or enough padding.

    Fix safety
        Unsafe: in a LightNet model, where changing one value (a parameter, or the tensor that an operator uses) makes
        the checks pass, the fix writes that value, which is a guess. Other formats have no fix.
    """

    row = R.empty_output
    fixable = "unsafe"
    valid = (Example(LIGHTNET, "lightnet"), Example(POOL, "lightnet"))
    invalid = (
        Example(changed(POOL, ("[3, 3]", "[9, 9]")), "lightnet", "[9, 9]"),
        Example(changed(POOL, ("[3, 3]", "[9, 3]")), "lightnet", "9", POOL),
    )
