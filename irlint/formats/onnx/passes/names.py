"""What is wrong with the names of values: undefined, defined twice, or defined too late; with fixes that move nodes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from irlint.checks.fault import asking_name, writing
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.onnx.passes.sort import sorter
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.graph import Graph, Node, label
from irlint.operators import nearest
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.tools.names import FreeNames

if TYPE_CHECKING:
    from irlint.tools.names import Slips

_COMPARISONS = 50_000  # of names, in one model; then only slips are looked for, among so many letters of names
_LETTERS = 1_000_000


class Names(NamedTuple):
    """The names that a graph can read: its own, as nodes and numbers of their outputs, and those of the graphs around it."""

    graph: Graph
    own: dict[str, tuple[int, int]]
    around: Names | None
    most: int  # of the graph around it: the node that this graph is in, which sees what comes before it

    def outside(self, name: str) -> Place | None:
        """Return where a graph around this one defines a name."""
        scope, most = self.around, self.most
        while scope is not None:
            if (found := scope.own.get(name)) is not None and found[0] < most:
                return scope.place(name)
            most, scope = scope.most, scope.around
        return None

    def place(self, name: str) -> Place:
        node, output = self.own[name]
        return self.graph.place(node, f"output:{output}")

    def visible(self) -> Iterator[str]:
        scope, most = self.around, self.most
        yield from self.own
        while scope is not None:
            yield from (name for name, (node, _) in scope.own.items() if node < most)
            most, scope = scope.most, scope.around


def name_problems(model: Model, graph: Graph) -> Iterator[Problem]:
    """Yield the problems of a graph, and of the graphs in it."""
    return _Check(model).problems(graph, None, 0)


class _Check:
    def __init__(self, model: Model) -> None:
        assert isinstance(model.document, OnnxDocument)
        self.document = model.document
        self.left, self.letters = _COMPARISONS, _LETTERS

    def problems(self, graph: Graph, around: Names | None, most: int) -> Iterator[Problem]:
        fix = sorter(graph)
        graph.reorder = lambda _: fix
        own: dict[str, tuple[int, int]] = {}
        names = Names(graph, own, around, most)
        below = []
        for node in graph.nodes:
            if node.graphs:
                below.append(node)
            if node.op == "Outer" and node.version is None:
                continue
            for k, value in enumerate(node.outputs):
                name = value.name
                if not name:
                    continue
                if name in own:
                    yield _twice(node, name, graph.place(node, f"output:{k}"), names.place(name))
                elif node.path[-2] == "node" and (outer := names.outside(name)) is not None:
                    # an input or initializer hides the name around it: onnx 1.23.2, onnxruntime 1.32 and OpenVINO 2026.4.1 allow that
                    at, related = graph.place(node, f"output:{k}"), [("defined here", outer)]
                    message = f"duplicate name {name!r}: a graph around this one defines it, too"
                    yield Problem(R.duplicate_definition, at, message, node.name, None, related)
                else:
                    own[name] = node.index, k
        yield from _passed_on(graph)
        yield from _same_name(graph)
        yield from self._undefined(names)
        for node in below:
            for body in node.graphs:
                yield from self.problems(body, names, node.index)

    def _undefined(self, names: Names) -> Iterator[Problem]:
        graph, told = names.graph, set[str]()
        used: set[tuple[int, int]] | None = None
        slips: Slips | None = None  # once there are too many to compare
        around: tuple[Node | None, set[str]] = None, set()
        places: list[tuple[Node | None, Place]] = [
            (node, graph.place(node, f"input:{k}"))
            for node in graph.nodes
            for k, source in enumerate(node.inputs)
            if source[0] < 0 and node.kind == "call"
        ]
        places += [(None, graph.locate_output(k)) for k, source in enumerate(graph.outputs) if source[0] < 0]
        for node, at in places:
            try:
                name = self.document.value_at(at.path)
            except LookupError:
                continue  # what a graph of the node reads from outside
            if not name or name in told:
                continue
            told.add(name)
            if node is not around[0]:
                around = node, _around(self.document, node)
            if self.left > 0:
                if used is None:
                    used = {*graph.outputs, *(source for node in graph.nodes for source in node.inputs)}
                others = [other for other in names.visible() if other not in around[1]]
                self.left -= len(others) + len(around[1])
                meant = _meant(name, others, names, used)
            else:
                slips = slips or self._slips(names)
                meant = _by_slip(name, slips, around[1])
            who = f"the inputs of {label(node)}" if node else "the outputs of the graph"
            fix = writing(at, meant, f"Replace with {meant!r}") if meant else None
            message = f"undefined name {name!r} in {who}"
            owner = node.name if node else None
            yield Problem(R.undefined_reference, at, message, owner, fix, meant=meant, hint=asking_name(meant))

    def _slips(self, names: Names) -> Slips:
        from irlint.tools.names import Slips

        visible = [*names.visible()] if self.letters > 0 else []
        self.letters -= sum(map(len, visible))
        return Slips(visible if self.letters > 0 else ())


def _meant(name: str, others: list[str], names: Names, used: set[tuple[int, int]]) -> str | None:
    """Return the name that was probably meant: rather one that nothing uses, and none that only has another number."""
    from irlint.tools.names import are_siblings

    idle = [other for other in others if other in names.own and names.own[other] not in used]
    return nearest(name, idle) or nearest(name, [other for other in others if not are_siblings(name, other)])


def _by_slip(name: str, slips: Slips, others: set[str]) -> str | None:
    """Return the name that was probably meant, if it is a letter away, and none of a node's others."""
    from irlint.tools.names import are_siblings

    meant = slips.near(name)
    return None if meant is None or meant in others or are_siblings(name, meant) else meant


