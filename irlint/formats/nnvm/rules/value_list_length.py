"""T205 value-list-length."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm


class ValueListLength(Rule):
    """
    What it does
        Checks for lists in the `attrs` of a TVM graph (`shape`, `dltype`, `storage_id`, `device_index`,
        `storage_scope`) that do not have one element per value.

    Why is this bad
        The executor refuses the graph if a shape or type is missing, and reads a missing slot or device from the
        memory past the end of the list.

    Example
        ```json
        "dltype": ["list_str", ["float32", "float32", "float32"]]
        ```
        in a graph of four values.

    Use instead
        ```json
        "dltype": ["list_str", ["float32", "float32", "float32", "float32"]]
        ```
    """

    row = R.value_list_length
    formats = ("nnvm",)
    valid = (Example(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Example(
            tvm(('["float32", "float32", "float32", "float32"]', '["float32", "float32", "float32"]')),
            "nnvm:tvm",
            '["float32", "float32", "float32"]',
        ),
    )
