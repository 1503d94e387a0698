"""From a listing's lines to a graph; what is wrong with ids and references."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.glacier.number_problems import number_problem
from irlint.formats.glacier.numbering import align
from irlint.formats.glacier.order import roots
from irlint.formats.glacier.rules.type_on_call import TypeOnCall
from irlint.graph import NOWHERE, Graph, Node, Source
from irlint.operators import table
from irlint.rules.base import Model
from irlint.rules.references.undefined_reference import UndefinedReference
from irlint.rules.structure.empty_model import EmptyModel
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.listing import ListingDocument

CONSTANT = "constant"  # what stands for a constant without a name


def read(model: Model, document: ListingDocument) -> Iterator[Problem]:
    """Fill model.graph; yield faults of the numbering and references to nodes that are nowhere."""
    if not document.rows and not document.troubles:
        yield Problem(
            EmptyModel,
            Place(()),
            "no line of this file is a node: an id, an operator, a list of inputs",
            severity=Severity.ERROR,
        )
    last = [item for row in document.rows[-1:] for item in row.inputs if isinstance(item, int)]
    meant, faults = align([row.id for row in document.rows], last)
    for fault in faults:
        yield number_problem(document, fault, meant)
    model.operators = table("relay")
    builder = _Builder(model, document, meant)
    yield from builder.build()
    graph = model.graph
    graph.locate, graph.locate_output = _locate, lambda k: Place(graph.nodes[graph.outputs[k].node].path)
    model.extra["faulty"] = bool(faults or document.troubles) or builder.broken
    model.extra["kinds"] = builder.kinds
    for row, span in document.extras:
        yield _type_problem(document, row, span)
    found = roots(graph)
    graph.outputs = [Source(index) for index in found]
    read_by_some = {source[0] for node in graph.nodes for source in node.inputs}
    model.extra["sinks"] = [index for index in found if index not in read_by_some]
    model.extra["quoted"] = {name for name in builder.names if name.isdecimal()}


def _locate(graph: Graph, index: int, part: str) -> Place:
    node = graph.nodes[index]
    if node.kind != "call":
        return Place(node.path)
    word, _, number = part.partition(":")
    if word == "input":
        return Place((*node.path, "inputs", int(number)))
    return Place((*node.path, {"name": "id", "op": "op", "node": "op", "attrs": "inputs"}.get(word, "op")))


class _Builder:
    """Makes the nodes: calls by line, variables and constants in front of the call that names them first."""

    def __init__(self, model: Model, document: ListingDocument, meant: list[int | None]) -> None:
        self.model = model
        self.document = document
        self.meant = meant
        self.row_of = {id_: row for row, id_ in enumerate(meant) if id_ is not None}
        self.last = max(self.row_of, default=-1)
        self.index_of: dict[int, int] = {}  # row -> node index
        self.names: dict[str, int] = {}  # name of a variable -> node index
        self.kinds: set[str] = set()
        self.broken = False

    def build(self) -> Iterator[Problem]:
        nodes, rows = self.model.graph.nodes, self.document.rows
        later: list[tuple[Node, int, int]] = []  # references to lines further down: node, position, row
        for row, id_ in enumerate(self.meant):
            if id_ is None:
                continue
            sources: list[Source] = []
            for position, item in enumerate(rows[row].inputs):
                if isinstance(item, str):
                    sources.append(Source(self._leaf(item, (row, "inputs", position))))
                elif (target := self.row_of.get(item)) is None:
                    sources.append(NOWHERE)
                else:
                    sources.append(Source(self.index_of.get(target, -2 - target)))
            node = Node(len(nodes), str(id_), rows[row].op, (row,), sources)
            self.index_of[row] = node.index
            for position, source in enumerate(sources):
                if source.node < -1:
                    later.append((node, position, -2 - source.node))
                elif source.node == -1:
                    yield from self._undefined(node, rows[row].inputs[position], position)
            nodes.append(node)
            if rows[row].broken:
                self.model.silent.add(id(node))
        self._settle(later)

    def _settle(self, later: list[tuple[Node, int, int]]) -> None:
        """Give references to lines further down their node, now that it exists."""
        self.broken = self.broken or bool(later)
        for node, position, row in later:
            assert isinstance(node.inputs, list)
            node.inputs[position] = Source(self.index_of[row])
        if any(True for row in self.document.rows for item in row.inputs if isinstance(item, int)):
            self.kinds.add("Call")

    def _leaf(self, name: str, path: tuple[int, str, int]) -> int:
        nodes = self.model.graph.nodes
        if name == CONSTANT:
            self.kinds.add("Constant")
            nodes.append(Node(len(nodes), CONSTANT, CONSTANT, path, kind="const"))
            return len(nodes) - 1
        if (known := self.names.get(name)) is None:
            self.kinds.add("Var")
            known = self.names[name] = len(nodes)
            nodes.append(Node(known, name, "var", path, kind="var"))
            self.model.graph.inputs.append(known)
        return known

    def _undefined(self, node: Node, item: int | str, position: int) -> Iterator[Problem]:
        """A reference to an id that no line has; one that a gap in the numbering already explains is left alone."""
        self.broken = True
        if isinstance(item, int) and item > self.last:
            message = (
                f"node {node.name} ({node.op}) reads node {item}, but no line has that id; the last one is {self.last}"
            )
            yield Problem(UndefinedReference, Place((*node.path, "inputs", position)), message, node.name)


def _type_problem(document: ListingDocument, row: int, span: Span) -> Problem:
    line = document.rows[row]
    text = document.text[span.start : span.end]
    message = f"{text} follows the inputs of a call; only variables and constants have a dtype and a shape"

    def fix(document: Document) -> Fix:
        start = document.span(Place((row, "inputs"))).end
        return Fix(f"remove {text}", (Edit(Span(start, span.end), ""),), "unsafe")

    return Problem(TypeOnCall, span, message, str(line.id), fix)
