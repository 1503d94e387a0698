"""The table of this format's own rules, in addition to the shared ones; their pages are next to it or with their checks."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow, Severity


class R(codes.R):
    bias_scale = RuleRow("C601", "bias-scale", Severity.WARNING)
    quantized_axis = RuleRow("C602", "quantized-axis", Severity.WARNING)
    asymmetric_weights = RuleRow("C603", "asymmetric-weights", Severity.WARNING)
    unpaired_quantization = RuleRow("C604", "unpaired-quantization", Severity.WARNING)
    zero_point_range = RuleRow("C605", "zero-point-range", Severity.WARNING)
    fixed_batch = RuleRow("D601", "fixed-batch", Severity.WARNING)
    training_mode = RuleRow("O601", "training-mode", Severity.WARNING)
    external_shape = RuleRow("W601", "external-shape")


# The rules for any format that are found in this one
SHARED = """
    A001 A002 A003 A005 A006 A007 A008 C001 C002 C010 C011 C012 D001 D002 D003 D004 D005 D006 D007 D008 D009 D010 G001 G003 G005
    O001 O002 O003 O006 R001 R002 R003 R004 R005 S001 S002 S005 S006 S010 S011 S016 T001 T002 T003 T004 T006 T007 W001 W002 W003
    W004 W005 W006 W007 W008 X002
"""
