"""R007 output-out-of-range."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol


class OutputOutOfRange(Rule):
    """
    What it does
        Checks for uses of an output that the producer does not have.

    Why is this bad
        Few loaders check this: MXNet loads such a file and then fails to infer shapes, without mentioning the index, or
        crashes; TVM reads the value of a different node.

    Example
        ```json
        "inputs": [[3, 1, 0]]
        ```
        where node 3 is a FullyConnected, which has one output.

    Use instead
        ```json
        "inputs": [[3, 0, 0]]
        ```

    Fix safety
        Unsafe: output 0 is used instead, where the producer has no other.
    """

    row = R.output_out_of_range
    fixable = "unsafe"
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol(('"inputs": [[3, 0, 0]]', '"inputs": [[3, 1, 0]]')), "nnvm:mxnet", "1", SYMBOL),
        Example(symbol(("[0, 0, 0], [1, 0, 0]", "[0, 0, 0], [1, 4, 0]")), "nnvm:mxnet", "4", SYMBOL),
        Example(symbol(('"heads": [[4, 0, 0]]', '"heads": [[4, 2, 0]]')), "nnvm:mxnet", "2", SYMBOL),
    )
