"""O202 call-counts."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm


class CallCounts(Rule):
    """
    What it does
        Checks for compiled functions (`tvm_op`) whose `num_inputs` or `num_outputs` contradicts the rest of the
        graph.

    Why is this bad
        The executor passes `num_outputs` results, starting at the position that `node_row_ptr` declares. With a wrong
        number, the function gets the wrong arguments or memory past the last value. The executor ignores `num_inputs`
        and counts the inputs instead.

    Example
        ```json
        "num_outputs": "2"
        ```
        where `node_row_ptr` increases by 1 at this node.

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