def _around(document: OnnxDocument, node: Node | None) -> set[str]:
    """Return what a wrong input of a node was hardly meant to be: its other inputs, and its outputs. An output of a graph has none."""
    if node is None:
        return set()
    call = document.value_at(node.path)
    return {*call.get("input", ()), *call.get("output", ())}


def _twice(node: Node, name: str, at: Place, first: Place) -> Problem:
    what = "initializer" if node.op == "Initializer" and node.kind == "const" else "name"
    related = [("first defined here", first)]
    return Problem(R.duplicate_definition, at, f"duplicate {what} {name!r}", node.name, None, related)


def _passed_on(graph: Graph) -> Iterator[Problem]:
    """Report what a nested graph or a function outputs though no node in it does: onnxruntime 1.32 refuses both, the checker only what
    is defined outside a graph. A graph may output its own inputs."""
    for k, (index, _) in enumerate(graph.outputs):
        if index < 0 or graph.nodes[index].kind != "var":
            continue
        value = graph.nodes[index]
        if value.op == "Outer":
            where = f"is defined outside graph {graph.name!r}"
        elif value.path[0] == "functions" and len(value.path) == 4:
            where = f"is an input of function {graph.name!r}"
        else:
            continue
        message = f"output {value.name!r} {where}; expected an output of a node in it"
        yield Problem(R.undefined_reference, graph.locate_output(k), message, graph.name)


def _same_name(graph: Graph) -> Iterator[Problem]:
    """Report nodes of one name: onnxruntime 1.32 refuses them."""
    first: dict[str, Node] = {}
    free: FreeNames | None = None
    for node in graph.nodes:
        if node.kind != "call" or (
            node.outputs and node.name == node.outputs[0].name
        ):  # onnxruntime makes initializers of constants
            continue
        other = first.setdefault(node.name, node)
        if other is node or not node.name:
            continue
        free = free or FreeNames(each.name for each in graph.nodes)
        at, related = graph.place(node, "name"), [("first used here", graph.place(other, "name"))]
        fix = partial(_naming, at, free.like(node.name))
        yield Problem(
            R.duplicate_name, at, f"duplicate node name {node.name!r}", node.name, fix, related, Severity.ERROR
        )


def _naming(at: Place, new: str, document: Document) -> Fix:
    return Fix(f"Rename to {new!r}", document.write(at, new))
