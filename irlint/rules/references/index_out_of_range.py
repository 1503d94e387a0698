"""R006 index-out-of-range."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol, tvm


class IndexOutOfRange(Rule):
    """
    What it does
        Checks for numbers that refer to a node, layer or output by a position that does not exist.

    Why is this bad
        The loader checks the number and refuses the file; one that does not check reads memory out of bounds.

    Example
        ```json
        "inputs": [[12, 0, 0]]
        ```
        in a graph of five nodes.

    Use instead
        ```json
        "inputs": [[3, 0, 0]]
        ```

    Fix safety
        Safe where a list follows from the rest of the file (`arg_nodes`) and nothing else in the file is wrong: the
        list is regenerated, and no reader accepted the file before. Also safe where an input of an NNVM node is meant
        for a variable that no other node uses and that is named for this input (`fc0_weight` for the weight of `fc0`).

        Unsafe where the input is connected to the only node whose output is unused.
    """

    row = R.index_out_of_range
    fixable = "mixed"
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[12, 0, 0]]')), "nnvm:mxnet", "12"),
        Example(symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[-2, 0, 0]]')), "nnvm:mxnet", "-2", SYMBOL),
        Example(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 1, 7]')), "nnvm:mxnet", "7", SYMBOL),
        Example(tvm(("[[0, 0, 0], [1, 0, 0]]", "[[0, 0, 0], [9, 0, 0]]")), "nnvm:tvm", "9"),
    )
