"""S501 wrong-magic."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import GRAPH, NETWORK, network


class WrongMagic(Rule):
    """
    What it does
        Checks for the number 7767517 at the beginning of a list of layers.

    Why is this bad
        ncnn refuses the file ("param is too old, please regenerate"), whatever else it holds. pnnx does not look at
        the number: there it is a warning.

    Example
        ```
        7767516
        5 6
        ```

    Use instead
        ```
        7767517
        5 6
        ```

    Fix safety
        Safe: no runtime needs another number.
    """

    row = R.wrong_magic
    fixable = "safe"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("7767517", "7767516")), "ncnn", "7767516", NETWORK),
        Example(network(("7767517\n", "")), "ncnn", "5", NETWORK),
        Example(GRAPH.replace("7767517", "7767516"), "pnnx", "7767516", GRAPH),
    )
