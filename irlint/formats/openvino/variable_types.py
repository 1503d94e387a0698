"""Variables of opset3, whose type is that of the value that they begin with."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.openvino.attributes import label
from irlint.formats.openvino.blame import Blame, agrees, shown
from irlint.formats.openvino.opsets import meaning
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.rules.variable_mismatch import VariableMismatch
from irlint.graph import NOWHERE, Node, Type


def unlike_problems(sections: list[Section], blame: Blame) -> Iterator[Problem]:
    """Variables that declare no type: what is written to them is as what they begin with."""
    begins: dict[str, Type] = {}
    for section in sections:
        for node in section.graph.nodes if "ReadValue" in section.types else ():
            if _is_first(node, "ReadValue") and (type_ := _given(section, node, blame)) is not None:
                begins[node.attrs["variable_id"]] = type_
    for section in sections if begins else ():
        for node in section.graph.nodes:
            if not _is_first(node, "Assign") or (type_ := _given(section, node, blame)) is None:
                continue
            first = begins.get(node.attrs["variable_id"])
            if first is not None and not agrees(first, type_):
                message = f"{label(node)} writes {shown(type_)}, but the variable begins with {shown(first)}"
                yield Problem(VariableMismatch, section.graph.place(node, "attr:variable_id"), message, node.name)


def _is_first(node: Node, op: str) -> bool:
    return node.op == op and "variable_id" in node.attrs and meaning(op, node.version or "").operation == f"opset3.{op}"


def _given(section: Section, node: Node, blame: Blame) -> Type | None:
    maker, output = node.inputs[0] if node.inputs else NOWHERE
    return blame.real(section, maker, output) if maker >= 0 else None
