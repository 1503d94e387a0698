"""How changes of an operator are written in a LightNet model: names of tensors, parameters with their names, optypes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Node, Shape
from irlint.operators import Attribute, Operator
from irlint.repairs import site
from irlint.repairs.graph_site import GraphSite
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.json.document import JsonDocument

# what a parameter holds, by its kind or by how a number is read
_ITEMS = {"string": "word", "bool": "bool", "int": "int", "double": "float", "float": "float"}
_PER_AXIS = {"size": 1, "stride": 1, "dilation": 1, "padding": 2, "output_dims": 1}


class LightNetSite(GraphSite):
    """An operator."""

    def __init__(self, model: Model, graph: Graph, node: Node) -> None:
        super().__init__(model, graph, node)
        assert isinstance(model.document, JsonDocument)
        self.document: JsonDocument = model.document

    def names(self, node: Node) -> list[str]:
        return list(map(str, super().names(node)))  # anything else than text may be any value

    def operators(self) -> Iterator[tuple[str, Operator]]:
        """Yield the optypes of the node's architecture: the file does not use those of others."""
        own = self.op.rpartition("_")[2]
        names = self.model.operators.names if self.model.operators is not None else []
        is_compiled = any(node.op.endswith(("_cpu", "_cuda", "_tensorrt")) for node in self.graph.nodes)
        for name in names:
            if (known := signature(name)) is not None and (name.endswith(f"_{own}") or not is_compiled):
                yield name, known.operator

    def shape(self, k: int) -> Shape | None:
        return state_of(self.model).shape_of(self.node.inputs[k]) if k < len(self.node.inputs) else None

    def kind(self, record: Attribute | None, old: Any) -> site.Kind | None:
        if record is None or (record.kind == "string" and not record.values):
            return None
        return site.Kind(_ITEMS[record.facts.get("read_as", record.kind)], record.kind == "numbers")

    def evidence(self, name: str, record: Attribute | None, old: Any) -> Iterator[site.Value]:
        usual = record.facts.get("usual") if record is not None else None
        if usual is not None:
            yield self.read(usual), 1

    def per_axis(self, name: str) -> int:
        return _PER_AXIS.get(name, 0)

    def with_attribute(self, name: str, value: Any) -> site.Edits:
        if name in self.node.attrs:
            place = self.graph.place(self.node, f"attr:{name}")
            return self.document.replace(Place(place.path), self.document.dump(value))
        text = self.document.dump({"arg_name": name, "value": value})
        return self.document.insert_item((*self.node.path, "params"), len(self.node.attrs), text)

    def without_attribute(self, name: str) -> site.Edits:
        return self.document.remove(self.graph.place(self.node, f"attr:{name}").path[:-1])

    def with_operator(self, name: str) -> site.Edits:
        return self.document.write(Place((*self.node.path, "optype")), name)

    def with_input(self, k: int, key: str) -> site.Edits:
        return self.document.write(self.graph.place(self.node, f"input:{k}"), key)

    def with_output(self, k: int, name: str) -> site.Edits:
        return self.document.write(self.graph.place(self.node, f"output:{k}"), name)

    def with_inputs(self, keys: Sequence[str]) -> site.Edits:
        """Return the edits of the names; inputs have arguments of their own, so that their number stays."""
        if len(keys) != len(self.inputs):
            return ()
        pairs = [(k, key) for k, key in enumerate(keys) if key != self.inputs[k]]
        return tuple([edit for k, key in pairs for edit in self.with_input(k, key)])
