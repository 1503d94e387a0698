"""What is wrong with the names of values: undefined, defined twice, or defined too late; with fixes that move nodes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from irlint.codes import R
from irlint.findings import Fix, Problem
from irlint.formats.onnx.document import OnnxDocument
from irlint.graph import Graph, Node, label
from irlint.operators import nearest
from irlint.rules.attributes._check import Repair, writing
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.words import count

_COMPARISONS = 100_000  # of names, in one graph


def name_problems(model: Model, graph: Graph, outside: dict[str, Place]) -> Iterator[Problem]:
    """Yield the problems of one graph; `outside` are the names of the graphs around it, which no name of its own may be."""
    graph.reorder = partial(_moving, graph)
    own: dict[str, Place] = {}
    below: list[tuple[Node, dict[str, Place]]] = []  # nodes with graphs, and what they can read
    for node in graph.nodes:
        if node.graphs:
            below.append((node, {**outside, **own}))
        if node.op == "Outer" and node.kind == "var" and node.version is None:
            continue
        for k, value in enumerate(node.outputs):
            name = value.name
            if not name:
                continue
            at = graph.place(node, f"output:{k}")
            if (first := own.get(name)) is not None:
                yield _twice(node, name, at, first, graph)
            elif name in outside:
                related = [("defined here", outside[name])]
                message = f"duplicate name {name!r}: a graph around this one defines it, too"
                yield Problem(R.duplicate_definition, at, message, node.name, None, related)
            else:
                own[name] = at
    yield from _undefined(model, graph, {**outside, **own})
    for node, here in below:
        for body in node.graphs:
            yield from name_problems(model, body, here)


def _twice(node: Node, name: str, at: Place, first: Place, graph: Graph) -> Problem:
    what = "initializer" if node.op == "Initializer" and node.kind == "const" else "name"
    return Problem(
        R.duplicate_definition, at, f"duplicate {what} {name!r}", node.name, None, [("first defined here", first)]
    )


def _undefined(model: Model, graph: Graph, visible: dict[str, Place]) -> Iterator[Problem]:
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
