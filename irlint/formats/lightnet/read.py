"""From a document's values to a graph: operators in file order, tensors by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from irlint import schema
from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.names import Names
from irlint.formats.lightnet.places import locator
from irlint.formats.lightnet.reorder import reorder
from irlint.formats.lightnet.signature import signature
from irlint.formats.lightnet.structure import sound_ops
from irlint.graph import NOWHERE, Graph, Node, Source, Value
from irlint.operators import table
from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Model
from irlint.text.base import Path, Place, Span
from irlint.text.json import JsonDocument

SCHEMA = "lightnet.schema.json"

_MEM_SIZES = (Place(("mem_sizes_h",)), Place(("mem_sizes_l",)))
_INFINITE = (R.number_out_of_range, R.non_finite_number)


@dataclass
class Reading:
    """What the passes after the reader need besides the graph."""

    ops: list[Any]  # the operators as JSON, entries that cannot be read replaced by empty ones
    output_names: list[tuple[str, ...]] = field(default_factory=list)  # argument names, per operator
    by_op: dict[str, list[Node]] = field(default_factory=dict)  # operators of each optype, in file order
    repeated: set[int] = field(default_factory=set)  # operators with two parameters of one name
    unsure: bool = False  # something is wrong with what reads what: that nothing reads a tensor may follow from it
    altered: set[int] = field(default_factory=set)  # operators that passes go on with in another form
    extended: list[int] = field(default_factory=list)  # operators with more keys than they need, or entries that have


def reading(model: Model) -> Reading:
    found: Reading = model.extra["lightnet"]
    return found


def read(model: Model) -> Iterator[Problem]:
    """Fills model.graph; yields what is wrong with structure and names."""
    document = model.document
    assert isinstance(document, JsonDocument)
    model.operators = table("lightnet")
    value = document.value
    finite = _finite(value) if any(t.rule in _INFINITE for t in document.troubles) else value
    valid = model.memory.revised(
        "schema",
        finite,
        lambda: schema.is_valid(SCHEMA, finite),
        lambda before, was: schema.is_valid_after(SCHEMA, finite, before, model.memory.changed) if was else None,
    )
    ops, broken = (value["ops"], None) if valid else sound_ops(value)
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
    found = model.extra["lightnet"] = Reading(ops)
    graph = model.graph = Graph(locate=locator(ops))
    graph.reorder = lambda index: reorder(graph, index)
    if value is not None and not ops and not document.damaged and isinstance(value, dict) and value.get("ops") == []:
        yield Problem(R.empty_model, Place(("ops",)), "this model has no operators; LightNet loads it and does nothing")
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


def _is_same_output(tensors_out: list[Any], k: int, first: Source, index: int) -> bool:
    """Whether an output stands there twice, argument name and all: that is said of the argument."""
    return first.node == index and tensors_out[first.output]["arg_name"] == tensors_out[k]["arg_name"]


def _fill(model: Model, graph: Graph, found: Reading, broken: set[int]) -> Iterator[Problem]:
    if broken or model.document.troubles:
        names = _all(graph, found, tolerant=bool(broken))
        names.twins = [i for i in names.twins if i not in broken or graph.nodes[i].name]
    else:
        names = _remembered(model, graph, found)
    model.silent |= {id(graph.nodes[i]) for i in broken if 0 <= i < len(graph.nodes)}
    yield from names.problems()
    found.unsure = bool(broken) or names.incomplete


def _remembered(model: Model, graph: Graph, found: Reading) -> Names:
    """The nodes of a sound file, those of the text before among them where an edit changed few operators."""

    def work() -> Filled:
        names = _all(graph, found, tolerant=False)
        return Filled(graph.nodes, found, names)

    def revise(ops: list[Any], before: Filled) -> Filled | None:
        from irlint.formats.lightnet.read_again import read_again

        return read_again(graph, found, ops, before)

    filled: Filled = model.memory.revised("operators", found.ops.copy(), work, revise)
    return filled.names


class Filled(NamedTuple):
    """What the reader made of the operators of a file."""

    nodes: list[Node]
    found: Reading
    names: Names


def _all(graph: Graph, found: Reading, tolerant: bool) -> Names:
    """Every operator as a node."""
    names = Names(graph, tolerant)
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


def maker(found: Reading, names: Names) -> Callable[[int, Any], tuple[Node, tuple[str, ...]]]:
    """Makes a node of an operator, and notes what is odd about it."""
    defined, operators = names.defined, names.operators

    def make(i: int, op: Any) -> tuple[Node, tuple[str, ...]]:
        tensors_in, tensors_out, params = op["tensors_in"], op["tensors_out"], op["params"]
        extended = len(op) != 5
        sources: list[Source] = []
        for entry in tensors_in:
            name = entry["name"]
            source = defined.get(name)
            if source is None:
                if name is not None:
                    names.unresolved.append((i, len(sources), name))
                source = NOWHERE
            sources.append(source)
            extended = extended or len(entry) != 2
        outputs: list[Value] = []
        for entry in tensors_out:
            name = entry["name"]
            if name is not None:
                if name not in defined:
                    defined[name] = Source(i, len(outputs))
                elif not _is_same_output(tensors_out, len(outputs), defined[name], i):
                    names.repeated.append((i, len(outputs), name))
            outputs.append(Value(name))
            extended = extended or len(entry) != 2
        attrs = {}
        for entry in params:
            attrs[entry["arg_name"]] = entry["value"]
            extended = extended or len(entry) != 2
        if extended:
            found.extended.append(i)
        if len(attrs) != len(params):
            found.repeated.add(i)  # of two parameters with one name the first counts
            attrs = {entry["arg_name"]: entry["value"] for entry in reversed(params)}
        label = op["name"]
        if label not in operators:
            operators[label] = i
        else:
            names.twins.append(i)
        input_names = tuple([entry["arg_name"] for entry in tensors_in])
        node = Node(i, label, op["optype"], ("ops", i), sources, outputs, attrs, "call", None, input_names)
        return node, tuple([entry["arg_name"] for entry in tensors_out])

    return make
