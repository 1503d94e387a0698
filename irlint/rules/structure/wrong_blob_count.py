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
        ncnn reserves room for that many blobs. If the layers output more, it refuses the file ("too many blobs"); releases up to
        20260526 write past the end of their memory. A number that is too large only wastes memory: that is an info, which
        `--fix` corrects only if the rule is selected. pnnx does not use the
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
        Safe: the number of blobs follows from the layers.
    """

    row = R.wrong_blob_count
    fixable = "safe"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("5 6", "5 5")), "ncnn", "5", NETWORK),
        Example(network(("5 6", "5 9")), "ncnn", "9", NETWORK),
        Example(GRAPH.replace("3 2", "3 1"), "pnnx", "1", GRAPH),
    )
