"""O202 call-counts."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm


class CallCounts(Rule):
    """
    What it does
        Finds compiled functions (`tvm_op`) whose `num_inputs` or `num_outputs` differs from what the rest of the graph says.

    Why is this bad
        The executor passes as many results as `num_outputs` says, from the place that `node_row_ptr` says: the function gets
        the wrong arguments, or memory behind the last value. `num_inputs` is not used; the list of inputs is.

    Example
        ```json
        "num_outputs": "2"
        ```
        where `node_row_ptr` grows by 1 at this node.

    Use instead
        ```json
        "num_outputs": "1"
        ```
    """

    row = R.call_counts
    formats = ("nnvm",)
    valid = (Example(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Example(
            tvm(
                (
                    '"fused_relu", "num_inputs": "1", "num_outputs": "1"',
                    '"fused_relu", "num_inputs": "1", "num_outputs": "2"',
                )
            ),
            "nnvm:tvm",
            '"2"',
        ),
        Example(tvm(('"fused_relu", "num_inputs": "1"', '"fused_relu", "num_inputs": "3"')), "nnvm:tvm", '"3"'),
    )
