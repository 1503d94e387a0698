"""T502 wrong-blob-count."""

from __future__ import annotations

from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.rules._sample import NETWORK, example
from irlint.rules.base import Rule


class WrongBlobCount(Rule):
    """
    What it does
        Checks whether the second number of the second line is the number of blobs: the outputs of all layers.

    Why is this bad
        ncnn reserves room for as many blobs. If there are more, it refuses the file ("too many blobs"); releases up to 20260526 write
        beyond the end of memory. A number that is too large only wastes memory, and is reported as information.

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
    formats = ("ncnn",)
    fixable = "safe"
    valid = (example(),)
    invalid = (
        example("5", ("5 6", "5 5"), fixed=NETWORK),
        example("9", ("5 6", "5 9"), fixed=NETWORK),
    )
