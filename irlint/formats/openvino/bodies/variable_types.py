"""Variables and their initial values: in opset3, and in opset6 if none is declared or only a part of it, the type comes from there."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING

from irlint.dryrun.dims import bounds
from irlint.dryrun.ops.openvino.control import excludes
from irlint.findings import Problem
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import UNKNOWN, Graph, Node, Shape, Type, label
from irlint.operators import nearest

if TYPE_CHECKING:
    from irlint.formats.openvino.inferred import InferredTypes
    from irlint.formats.openvino.reading.binfile import BinFile

_TYPE, _SHAPE = "variable_type", "variable_shape"
_KNOWN = ("variable_id", _TYPE, _SHAPE)


def open_problems(graph: Graph, node: Node) -> Iterator[Problem]:
    """Report what the CPU plug-in does not compile or run (2026.4.1).

    That is a type without a rank, a rank without a type, or neither and no input. A missing attribute is dynamic.
    """
    type_, shape = node.attrs.get(_TYPE), node.attrs.get(_SHAPE)
    no_type, no_rank = _is_open(node)
    if not is_refused(node):
        return
    if no_type and no_rank:
        what = "takes type and rank from its initial value, but has no input"
    elif no_rank:
        what = f"declares the type `{type_}`, but not the rank"
    else:
        what = f"declares the shape `{shape}`, but not the type"
    name = _SHAPE if no_rank else _TYPE
    if name in node.attrs:
        message = f"{label(node)} {what}; the CPU plug-in refuses it"
        yield Problem(R.value_not_in_enum, graph.place(node, f"attr:{name}"), message, node.name)
    elif nearest(name, [key for key in node.attrs if key not in _KNOWN]) is None:  # else the misspelling is the finding
        message = f"missing attribute `{name}` for {label(node)}, which {what}; the CPU plug-in refuses it"
        yield Problem(R.missing_attribute, graph.place(node, "attrs"), message, node.name)


def is_refused(node: Node) -> bool:
    """Return whether a dynamic type or rank, declared or by default, cannot be determined."""
    no_type, no_rank = _is_open(node)
    return no_type != no_rank or (no_type and not node.inputs)


def _is_open(node: Node) -> tuple[bool, bool]:
    """Return whether the type and the rank of a variable are dynamic."""
    type_, shape = node.attrs.get(_TYPE, "dynamic"), node.attrs.get(_SHAPE, "...")
    return type_.lower() in ("dynamic", "undefined"), shape.strip().strip("[]").strip() == "..."


def narrow_problems(section: IrSection, inferred: InferredTypes, binary: BinFile | None) -> Iterator[Problem]:
    """Report variables whose shape leaves out shapes that their initial value can have ("has to extend (relax) the shape", 2026.4.1).

    An initial value of a shape that depends on constants that cannot be read is not reported, nor one of which irlint knows less.
    """
    from irlint.formats.openvino.passes.constant_inputs import is_open

    for node in section.graph.nodes if "ReadValue" in section.types else ():
        variable, initial = inferred.real(section, node.index, 0).shape, inferred.at_input(section, node).shape
        if _SHAPE not in node.attrs or variable is None or initial is None or _includes(variable, initial):
            continue
        is_opset6 = meaning(node.op, node.version).operation == "opset6.ReadValue"
        if is_opset6 and is_open(section, node.inputs[0][0], binary):
            message = f"{label(node)}: {excludes(variable, initial)}"
            related = [("its initial value", section.graph.place(node.inputs[0][0], "node"))]
            yield Problem(
                R.shape_mismatch, section.graph.place(node, f"attr:{_SHAPE}"), message, node.name, related=related
            )


def _includes(variable: Shape, initial: Shape) -> bool:
    """Return whether a shape includes every shape of the same rank that another one denotes."""
    pairs = zip(map(bounds, variable), map(bounds, initial), strict=False)
    return all(
        low <= least and (high is None or (most is not None and most <= high)) for (low, high), (least, most) in pairs
    )


def unlike_problems(sections: list[IrSection], inferred: InferredTypes) -> Iterator[Problem]:
    """Report values written to a variable without a declared type that do not match its initial value."""
    from irlint.formats.openvino.inferred import agrees, shown

    begins = {
        node.attrs["variable_id"]: (operation, type_)
        for _, node, operation, type_ in _undeclared(sections, "ReadValue", inferred)
    }
    for section, node, _, type_ in _undeclared(sections, "Assign", inferred) if begins else ():
        opset, first = begins.get(node.attrs["variable_id"], ("", type_))
        if not (agrees(first, type_) if opset == "opset3.ReadValue" else _can_be_stored(first, type_)):
            message = f"expected {shown(first)} (from the initial value) for {label(node)}, got {shown(type_)}"
            yield Problem(R.variable_mismatch, section.graph.place(node, "attr:variable_id"), message, node.name)


def _undeclared(
    sections: list[IrSection], op: str, inferred: InferredTypes
) -> Iterator[tuple[IrSection, Node, str, Type]]:
    """Yield layers of a type whose variable declares neither type nor shape, each with its operation and the type of its input."""
    for section in sections:
        for node in section.graph.nodes if op in section.types else ():
            operation, type_ = _operation(node, op), inferred.at_input(section, node)
            if operation and type_ != UNKNOWN:
                yield section, node, operation, type_


def _operation(node: Node, op: str) -> str:
    """Return the operation of a ReadValue or Assign whose variable declares neither type nor shape, else ""."""
    if node.op != op or "variable_id" not in node.attrs:
        return ""
    operation = meaning(op, node.version).operation
    is_open = node.attrs.get(_TYPE) == "dynamic" and node.attrs.get(_SHAPE) == "..."
    if operation == "opset6.ReadValue" and not is_open:
        return ""
    return operation if operation in (f"opset3.{op}", f"opset6.{op}") else ""


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
