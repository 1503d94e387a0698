"""From a document's values to a graph: operators in file order, tensors by name."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from irlint import schema
from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.names import TensorNames
from irlint.formats.lightnet.reading.known import LightNetState, maker, state_of
from irlint.formats.lightnet.reading.places import locator
from irlint.formats.lightnet.reading.structure import sound_ops
from irlint.formats.lightnet.reorder import reorder
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Path, Place, Span
from irlint.text.json.document import JsonDocument

SCHEMA = "lightnet.schema.json"

_MEM_SIZES = (Place(("mem_sizes_h",)), Place(("mem_sizes_l",)))
_INFINITE = (R.number_out_of_range, R.non_finite_number)


def read(model: Model) -> Iterator[Problem]:
    """Fills model.graph; yields what is wrong with structure and names."""
    document = model.document
    assert isinstance(document, JsonDocument)
    model.operators = table("lightnet")
    value = document.value
    finite = _finite(value) if any(t.rule in _INFINITE for t in document.troubles) else value
    ops, broken = (value["ops"], None) if schema.is_valid(SCHEMA, finite) else sound_ops(value)
    if broken is not None:
        damaged = document.damaged
        for problem in schema.problems(SCHEMA, finite) if not (damaged and value is None) else ():
            if (damaged and _is_within(problem.at, damaged, document.shaken)) or _is_said_elsewhere(
                problem, ops, broken
            ):
                continue
            problem.node = _node_at(problem.at, ops)
            yield problem
    ops = list(ops)
    found = state_of(model)
    found.ops = ops
    graph = model.graph = Graph(locate=locator(ops))
    graph.reorder = lambda index: reorder(graph, index)
    if value is not None and not ops and not document.damaged and isinstance(value, dict) and value.get("ops") == []:
        yield Problem(R.empty_model, Place(("ops",)), "the model has no operators; LightNet loads it and does nothing")
    unreadable = {path[1] if len(path) > 1 and isinstance(path[1], int) else -1 for path in document.damaged}
    yield from _fill(model, graph, found, {*(broken or ()), *unreadable})


def _is_within(at: Place | Span, damaged: set[Path], shaken: set[Path]) -> bool:
    """Whether a place lies in a value that could not be read in full: what is missing there may stand in the text."""
    if not isinstance(at, Place):
        return False
    return at.path[:-1] in shaken or any(at.path[:size] in damaged for size in range(len(at.path) + 1))


def _node_at(at: Place | Span, ops: list[Any]) -> str | None:
    """The name of the operator in which a place lies."""
    if isinstance(at, Place) and len(at.path) > 1 and isinstance(at.path[1], int) and at.path[1] < len(ops):
        return str(ops[at.path[1]]["name"]) or None
    return None


def _is_said_elsewhere(problem: Problem, ops: list[Any], broken: set[int]) -> bool:
    """Whether this is the value of a parameter that its operator has, or the length of mem_sizes: there more is known."""
    at = problem.at
    if problem.rule is R.wrong_length and at in _MEM_SIZES:
        return True
    if not isinstance(at, Place) or len(at.path) < 5 or at.path[2] != "params" or at.path[4] != "value":
        return False
    index, k = int(at.path[1]), int(at.path[3])
    known = signature(ops[index]["optype"]) if index not in broken else None
    return known is not None and known.counted and ops[index]["params"][k]["arg_name"] in known.operator.attributes


def _finite(value: Any) -> Any:
    """The value with 0 for every number that JSON cannot hold; a schema would take them for null."""
    top = [value]
    waiting: list[Any] = [top]
    while waiting:
        holder = waiting.pop()
        for step, item in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if isinstance(item, dict | list):
                holder[step] = item.copy()
                waiting.append(holder[step])
            elif isinstance(item, float) and not isfinite(item):
                holder[step] = 0
    return top[0]


def _fill(model: Model, graph: Graph, found: LightNetState, broken: set[int]) -> Iterator[Problem]:
    names = _all(graph, found, tolerant=bool(broken))
    names.twins = [i for i in names.twins if i not in broken or graph.nodes[i].name]
    model.silent |= {id(graph.nodes[i]) for i in broken if 0 <= i < len(graph.nodes)}
    yield from names.problems()
    found.unsure = bool(broken) or names.incomplete


def _all(graph: Graph, found: LightNetState, tolerant: bool) -> TensorNames:
    """Every operator as a node."""
    names = TensorNames(graph, tolerant)
    nodes, by_op, output_names, make = graph.nodes, found.by_op, found.output_names, maker(found, names)
    for i, op in enumerate(found.ops):
        node, outputs = make(i, op)
        nodes.append(node)
        output_names.append(outputs)
        if node.op in by_op:
            by_op[node.op].append(node)
        else:
            by_op[node.op] = [node]
    return names
