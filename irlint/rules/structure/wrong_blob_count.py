"""T502 wrong-blob-count."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import GRAPH, NETWORK, network


class WrongBlobCount(Rule):
    """
    What it does
        Checks whether the second number of the second line is the number of blobs, which pnnx calls operands: the outputs of all layers.

    Why is this bad
        ncnn reserves room for as many blobs. If there are more, it refuses the file ("too many blobs"); releases up to 20260526 write
        beyond the end of memory. A number that is too large only wastes memory, and is reported as information. pnnx does not use the
        number: there it is a warning.

    Example
        ```
        7767517
        5 5
        ```

    Use instead
        ```
        7767517
        5 6
        ```

    Fix safety
        Safe: the layers say how many blobs there are.
    """

    row = R.wrong_blob_count
    fixable = "safe"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("5 6", "5 5")), "ncnn", "5", NETWORK),
        Example(network(("5 6", "5 9")), "ncnn", "9", NETWORK),
        Example(GRAPH.replace("3 2", "3 1"), "pnnx", "1", GRAPH),
    )
