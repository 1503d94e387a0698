"""T204 input-attributes."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm


class InputAttributes(Rule):
    """
    What it does
        Finds inputs of a TVM graph (`"op": "null"`) that have `attrs`.

    Why is this bad
        Wherever the executor sees attributes it wants a function's name and counts in them. Even an empty object makes
        it refuse the file.

    Example
        ```json
        {"op": "null", "name": "x", "attrs": {}, "inputs": []}
        ```

    Use instead
        ```json
        {"op": "null", "name": "x", "inputs": []}
        ```

    Fix safety
        Safe where they are empty: the file could not be read as it was. Unsafe where something is lost with them.
    """

    row = R.input_attributes
    formats = ("nnvm",)
    fixable = "mixed"
    valid = (Example(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Example(tvm(('"name": "x", ', '"name": "x", "attrs": {}, ')), "nnvm:tvm", '"attrs"', TVM_GRAPH),
        Example(
            tvm(('"name": "x", ', '"name": "x", "attrs": {"shape": "(1, 4)"}, ')), "nnvm:tvm", '"attrs"', TVM_GRAPH
        ),
    )
