"""What is wrong with the names of values: undefined, defined twice, or defined too late; with fixes that move nodes."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cached_property, partial

from irlint.checks.fault import asking_name, writing
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.onnx.interface import InterfaceNames
from irlint.formats.onnx.passes.sort import sorter
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.trees import repeated
from irlint.graph import Graph, Node, label
from irlint.operators import nearest
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place
from irlint.tools.names import FreeNames, Slips, are_siblings

_COMPARISONS = 50_000  # of names, in one model; then only slips are looked for, among so many letters of names
_LETTERS = 1_000_000


class NameScope(NamedTuple):
    """The names that a graph can read: its own, as nodes and numbers of their outputs, and those of the graphs around it."""

    graph: Graph
    own: dict[str, tuple[int, int]]
    around: NameScope | None
    most: int  # of the graph around it: the node that this graph is in, which sees what comes before it

    def outer(self) -> Iterator[tuple[NameScope, int]]:
        """Yield the graphs around this one, each with the node before which its names are seen."""
        scope: NameScope = self
        while scope.around is not None:
            yield scope.around, scope.most
            scope = scope.around

    def outside(self, name: str) -> Place | None:
        """Return where a graph around this one defines a name."""
        found = (scope for scope, most in self.outer() if name in scope.own and scope.own[name][0] < most)
        scope = next(found, None)
        return None if scope is None else scope.place(name)

    def place(self, name: str) -> Place:
        node, output = self.own[name]
        return self.graph.place(node, f"output:{output}")

    def visible(self) -> Iterator[str]:
        yield from self.own
        for scope, most in self.outer():
            yield from (name for name, (node, _) in scope.own.items() if node < most)


def name_problems(model: Model, graph: Graph) -> Iterator[Problem]:
    """Yield the problems of a graph, and of the graphs in it."""
    return _NameCheck(model).problems(graph, None, 0)


class _NameCheck:
    def __init__(self, model: Model) -> None:
        assert isinstance(model.document, OnnxDocument)
        self.document = model.document
        self.left, self.letters = _COMPARISONS, _LETTERS

    def problems(self, graph: Graph, around: NameScope | None, most: int) -> Iterator[Problem]:
        fix = sorter(graph)
        graph.reorder = lambda _: fix
        scope = NameScope(graph, {}, around, most)
        yield from _defined(scope)
        yield from _passed_on(graph)
        yield from _same_name(graph)
        yield from self._undefined(scope)
        for node in graph.nesting():
            for body in node.graphs:
                yield from self.problems(body, scope, node.index)

    @cached_property
    def interface(self) -> InterfaceNames:
        return InterfaceNames(self.document.tree.get("graph", {}))

    def _is_misnamed(self, name: str, wanted: str) -> bool:
        """Return whether it is more likely that an input of the model has a wrong name."""
        return name in self.interface.inputs and self.interface.prefer(wanted, name)

    def _declared(self, home: Path) -> dict[str, int]:
        """Return the values that a graph declares, each with its place among them."""
        tree = self.document.value_at(home)
        return {
            value.get("name", ""): k
            for k, value in enumerate(tree.get("value_info", ()) if isinstance(tree, dict) else ())
        }

    def _undefined(self, scope: NameScope) -> Iterator[Problem]:
        """Report each name that nothing defines, where it is read first."""
        graph, told = scope.graph, {""}
        home, types = graph.nodes[-1].path[:-2] if graph.nodes else (), None
        meant_by = _MeantNames(self, scope)
        for node, at in _unconnected(graph):
            try:
                name = self.document.value_at(at.path)
            except LookupError:
                continue  # what a graph of the node reads from outside
            if name in told:
                continue
            told.add(name)
            types = self._declared(home) if types is None else types
            declared, meant = types.get(name), meant_by.of(name, node, types)
            who = f"the inputs of {label(node)}" if node else "the outputs of the graph"
            fix = (
                writing(at, meant, f"Replace with {meant!r}") if meant and not self._is_misnamed(meant, name) else None
            )
            message = f"undefined name {name!r} in {who}"
            owner = node.name if node else None
            related = (
                []
                if declared is None
                else [
                    (
                        "declared here, but no node outputs it; its node may be missing",
                        Place((*home, "value_info", declared)),
                    )
                ]
            )
            yield Problem(R.undefined_reference, at, message, owner, fix, related, meant=meant, hint=asking_name(meant))


def _defined(scope: NameScope) -> Iterator[Problem]:
    """Add the names that nodes define, and report those that are defined before. An input or initializer hides the name around it:
    onnx 1.23.2, onnxruntime 1.32 and OpenVINO 2026.4.1 allow that."""
    own = scope.own
    for node in scope.graph.nodes:
        for k, value in enumerate(node.outputs if node.op != "Outer" or node.version is not None else ()):
            name = value.name
            if name in own:
                yield from _again(scope, node, k, name)
            elif scope.around and node.path[-2] == "node" and (outer := scope.outside(name or "")) is not None:
                message = f"duplicate name {name!r}: a graph around this one defines it, too"
                yield _twice(scope, node, k, message, ("defined here", outer))
            elif name:
                own[name] = node.index, k


def _again(scope: NameScope, node: Node, k: int, name: str) -> Iterator[Problem]:
    """Report a name that the graph defines before; inputs of the model are reported with the structure of the file."""
    if node.op != "Input" or scope.around is not None:
        what = "initializer" if node.op == "Initializer" and node.kind == "const" else "name"
        taken = "onnxruntime uses the last one" if _is_replaced(scope, node, name) else ""
        yield _twice(scope, node, k, f"duplicate {what} {name!r}", ("first defined here", scope.place(name)), taken)


def _is_replaced(scope: NameScope, node: Node, name: str) -> bool:
    """Return whether an initializer takes the place of the one before it: onnxruntime 1.32 loads such a model if their types are the
    same, unless the graph is nested or both are sparse."""
    first = scope.graph.nodes[scope.own[name][0]]
    is_sparse = [one.path[-2] == "sparse_initializer" for one in (first, node)]
    return (
        first.op == node.op == "Initializer" and first.kind == node.kind == "const" and scope.around is None
        and not all(is_sparse) and first.outputs[0].type == node.outputs[0].type
    )  # fmt: skip


def _twice(scope: NameScope, node: Node, k: int, message: str, first: tuple[str, Place], taken: str = "") -> Problem:
    at = scope.graph.place(node, f"output:{k}")
    return Problem(R.duplicate_definition, at, message, node.name, None, [first], taken=taken)


def _unconnected(graph: Graph) -> list[tuple[Node | None, Place]]:
    """Return the inputs of calls, and the outputs of the graph (without a node), that come from nothing."""
    calls = [node for node in graph.nodes if node.kind == "call"]
    found: list[tuple[Node | None, Place]] = [
        (node, graph.place(node, f"input:{k}"))
        for node in calls
        for k, source in enumerate(node.inputs)
        if source[0] < 0
    ]
    return found + [(None, graph.locate_output(k)) for k, source in enumerate(graph.outputs) if source[0] < 0]


class _MeantNames:
    """What the undefined names of one graph were probably meant to be."""

    def __init__(self, check: _NameCheck, scope: NameScope) -> None:
        self.check, self.scope = check, scope
        self._last: tuple[Node | None, set[str]] = (
            None,
            set(),
        )  # the node that was looked at last, and the names that it has

    def of(self, name: str, node: Node | None, declared: Container[str]) -> str | None:
        """Return the name that was probably meant by the input of a node; of an output of the graph for None. A name that is declared
        is right: what was meant to be it is another name, which is not declared."""
        around = self._around(node)
        if self.check.left <= 0 and name not in declared:
            meant = self._slips.near(name)
            return None if meant is None or meant in around or are_siblings(name, meant) else meant
        others = [other for other in self.scope.visible() if other not in around]
        if name in declared:
            others = [other for other in others if other not in declared and self._is_output(other)]
        self.check.left -= len(others) + len(around)
        return self._nearest(name, others)

    def _is_output(self, name: str) -> bool:
        """Return whether a node of the graph outputs a value."""
        index = self.scope.own.get(name, (-1, 0))[0]
        return index >= 0 and self.scope.graph.nodes[index].kind == "call"

    def _around(self, node: Node | None) -> set[str]:
        """Return what a wrong input of a node is unlikely to mean: its other inputs, and its outputs. An output of a graph has none."""
        if node is not self._last[0]:
            call = {} if node is None else self.check.document.value_at(node.path)
            self._last = node, {*call.get("input", ()), *call.get("output", ())}
        return self._last[1]

    def _nearest(self, name: str, others: list[str]) -> str | None:
        """Return the nearest name: rather one that nothing uses, and none that only has another number. In a series of
        keys and values, a name that nodes use is not meant by another one."""
        own = self.scope.own
        unread = [other for other in others if other in own and own[other] not in self._read]
        idle = [other for other in unread if own[other] not in self._outputs]
        if self.check.interface.parts.has_all(name):
            return nearest(name, idle) or nearest(name, unread)
        return nearest(name, idle) or nearest(name, [other for other in others if not are_siblings(name, other)])

    @cached_property
    def _outputs(self) -> set[tuple[int, int]]:
        return {*self.scope.graph.outputs}

    @cached_property
    def _read(self) -> set[tuple[int, int]]:
        return {source for node in self.scope.graph.nodes for source in node.inputs}

    @cached_property
    def _slips(self) -> Slips:
        """Return the names that can be read, once there are too many to compare."""
        visible = [*self.scope.visible()] if self.check.letters > 0 else []
        self.check.letters -= sum(map(len, visible))
        return Slips(visible if self.check.letters > 0 else ())


def _passed_on(graph: Graph) -> Iterator[Problem]:
    """Report what a nested graph or a function outputs though no node in it does: onnxruntime 1.32 refuses both, the checker only what
    is defined outside a graph. A graph may output its own inputs."""
    for k, (index, _) in enumerate(graph.outputs):
        value = graph.nodes[index] if index >= 0 else None
        if value is None or value.kind != "var":
            continue
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
    # those without a name have that of their output
    named = [one for one in graph.nodes if one.kind == "call" and not (one.outputs and one.name == one.outputs[0].name)]
    free: FreeNames | None = None
    for k, first in repeated(node.name for node in named):
        node = named[k]
        if not node.name:
            continue
        free = free or FreeNames(each.name for each in graph.nodes)
        at, related = graph.place(node, "name"), [("first used here", graph.place(named[first], "name"))]
        fix, message = partial(_naming, at, free.like(node.name)), f"duplicate node name {node.name!r}"
        yield Problem(R.duplicate_name, at, message, node.name, fix, related, Severity.ERROR)


def _naming(at: Place, new: str, document: Document) -> Fix:
    return Fix(f"Rename to {new!r}", document.write(at, new))
