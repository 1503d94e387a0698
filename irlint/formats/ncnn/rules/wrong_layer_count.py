"""T501 wrong-layer-count."""

from __future__ import annotations

from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.rules._sample import NETWORK, example
from irlint.rules.base import Rule


class WrongLayerCount(Rule):
    """
    What it does
        Checks whether the first number of the second line is the number of layers.

    Why is this bad
        ncnn reads exactly as many layers. If there are fewer, loading fails ("parse layer_type failed"); if there are more, the rest of the
        network is not read, and its outputs do not exist.

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
        Safe if the file has fewer layers, as nothing loads it. Unsafe if it has more: then the network changes.
    """

    row = R.wrong_layer_count
    formats = ("ncnn",)
    fixable = "mixed"
    valid = (example(),)
    invalid = (
        example("6", ("5 6", "6 6"), fixed=NETWORK),
        example("4", ("5 6", "4 6")),
    )
