"""Recognize and read .cfg files. irlint checks the graph against operators.json, infers shapes, and searches for repairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irlint.checks.fault import Fault
from irlint.checks.grammar import Grammar
from irlint.checks.values import KINDS
from irlint.checks.written import WrittenOperator
from irlint.codes import R, RuleRow, Severity
from irlint.formats.base import CERTAIN, LIKELY, Head, Recognition
from irlint.formats.navigation import Choice, Navigation, Rename, Target
from irlint.formats.table_mapping import TableMapping
from irlint.formats.tables import TableFormat
from irlint.graph import NOWHERE, UNNAMED, Graph, Node, Source
from irlint.operators import Attribute, table_of
from irlint.repairs.table_site import TableSite
from irlint.rules.base import Model
from irlint.text.base import Edit, Place
from irlint_darknet.document import CfgDocument
from irlint_darknet.layers import ENTRIES

FIRST = re.compile(r"[\ufeff\s]*(?:[#;][^\r\n]*[\r\n]\s*)*\[net(?:work)?\]")
LAYER = re.compile(r"^[ \t]*\[(?:convolutional|connected|maxpool|shortcut|route|yolo|crnn|rnn|gru|lstm)\]", re.M)
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
REFERRING = {"route": "layers", "shortcut": "from", "scale_channels": "from", "sam": "from"}
HEADS = {"yolo", "Gaussian_yolo", "region", "detection", "cost", "softmax", "contrastive"}
TABLE = table_of("darknet", __file__)


class CfgGrammar(Grammar):
    """Darknet takes the first of equal options, and only says that it does not use those that it does not know."""

    word, runtime, has_names = "option", "Darknet", False
    kinds = {**KINDS, "layers": ("a list of layer numbers", KINDS["ints"][1])}

    def severity(self, rule: RuleRow, node: Node | None) -> Severity | None:
        return Severity.WARNING if rule == R.duplicate_attribute else None

    def unlike(self, written: WrittenOperator, name: str) -> Fault:
        return self.unknown(written, name, "; Darknet ignores it", change="remove", severity=Severity.WARNING)

    def missing(self, written: WrittenOperator, attribute: Attribute) -> Fault | None:
        return None if "inputs" in written.attrs else super().missing(written, attribute)

    def repeated(self, model: Model, graph: Graph, node: Node) -> Iterable[tuple[str, Place]]:
        document: Any = model.document
        places = [(key, Place((node.index, i, "key"))) for i, key in enumerate(document.options[node.index])]
        return [(key, place) for key, place in places if place != graph.place(node, f"attr_key:{key}")]

    def insert(self, document: Any, graph: Graph, node: Node, values: Mapping[str, Any]) -> Sequence[Edit]:
        end = document.span(graph.place(node, "op")).end
        return [document.with_line(end, f"{key}={value}") for key, value in values.items()]

    def remove(self, document: Any, at: Place) -> Sequence[Edit]:
        return [document.without_line(document.span(at).start)]


class LayerSite(TableSite):
    grammar, numbered = CfgGrammar(), ("layers",)

    def number(self, node: Node, old: int) -> int:
        return node.index - 1 if old >= 0 else node.index - self.node.index


class CfgNavigation(Navigation):
    comment = "#"

    def rename(self, model: Model, target: Target, new: str) -> Rename:
        return Rename(refusal="a layer is known by its position; it cannot be renamed")

    def source_choices(self, model: Model, graph: Graph, node: Node) -> Iterator[Choice]:
        return (Choice(str(k - node.index), "node", graph.nodes[k].op) for k in range(node.index - 1, 0, -1))


class Darknet(TableFormat):
    name, title, extensions, comment = "darknet", "Darknet cfg", (".cfg",), "#"
    syntax, operators, words, site, answers = CfgDocument, TABLE, CfgGrammar(), LayerSite, CfgNavigation()
    mapping = TableMapping(TABLE, ENTRIES, words)

    def recognize(self, head: Head) -> Recognition | None:
        if FIRST.match(head.text):
            return Recognition(CERTAIN, "its first section is `[net]`")
        return Recognition(LIKELY, "its sections are layers") if LAYER.search(head.text) else None

    def graph(self, document: Any) -> Graph:
        """Return the graph: node 0 is `[net]`, node k + 1 is layer k. A layer reads the previous one, unless it is a route."""
        nodes, reads, count = list[Node](), list[list[Place]](), len(document.options)
        places = [{key: i for i, key in reversed([*enumerate(names)])} for names in document.options]
        for index, options in enumerate(places):
            op = document.value_at((index, "op"))
            attrs = {key: "".join(document.value_at((index, i, "value")).split()) for key, i in options.items()}
            is_next = index > 0 and op != "route"
            reads.append([Place((index, "op"))] * is_next)
            sources = [Source(index - 1)] * is_next
            for j, text in enumerate(attrs.get(listed := REFERRING.get(op, ""), "").split(",")):
                if NUMBER.fullmatch(text):
                    layer = int(text) + 1 if int(text) >= 0 else index + int(text)
                    sources.append(Source(layer) if 0 < layer < count else NOWHERE)
                    reads[-1].append(Place((index, options[listed], "value", j)))
            name, kind = (str(index - 1), "call") if index else ("net", "var")
            nodes.append(Node(index, name, op, (index,), sources, UNNAMED, attrs, kind))

        def locate(graph: Graph, index: int, part: str) -> Place:
            word, _, key = part.partition(":")
            if word == "input":
                return reads[index][int(key)]
            if word.startswith("attr") and key in places[index]:
                return Place((index, places[index][key], "key" if word == "attr_key" else "value"))
            return Place((index, "op"))

        outs = [node.index for node in nodes if node.op in HEADS or node.index == count - 1]
        return Graph(nodes, [0][:count], [*map(Source, outs)], "", locate, lambda k: Place((outs[k], "op")))


FORMAT = Darknet()
