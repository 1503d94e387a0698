"""Findings after the dry run: one cause for each shape error, and declared types that differ from inferred ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from irlint.dryrun.check import LazyInference
from irlint.findings import Problem, Severity
from irlint.formats.openvino.binfile import BinFile
from irlint.formats.openvino.blame import Blame, Culprit
from irlint.formats.openvino.bodies import fed_problems, sliced_problems
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.computed import computed_problems, emptied_problems
from irlint.formats.openvino.declared import input_problems, refined
from irlint.formats.openvino.layer_index import LayerIndex
from irlint.formats.openvino.leads import SharedConstants, edge_at, leads
from irlint.formats.openvino.opsets import operator_of
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.recurrent import needs_hidden_size
from irlint.formats.openvino.variable_types import unlike_problems
from irlint.graph import Graph, Node
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.xml import XmlDocument

Key = tuple[int, int]  # id() of a section, index of a layer in it
_DECLARED = (R.declared_shape_differs, R.declared_dtype_differs)
_SHOWN = 8  # related places of one problem
_OF_VALUES = (
    R.value_not_in_enum,
    R.value_out_of_range,
    R.axis_out_of_range,
    R.element_count_mismatch,
)  # rules that speak of what a tensor holds
_SIGN = re.compile(
    "(must be|expected)( a value)?( of)? (at least|more than|greater than|above)|must not be negative|non-negative|positive"
)
_ENDLESS = re.compile(r"\s*[+-]?(nan|inf|infinity)\s*", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def with_types(model: Model, sections: list[Section], layers: LayerIndex, problems: list[Problem]) -> list[Problem]:
    document = model.document
    assert isinstance(document, XmlDocument)
    blame = Blame(model.extra["types"], sections)
    shaped: set[int] = model.extra.get("shape problems", set())
    computed, binary = model.extra.get("computed", ()), model.extra.get("weights")
    problems = [
        *sliced_problems(sections, blame),
        *fed_problems(sections, blame),
        *unlike_problems(sections, blame),
        *_type_problems(sections[0], blame),
        *computed_problems(sections[0], computed, blame, binary),
        *_rank_problems(sections[0], blame, binary, computed),
        *emptied_problems(sections[0], blame),
        *problems,
    ]
    verdict = _Verdict(document, layers, blame, problems, shaped)
    settled = verdict.settled()
    for section in () if isinstance(blame.found, LazyInference) else sections:  # else all ports are known to be right
        told = {index for which, index in verdict.told if which == id(section)}
        settled += input_problems(document, section, blame, told)
    return settled


def _type_problems(section: Section, blame: Blame) -> Iterator[Problem]:
    if not section.types.isdisjoint(("OneHot", "ReadValue")):
        from irlint.formats.openvino.plugin_types import type_problems

        yield from type_problems(section, blame)


def _rank_problems(
    section: Section, blame: Blame, binary: BinFile | None, computed: Collection[tuple[int, int]]
) -> Iterator[Problem]:
    if isinstance(blame.found, LazyInference):
        return  # each port declares the real type, and no port can declare an unknown rank
    from irlint.formats.openvino.unknown_rank import rank_problems

    yield from rank_problems(section, blame, binary, computed)


class _Verdict:
    """The problems with their causes. `shaped` holds id() of the problems that the dry run found."""

    def __init__(
        self, document: XmlDocument, layers: LayerIndex, blame: Blame, problems: list[Problem], shaped: set[int]
    ) -> None:
        self.document = document
        self.layers = layers
        self.blame = blame
        self.problems = problems
        self.shaped = shaped
        self.told: set[Key] = set()  # layers of which an error speaks
        self.sections: dict[Key, Section] = {}
        self.suspects: dict[Key, list[int]] = {}  # problems of attributes that change what an operation does
        self.entries: dict[Key, list[int]] = {}  # problems of port maps that the reader lives with
        self.declared: dict[Key, list[int]] = {}  # problems of what Parameters of bodies say of themselves
        self.mapped: set[Key] = set()  # layers whose port maps have errors
        self.shared: dict[tuple[str | None, ...], int] = {}  # where the problem of some bytes is kept
        self.bytes = SharedConstants()
        self.counted: set[Key] = set()  # layers whose number of inputs has been told of
        self.wrong: set[Key] = set()  # layers that have an error without regard to shapes
        for k, problem in enumerate(problems):
            key = self._key(problem)
            if key is None:
                continue
            if problem.is_error and id(problem) not in shaped:
                self.wrong.add(key)
            if problem.rule == R.wrong_input_count and id(problem) not in shaped:
                self.counted.add(key)
            if problem.rule == R.body_mapping and problem.is_error:
                self.mapped.add(key)
            elif problem.rule == R.body_mapping:
                self.entries.setdefault(key, []).append(k)
            elif problem.rule in _DECLARED and id(problem) not in shaped:
                self.declared.setdefault(key, []).append(k)
            elif id(problem) not in shaped and _is_suspect(problem):
                self.suspects.setdefault(key, []).append(k)

    def _key(self, problem: Problem) -> Key | None:
        found = self.layers.find(problem.at.path) if isinstance(problem.at, Place) else None
        if found is None:
            return None
        key = (id(found[0]), found[1])
        self.sections[key] = found[0]
        return key

    def settled(self) -> list[Problem]:
        raised: dict[int, Problem] = {}
        kept: list[Problem | None] = []
        culprits: dict[Place, int] = {}
        for problem in self.problems:
            key = self._key(problem)
            if key is None or id(problem) not in self.shaped:
                kept.append(problem)
                continue
            section, index = self.sections[key], key[1]
            if problem.rule == R.wrong_input_count and (
                self.document.broken or index in section.starved or key in self.counted
            ):
                kept.append(None)  # what feeds it may stand in the part that is lost, or an edge has been blamed for it
                continue
            if problem.rule in _DECLARED:
                if problem.rule == R.declared_dtype_differs and _compressed(section, index):
                    continue
                kept.append(refined(self.document, section, index, problem, self.blame))
                continue
            if key in self.mapped or self._known_better(problem, section.graph.nodes[index], key):
                kept.append(None)
                continue
            if _at_hidden_size(problem) and needs_hidden_size(section.graph, section.graph.nodes[index]):
                kept.append(replace(problem, severity=Severity.ERROR))
                continue
            if not problem.is_error or _taken_anyway(problem, section.graph, index):
                told = (
                    section.graph.nodes[index].op == "If" and key in self.entries
                )  # that its condition goes into a body
                kept.append(None if told else replace(problem, severity=Severity.WARNING))
                continue
            self.told.add(key)
            culprit = self.blame.culprit(section, index)
            suspect = self._suspect(
                (id(culprit.section), culprit.node) if culprit and not culprit.edge else key, problem
            )
            if suspect is None:
                suspect = self._at_body(culprit.section, culprit.node) if culprit else self._misdeclared(section, index)
            if suspect is not None:
                raised[suspect] = _raised(self.problems[suspect], problem)
                kept.append(None)
            elif culprit is None:
                kept.append(self._at_home(problem, section, index, kept))
            elif culprit.place in culprits or (not culprit.edge and (id(culprit.section), culprit.node) in self.wrong):
                kept.append(None)
            else:
                self.told.add((id(culprit.section), culprit.node))
                culprits[culprit.place] = len(kept)
                kept.append(self._moved(problem, culprit, section, index))
        for k, problem in raised.items():
            kept[k] = problem
        return [problem for problem in kept if problem is not None]

    def _at_home(self, problem: Problem, section: Section, index: int, kept: list[Problem | None]) -> Problem | None:
        """Return the problem of a consistent input at the layer itself, or at the constant that is wrong."""
        found, constant = _at_home(problem, section, index)
        if constant is None:
            return found
        key = (found.rule.code, *(constant.attrs.get(name) for name in ("offset", "size", "element_type")))
        first = self.shared.setdefault(key, len(kept))
        if first == len(kept):
            others = self.bytes.others(section, constant)
            return replace(found, related=[*found.related, *others])
        earlier = kept[first]
        assert earlier is not None
        if len(earlier.related) < _SHOWN:
            also = (f"same bytes: {found.message}", found.at)
            kept[first] = replace(earlier, related=[*earlier.related, also])
        return None

    def _moved(self, problem: Problem, culprit: Culprit, section: Section, index: int) -> Problem:
        where = (problem.message, section.graph.place(index, "node"))
        return replace(
            problem,
            at=culprit.place,
            message=culprit.words,
            related=[where, *leads(self.blame, culprit), *problem.related],
        )

    def _known_better(self, problem: Problem, node: Node, key: Key) -> bool:
        """Return whether the operator table has already reported a value or a missing attribute."""
        rule = problem.rule
        if rule not in (R.value_not_in_enum, R.value_out_of_range) or not isinstance(problem.at, Place):
            return False
        if problem.at.part.startswith("@") and problem.at.part[1:] not in node.attrs:
            return rule == R.value_out_of_range and key in self.suspects
        if problem.is_error and _ENDLESS.fullmatch(str(node.attrs.get(problem.at.part[1:], ""))):
            return False  # the table knows only that it is odd
        found = (self.problems[k] for k in self.suspects.get(key, ()))
        return any(p.rule == rule and isinstance(p.at, Place) and p.at[:2] == problem.at[:2] for p in found)

    def _at_body(self, section: Section, index: int) -> int | None:
        """Return the problem of a port map entry that feeds a Parameter of a body with the wrong type."""
        home = self.blame.homes.get(id(section.graph.parent))
        if home is None or section.graph.nodes[index].kind != "var":
            return None
        entry = self.blame.entry_of(section, index)
        found = self.entries.get((id(home[0]), home[1]), ())
        for k in found:
            at = self.problems[k].at
            if isinstance(at, Place) and entry is not None and at.path[: len(entry)] == entry:
                return k
        return None

    def _misdeclared(self, section: Section, index: int) -> int | None:
        """Return the problem of a Parameter's own attributes that causes a shape error in a body."""
        if section.graph.parent is None:
            return None
        stack, seen = [index], {index}
        while stack:
            for maker, _ in section.graph.nodes[stack.pop()].inputs:
                if maker < 0 or maker in seen:
                    continue
                seen.add(maker)
                stack.append(maker)
                for k in self.declared.get((id(section), maker), ()):
                    return k
        return None

    def _suspect(self, key: Key, problem: Problem) -> int | None:
        """Return the problem of an attribute that causes a shape error."""
        found = self.suspects.get(key, [])
        for k in found:
            at = self.problems[k].at
            if isinstance(at, Place) and isinstance(problem.at, Place) and at[:2] == problem.at[:2]:
                return k
        return found[0] if len(found) == 1 else None


