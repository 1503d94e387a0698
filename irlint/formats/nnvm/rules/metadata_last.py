"""T203 metadata-last."""

from __future__ import annotations

from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import TVM_GRAPH, tvm


class MetadataLast(Rule):
    """
    What it does
        Checks for keys after `metadata` in a TVM graph.

    Why is this bad
        The executor stops reading at `metadata`. It misses the keys after it and refuses the graph.

    Example
        ```json
        {"metadata": {}, "nodes": [...], "arg_nodes": [...], "heads": [...], "attrs": {...}, "node_row_ptr": [...]}
        ```

    Use instead
        ```json
        {"nodes": [...], "arg_nodes": [...], "heads": [...], "attrs": {...}, "node_row_ptr": [...], "metadata": {}}
        ```
    """

    row = R.metadata_last
    formats = ("nnvm",)
    valid = (Example(TVM_GRAPH, "nnvm:tvm"),)
    invalid = (Example(tvm(('  "arg_nodes"', '  "metadata": {}, "arg_nodes"')), "nnvm:tvm", '"metadata"'),)
