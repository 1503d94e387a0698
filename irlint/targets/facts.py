"""What tables of kernels ask of a node: its types, attributes, inputs and ranks, by the names that the tables have for them."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.dims import is_known
from irlint.graph import Graph, Node, Source, Type
from irlint.operators import Operator

UNKNOWN = object()  # the value of a fact that a model does not tell


class NodeFacts:
    """The facts of one node. Formats add what they know of attributes and types."""

    def __init__(self, graph: Graph, node: Node, operator: Operator) -> None:
        self.graph, self.node, self.operator = graph, node, operator
        self._known: dict[str, Any] = {}

    def __call__(self, fact: str) -> Any:
        if fact not in self._known:
            kind, _, name = fact.partition(" ")
            self._known[fact] = getattr(self, f"of_{kind}")(name)
        return self._known[fact]

    def place_of(self, fact: str) -> str:
        """Return the part of the node that a fact is about, as graph.place takes it."""
        kind, _, name = fact.partition(" ")
        if kind == "attribute":
            return f"attr:{name}" if name in self.node.attrs else "op"
        if kind == "groups":
            return "attr:num_groups"
        if kind in ("input", "rank", "zero", "lengths"):
            return f"input:{name}"
        if kind == "type":
            places = [f"{side}:{k}" for side, k in self.ports_of(name) if side == "input"]
            return places[0] if places else "op"
        return "op"

    def type_at(self, side: str, k: int) -> Type | None:
        """Return the type of an input or output."""
        raise NotImplementedError

    def may_be(self, fact: str, value: Any) -> bool:
        """Return whether a fact of a type may have another value, for all that the operator says."""
        return True

    def absent(self, name: str) -> Any:
        """Return the value of the fact of an attribute that is not there."""
        return None

    def ports_of(self, name: str) -> list[tuple[str, int]]:
        """Return the inputs and outputs whose type a fact is about: one of them, by its number."""
        side, _, number = name.partition(" ")
        return [("input" if side == "in" else "output", int(number))]

    def of_attribute(self, name: str) -> Any:
        return self.node.attrs.get(name)

    def of_input(self, name: str) -> Any:
        source = self.source(int(name))
        if source is None:
            return "absent"
        return "constant" if self.graph.nodes[source[0]].kind == "const" else "given"

    def of_rank(self, name: str) -> Any:
        type_ = self.type_at("input", int(name))
        return UNKNOWN if type_ is None or type_.shape is None else len(type_.shape)

    def of_opset(self, _name: str) -> Any:
        """Return the version of the operators that the model has, in formats that say one for all."""
        return UNKNOWN

    def of_outputs(self, _name: str) -> Any:
        return "".join("01"[bool(value.name)] for value in self.node.outputs).rstrip("0")

    def of_lengths(self, name: str) -> Any:
        """Return whether no length of an input is a number, or all are; of others, tables say nothing."""
        type_ = self.type_at("input", int(name))
        if type_ is None or is_known(type_.shape):
            return "fixed"
        return "open" if type_.shape and not any(type(dim) is int for dim in type_.shape) else UNKNOWN

    def of_dynamic(self, _name: str) -> Any:
        """Return whether an input has a length that is open."""
        shapes = [type_.shape for k in range(len(self.node.inputs)) if (type_ := self.type_at("input", k)) is not None]
        return any(shape is not None and not is_known(shape) for shape in shapes)

    def of_type(self, name: str) -> Any:
        types = (self.type_at(*port) for port in self.ports_of(name))
        return next((one.dtype for one in types if one is not None and one.dtype is not None), UNKNOWN)

    def source(self, k: int) -> Source | None:
        inputs = self.node.inputs
        return Source(*inputs[k]) if k < len(inputs) and inputs[k][0] >= 0 else None
