"""D003 wrong-rank."""

from __future__ import annotations

from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet


class WrongRank(Rule):
    """
    What it does
        Finds tensors with more or fewer dimensions than their operator takes, or than the format can have at all.

    Why is this bad
        The runtime refuses the operator or aborts. Often a batch or channel dimension was forgotten.

    Example
        A 2-D convolution over an image of shape [3, 224, 224].

    Use instead
        An image of shape [1, 3, 224, 224].
    """

    code = "D003"
    name = "wrong-rank"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(
            lightnet(
                ('"value": [2, 3]', '"value": [1, 1, 1, 1, 1, 1, 1, 2, 3]'),
                ('"axis", "value": 1', '"axis", "value": 8'),
            ),
            "lightnet",
            "[1, 1, 1, 1, 1, 1, 1, 2, 3]",
        ),
    )
