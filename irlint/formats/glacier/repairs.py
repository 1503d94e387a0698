"""How changes of a node are written in a listing: ids of nodes and names in quotes, by which values are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irlint.graph import Graph, Node
from irlint.operators import Attribute
from irlint.repairs import site
from irlint.repairs.graph_site import GraphSite
from irlint.rules.base import Model
from irlint.text.base import Edit, Place, Span
from irlint.text.listing.document import ListingDocument

_FAR = 64  # lines above that are looked at


class ListingSite(GraphSite):
    """A line: an id, an operator, a list of ids and names."""

    def __init__(self, model: Model, graph: Graph, node: Node) -> None:
        super().__init__(model, graph, node)
        assert isinstance(model.document, ListingDocument)
        self.document: ListingDocument = model.document
        self.row = node.path[0]
        self.outputs = ()

    @property
    def attributes(self) -> dict[str, Any]:
        return {}

    def names(self, node: Node) -> list[Any]:
        return list(self.document.rows[int(node.path[0])].inputs) if node.kind == "call" else []

    def sources(self, k: int) -> Iterator[site.Output]:
        """Yield the nodes above, by their ids. Names belong to the lines that have them."""
        rows = self.document.rows[max(0, int(self.row) - _FAR) : int(self.row)]
        for row in reversed(rows):
            if row.id is not None:
                yield site.Output(row.id, f"{row.id} ({row.op})", "", bool(self.used[row.id]))

    def renamed_duplicates(self, name: str) -> Iterator[tuple[str, site.Edits]]:
        yield from ()

    def kind(self, record: Attribute | None, old: Any) -> None:
        return None  # a listing has no attributes

    def may_be_added(self, record: Attribute) -> bool:
        return False

    def with_operator(self, name: str) -> site.Edits:
        return self._written("op", name)

    def with_input(self, k: int, key: Any) -> site.Edits:
        return (Edit(self.document.span(Place((self.row, "inputs", k))), str(key)),)

    def with_inputs(self, keys: Sequence[Any]) -> site.Edits:
        """Return the edit of all inputs from the first to the last."""
        if not keys or not self.inputs:
            return ()
        spans = [self.document.span(Place((self.row, "inputs", k))) for k in range(len(self.inputs))]
        texts = {key: self.document.text[slice(*span)] for key, span in zip(self.inputs, spans, strict=True)}
        whole = Span(spans[0].start, spans[-1].end)
        return (Edit(whole, ", ".join(texts.get(key, str(key)) for key in keys)),)

    def _written(self, part: str, text: str) -> site.Edits:
        return (Edit(self.document.span(Place((self.row, part))), text),)
