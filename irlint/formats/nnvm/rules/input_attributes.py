"""T204 input-attributes."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm


class InputAttributes(Rule):
    """
    What it does
        Checks for inputs of a TVM graph (`"op": "null"`) that have `attrs`.

    Why is this bad
        Wherever the executor finds attributes, it expects a function name and counts in them. It refuses the file
        even if the object is empty.

    Example
        ```json
        {"op": "null", "name": "x", "attrs": {}, "inputs": []}
        ```

    Use instead
        ```json
        {"op": "null", "name": "x", "inputs": []}
        ```

    Fix safety
        Safe if the attributes are empty, since the file could not be read before. Unsafe if the fix removes values.
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
