"""ReadValue of opset6 with a dynamic type or rank, which only the initial value can determine."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.openvino.codes import R
from irlint.graph import Graph, Node, label
from irlint.operators import nearest

_TYPE, _SHAPE = "variable_type", "variable_shape"
_KNOWN = ("variable_id", _TYPE, _SHAPE)


def open_problems(graph: Graph, node: Node) -> Iterator[Problem]:
    """Report what the CPU plug-in does not compile or run (2026.4.1).

    That is a type without a rank, a rank without a type, or neither and no input. A missing attribute is dynamic.
    """
    type_, shape = node.attrs.get(_TYPE), node.attrs.get(_SHAPE)
    no_type, no_rank = _no_type(type_), _no_rank(shape)
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
    no_type, no_rank = _no_type(node.attrs.get(_TYPE)), _no_rank(node.attrs.get(_SHAPE))
    return no_type != no_rank or (no_type and not node.inputs)


def _no_type(text: str | None) -> bool:
    return text is None or text.lower() in ("dynamic", "undefined")


def _no_rank(text: str | None) -> bool:
    return text is None or text.strip().strip("[]").strip() == "..."
