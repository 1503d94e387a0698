"""T501 wrong-layer-count."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import GRAPH, NETWORK, network


class WrongLayerCount(Rule):
    """
    What it does
        Checks whether the first number of the second line is the number of layers, which pnnx calls operators.

    Why is this bad
        The runtime reads exactly as many layers. If there are fewer, loading fails (ncnn: "parse layer_type failed"); if there are more,
        the rest of the network is not read, and its outputs do not exist.

    Example
        ```
        7767517
        6 6
        ```

    Use instead
        ```
        7767517
        5 6
        ```

    Fix safety
        Safe if only this number is too large, as nothing loads the file. Unsafe if the file has more layers, as the network changes, or
        if it lacks values, too, as it may be truncated. The fix also raises the number of values if that is too small.
    """

    row = R.wrong_layer_count
    fixable = "mixed"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("5 6", "6 6")), "ncnn", "6", NETWORK),
        Example(network(("5 6", "4 6")), "ncnn", "4"),
        Example(GRAPH.replace("3 2", "4 2"), "pnnx", "4", GRAPH),
    )
