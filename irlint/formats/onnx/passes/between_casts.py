"""A node that a target has no kernel for, computed in a type for which it has one: between casts."""

from __future__ import annotations

from math import isfinite

from irlint.findings import Fix
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.wire import ATTRIBUTE_NUMBERS, DTYPE_NUMBERS
from irlint.targets.kernels import AskedNode
from irlint.text.base import Document, Edit, Span
from irlint.text.prototext.messages import Tree

_MOST = 1 << 20  # numbers of a constant that are looked at
_LARGEST = {"float32": 3.4028235e38, "float16": 65504.0}


def between_casts(asked: AskedNode, parameters: list[str], dtype: str, document: Document) -> Fix | None:
    """Return a fix that casts the inputs and outputs that have a type parameter. Unsafe: the results are others."""
    found, facts, path = document, asked.facts, asked.node.path
    ports = list(dict.fromkeys(port for parameter in parameters for port in facts.ports_of(parameter)))
    is_writable = isinstance(found, OnnxDocument) and dtype in DTYPE_NUMBERS
    if not is_writable or any(_is_too_large(asked, k, dtype) for side, k in ports if side == "input"):
        return None
    assert isinstance(found, OnnxDocument)
    node, home, at = found.value_at(path), path[:-1], int(path[-1])
    names = {"input": list(node.get("input", ())), "output": list(node.get("output", ()))}
    was = facts(f"type {parameters[0]}")
    edits: list[Edit] = []
    made = set[str]()
    for side, k in ports:
        name = names[side][k]
        if not name or was not in DTYPE_NUMBERS:
            continue
        names[side][k] = new = f"{name}_{dtype}_{at}"
        if new in made:  # it reads a value twice
            continue
        made.add(new)
        read, written, to, place = (name, new, dtype, at) if side == "input" else (new, name, was, at + 1)
        cast = {"input": [read], "output": [written], "op_type": "Cast", "attribute": [_to(to)]}
        edits += found.inserted((*home, place), cast)
    for side, own in names.items():
        edits += found.changed((*path, side), own)
    return Fix(f"Compute it in {dtype}, between casts", _joined(edits), "unsafe")


def _joined(edits: list[Edit]) -> tuple[Edit, ...]:
    """Return edits of which those at one place are one: their order does not matter."""
    at_once: dict[Span, str] = {}
    for edit in edits:
        at_once[edit.span] = at_once.get(edit.span, "") + edit.text
    return tuple(sorted(Edit(span, text) for span, text in at_once.items()))


def _is_too_large(asked: AskedNode, k: int, dtype: str) -> bool:
    """Return whether a constant input has a number that a type would make infinite."""
    source = asked.facts.source(k)
    data = None if source is None else asked.graph.nodes[source[0]].attrs.get("value")
    numbers = data.entries_up_to(_MOST) if isinstance(data, TensorData) and dtype in _LARGEST else None
    return any(abs(one) > _LARGEST[dtype] for one in numbers or () if isinstance(one, float) and isfinite(one))


def _to(dtype: str) -> Tree:
    return {"name": "to", "i": DTYPE_NUMBERS[dtype], "type": ATTRIBUTE_NUMBERS["int"]}
