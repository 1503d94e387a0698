"""Element types that the CPU plug-in does not support, although the reader accepts them (2026.4.1)."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.openvino.blame import Blame
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import NOWHERE, Node, label

_STATELESS = frozenset(
    ("int64", "float64", "uint32", "uint64", "int16", "uint16")
)  # "does not support i64 for use with oneDNN"
_TOO_SMALL = ("int8", "uint8")  # for the indices of OneHot: "Unsupported input/output precision"


def type_problems(section: Section, blame: Blame) -> Iterator[Problem]:
    """Report unsupported types in the outermost graph; in bodies, they are converted, folded or never run."""
    if "ReadValue" in section.types:
        yield from _variables(section, blame)
    if "OneHot" in section.types:
        yield from _one_hot(section, blame)


def _variables(section: Section, blame: Blame) -> Iterator[Problem]:
    written = {node.attrs.get("variable_id") for node in section.graph.nodes if node.op == "Assign"}
    for node in section.graph.nodes:
        if node.op != "ReadValue" or not section.live[node.index] or node.attrs.get("variable_id") not in written:
            continue
        operation = meaning(node.op, node.version or "").operation
        type_ = _variable_type(section, node, blame)
        if type_ in _STATELESS and ((operation == "opset6.ReadValue" and node.inputs) or _feeds_result(section, node)):
            at = section.graph.place(node, "attr:variable_type" if "variable_type" in node.attrs else "op")
            message = f"unsupported type {type_} for the variable of {label(node)}; the CPU plug-in refuses it"
            yield Problem(R.dtype_mismatch, at, message, node.name)


def _variable_type(section: Section, node: Node, blame: Blame) -> str | None:
    declared = ELEMENT_TYPES.get(node.attrs.get("variable_type", ""))
    return declared or _real(section, node, blame)


def _feeds_result(section: Section, node: Node) -> bool:
    """Return whether a Result uses the layer.

    Without one the plug-in converts the type; opset6 keeps an initial value's.
    """
    nodes = section.graph.nodes
    return any(nodes[k].op == "Result" for k in section.readers[node.index])


def _one_hot(section: Section, blame: Blame) -> Iterator[Problem]:
    """Report unsupported indices of OneHot; one with only constants as inputs is not folded."""
    for node in section.graph.nodes:
        if node.op != "OneHot" or not section.live[node.index]:
            continue
        if (type_ := _real(section, node, blame)) in _TOO_SMALL:
            message = (
                f"expected integers of at least 16 bits for `indices` of {label(node)}, got {type_};"
                " the CPU plug-in refuses smaller ones"
            )
            yield Problem(R.dtype_mismatch, section.graph.place(node, "input:0"), message, node.name)


def _real(section: Section, node: Node, blame: Blame) -> str | None:
    """Return the type of a layer's first input."""
    maker, output = node.inputs[0] if node.inputs else NOWHERE
    real = blame.real(section, maker, output) if maker >= 0 else None
    return real.dtype if real is not None else None
