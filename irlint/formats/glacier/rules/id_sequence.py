"""R401 id-sequence: ids of a listing count from 0 without a gap."""

from __future__ import annotations

from irlint.formats.glacier.rules import R
from irlint.rules.base import Rule


class IdSequence(Rule):
    """What it does
    Checks for lines whose id does not match their position: an id was changed, a line was lost, or two lines were
    swapped. Ids number the calls from 0, one line after the other.

    Why is this bad
    Ids are the only link between a call and its inputs, and between events and calls. If the numbering is wrong,
    inputs of later lines refer to the wrong calls, and measurements are attributed to the wrong operators.

    Fix safety
    Unsafe: the fix renumbers lines and the inputs that refer to them, but a lost line stays lost, and previously
    recorded events keep the old ids. There is no fix if an input refers to a missing id.
    """

    row = R.id_sequence
    formats = ("glacier",)
    fixable = "unsafe"
