"""Element types that the CPU plug-in does not support, although the reader accepts them (2026.4.1).

Only those of the outermost graph are reported; in bodies, they are converted, folded or never run.
"""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.openvino.inferred import InferredTypes
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Node, label

_STATELESS = frozenset(
    ("int64", "float64", "uint32", "uint64", "int16", "uint16")
)  # "does not support i64 for use with oneDNN"
_TOO_SMALL = ("int8", "uint8")  # for the indices of OneHot: "Unsupported input/output precision"


def type_problems(section: IrSection, inferred: InferredTypes) -> Iterator[Problem]:
    """Report unsupported types of variables, and unsupported indices of OneHot: one with only constants as inputs is not folded."""
    if section.types.isdisjoint(("OneHot", "ReadValue")):
        return
    nodes = [node for node in section.graph.nodes if section.live[node.index]]
    written = {node.attrs.get("variable_id") for node in section.graph.nodes if node.op == "Assign"}
    for node in nodes:
        type_ = inferred.at_input(section, node).dtype
        if node.op == "ReadValue" and node.attrs.get("variable_id") in written:
            yield from _variable(section, node, ELEMENT_TYPES.get(node.attrs.get("variable_type", "")) or type_)
        elif node.op == "OneHot" and type_ in _TOO_SMALL:
            message = (
                f"expected integers of at least 16 bits for `indices` of {label(node)}, got {type_};"
                " the CPU plug-in refuses smaller ones"
            )
            yield Problem(R.dtype_mismatch, section.graph.place(node, "input:0"), message, node.name)


def _variable(section: IrSection, node: Node, type_: str | None) -> Iterator[Problem]:
    """Report an unsupported type. If no Result uses the layer, the plug-in converts it; opset6 keeps an initial value's."""
    is_kept = bool(node.inputs) and meaning(node.op, node.version).operation == "opset6.ReadValue"
    readers = section.readers[node.index]
    if type_ in _STATELESS and (is_kept or any(section.graph.nodes[k].op == "Result" for k in readers)):
        at = section.graph.place(node, "attr:variable_type" if "variable_type" in node.attrs else "op")
        message = f"unsupported type {type_} for the variable of {label(node)}; the CPU plug-in refuses it"
        yield Problem(R.dtype_mismatch, at, message, node.name)
