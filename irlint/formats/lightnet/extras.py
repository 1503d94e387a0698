"""Keys that LightNet does not need: unknown ones, and shapes that are written beside tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.checks.fault import writing
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.shapes.base import shown
from irlint.graph import Node, Source, label
from irlint.rules.base import Model
from irlint.text.base import Path, Place

_TOP = frozenset({"ops", "mem_sizes_h", "mem_sizes_l"})
_OP = frozenset({"name", "optype", "tensors_in", "tensors_out", "params"})
_TENSOR = frozenset({"arg_name", "name", "dims", "offset_h", "offset_l"})
_PARAM = frozenset({"arg_name", "value"})


def extra_problems(model: Model) -> Iterator[Problem]:
    value = getattr(model.document, "value", None)
    if isinstance(value, dict) and isinstance(value.get("ops"), list):
        yield from _unknown(value, _TOP, (), "the model")
    found = state_of(model)
    for i in found.extended:
        op, node = found.ops[i], model.graph.nodes[i]
        if id(node) in model.silent:
            continue
        yield from _unknown(op, _OP, node.path, label(node), node)
        for key, known, what in (
            ("tensors_in", _TENSOR, "a tensor"), ("tensors_out", _TENSOR, "a tensor"), ("params", _PARAM, "a parameter")
        ):  # fmt: skip
            for k, entry in enumerate(op[key]):
                yield from _unknown(entry, known, (*node.path, key, k), f"{what} of {label(node)}", node)
        yield from _shapes(model, node, op)


def _unknown(value: Any, known: frozenset[str], path: Path, what: str, node: Node | None = None) -> Iterator[Problem]:
    if not isinstance(value, dict) or value.keys() <= known:
        return
    for key in value:
        if key not in known:
            message = f"unknown key `{key}` in {what}; LightNet ignores it"
            place = Place((*path, key), "key")
            yield Problem(R.unknown_key, place, message, node.name if node else None, severity=Severity.INFO)


def _shapes(model: Model, node: Node, op: dict[str, Any]) -> Iterator[Problem]:
    """Report declared shapes of tensors that differ from the inferred ones."""
    types = state_of(model).tensors
    sources = {"tensors_in": node.inputs, "tensors_out": [Source(node.index, k) for k in range(len(node.outputs))]}
    for key, tensors in sources.items():
        for k, entry in enumerate(op[key]):
            if "dims" not in entry:
                continue
            dims = types[tensors[k][0]][tensors[k][1]].dims
            if dims is None or entry["dims"] == list(dims):
                continue
            place = Place((*node.path, key, k, "dims"))
            declared = f"declared shape {entry['dims']} of {entry['name']!r} in {label(node)}"
            message = f"{declared} does not match inferred shape {shown(dims)}"
            yield Problem(R.declared_shape_differs, place, message, node.name, writing(place, list(dims)))
