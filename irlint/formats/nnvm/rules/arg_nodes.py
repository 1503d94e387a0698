"""R201 arg-nodes."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, TVM_GRAPH, symbol, tvm


class ArgNodes(Rule):
    """
    What it does
        Checks for an `arg_nodes` that is not the list of all variables in increasing order.

    Why is this bad
        MXNet refuses a file that lists an operator there. It ignores missing, duplicate or unordered entries, since
        it computes the list itself. In a TVM graph, the position in the list is the index of the input, and only
        listed inputs can be set.

    Example
        ```json
        "arg_nodes": [0, 2, 3]
        ```
        where node 1 is a variable and node 3 an operator.

    Use instead
        ```json
        "arg_nodes": [0, 1, 2]
        ```

    Fix safety
        Safe: the list follows from the nodes. Unsafe if something else in the file is wrong, since the nodes may then
        be wrong and the list right, and in a TVM graph if listed inputs would move, since callers may rely on their
        order.
    """

    row = R.arg_nodes
    formats = ("nnvm",)
    fixable = "mixed"
    valid = (Example(SYMBOL, "nnvm:mxnet"), Example(TVM_GRAPH, "nnvm:tvm"))
    invalid = (
        Example(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 1, 3]')), "nnvm:mxnet", "3", SYMBOL),
        Example(symbol(('"arg_nodes": [0, 1, 2]', '"arg_nodes": [0, 2]')), "nnvm:mxnet", '"arg_nodes"', SYMBOL),
        Example(tvm(('"arg_nodes": [0, 1]', '"arg_nodes": [0]')), "nnvm:tvm", '"arg_nodes"', TVM_GRAPH),
        Example(tvm(('"arg_nodes": [0, 1]', '"arg_nodes": [1, 0]')), "nnvm:tvm", '"arg_nodes"', TVM_GRAPH),
    )
