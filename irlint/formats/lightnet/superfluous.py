"""What LightNet does without: keys that it ignores, and outputs that no operator uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.checks.fault import Repair
from irlint.findings import Fix, Problem, Severity
from irlint.formats.lightnet.reading.graph import object_of, state_of
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place
from irlint.text.json.document import JsonDocument
from irlint.text.words import count

_TOP = frozenset({"ops", "mem_sizes_h", "mem_sizes_l"})
_OP = frozenset({"name", "optype", "tensors_in", "tensors_out", "params"})
_TENSOR = frozenset({"arg_name", "name", "dims", "offset_h", "offset_l"})
_PARAM = frozenset({"arg_name", "value"})
_PRINTS = ("print", "fprint", "print_cpu", "fprint_cpu")
_LISTS = {"tensors_in": ("a tensor", _TENSOR), "tensors_out": ("a tensor", _TENSOR), "params": ("a parameter", _PARAM)}


def unknown_keys(model: Model) -> Iterator[Problem]:
    found, value = state_of(model), object_of(model)
    if isinstance(value.get("ops"), list):
        yield from _unknown(value, _TOP, (), "the model")
    for i in found.extended:
        op, node = found.ops[i], model.graph.nodes[i]
        if id(node) in model.silent:
            continue
        yield from _unknown(op, _OP, node.path, label(node), node.name)
        for key, (what, known) in _LISTS.items():
            for k, entry in enumerate(op[key]):
                yield from _unknown(entry, known, (*node.path, key, k), f"{what} of {label(node)}", node.name)


def _unknown(
    value: dict[str, Any], known: frozenset[str], path: Path, what: str, node: str | None = None
) -> Iterator[Problem]:
    for key in value:
        if key not in known:
            message = f"unknown key `{key}` in {what}; LightNet ignores it"
            yield Problem(R.unknown_key, Place((*path, key), "key"), message, node, severity=Severity.INFO)


def unused_outputs(model: Model) -> Iterator[Problem]:
    graph, found = model.graph, state_of(model)
    if found.unsure:
        return
    read = {source[0] for node in graph.nodes for source in node.inputs}
    unread = [node for node in graph.nodes if node.index not in read and node.outputs and _is_pure(node)]
    if unread and found.by_op.keys().isdisjoint(_PRINTS):
        yield _without_prints(graph, unread)
        return
    for node in unread:
        names = ", ".join(repr(value.name) for value in node.outputs)
        message = f"unused {'output' if len(node.outputs) == 1 else 'outputs'} {names} of {label(node)}"
        yield Problem(R.unused_output, graph.place(node, "output:0"), message, node.name, _removing(node))


def _without_prints(graph: Graph, unread: list[Node]) -> Problem:
    """Report unused tensors of a file that prints nothing: a program may read them, or they were forgotten."""
    *others, last = unread
    also = [("also unused", graph.place(node, "output:0")) for node in others[-8:]]
    message = f"unused output {last.outputs[0].name!r} of {label(last)}; the file has no print operator either"
    message += f" (and {count(len(others), 'more tensor')})" if others else ""
    place = graph.place(last, "output:0")
    # the usual way to return results to a program; rarely a mistake
    return Problem(R.unused_output, place, message, last.name, related=also, severity=Severity.PEDANTIC)


def _is_pure(node: Node) -> bool:
    """Return whether the operator is known to do nothing but write its outputs."""
    known = signature(node.op)
    return known is not None and not known.has_output("overwrites")


def _removing(node: Node) -> Repair:
    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove {label(node)}", document.remove(node.path), "unsafe")

    return fix
