"""Negative pads_begin and pads_end: where the reader and the CPU plug-in refuse or ignore them (2026.4.1)."""

from __future__ import annotations

from itertools import zip_longest

from irlint.findings import Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.values import INTEGER, ValueProblem
from irlint.graph import Node
from irlint.text.numbers import integer

_OWN = ("valid", "same_upper", "same_lower")  # words of auto_pad with which the pads are worked out
_NAMES = ("pads_begin", "pads_end")


def judged(node: Node, name: str, fault: ValueProblem) -> ValueProblem:
    """Return the fault of an attribute with the severity that the node's other attributes give it."""
    if name not in _NAMES or fault.rule != R.value_out_of_range:
        return fault
    if str(node.attrs.get("auto_pad", "")).lower() in _OWN:
        return fault._replace(severity=Severity.WARNING)
    if name == "pads_end" and node.op in ("Convolution", "GroupConvolution") and _takes_away(node):
        return fault._replace(severity=Severity.ERROR)
    return fault


def _takes_away(node: Node) -> bool:
    """Return whether the pads of an axis have a negative sum."""
    begin, end = (
        [
            integer(found[1]) if (found := INTEGER.match(text)) else 0
            for text in str(node.attrs.get(name, "")).split(",")
        ]
        for name in _NAMES
    )
    return any(first + last < 0 for first, last in zip_longest(begin, end, fillvalue=0))
