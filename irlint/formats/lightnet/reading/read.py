"""From a document to a graph: what is wrong with the structure of a file, and its operators, with what is missing filled in."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from irlint import schema
from irlint.findings import Problem
from irlint.formats.lightnet.names import TensorNames
from irlint.formats.lightnet.reading.c_values import kind_of
from irlint.formats.lightnet.reading.graph import locator, made_node, object_of, state_of
from irlint.formats.lightnet.reorder import reorder
from irlint.formats.lightnet.rules import R
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Path, Place, Span
from irlint.text.json.document import JsonDocument

SCHEMA = "lightnet.schema.json"

_MEM_SIZES = (Place(("mem_sizes_h",)), Place(("mem_sizes_l",)))
_INFINITE = (R.number_out_of_range, R.non_finite_number)
_LISTS = ("tensors_in", "tensors_out", "params")


def read(model: Model) -> Iterator[Problem]:
    """Fill model.graph; yield what is wrong with structure and names."""
    document = model.document
    assert isinstance(document, JsonDocument)
    model.operators = table("lightnet")
    value, broken = document.value, set[int]()
    finite = _finite(value) if any(t.rule in _INFINITE for t in document.troubles) else value
    if schema.is_valid(SCHEMA, finite):
        ops = list(value["ops"])
    else:
        ops, broken = sound_ops(value)
        yield from _structure_problems(document, finite, ops, broken)
    found = state_of(model)
    found.ops = ops
    graph = model.graph = Graph(locate=locator(ops))
    graph.reorder = lambda index: reorder(graph, index)
    if not document.damaged and object_of(model).get("ops") == []:
        yield Problem(R.empty_model, Place(("ops",)), "the model has no operators; LightNet loads it and does nothing")
    broken |= set(map(_operator_at, document.damaged))
    names, nodes = TensorNames(graph, tolerant=bool(broken)), graph.nodes
    for i, op in enumerate(ops):
        nodes.append(made_node(i, op, found, names))
    names.twins = [i for i in names.twins if i not in broken or nodes[i].name]
    model.silent |= {id(node) for node in nodes if node.index in broken}
    yield from names.problems()
    found.unsure = bool(broken) or names.incomplete


def _operator_at(path: Path) -> int:
    """Return the operator that a path leads to; -1 for none."""
    return path[1] if len(path) > 1 and isinstance(path[1], int) else -1


def _structure_problems(document: JsonDocument, finite: Any, ops: list[Any], broken: set[int]) -> Iterator[Problem]:
    damaged = document.damaged
    if damaged and document.value is None:
        return
    for problem in schema.problems(SCHEMA, finite):
        if not _is_within(problem.at, damaged, document.shaken) and not _is_said_elsewhere(problem, ops, broken):
            problem.node = _node_at(problem.at, ops)
            yield problem


def _is_within(at: Place | Span, damaged: set[Path], shaken: set[Path]) -> bool:
    """Whether a place is in a value that could not be read in full: what is missing there may stand in the text."""
    if not damaged or not isinstance(at, Place):
        return False
    return at.path[:-1] in shaken or any(at.path[:size] in damaged for size in range(len(at.path) + 1))


def _node_at(at: Place | Span, ops: list[Any]) -> str | None:
    """The name of the operator in which a place is."""
    index = _operator_at(at.path) if isinstance(at, Place) else -1
    return str(ops[index]["name"]) or None if 0 <= index < len(ops) else None


def _is_said_elsewhere(problem: Problem, ops: list[Any], broken: set[int]) -> bool:
    """Whether this is the value of a parameter that its operator has, or the length of mem_sizes: there more is known."""
    at = problem.at
    if problem.rule is R.wrong_length and at in _MEM_SIZES:
        return True
    if not isinstance(at, Place) or at.path[2:5:2] != ("params", "value"):
        return False
    index, k = int(at.path[1]), int(at.path[3])
    known = signature(ops[index]["optype"]) if index not in broken else None
    return known is not None and known.counted and ops[index]["params"][k]["arg_name"] in known.operator.attributes


def _finite(value: Any) -> Any:
    """The value with 0 for every number that JSON cannot hold; a schema would treat them as null."""
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


class UnreadableValue:
    """In the place of a parameter's value that LightNet cannot hold at all: an object, an empty, mixed or nested list."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw


MISSING: Any = UnreadableValue(None)  # there is no value


def sound_ops(value: Any) -> tuple[list[dict[str, Any]], set[int]]:
    """The operators with everything in its place, and which of them had to be repaired.

    What is missing or of the wrong type becomes an empty list, an empty name, or a tensor without a name (None).
    A value that cannot be read does not make the operator a repaired one.
    """
    if not isinstance(value, dict) or not isinstance(value.get("ops"), list):
        return [], set()
    pairs = [(op, _sound_op(op if isinstance(op, dict) else {})) for op in value["ops"]]
    broken = {i for i, (op, sound) in enumerate(pairs) if not isinstance(op, dict) or _is_mended(op, sound)}
    return [sound for _, sound in pairs], broken


def _is_mended(op: dict[str, Any], sound: dict[str, Any]) -> bool:
    tensors = [*sound["tensors_in"], *sound["tensors_out"]]
    if any(op.get(key) != sound[key] for key in ("name", "optype", "tensors_in", "tensors_out")):
        return True
    params = op.get("params")
    if not isinstance(params, list) or any(entry["name"] is None for entry in tensors):
        return True
    return not all(map(_are_alike, params, sound["params"]))


def _are_alike(entry: Any, sound: dict[str, Any]) -> bool:
    """Return whether a parameter has all that it needs, whatever its value is."""
    return isinstance(entry, dict) and "value" in entry and {**entry, "value": 0} == {**sound, "value": 0}


def _sound_op(op: dict[str, Any]) -> dict[str, Any]:
    sound: dict[str, Any] = {key: _text(op.get(key), "") for key in ("name", "optype")}
    for key in _LISTS:
        entries = op.get(key)
        sound[key] = [_sound_entry(entry, key) for entry in entries] if isinstance(entries, list) else []
    return {**op, **sound}


def _text(value: Any, other: str | None) -> str | None:
    return value if isinstance(value, str) else other


def _sound_entry(given: Any, key: str) -> dict[str, Any]:
    entry = given if isinstance(given, dict) else {}
    value, mended = entry.get("value"), {**entry, "arg_name": _text(entry.get("arg_name"), "")}
    if key != "params":
        return {**mended, "name": _text(entry.get("name"), None)}
    if not entry:
        return {**mended, "value": MISSING}
    return {**mended, "value": value if "value" in entry and _is_readable(value) else UnreadableValue(value)}


def _is_readable(value: Any) -> bool:
    if isinstance(value, list):
        kinds = {kind_of(item) for item in value}
        return len(kinds) == 1 and kinds <= {"number", "string", "bool"}
    return not isinstance(value, dict)
