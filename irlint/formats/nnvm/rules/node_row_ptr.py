"""R202 node-row-ptr."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol, tvm


class NodeRowPtr(Rule):
    """
    What it does
        Finds a `node_row_ptr` that does not count the outputs of the nodes: 0, then for each node the number of outputs up to it.

    Why is this bad
        TVM takes every value's position from it and reads the wrong memory if it is wrong. MXNet writes it and never reads it.

    Example
        ```json
        "node_row_ptr": [0, 1, 2, 4]
        ```
        for three nodes with one output each.

    Use instead
        ```json
        "node_row_ptr": [0, 1, 2, 3]
        ```

    Fix safety
        Safe where every node's number of outputs is certain: the list is counted again. A TVM graph's is not repaired, as
        its other lists go by it. Unsafe where something else in the file is wrong.
    """

    row = R.node_row_ptr
    formats = ("nnvm",)
    fixable = "mixed"
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol(("[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 6]")), "nnvm:mxnet", "6", SYMBOL),
        Example(symbol(("[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4]")), "nnvm:mxnet", '"node_row_ptr"', SYMBOL),
        Example(tvm(('"node_row_ptr": [0, 1, 2, 3, 4]', '"node_row_ptr": [0, 1, 2, 3]')), "nnvm:tvm", '"node_row_ptr"'),
        Example(
            symbol(
                ("[0, 1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 6]"),
                ('"op": "null", "name": "data"', '"op": "null", "op": "null", "name": "data"'),
            ),
            "nnvm:mxnet",
            "6",
            SYMBOL,
        ),
    )
