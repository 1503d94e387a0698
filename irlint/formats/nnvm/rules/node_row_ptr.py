"""R202 node-row-ptr."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol, tvm


class NodeRowPtr(Rule):
    """
    What it does
        Checks for a `node_row_ptr` that does not count the outputs of the nodes: 0, then for each node the number of
        outputs up to and including it.

    Why is this bad
        TVM takes the position of every value from it; if it is wrong, TVM reads the wrong memory. MXNet writes it but
        never reads it.

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
        Safe if the number of outputs of every node is certain: the list is computed again. There is no fix for a TVM
        graph, since its other lists depend on it. Unsafe if something else in the file is wrong.
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
