"""Operators as nodes of a graph: what is kept of them for the passes after the reader, and where their parts are in the file."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from irlint.formats.lightnet.names import TensorNames
from irlint.formats.lightnet.shapes.base import PreparedOperator
from irlint.formats.lightnet.shapes.infer import Types
from irlint.graph import NOWHERE, Graph, Node, Shape, Source, Value
from irlint.records import dataclass, field
from irlint.rules.base import Model
from irlint.text.base import Place

_LISTS = {"input": "tensors_in", "output": "tensors_out"}
_VALUES = {"op": "optype", "node": "name", "name": "name"}
_ARGUMENT = itemgetter("arg_name")
_KEYS = {"inputs": "tensors_in", "outputs": "tensors_out", "attrs": "params"}


@dataclass(slots=True)
class LightNetState:
    """What the passes after the reader, and editors, need besides the graph."""

    # the operators as JSON, entries that cannot be read replaced by empty ones
    ops: list[Any] = field(default_factory=list)
    output_names: list[tuple[str, ...]] = field(default_factory=list)  # argument names, per operator
    by_op: dict[str, list[Node]] = field(default_factory=dict)  # operators of each optype, in file order
    repeated: set[int] = field(default_factory=set)  # operators with two parameters of one name
    unsure: bool = False  # something is wrong with the inputs: an unused tensor may follow from it
    extended: list[int] = field(default_factory=list)  # operators with more keys than they need, or entries that have
    prepared: list[PreparedOperator] = field(default_factory=list)  # operators whose shapes can be inferred
    written: Types = field(default_factory=list)  # the tensors' types as the file has them
    tensors: Types = field(default_factory=list)  # the tensors' types as repairs would make them

    def of_operators(self, *names: str) -> list[Node]:
        """Return the nodes of operators, whatever they are compiled for."""
        return [node for op, nodes in self.by_op.items() if op.startswith(names) for node in nodes]

    def shape_of(self, source: Source) -> Shape | None:
        """Return the shape of a tensor as the file has it, as far as it is known."""
        types = self.written
        if not 0 <= source[0] < len(types) or source[1] >= len(types[source[0]]):
            return None
        shape: Shape | None = types[source[0]][source[1]].type.shape
        return shape


def state_of(model: Model) -> LightNetState:
    found: LightNetState = model.state
    return found


def object_of(model: Model) -> dict[str, Any]:
    """Return the object that a file is; an empty one if it is another value."""
    value = getattr(model.document, "value", None)
    return value if isinstance(value, dict) else {}


def made_node(index: int, op: Any, found: LightNetState, names: TensorNames) -> Node:
    """Make a node of an operator, and note what is odd about it."""
    tensors_in, tensors_out, params = op["tensors_in"], op["tensors_out"], op["params"]
    entries = tensors_in + tensors_out + params
    if len(op) != 5 or sum(map(len, entries)) != 2 * len(entries):
        found.extended.append(index)
    attrs = {entry["arg_name"]: entry["value"] for entry in params}
    if len(attrs) != len(params):
        found.repeated.add(index)  # of two parameters with one name the first counts
        attrs = {entry["arg_name"]: entry["value"] for entry in reversed(params)}
    defined = names.defined
    sources: list[Source] = []
    outputs: list[Value] = []
    for entry in tensors_in:
        source = defined.get(entry["name"], NOWHERE)
        if source is NOWHERE and entry["name"] is not None:
            names.unresolved.append((index, len(sources), entry["name"]))
        sources.append(source)
    for entry in tensors_out:
        name, own = entry["name"], Source(index, len(outputs))
        if name is not None and (first := defined.setdefault(name, own)) is not own:
            # an output that is duplicated with its argument name is reported at the argument
            if first.node != index or tensors_out[first.output]["arg_name"] != entry["arg_name"]:
                names.repeated.append((index, own.output, name))
        outputs.append(Value(name))
    label = op["name"]
    if names.operators.setdefault(label, index) != index:
        names.twins.append(index)
    input_names, output_names = tuple(map(_ARGUMENT, tensors_in)), tuple(map(_ARGUMENT, tensors_out))
    node = Node(index, label, op["optype"], ("ops", index), sources, outputs, attrs, "call", None, input_names)
    found.output_names.append(output_names)
    found.by_op.setdefault(node.op, []).append(node)
    return node


def locator(ops: list[Any]) -> Callable[[Graph, int, str], Place]:
    """The `locate` of a graph read from these operators; it knows "inputs" and "outputs" (the keys), too."""

    def locate(graph: Graph, index: int, part: str) -> Place:
        path = graph.nodes[index].path
        if part in _VALUES:
            return Place((*path, _VALUES[part]))
        if part in _KEYS:
            return Place((*path, _KEYS[part]), "key")
        word, _, which = part.partition(":")
        side, _, what = word.partition("_")
        if side in _LISTS:
            return Place((*path, _LISTS[side], int(which), "arg_name" if what else "name"))
        for at, entry in enumerate(ops[index]["params"]):
            if entry["arg_name"] == which:
                return Place((*path, "params", at, "arg_name" if word == "attr_key" else "value"))
        return Place((*path, "params"), "key")

    return locate
