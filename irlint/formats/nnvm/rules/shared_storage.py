"""R205 shared-storage."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm

_READ_LATE = tvm(
    ("[[2, 0, 0]]", "[[2, 0, 0], [0, 0, 0]]"),
    ('"fused_relu", "num_inputs": "1"', '"fused_relu", "num_inputs": "2"'),
    ("[0, 1, 2, 3]]", "[0, 1, 0, 3]]"),
)


class SharedStorage(Rule):
    """
    What it does
        Checks for values of a TVM graph that share a storage slot although both are needed at the same time, or
        although they are on different devices.

    Why is this bad
        The executor runs the nodes in order without checks: the second value overwrites the first, and nodes that use
        the first one later compute with the second.

        A function may write into the slot of an input that no later node uses. If that is an input of the whole
        graph, it is a warning: callers have to set it before every run.

    Example
        ```json
        "storage_id": ["list_int", [0, 1, 0, 2]]
        ```
        where a node uses value 0 after value 2 has been written.

    Use instead
        ```json
        "storage_id": ["list_int", [0, 1, 2, 3]]
        ```
    """

    row = R.shared_storage
    formats = ("nnvm",)
    valid = (Example(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (
        Example(_READ_LATE, "nnvm:tvm", "0"),
        Example(
            tvm(("[0, 1, 2, 3]]", '[0, 1, 2, 2]],\n    "device_index": ["list_int", [1, 1, 1, 2]]')), "nnvm:tvm", "2"
        ),
    )
