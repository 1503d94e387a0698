"""Recognize and read toy files. irlint checks the graph against operators.json."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from irlint.checks.grammar import Grammar
from irlint.dryrun.mapping import Call
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.findings import Problem
from irlint.formats.base import CERTAIN, Dialect, Format, Head, Recognition
from irlint.formats.navigation import Navigation
from irlint.graph import NOWHERE, UNKNOWN, Graph, Node, Source, Type, Value
from irlint.operators import OperatorTable
from irlint.rules.base import Model
from irlint.suppressions import Suppression, of_comments
from irlint.text.base import Document, Edit, Place, Span
from irlint_toy.document import ToyDocument

IGNORE = re.compile(r"#[ \t]*irlint:[ \t]*ignore(?:\[([^\]\r\n]*)\])?[^\r\n]*")
OPERATORS = {  # operators of irlint's dry run, which have the same attributes
    "dense": "dense.Dense", "add": "elementwise.Add", "concat": "joining.Concat", "split": "splitting.SplitEqual",
    "relu": "activation.Relu", "sigmoid": "activation.Sigmoid", "tanh": "unary.Tanh",
}  # fmt: skip


@cache
def table() -> OperatorTable:
    return OperatorTable("toy", json.loads(Path(__file__).with_name("operators.json").read_text("utf-8")))


class ToyGrammar(Grammar):
    """Attributes in this syntax, as irlint's checks find and change them."""

    def repeated(self, model: Model, graph: Graph, node: Node) -> Iterable[tuple[str, Place]]:
        assert isinstance(model.document, ToyDocument)
        line, seen = int(node.path[0]), set[str]()
        for k, key in keys(model.document, line):
            if key in seen:
                yield key, Place((line, k, "key"))
            seen.add(key)

    def insert(self, document: Document, graph: Graph, node: Node, values: Mapping[str, Any]) -> Sequence[Edit]:
        end = document.span(Place(node.path)).end
        return [Edit(Span(end, end), "".join(f" {key}={value}" for key, value in values.items()))]

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        start, end = document.span(Place(at.path[:2]))
        return [Edit(Span(start - 1, end), "")]


class ToyMapping(DryRun):
    """The operators of irlint's dry run, for shapes and for `irlint run`."""

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        return (Tensor(*node.outputs[0].type),)

    def call(self, graph: Graph, node: Node) -> Call | None:
        word = OPERATORS.get(node.attrs.get("kind", node.op))
        return Call(operator(word), GRAMMAR.values(node.attrs, table().get(node.op))) if word else None


class ToyNavigation(Navigation):
    """Answers to editors that irlint has no default for: the comment that suppresses a finding."""

    def suppression(self, model: Model, span: Span, code: str) -> Edit | None:
        end = model.document.lines.start(model.document.lines.position(span.start).line)
        return Edit(Span(end, end), f"# irlint: ignore[{code}]\n")


GRAMMAR, MAPPING, NAVIGATION = ToyGrammar(), ToyMapping(), ToyNavigation()


class Toy(Format):
    name = "toy"
    title = "toy text"
    dialects = (Dialect("toy", "toy text"),)
    extensions = (".toy",)

    def recognize(self, head: Head) -> Recognition | None:
        return Recognition(CERTAIN, "its first line is `toy 1`") if head.text.startswith("toy 1") else None

    def open(self, text: str, name: str) -> Document:
        return ToyDocument(text, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        return self.recognize(Head(document.name, document.text))

    def read(self, model: Model) -> Iterator[Problem]:
        assert isinstance(model.document, ToyDocument)
        model.operators = table()
        model.graph = read(model.document)
        return iter(())

    def grammar(self) -> Grammar:
        return GRAMMAR

    def dryrun(self, model: Model) -> DryRun | None:
        return MAPPING

    def navigation(self) -> Navigation:
        return NAVIGATION

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        if "irlint:" not in document.text:
            return
        found = ((Span(*match.span()), match[1]) for match in IGNORE.finditer(document.text))
        yield from of_comments(document, found)


def keys(document: ToyDocument, line: int) -> Iterator[tuple[int, str]]:
    """Yield the words of a line that are `KEY=VALUE`, each with its key."""
    row = document.rows[line]
    for k, word in enumerate(row.words[row.head + 1 :], row.head + 1):
        if "=" in word.text:
            yield k, word.text.partition("=")[0]


def read(document: ToyDocument) -> Graph:
    """Return the graph of the lines, also where they have errors."""
    rows = {line: row for line, row in document.rows.items() if row.words[0].text != "out"}
    outs = [(line, k) for line, row in document.rows.items() if line not in rows for k in range(1, len(row.words))]
    known: dict[str, Source] = {}
    for index, row in enumerate(rows.values()):
        for k, word in enumerate(row.words[: row.head - 1]):
            known.setdefault(word.text, Source(index, k))
    inputs: list[list[int]] = []
    places: list[dict[str, int]] = []  # of attributes
    nodes = []
    for index, (line, row) in enumerate(rows.items()):
        first = {key: k for k, key in reversed([*keys(document, line)])}
        places.append(first)
        attrs = {key: row.words[k].text.partition("=")[2] for key, k in reversed(first.items())}
        inputs.append([k for k in range(row.head + 1, len(row.words)) if "=" not in row.words[k].text])
        op, names = row.words[row.head].text, [word.text for word in row.words[: row.head - 1]]
        sources = [known.get(row.words[k].text, NOWHERE) for k in inputs[-1]]
        kind, type_ = ("var", declared(attrs)) if op == "input" else ("call", UNKNOWN)
        values = [Value(name, type_) for name in names]
        nodes.append(Node(index, names[0], op, (line,), sources, values, attrs, kind))

    def locate(graph: Graph, index: int, part: str) -> Place:
        line, (word, _, key) = int(nodes[index].path[0]), part.partition(":")
        if word == "input":
            return Place((line, inputs[index][int(key)]))
        if word.startswith("attr") and key in places[index]:
            return Place((line, places[index][key], "key" if word == "attr_key" else "value"))
        return Place((line, int(key) if word == "output" else 0 if word == "name" else rows[line].head))

    outputs = [known.get(document.rows[line].words[k].text, NOWHERE) for line, k in outs]
    return Graph(nodes, [n.index for n in nodes if n.kind == "var"], outputs, "", locate, lambda k: Place(outs[k]))


def declared(attrs: dict[str, Any]) -> Type:
    """Return the type that an input declares, as far as it is valid."""
    values = GRAMMAR.values({"dtype": "float32", **attrs}, table().get("input"))
    return Type(values.get("dtype"), tuple(values["shape"]) if "shape" in values else None)


FORMAT = Toy()
