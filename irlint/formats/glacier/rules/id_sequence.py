"""R401 id-sequence: ids of a listing count from 0 without a gap."""

from __future__ import annotations

from irlint.formats.glacier.codes import R
from irlint.rules.base import Example, Rule


class IdSequence(Rule):
    """What it does
    Finds lines whose id is not the one that their place asks for: a line's id was changed, a line was lost, or two
    lines changed places. Ids number the calls from 0, one line after the other.

    Why is this bad
    Ids are all that connects a call with its inputs, and events with calls. Where the numbering breaks, inputs of
    later lines name another call than the one that was meant, and measurements are booked to the wrong operator.

    Example
    ```
    0 nn.conv2d ['x', 'w']
    2 nn.relu [0]
    ```

    Use instead
    ```
    0 nn.conv2d ['x', 'w']
    1 nn.relu [0]
    ```

    Fix safety
    Unsafe: the fix renumbers lines and the inputs that name them, but a lost line stays lost, and events recorded
    before keep the old ids. It is not offered where an input names an id that is missing.
    """

    row = R.id_sequence
    formats = ("glacier",)
    fixable = "unsafe"
    valid = (Example("0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n", "glacier:listing"),)
    invalid = (
        Example(
            "0 nn.conv2d ['x', 'w']\n7 nn.relu [0]\n2 tanh [1]\n",
            "glacier:listing",
            "7",
            "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n2 tanh [1]\n",
        ),
        Example(
            "0 nn.conv2d ['x', 'w']\n2 nn.relu [0]\n3 tanh [2]\n",
            "glacier:listing",
            "2",
            "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n2 tanh [1]\n",
        ),
        Example("0 nn.conv2d ['x', 'w']\n2 tanh [1]\n3 exp [2]\n", "glacier:listing", "2"),
    )
