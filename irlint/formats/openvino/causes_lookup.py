"""What the table of causes asks of an OpenVINO IR: layers, edges, and what is to blame for an error."""

from __future__ import annotations

import re
from functools import cached_property

from irlint.causes.relations import Lookup
from irlint.findings import Problem, Severity
from irlint.formats.openvino.blame import Blame, Culprit
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.declared import refined
from irlint.formats.openvino.leads import SharedConstants, edge_at, leads
from irlint.formats.openvino.passes.refusals import needs_hidden_size
from irlint.formats.openvino.reading.layer_index import LayerIndex
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Graph, Node
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


class IrLookup(Lookup):
    document: XmlDocument

    def __init__(self, model: Model, sections: list[Section]) -> None:
        assert isinstance(model.document, XmlDocument)
        super().__init__(model.document)
        self.layers = LayerIndex(sections)
        self._types, self._sections = model.types, sections
        self._shared = SharedConstants()
        self._homes: dict[Path, tuple[Section, int] | None] = {}
        self._culprits: dict[int, tuple[Problem, Culprit | None]] = {}  # by id() of a problem, which is kept alive

    @cached_property
    def blame(self) -> Blame:
        assert self._types is not None
        return Blame(self._types, self._sections)

    # where a problem is

    def home(self, problem: Problem) -> tuple[Section, int] | None:
        """Return the layer that a problem is in."""
        if not isinstance(problem.at, Place):
            return None
        path = problem.at.path
        if path not in self._homes:
            self._homes[path] = self.layers.find(path)
        return self._homes[path]

    def node(self, problem: Problem) -> Node:
        found = self.home(problem)
        assert found is not None
        return found[0].graph.nodes[found[1]]

    def layer(self, problem: Problem) -> tuple[Key, ...]:
        found = self.home(problem)
        return () if found is None else ((id(found[0]), found[1]),)

    def is_in_layer(self, problem: Problem) -> bool:
        return self.home(problem) is not None

    def is_at_edge(self, problem: Problem) -> bool:
        return isinstance(problem.at, Place) and self.layers.edge(problem.at.path) is not None

    def place(self, problem: Problem) -> Place | None:
        return problem.at if isinstance(problem.at, Place) else None

    def at_edge(self, problem: Problem) -> Problem:
        """Return the problem of a reference at the edge that contains it."""
        found, at = self.home(problem), problem.at
        if found is None or not isinstance(at, Place) or len(at.path) <= 2:
            return problem
        section, index = found
        for k, port in enumerate(section.layers[index].inputs.ports):
            edge = section.edge_into.get((section.layers[index].id, port.id))
            if edge is not None and section.graph.place(index, f"input:{k}").path == at.path:
                return replace(problem, at=Place(section.edge_path(edge), "tag"))
        return problem

    # what the reader makes of it

    def is_ignored(self, problem: Problem) -> bool:
        """Return whether the reader does not look at what is wrong: it reads syntax, structure and ids of every layer, the rest
        only of those that it reaches.
        """
        found = self.home(problem)
        if found is None or problem.rule.code[0] in "STX" or problem.rule == R.duplicate_definition:
            return False
        while found is not None:
            section, index = found
            if not section.live[index]:
                return True
            parent = section.graph.parent
            found = None if parent is None else self.layers.find(parent.path)
        return False

    def is_unfed(self, problem: Problem) -> bool:
        found = self.home(problem)
        return found is not None and (self.document.broken or found[1] in found[0].starved)

    def is_compressed(self, problem: Problem) -> bool:
        """Return whether a Convert decompresses constants: the writer keeps the stored type at its output."""
        if (found := self.home(problem)) is None:
            return False
        section, index = found
        node, layer = section.graph.nodes[index], section.layers[index]
        inputs, outputs = layer.inputs.values, layer.outputs.values
        if node.op != "Convert" or not inputs or not outputs or inputs[0].type.dtype != outputs[0].type.dtype:
            return False
        info = layer.element.child("rt_info") if layer.element is not None else None
        names = [child.get("name") for child in info.elements()] if info is not None else []
        return '"decompression"' in layer.rt or "decompression" in names

    def refined(self, problem: Problem) -> Problem:
        found = self.home(problem)
        return problem if found is None else refined(self.document, *found, problem, self.blame)

    def needs_hidden_size(self, problem: Problem) -> bool:
        found = self.home(problem)
        is_exact = isinstance(problem.at, Place) and problem.at.part == "@hidden_size"
        return is_exact and found is not None and needs_hidden_size(found[0].graph, found[0].graph.nodes[found[1]])

    def is_accepted(self, problem: Problem) -> bool:
        """Return whether OpenVINO accepts what the specification does not: any type of condition, some signs of values."""
        if (found := self.home(problem)) is None:
            return False
        section, index = found
        node, at = section.graph.nodes[index], problem.at
        assert isinstance(at, Place)
        if not problem.is_error:
            return True
        if node.op == "If":
            return problem.rule == R.shape_mismatch and at == section.graph.place(node, "input:0")
        operator = operator_of(node.op, node.version or "") if problem.is_too_low else None
        attribute = operator.attributes.get(at.part[1:]) if operator is not None else None
        if attribute is None:
            return False
        numbers = [float(n) for n in _NUMBER.findall(str(node.attrs.get(at.part[1:], "")))]
        odd = {"negative": min(numbers, default=0) < 0, "zero": 0 in numbers}
        return any(odd.values()) and not any(odd[word] and attribute.facts.get(word) == "refused" for word in odd)

    def is_accepted_condition(self, problem: Problem) -> bool:
        return self.is_accepted(problem) and self.node(problem).op == "If"

    # what the operator table knows of it

    def is_suspect(self, problem: Problem) -> bool:
        """Return whether a problem is about an attribute that may change what an operation does."""
        if problem.severity != Severity.WARNING:
            return False
        if problem.rule == R.unknown_key:
            return problem.meant == "data" and self.is_in_layer(problem)
        is_unknown = problem.rule in (R.unknown_attribute, R.ignored_attribute)
        return problem.rule.code[0] == "A" and (not is_unknown or problem.meant is not None)

    def is_absent(self, problem: Problem) -> bool:
        """Return whether a problem is about an attribute that a layer does not have."""
        is_attribute = isinstance(problem.at, Place) and problem.at.part.startswith("@") and self.is_in_layer(problem)
        return is_attribute and getattr(problem.at, "part", "")[1:] not in self.node(problem).attrs

    def is_judged(self, problem: Problem) -> bool:
        """Return whether the operator table judges the value that a problem is about: of infinity it knows only that it is odd."""
        if not self.is_in_layer(problem) or self.is_absent(problem):
            return False
        assert isinstance(problem.at, Place)
        value = str(self.node(problem).attrs.get(problem.at.part[1:], ""))
        return not (problem.is_error and _ENDLESS.fullmatch(value))

    # what is to blame for it

    def culprit(self, problem: Problem) -> Culprit | None:
        if id(problem) not in self._culprits:
            found = self.home(problem)
            self._culprits[id(problem)] = problem, None if found is None else self.blame.culprit(*found)
        return self._culprits[id(problem)][1]

    def has_culprit(self, problem: Problem) -> bool:
        return self.culprit(problem) is not None

    def moved(self, problem: Problem) -> Problem:
        culprit, found = self.culprit(problem), self.home(problem)
        assert culprit is not None
        assert found is not None
        where = (problem.text, found[0].graph.place(found[1], "node"))
        related = [where, *leads(self.blame, culprit), *problem.related]
        return replace(problem, at=culprit.place, message=culprit.words, addition="", related=related)

    def blamed(self, problem: Problem) -> tuple[Key, ...]:
        """Return the layer that is the cause of a problem: that of its culprit, or its own."""
        culprit = self.culprit(problem)
        return self.layer(problem) if culprit is None or culprit.edge else ((id(culprit.section), culprit.node),)

    def entry(self, problem: Problem) -> tuple[Path, ...]:
        """Return the entry of a port map that feeds a Parameter of a body that is to blame."""
        culprit = self.culprit(problem)
        if culprit is None or culprit.section.graph.nodes[culprit.node].kind != "var":
            return ()
        path = self.blame.entry_of(culprit.section, culprit.node)
        return () if path is None else (path,)

    def upstream(self, problem: Problem) -> list[Key]:
        """Return the layers of a body that lead to an error without a culprit."""
        found = self.home(problem)
        if found is None or found[0].graph.parent is None or self.culprit(problem) is not None:
            return []
        section, index = found
        stack, seen = [index], {index: None}
        while stack:
            for maker, _ in section.graph.nodes[stack.pop()].inputs:
                if maker >= 0 and maker not in seen:
                    seen[maker] = None
                    stack.append(maker)
        return [(id(section), maker) for maker in seen if maker != index]

    def at_home(self, problem: Problem) -> tuple[Problem, bool]:
        """Return a problem without another cause at the layer itself, or at the constant that is wrong, and whether it is that."""
        found, at = self.home(problem), problem.at
        assert isinstance(at, Place)
        assert found is not None
        section, index = found
        graph, node = section.graph, section.graph.nodes[index]
        if len(at.path) < len(node.path) + 2:
            return problem, False
        rest = [("for this input", at), *edge_at(section, index, at), *problem.related]
        constant = _constant_at(graph, node, at) if problem.rule in _OF_VALUES else None
        if constant is not None:
            related = [("in this layer", graph.place(node, "node")), *rest, *self._shared.others(section, constant)]
            return replace(problem, at=graph.place(constant, "attrs"), related=related), True
        operator = operator_of(node.op, node.version or "")
        known = operator.attributes if operator is not None else {}
        own = [name for name, text in node.attrs.items() if name in known and str(text) != str(known[name].default)]
        part = f"attr:{own[0]}" if len(own) == 1 else "attrs" if own or known.keys() - {"auto_broadcast"} else "node"
        return replace(problem, at=graph.place(node, part), related=rest), False

    def bytes(self, problem: Problem) -> tuple[object, ...]:
        """Return where the bytes of a constant are, for problems of one rule."""
        node = self.node(problem)
        return (problem.rule.code, *(node.attrs.get(name) for name in ("offset", "size", "element_type")))


def _constant_at(graph: Graph, node: Node, at: Place) -> Node | None:
    """Return the integer constant at an input, whose value is then wrong."""
    for k, (maker, _) in enumerate(node.inputs):
        if maker >= 0 and graph.nodes[maker].kind == "const" and graph.place(node, f"input:{k}").path == at.path:
            return graph.nodes[maker] if graph.nodes[maker].attrs.get("element_type", "")[:1] in ("i", "u") else None
    return None