def _compressed(section: Section, index: int) -> bool:
    """Return whether a Convert decompresses constants: the writer keeps the stored type at its output."""
    node, layer = section.graph.nodes[index], section.layers[index]
    inputs, outputs = layer.inputs.values, layer.outputs.values
    if node.op != "Convert" or not inputs or not outputs or inputs[0].type.dtype != outputs[0].type.dtype:
        return False
    info = layer.element.child("rt_info") if layer.element is not None else None
    names = [child.get("name") for child in info.elements()] if info is not None else []
    return '"decompression"' in layer.rt or "decompression" in names


def _at_hidden_size(problem: Problem) -> bool:
    return isinstance(problem.at, Place) and problem.at.part == "@hidden_size"


def _taken_anyway(problem: Problem, graph: Graph, index: int) -> bool:
    """Return whether OpenVINO accepts what the specification does not: any type of condition, some signs of values."""
    node = graph.nodes[index]
    if node.op == "If":
        return problem.rule == R.shape_mismatch and problem.at == graph.place(node, "input:0")
    if problem.rule != R.value_out_of_range or not isinstance(problem.at, Place) or not _SIGN.search(problem.message):
        return False
    name = problem.at.part[1:]
    operator = operator_of(node.op, node.version or "")
    attribute = operator.attributes.get(name) if operator is not None else None
    if attribute is None:
        return False
    numbers = [float(n) for n in _NUMBER.findall(str(node.attrs.get(name, "")))]
    odd = [word for word, wrong in (("negative", min(numbers, default=0) < 0), ("zero", 0 in numbers)) if wrong]
    return bool(odd) and not any(attribute.facts.get(word) == "refused" for word in odd)


