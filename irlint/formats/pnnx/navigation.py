"""What editors need to know of pnnx's graphs: operands in types (`#NAME=`) and in names of inputs (`$INPUT=NAME`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from irlint.formats.layers_navigation import LayerNavigation
from irlint.formats.navigation import Mention, NodeToken, Target
from irlint.graph import Graph, Node
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers.document import LayerDocument
from irlint.text.layers.values import parameters


class PnnxNavigation(LayerNavigation):
    def tokens(self, model: Model, graph: Graph, node: Node) -> Iterator[NodeToken]:
        yield from super().tokens(model, graph, node)
        for key in _words(model, node):
            if key.startswith("#"):
                for word, part in (("attr_key", "key"), ("attr", "value")):
                    span = model.document.span(Place((node.index, part, key)))
                    yield NodeToken(Target(graph, node), f"{word}:{key}", span)

    def refers_to(self, model: Model, token: NodeToken) -> Target | None:
        word, _, key = token.part.partition(":")
        if (word, key[:1]) not in (("attr_key", "#"), ("attr", "$")):
            return super().refers_to(model, token)
        graph, node = token.target.graph, token.target.node
        name = key[1:] if word == "attr_key" else str(node.attrs[key])
        sources = [*node.inputs, *((node.index, k) for k in range(len(node.outputs)))]
        found = (Target(graph, graph.nodes[n], k) for n, k in sources if n >= 0 and len(graph.nodes[n].outputs) > k)
        return next((one for one in found if self.name_of(one) == name), None)

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        """Where a target is defined and used, in types and names of inputs too."""
        yield from super().mentions(model, target)
        if target.output is None:
            return
        name, graph, source = self.name_of(target), target.graph, (target.node.index, target.output)
        for node in [target.node, *(node for node in graph.nodes if source in node.inputs)]:
            for key, value in _words(model, node).items():
                if key == f"#{name}":
                    yield Mention(Place((node.index, "operand", key)), "reference")
                elif key.startswith("$") and str(value) == name and node is not target.node:
                    yield Mention(Place((node.index, "value", key)), "reference")


def _words(model: Model, node: Node) -> Mapping[str, Any]:
    """Return the parameters of an operator together with the types of its operands."""
    assert isinstance(model.document, LayerDocument)
    return parameters(model.document.rows[node.index].params)


NAVIGATION = PnnxNavigation()
