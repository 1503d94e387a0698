"""What the table of causes asks of an OpenVINO IR: layers, edges, and the culprits of errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from irlint.causes.relations import Lookup
from irlint.findings import Problem, Severity
from irlint.formats.openvino.culprits import Culprit, Culprits, constant_at, edge_to, sharing
from irlint.formats.openvino.declared import refined
from irlint.formats.openvino.passes.refusals import needs_hidden_size
from irlint.formats.openvino.reading.opsets import known_operator
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.formats.openvino.state import LayerAt, LayerIndex
from irlint.graph import Node
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument

Key = tuple[int, int]  # id() of a section, index of a layer in it
_OF_VALUES = (
    R.value_not_in_enum,
    R.value_out_of_range,
    R.axis_out_of_range,
    R.element_count_mismatch,
)  # rules that speak of what a tensor holds
_ENDLESS = re.compile(r"\s*[+-]?(nan|inf|infinity)\s*", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def _of_layer(test: Callable[[IrLookup, LayerAt, Problem], bool]) -> Callable[[IrLookup, Problem], bool]:
    """Return a predicate of problems in a layer, made of one that is given the layer."""

    def holds(lookup: IrLookup, problem: Problem) -> bool:
        at = lookup.find(problem)
        return at is not None and test(lookup, at, problem)

    return holds


class IrLookup(Lookup):
    document: XmlDocument

    def __init__(self, model: Model, sections: list[IrSection]) -> None:
        assert isinstance(model.document, XmlDocument)
        super().__init__(model.document)
        self.layers = LayerIndex(sections)
        self._types, self._sections = model.types, sections
        self._layers: dict[Path, LayerAt | None] = {}
        self._culprits: dict[int, tuple[Problem, Culprit | None]] = {}  # by id() of a problem, which is kept alive

    @cached_property
    def culprits(self) -> Culprits:
        assert self._types is not None
        return Culprits(self._types, self._sections)

    # where a problem is

    def find(self, problem: Problem) -> LayerAt | None:
        """Return the layer that a problem is in."""
        if not isinstance(problem.at, Place):
            return None
        path = problem.at.path
        if path not in self._layers:
            self._layers[path] = self.layers.find(path)
        return self._layers[path]

    def found(self, problem: Problem) -> LayerAt:
        """Return the layer of a problem that is in one."""
        found = self.find(problem)
        assert found is not None
        return found

    def layer(self, problem: Problem) -> tuple[Key, ...]:
        found = self.find(problem)
        return () if found is None else (found.key,)

    def is_in_layer(self, problem: Problem) -> bool:
        return self.find(problem) is not None

    def is_at_edge(self, problem: Problem) -> bool:
        return isinstance(problem.at, Place) and self.layers.edge(problem.at.path) is not None

    def place(self, problem: Problem) -> Place | None:
        return problem.at if isinstance(problem.at, Place) else None

    def at_edge(self, problem: Problem) -> Problem:
        """Return the problem of a reference at the edge that contains it."""
        found, at = self.find(problem), problem.at
        edge = edge_to(found, at) if found is not None and isinstance(at, Place) else None
        return problem if edge is None else replace(problem, at=edge)

    # what the reader makes of it

    def is_ignored(self, problem: Problem) -> bool:
        """Return whether the reader does not look at what is wrong: it reads syntax, structure and ids of every layer, the rest
        only of those that it reaches.
        """
        if problem.rule.code[0] in "STX" or problem.rule == R.duplicate_definition:
            return False
        around = self.layers.around(problem.at.path) if isinstance(problem.at, Place) else []
        return any(not at.section.live[at.index] for at in around)

    @_of_layer
    def is_unfed(self, at: LayerAt, _: Problem) -> bool:
        return self.document.broken or at.index in at.section.starved

    @_of_layer
    def is_compressed(self, at: LayerAt, _: Problem) -> bool:
        """Return whether a Convert decompresses constants: the writer keeps the stored type at its output."""
        layer = at.layer
        types = {ports.values[0].type.dtype for ports in (layer.inputs, layer.outputs) if ports.values}
        if at.node.op != "Convert" or len(types) != 1 or not (layer.inputs.values and layer.outputs.values):
            return False
        infos = [info for _, info in layer.parts.steps("rt_info")[:1]]
        names = [child.get("name") for info in infos for child in info.elements()]
        return "decompression" in names or '"decompression"' in layer.rt

    def refined(self, problem: Problem) -> Problem:
        return refined(self.document, self.found(problem), problem, self.culprits)

    @_of_layer
    def needs_hidden_size(self, at: LayerAt, problem: Problem) -> bool:
        return getattr(problem.at, "part", "") == "@hidden_size" and needs_hidden_size(at.section, at.node)

    @_of_layer
    def is_accepted(self, at: LayerAt, problem: Problem) -> bool:
        """Return whether OpenVINO accepts what the specification does not: any type of condition, some signs of values."""
        assert isinstance(problem.at, Place)
        if not problem.is_error:
            return True
        node, name = at.node, problem.at.part[1:]
        if node.op == "If":
            return problem.rule == R.shape_mismatch and problem.at == at.graph.place(node, "input:0")
        known = known_operator(node.op, node.version).attributes if problem.is_too_low else {}
        if name not in known:
            return False
        numbers = [float(number) for number in _NUMBER.findall(str(node.attrs.get(name, "")))]
        signs = {"negative" if number < 0 else "zero" for number in numbers if number <= 0}
        facts = known[name].facts
        return bool(signs) and not any(facts.get(sign) == "refused" for sign in signs)

    @_of_layer
    def is_accepted_condition(self, at: LayerAt, problem: Problem) -> bool:
        return at.node.op == "If" and self.is_accepted(problem)

    # what the operator table knows of it

    def is_suspect(self, problem: Problem) -> bool:
        """Return whether a problem is about an attribute that may change what an operation does."""
        if problem.severity != Severity.WARNING:
            return False
        if problem.rule == R.unknown_key:
            return problem.meant == "data" and self.is_in_layer(problem)
        is_unknown = problem.rule in (R.unknown_attribute, R.ignored_attribute)
        return problem.rule.code[0] == "A" and (not is_unknown or problem.meant is not None)

    @_of_layer
    def is_absent(self, at: LayerAt, problem: Problem) -> bool:
        """Return whether a problem is about an attribute that a layer does not have."""
        part = getattr(problem.at, "part", "")
        return part.startswith("@") and part[1:] not in at.node.attrs

    @_of_layer
    def is_judged(self, at: LayerAt, problem: Problem) -> bool:
        """Return whether the operator table judges the value that a problem is about: of infinity it knows only that it is odd."""
        assert isinstance(problem.at, Place)
        value = str(at.node.attrs.get(problem.at.part[1:], ""))
        return not self.is_absent(problem) and not (problem.is_error and _ENDLESS.fullmatch(value))

    # what is the cause of it

    def culprit(self, problem: Problem) -> Culprit | None:
        if id(problem) not in self._culprits:
            found = self.find(problem)
            self._culprits[id(problem)] = problem, None if found is None else self.culprits.culprit(found)
        return self._culprits[id(problem)][1]

    def has_culprit(self, problem: Problem) -> bool:
        return self.culprit(problem) is not None

    def at_culprit(self, problem: Problem) -> Problem:
        culprit, found = self.culprit(problem), self.found(problem)
        assert culprit is not None
        where = (problem.text, found.graph.place(found.index, "node"))
        related = [where, *self.culprits.others(culprit), *problem.related]
        return replace(problem, at=culprit.place, message=culprit.words, addition="", related=related)

    def cause(self, problem: Problem) -> tuple[Key, ...]:
        """Return the layer that is the cause of a problem: that of its culprit, or its own."""
        culprit = self.culprit(problem)
        return self.layer(problem) if culprit is None or culprit.is_edge else (culprit.at.key,)

    def entry(self, problem: Problem) -> tuple[Path, ...]:
        """Return the entry of a port map that feeds the Parameter of a body that is the culprit."""
        culprit = self.culprit(problem)
        is_parameter = culprit is not None and culprit.at.node.kind == "var"
        path = self.culprits.entry_of(culprit.at) if culprit is not None and is_parameter else None
        return () if path is None else (path,)

    def upstream(self, problem: Problem) -> list[Key]:
        """Return the layers of a body that lead to an error without a culprit."""
        found = self.find(problem)
        if found is None or found.graph.parent is None or self.has_culprit(problem):
            return []
        stack, seen = [found.index], {found.index: None}
        while stack:
            makers = [maker for maker, _ in found.graph.nodes[stack.pop()].inputs if maker >= 0 and maker not in seen]
            seen |= dict.fromkeys(makers)
            stack += dict.fromkeys(makers)
        return [(id(found.section), maker) for maker in seen if maker != found.index]

    def constant(self, problem: Problem) -> Node | None:
        """Return the constant whose values an error without a culprit is about."""
        if problem.rule not in _OF_VALUES or not self.is_of_input(problem):
            return None
        return constant_at(self.found(problem), problem.at)

    def is_of_constant(self, problem: Problem) -> bool:
        return self.constant(problem) is not None

    def at_constant(self, problem: Problem) -> Problem:
        found, constant = self.found(problem), self.constant(problem)
        assert constant is not None
        where = ("in this layer", found.graph.place(found.index, "node"))
        related = [where, *self._of_input(problem), *sharing(found.section, constant)]
        return replace(problem, at=found.graph.place(constant, "attrs"), related=related)

    @_of_layer
    def is_of_input(self, at: LayerAt, problem: Problem) -> bool:
        """Return whether a problem is at a port of its layer."""
        return isinstance(problem.at, Place) and len(problem.at.path) >= len(at.node.path) + 2

    def at_layer(self, problem: Problem) -> Problem:
        """Return the problem of an input without another cause at the layer itself: at the only attribute that says something."""
        at = self.found(problem)
        known = known_operator(at.node.op, at.node.version).attributes
        attrs = at.node.attrs.items()
        own = [name for name, text in attrs if name in known and str(text) != str(known[name].default)]
        has_attributes = own or known.keys() - {"auto_broadcast"}
        part = f"attr:{own[0]}" if len(own) == 1 else "attrs" if has_attributes else "node"
        return replace(problem, at=at.graph.place(at.index, part), related=self._of_input(problem))

    def _of_input(self, problem: Problem) -> list[tuple[str, Place]]:
        """Return the places that belong to the input that a problem is at."""
        assert isinstance(problem.at, Place)
        edge = edge_to(self.found(problem), problem.at)
        edges = [] if edge is None else [("connected by this edge", edge)]
        return [("for this input", problem.at), *edges, *problem.related]  # type: ignore[list-item]

    def bytes(self, problem: Problem) -> tuple[object, ...]:
        """Return where the bytes of a constant are, for problems of one rule."""
        attrs = self.found(problem).node.attrs
        return (problem.rule.code, *(attrs.get(name) for name in ("offset", "size", "element_type")))
