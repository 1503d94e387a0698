"""Pages of rules about files of the TVM graph executor."""

from __future__ import annotations

from irlint.formats.nnvm.rules import R
from irlint.rules.base import Rule


class CallCounts(Rule):
    """
    What it does
        Checks for compiled functions (`tvm_op`) whose `num_inputs` or `num_outputs` contradicts the rest of the
        graph.

    Why is this bad
        The executor passes `num_outputs` results, starting at the position that `node_row_ptr` declares. With a wrong
        number, the function gets the wrong arguments or memory past the last value. The executor ignores `num_inputs`
        and counts the inputs instead.
    """

    row = R.call_counts
    formats = ("nnvm",)


class MetadataLast(Rule):
    """
    What it does
        Checks for keys after `metadata` in a TVM graph.

    Why is this bad
        The executor stops reading at `metadata`. It misses the keys after it and refuses the graph.
    """

    row = R.metadata_last
    formats = ("nnvm",)


class NodeRowPtr(Rule):
    """
    What it does
        Checks for a `node_row_ptr` that does not count the outputs of the nodes: 0, then for each node the number of
        outputs up to and including it.

    Why is this bad
        TVM takes the position of every value from it; if it is wrong, TVM reads the wrong memory. MXNet writes it but
        never reads it.

    Fix safety
        Safe if the number of outputs of every node is certain: the list is computed again. There is no fix for a TVM
        graph, since its other lists depend on it. Unsafe if something else in the file is wrong.
    """

    row = R.node_row_ptr
    formats = ("nnvm",)
    fixable = "mixed"


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
    """

    row = R.shared_storage
    formats = ("nnvm",)


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

    References
        `GraphExecutor::SetupStorage` in TVM 0.9.0 and 0.10.0.
    """

    row = R.storage_gap
    formats = ("nnvm",)


class ValueListLength(Rule):
    """
    What it does
        Checks for lists in the `attrs` of a TVM graph (`shape`, `dltype`, `storage_id`, `device_index`,
        `storage_scope`) that do not have one element per value.

    Why is this bad
        The executor refuses the graph if a shape or type is missing, and reads a missing slot or device from the
        memory past the end of the list.
    """

    row = R.value_list_length
    formats = ("nnvm",)
