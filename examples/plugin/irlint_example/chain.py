"""An example format: `{"chain": ["conv2d", "relu", "softmax"]}`, operators in sequence."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.base import Dialect, Format, Head, Recognition
from irlint.graph import Graph, Node, Source
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.text.json.document import JsonDocument


class Chain(Format):
    name = "chain"
    title = "chains of operators"
    dialects = (Dialect("chain", "a chain of operators"),)
    extensions = (".json",)

    def recognize(self, head: Head) -> Recognition | None:
        return Recognition(2, 'it starts with "chain"') if head.text.lstrip("{ \n").startswith('"chain"') else None

    def open(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name)

    def dialect_of(self, document: Document) -> Recognition | None:
        assert isinstance(document, JsonDocument)
        is_chain = isinstance(document.value, dict) and isinstance(document.value.get("chain"), list)
        return Recognition(3, 'it has a list "chain"', "chain") if is_chain else None

    def read(self, model: Model) -> Iterator[Problem]:
        assert isinstance(model.document, JsonDocument)
        nodes: list[Node] = []
        for at, op in enumerate(model.document.value["chain"]):
            path = ("chain", at)
            if not isinstance(op, str):
                yield Problem(R.wrong_type, Place(path), f"expected a string for operator {at}, got `{op!r}`")
                op = ""
            nodes.append(Node(at, f"{op}{at}", op, path, inputs=[Source(at - 1)] if at else []))
        model.graph = Graph(nodes, outputs=[Source(len(nodes) - 1)] if nodes else [], locate=_place)


def _place(graph: Graph, index: int, part: str) -> Place:
    """Return the place of an operator, which consists of its name only."""
    return Place(graph.nodes[index].path)


FORMAT = Chain()
