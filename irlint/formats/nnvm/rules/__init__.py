"""The table of this format's own rules, in addition to the shared ones; their pages are next to it or with their checks."""

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


# The rules for any format that are found in this one
SHARED = """
    A001 A002 A003 A004 A005 A006 A007 A009 A010
    C002
    D001 D002 D003 D004 D005 D008 D009 D010
    G001 G003 G004 G005
    O001 O002
    R002 R003 R004 R005 R006 R007
    S001 S002 S003 S004 S005 S006 S008 S009 S010 S011 S012 S013 S014 S015 S016 S017 S018
    T001 T002 T003 T004 T006 T007
    W001 W002 W003 W004 W005 W006 W007 W008
    X002
"""
