"""What editors need to know of Glacier files: ids lead to lines, names of variables are the same wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.formats.glacier import FORMAT
from irlint.formats.glacier.sessions import state_of
from irlint.formats.navigation import Choice, Mention, Navigation, Rename, Target
from irlint.graph import Graph, Node
from irlint.rules.base import Model
from irlint.settings.ignores import Ignores
from irlint.text.listing.document import ListingDocument


class GlacierNavigation(Navigation):
    def ignores(self, model: Model) -> Ignores | None:
        return FORMAT.ignores(model.dialect)

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        """A variable has no line: where it is read first is its definition, and a reference, too."""
        seen = set()
        for mention in super().mentions(model, target):
            if mention.place not in seen:
                seen.add(mention.place)
                yield mention

    def names_tensors(self, target: Target) -> bool:
        return False

    def rename(self, model: Model, target: Target, new: str) -> Rename:
        if target.node.kind == "call":
            return Rename(refusal="the id of a call is its position; it cannot be renamed")
        if target.node.kind == "const":
            return Rename(refusal="a constant has no name")
        return super().rename(model, target, new)

    def source_choice(self, graph: Graph, producer: Node, output: int, name: str | None) -> Choice:
        text = producer.name if producer.kind == "call" else repr(producer.name)
        return Choice(text, "node", producer.op)

    def unfit(self, name: str) -> str:
        return super().unfit(name) or ("a name of digits is read as a node id" if name.isdigit() else "")

    def node_at(self, model: Model, offset: int) -> tuple[Graph, Node] | None:
        """The call on the line; leaves are tokens of it."""
        if not isinstance(model.document, ListingDocument):
            return super().node_at(model, offset)
        row = model.document.place_at(offset).path[:1]
        return next(((model.graph, node) for node in _calls(model).get(row, ()) if node.kind == "call"), None)


def _calls(model: Model) -> dict[tuple[int | str, ...], list[Node]]:
    state = state_of(model)
    found = state.by_row
    if found is None:
        found = state.by_row = {}
        for node in model.graph.nodes:
            found.setdefault(node.path[:1], []).append(node)
    return found


NAVIGATION = GlacierNavigation()
