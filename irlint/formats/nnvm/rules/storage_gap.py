"""R206 storage-gap."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm

_GAP = tvm(("[0, 1, 2, 3]]", "[0, 1, 2, 5]]"))


class StorageGap(Rule):
    """
    What it does
        Checks for a TVM graph whose `storage_id` skips slots below the highest one.

    Why is this bad
        Up to TVM 0.9, the executor allocates an empty slot and runs. Since 0.10, every slot takes its type from a
        value in it, so that a slot without values has none, and TVM refuses the graph with "Check failed: dtype.lanes
        >= 1".

        The finding is a warning by default, an error with `--target tvm=0.10` or later, and absent with an earlier
        target.

    Example
        ```json
        "storage_id": ["list_int", [0, 1, 2, 5]]
        ```

    Use instead
        ```json
        "storage_id": ["list_int", [0, 1, 2, 3]]
        ```

    References
        `GraphExecutor::SetupStorage` in TVM 0.9.0 and 0.10.0.
    """

    row = R.storage_gap
    formats = ("nnvm",)
    valid = (Example(TVM_GRAPH, "nnvm:tvm"), Example(_GAP, "nnvm:tvm", targets={"tvm": "0.9"}))
    invalid = (
        Example(_GAP, "nnvm:tvm", "5"),
        Example(_GAP, "nnvm:tvm", "5", targets={"tvm": "0.12"}),
    )
