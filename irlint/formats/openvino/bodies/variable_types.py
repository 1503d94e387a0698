"""Variables that take their type from their initial value: in opset3, and in opset6 if none is declared."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from irlint.findings import Problem
from irlint.formats.openvino.blame import Blame, agrees, shown
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import NOWHERE, Node, Shape, Type, label


def unlike_problems(sections: list[Section], blame: Blame) -> Iterator[Problem]:
    """Report values written to a variable without a declared type that do not match its initial value."""
    begins: dict[str, tuple[str, Type]] = {}
    for section in sections:
        for node in section.graph.nodes if "ReadValue" in section.types else ():
            operation = _operation(node, "ReadValue")
            if operation and (type_ := _given(section, node, blame)) is not None:
                begins[node.attrs["variable_id"]] = operation, type_
    for section in sections if begins else ():
        for node in section.graph.nodes:
            operation = _operation(node, "Assign")
            if not operation or (type_ := _given(section, node, blame)) is None:
                continue
            opset, first = begins.get(node.attrs["variable_id"], ("", type_))
            fits = agrees(first, type_) if opset == "opset3.ReadValue" else _can_be_stored(first, type_)
            if not fits:
                message = f"expected {shown(first)} (from the initial value) for {label(node)}, got {shown(type_)}"
                yield Problem(R.variable_mismatch, section.graph.place(node, "attr:variable_id"), message, node.name)


def _can_be_stored(first: Type, written: Type) -> bool:
    """Return whether the CPU plug-in can copy a written value into a state of opset6 with its initial shape.

    2026.4.1 has no reorder between static shapes of different sizes. A state without elements accepts any.
    """
    if first.shape is None or written.shape is None:
        return True
    sizes = [_size(first.shape), _size(written.shape)]
    return not all(sizes) or sizes[0] == sizes[1]


def _size(shape: Shape) -> int:
    """Return the number of elements of a static shape; 0 if it is dynamic."""
    return prod(dim if isinstance(dim, int) else 0 for dim in shape)


def _operation(node: Node, op: str) -> str:
    """Return the operation of a ReadValue or Assign whose variable declares neither type nor shape, else ""."""
    if node.op != op or "variable_id" not in node.attrs:
        return ""
    operation = meaning(op, node.version or "").operation
    if operation == "opset6.ReadValue" and (
        node.attrs.get("variable_type") != "dynamic" or node.attrs.get("variable_shape") != "..."
    ):
        return ""
    return operation if operation in (f"opset3.{op}", f"opset6.{op}") else ""


def _given(section: Section, node: Node, blame: Blame) -> Type | None:
    maker, output = node.inputs[0] if node.inputs else NOWHERE
    return blame.real(section, maker, output) if maker >= 0 else None
