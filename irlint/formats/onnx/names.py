"""What is wrong with the names of values: undefined, defined twice, or defined too late; with fixes that move nodes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.onnx.document import OnnxDocument
from irlint.free_names import FreeNames
from irlint.graph import Graph, Node, label
from irlint.operators import nearest
from irlint.records import NamedTuple
from irlint.rules.attributes._check import Repair, writing
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.words import count

_COMPARISONS = 100_000  # of names, in one graph


def name_problems(model: Model, graph: Graph, outside: Names) -> Iterator[Problem]:
    """Yield the problems of one graph; `outside` are the names of the graphs around it, which no name of its own may be."""
    graph.reorder = partial(_moving, graph)
    own: Names = {}
    below: list[tuple[Node, Names]] = []  # nodes with graphs, and what they can read
    for node in graph.nodes:
        if node.graphs:
            below.append((node, {**outside, **own}))
        if node.op == "Outer" and node.version is None:
            continue
        for k, value in enumerate(node.outputs):
            name = value.name
            if not name:
                continue
            if name in own:
                yield _twice(graph, node, k, own[name])
            elif name in outside:
                message = f"duplicate name {name!r}: a graph around this one defines it, too"
                related = [("defined here", outside[name].place())]
                yield Problem(
                    R.duplicate_definition, graph.place(node, f"output:{k}"), message, node.name, None, related
                )
            else:
                own[name] = _Defined(graph, node, k)
    yield from _same_name(graph)
    yield from _undefined(model, graph, {**outside, **own})
    for node, here in below:
        for body in node.graphs:
            yield from name_problems(model, body, here)


class _Defined(NamedTuple):
    """Where a name is defined."""

    graph: Graph
    node: Node
    output: int

    def place(self) -> Place:
        return self.graph.place(self.node, f"output:{self.output}")


Names = dict[str, _Defined]


def _twice(graph: Graph, node: Node, output: int, first: _Defined) -> Problem:
    name = node.outputs[output].name
    what = "initializer" if node.op == "Initializer" and node.kind == "const" else "name"
    at, related = graph.place(node, f"output:{output}"), [("first defined here", first.place())]
    return Problem(R.duplicate_definition, at, f"duplicate {what} {name!r}", node.name, None, related)


def _same_name(graph: Graph) -> Iterator[Problem]:
    """Report nodes of one name: onnxruntime 1.32 refuses them."""
    first: dict[str, Node] = {}
    free: FreeNames | None = None
    for node in graph.nodes:
        if node.kind == "var" or node.op == "Initializer" or (node.outputs and node.name == node.outputs[0].name):
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


def _undefined(model: Model, graph: Graph, visible: Names) -> Iterator[Problem]:
    document = model.document
    assert isinstance(document, OnnxDocument)
    left, told = _COMPARISONS, set[str]()
    readers = [
        (node, graph.place(node, f"input:{k}"))
        for node in graph.nodes
        for k, source in enumerate(node.inputs)
        if source[0] < 0 and node.kind == "call"
    ]
    places: list[tuple[Node | None, Place]] = [*readers]
    places += [(None, graph.locate_output(k)) for k, source in enumerate(graph.outputs) if source[0] < 0]
    for node, at in places:
        try:
            name = document.value_at(at.path)
        except LookupError:
            continue  # what a graph of the node reads from outside
        if not name or name in told:
            continue
        told.add(name)
        meant = None
        if left > 0:
            left -= len(visible)
            mine = {value.name for value in node.outputs} if node else set()
            meant = nearest(name, [other for other in visible if other not in mine])
        who = f"the inputs of {label(node)}" if node else "the outputs of the graph"
        hint = f"; did you mean {meant!r}?" if meant else ""
        fix = writing(at, meant, f"Replace with {meant!r}") if meant else None
        yield Problem(
            R.undefined_reference, at, f"undefined name {name!r} in {who}{hint}", node.name if node else None, fix
        )


def _moving(graph: Graph, reader: int) -> Repair:
    """Return a fix that moves what a node reads, and what that reads, above the node. Safe: the order changes no result."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, OnnxDocument)
        wanted, moved = [reader], set[int]()
        while wanted:
            for source, _ in graph.nodes[wanted.pop()].inputs:
                if source > reader and source not in moved:
                    moved.add(source)
                    wanted.append(source)
        paths = [graph.nodes[k].path for k in sorted(moved)]
        target = lines_of(document, graph.nodes[reader].path)
        spans = [lines_of(document, path) for path in paths]
        if target is None or not moved or not all(spans):
            return None
        texts = "".join(document.text[span.start : span.end] for span in spans if span)
        edits = (Edit(Span(target.start, target.start), texts), *(Edit(span, "") for span in spans if span))
        first = graph.nodes[max(moved)]
        what = label(first) if len(moved) == 1 else count(len(moved), "node")
        return Fix(f"Move {what} up", tuple(sorted(edits)))

    return fix


def lines_of(document: OnnxDocument, path: Path) -> Span | None:
    """Return the whole lines of a node; None if it shares them with others."""
    start, end = document.whole(path)
    text = document.text
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if stop < 0 or text[begin:start].strip() or text[end:stop].strip():
        return None
    return Span(begin, stop + 1)
