"""T503 wrong-name-count."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import GRAPH, NETWORK, network


class WrongNameCount(Rule):
    """
    What it does
        Checks whether a layer names as many inputs and outputs as its two numbers say.

    Why is this bad
        The runtime counts words. If a name is missing, it takes a parameter or the next layer for a name; if there is one more, a name for
        a parameter: loading fails, in ncnn up to 20260526 often at another layer or with a crash.

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
    fixable = "unsafe"
    valid = (Example(NETWORK, "ncnn"), Example(GRAPH, "pnnx"))
    invalid = (
        Example(network(("1 2 conv conv_0", "1 1 conv conv_0")), "ncnn", "1", NETWORK),
        Example(network(("2 1 relu conv_1 out", "2 1 relu out")), "ncnn", "2"),
        Example(GRAPH.replace("mul 1 1 0 1", "mul 1 2 0 1"), "pnnx", "2"),
    )
