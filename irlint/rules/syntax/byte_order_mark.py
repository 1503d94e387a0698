"""S006 byte-order-mark."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class ByteOrderMark(Rule):
    r"""
    What it does
        Checks for a byte order mark (EF BB BF) at the start of the file, as some Windows editors write it.

    Why is this bad
        Editors do not show it, but strict readers stop at it: the file seems broken at its first character.

    Example
        ```json
        \ufeff{"ops": []}
        ```

    Use instead
        ```json
        {"ops": []}
        ```

    Fix safety
        Safe: removes the mark and changes nothing else.

    References
        RFC 8259, section 8.1: a byte order mark must not be added.
    """

    row = R.byte_order_mark
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (Example("\ufeff" + LIGHTNET, "lightnet", "\ufeff", LIGHTNET),)