def _at_home(problem: Problem, section: Section, index: int) -> tuple[Problem, Node | None]:
    """Return a problem without another cause; constants that share their bytes get a single one."""
    graph, node, at = section.graph, section.graph.nodes[index], problem.at
    assert isinstance(at, Place)
    if len(at.path) < len(node.path) + 2:
        return problem, None
    if problem.rule in _OF_VALUES and (value := _constant_at(graph, node, at)) is not None:
        where = ("in this layer", graph.place(node, "node"))
        related = [
            where,
            ("for this input", at),
            *edge_at(section, index, at),
            *problem.related,
        ]
        return replace(problem, at=graph.place(value, "attrs"), related=related), value
    operator = operator_of(node.op, node.version or "")
    known = operator.attributes if operator is not None else {}
    own = [name for name, text in node.attrs.items() if name in known and str(text) != str(known[name].default)]
    part = f"attr:{own[0]}" if len(own) == 1 else "attrs" if own or known.keys() - {"auto_broadcast"} else "node"
    related = [("for this input", at), *edge_at(section, index, at), *problem.related]
    return replace(problem, at=graph.place(node, part), related=related), None


def _constant_at(graph: Graph, node: Node, at: Place) -> Node | None:
    """Return the integer constant at an input, whose value is then wrong."""
    for place, (maker, _) in enumerate(node.inputs):
        if maker >= 0 and graph.nodes[maker].kind == "const" and graph.place(node, f"input:{place}").path == at.path:
            return graph.nodes[maker] if graph.nodes[maker].attrs.get("element_type", "")[:1] in ("i", "u") else None
    return None


def _is_suspect(problem: Problem) -> bool:
    if problem.rule == R.unknown_key:
        return problem.severity == Severity.WARNING and "did you mean `<data>`" in problem.message
    if problem.rule.code[0] != "A" or problem.severity != Severity.WARNING:
        return False
    return problem.rule not in (R.unknown_attribute, R.ignored_attribute) or "did you mean" in problem.message


def _raised(problem: Problem, consequence: Problem) -> Problem:
    """Return a problem as an error, with its consequence as a note, at its own place: no repair is tried anywhere else."""
    message = f"{problem.message} (this causes {consequence.rule.code})"
    related = [*problem.related, (consequence.message, problem.at)]
    return replace(problem, severity=Severity.ERROR, message=message, related=related)
