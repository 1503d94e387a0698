"""How changes of a layer are written in lists of layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.graph import Graph, Node
from irlint.operators import Attribute
from irlint.repairs import site
from irlint.repairs.graph_site import GraphSite
from irlint.rules.base import Model
from irlint.text.base import Edit, Place, Span
from irlint.text.layers.document import LayerDocument
from irlint.text.layers.values import ARRAYS
from irlint.text.numbers import decimal

_KINDS = {
    "bool": site.Kind("bool"),
    "int": site.Kind("int"),
    "ints": site.Kind("int", True),
    "float": site.Kind("float"),
    "floats": site.Kind("float", True),
}


class LayerSite(GraphSite):
    """A layer: a line of words."""

    def __init__(self, model: Model, graph: Graph, node: Node) -> None:
        super().__init__(model, graph, node)
        assert isinstance(model.document, LayerDocument)
        self.document: LayerDocument = model.document
        self.row = self.document.rows[node.index]

    def names(self, node: Node) -> list[str]:
        return list(self.document.rows[node.index].inputs)

    def kind(self, record: Attribute | None, old: Any) -> site.Kind | None:
        """Return what an attribute holds: what the table says, or else what is written looks like."""
        if record is None:
            return None
        values = old if isinstance(old, list) else [old]
        are_integers = all(isinstance(one, int) for one in values)
        return _KINDS.get(record.kind) or (site.Kind("int", values is old) if are_integers else None)

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> Any:
        return list(value) if isinstance(value, tuple) else value

    def is_unchecked(self, record: Attribute | None, kind: site.Kind) -> bool:
        """Return whether nothing depends on a value: a number that stands for a word, which shapes seldom depend on, too."""
        return super().is_unchecked(record, kind) or (record is not None and bool(record.values or record.meanings))

    def with_attribute(self, name: str, value: Any) -> site.Edits:
        if name in self.node.attrs:
            span = self.document.span(Place((self.node.index, "value", name)))
            return (Edit(span, self.text_of(name, value, self.document.text[slice(*span)])),)
        end = self.document.text_of(self.row).end
        number = decimal(name) if isinstance(value, list) else None
        key = name if number is None else str(ARRAYS - number)
        return (Edit(Span(end, end), f" {key}={self.text_of(name, value, '')}"),)

    def text_of(self, name: str, value: Any, old: str) -> str:
        """Return a value as the runtime reads it: an array begins with its length."""
        if isinstance(value, list):
            return ",".join(map(str, (*([len(value)] if name.isdecimal() else []), *value)))
        return str(value)

    def without_attribute(self, name: str) -> site.Edits:
        key, value = (self.document.span(Place((self.node.index, part, name))) for part in ("key", "value"))
        return (Edit(Span(key.start - 1, value.end), ""),)

    def with_operator(self, name: str) -> site.Edits:
        return self._written(("op",), name)

    def with_input(self, k: int, key: str) -> site.Edits:
        return self._written(("inputs", k), key)

    def with_output(self, k: int, name: str) -> site.Edits:
        return self._written(("outputs", k), name)

    def with_inputs(self, keys: Sequence[str]) -> site.Edits:
        """Return the edits of the count and the names. A layer has as many words as its counts say."""
        words = self.document.words(self.row)
        if len(words) < 4 + len(self.inputs) or len(self.inputs) != self.row.counts[0]:
            return ()
        after = words[3].end
        end = words[3 + len(self.inputs)].end
        names = Edit(Span(after, end), "".join(f" {key}" for key in keys))
        count = Edit(Span(words[2].start, words[2].end), str(len(keys)))
        return (names,) if len(keys) == len(self.inputs) else (count, names)

    def _written(self, part: tuple[str | int, ...], text: str) -> site.Edits:
        return (Edit(self.document.span(Place((self.node.index, *part))), text),)
