"""The rules that have a meaning in this format only, beside those of any format."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow, Severity


class R(codes.R):
    mxnet_version = RuleRow("C201", "mxnet-version", Severity.WARNING)
    duplicate_head = RuleRow("G201", "duplicate-head", Severity.WARNING)
    subgraph_interface = RuleRow("O201", "subgraph-interface")
    call_counts = RuleRow("O202", "call-counts")
    arg_nodes = RuleRow("R201", "arg-nodes")
    node_row_ptr = RuleRow("R202", "node-row-ptr")
    hidden_output = RuleRow("R203", "hidden-output")
    control_dependencies = RuleRow("R204", "control-dependencies")
    shared_storage = RuleRow("R205", "shared-storage")
    storage_gap = RuleRow("R206", "storage-gap", Severity.WARNING)
    swapped_inputs = RuleRow("R207", "swapped-inputs", Severity.WARNING)
    shifted_nodes = RuleRow("R208", "shifted-nodes")
    attribute_dictionaries = RuleRow("T201", "attribute-dictionaries", Severity.WARNING)
    variable_with_inputs = RuleRow("T202", "variable-with-inputs")
    metadata_last = RuleRow("T203", "metadata-last")
    input_attributes = RuleRow("T204", "input-attributes")
    value_list_length = RuleRow("T205", "value-list-length")
