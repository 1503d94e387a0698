"""T503 wrong-name-count."""

from __future__ import annotations

from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.rules._sample import NETWORK, example
from irlint.rules.base import Rule


class WrongNameCount(Rule):
    """
    What it does
        Checks whether a layer names as many blobs as its numbers of inputs and outputs say.

    Why is this bad
        ncnn counts words. If a name is missing, it takes a parameter or the next layer for a blob; if there is one more, a blob for
        a parameter: loading fails, in releases up to 20260526 often at another layer or with a crash.

    Example
        ```
        BinaryOp add 2 1 relu out 0=0
        ```

    Use instead
        ```
        BinaryOp add 2 1 relu conv_1 out 0=0
        ```

    Fix safety
        Unsafe: the fix adapts the number to the names, but a name may have been lost.
    """

    row = R.wrong_name_count
    formats = ("ncnn",)
    fixable = "unsafe"
    valid = (example(),)
    invalid = (
        example("1", ("1 2 conv conv_0", "1 1 conv conv_0"), fixed=NETWORK),
        example("2", ("2 1 relu conv_1 out", "2 1 relu out")),
    )
