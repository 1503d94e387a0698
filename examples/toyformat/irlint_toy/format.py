"""Recognize and read toy files. irlint checks the graph against operators.json, infers types, and searches for repairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irlint.checks.grammar import Grammar
from irlint.dryrun.entries import Entry
from irlint.dryrun.tensor import Tensor
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.formats.navigation import Navigation
from irlint.formats.table_mapping import TableMapping
from irlint.formats.tables import TableFormat
from irlint.graph import NOWHERE, UNKNOWN, Graph, Node, Source, Type, Value
from irlint.operators import table_of
from irlint.repairs.table_site import TableSite
from irlint.rules.base import Model
from irlint.suppressions import Suppression, of_comments
from irlint.text.base import Document, Edit, Place, Span
from irlint_toy.document import ToyDocument

TABLE = table_of("toy", __file__)
IGNORE = re.compile(r"#[ \t]*irlint:[ \t]*ignore(?:\[([^\]\r\n]*)\])?[^\r\n]*")
ACTIVATIONS = {"relu": "shared/activation.Relu", "sigmoid": "shared/activation.Sigmoid", "tanh": "shared/unary.Tanh"}
ENTRIES = {  # operators of irlint's dry run, and what the attributes are called there
    "dense": Entry("shared/dense.Dense", {"units": "units", "flatten": "flatten"}),
    "add": Entry("shared/elementwise.Add"),
    "concat": Entry("moving/joining.Concat", {"axis": "axis"}),
    "split": Entry("moving/splitting.SplitEqual", {"num_outputs": "num_outputs", "axis": "axis"}),
    "activation": Entry(lambda values: ACTIVATIONS[values["kind"]]),
}


class ToyGrammar(Grammar):
    """Attributes in this syntax, as irlint's checks find and change them."""

    def repeated(self, model: Model, graph: Graph, node: Node) -> Iterable[tuple[str, Place]]:
        assert isinstance(model.document, ToyDocument)
        row = model.document.rows[int(node.path[0])]
        for i, key in row.pairs():
            if i != row.at(key):
                yield key, Place((*node.path, i, "key"))

    def insert(self, document: Document, graph: Graph, node: Node, values: Mapping[str, Any]) -> Sequence[Edit]:
        end = document.span(Place(node.path)).end
        return [Edit(Span(end, end), "".join(f" {key}={value}" for key, value in values.items()))]

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        start, end = document.span(Place(at.path[:2]))
        return [Edit(Span(start - 1, end), "")]


class ToyMapping(TableMapping):
    """The operators of irlint's dry run, for types and for `irlint run`; inputs have the types that they declare."""

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        return (Tensor(*node.outputs[0].type),)


class ToySite(TableSite):
    """How repairs that irlint searches for are written."""

    grammar = ToyGrammar()


class ToyNavigation(Navigation):
    """Answers to editors that irlint has no default for: the comment that suppresses a finding."""

    def suppression(self, model: Model, span: Span, code: str) -> Edit | None:
        end = model.document.lines.start(model.document.lines.position(span.start).line)
        return Edit(Span(end, end), f"# irlint: ignore[{code}]\n")


class Toy(TableFormat):
    name, title, extensions = "toy", "toy text", (".toy",)
    syntax, operators, words, site = ToyDocument, TABLE, ToySite.grammar, ToySite
    mapping, answers = ToyMapping(TABLE, ENTRIES, ToySite.grammar), ToyNavigation()

    def recognize(self, head: Head) -> Recognition | None:
        return Recognition(CERTAIN, "its first line is `toy 1`") if head.text.startswith("toy 1") else None

    def graph(self, document: Document) -> Graph:
        assert isinstance(document, ToyDocument)
        return read(document)

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        found = ((Span(*match.span()), match[1]) for match in IGNORE.finditer(document.text))
        return of_comments(document, found)


def read(document: ToyDocument) -> Graph:
    """Return the graph of the rows, also where they have errors."""
    rows = [(k, row) for k, row in enumerate(document.rows) if row.words[0] != "out"]
    outs = [(k, i) for k, row in enumerate(document.rows) if row.words[0] == "out" for i in range(1, len(row.words))]
    known: dict[str, Source] = {}
    for index, (_, row) in enumerate(rows):
        for i, name in enumerate(row.names):
            known.setdefault(name, Source(index, i))
    nodes = []
    for index, (k, row) in enumerate(rows):
        attrs = {key: row.words[row.at(key)].partition("=")[2] for _, key in row.pairs()}
        kind, type_ = ("var", declared(attrs)) if row.op == "input" else ("call", UNKNOWN)
        sources = [known.get(row.words[i], NOWHERE) for i in row.inputs]
        values = [Value(name, type_) for name in row.names]
        nodes.append(Node(index, row.names[0], row.op, (k,), sources, values, attrs, kind))

    def locate(graph: Graph, index: int, part: str) -> Place:
        (k, row), (word, _, key) = rows[index], part.partition(":")
        if word == "input":
            return Place((k, row.inputs[int(key)]))
        if word.startswith("attr") and key in nodes[index].attrs:
            return Place((k, row.at(key), "key" if word == "attr_key" else "value"))
        return Place((k, int(key) if word == "output" else 0 if word == "name" else row.head))

    outputs = [known.get(document.rows[k].words[i], NOWHERE) for k, i in outs]
    return Graph(nodes, [n.index for n in nodes if n.kind == "var"], outputs, "", locate, lambda k: Place(outs[k]))


def declared(attrs: dict[str, Any]) -> Type:
    """Return the type that an input declares, as far as it is valid."""
    values = ToySite.grammar.values({"dtype": "float32", **attrs}, TABLE.get("input"))
    return Type(values.get("dtype"), tuple(values["shape"]) if "shape" in values else None)


FORMAT = Toy()
