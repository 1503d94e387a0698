"""A node whose format says in its Grammar how attributes are read and written: so repairs need not repeat it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from irlint.checks.grammar import PLAIN, Grammar
from irlint.graph import Node
from irlint.operators import Attribute
from irlint.repairs import site
from irlint.repairs.graph_site import GraphSite

_FAR = 256  # nodes above that are looked at
_MANY = 16  # nodes that one refers to: of longer lists, none is replaced
_KINDS = {
    "bool": site.Kind("bool"),
    "int": site.Kind("int"),
    "ints": site.Kind("int", True),
    "float": site.Kind("float"),
    "floats": site.Kind("float", True),
    "string": site.Kind("word"),
}


class TableSite(GraphSite):
    """Attributes are text in the graph. `numbered` are kinds of lists of nodes by number, which `number` knows."""

    grammar: Grammar = PLAIN
    numbered: tuple[str, ...] = ()

    def number(self, node: Node, old: int) -> int:
        """Return how this node refers to one above, in the spelling of an old number."""
        return node.index

    def kind(self, record: Attribute | None, old: Any) -> site.Kind | None:
        if record is None or (record.kind == "string" and not record.values):
            return None
        return _KINDS.get(record.kind)  # of `numbered` ones, only `evidence` says more

    def read(self, old: Any) -> Any:
        """Return the number or the list of numbers that a text spells."""
        for kind in ("int", "float", "ints", "floats"):
            try:
                found = self.grammar.read(old, kind)
            except ValueError:
                continue
            return tuple(found) if isinstance(found, list) else found
        return old

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> Any:
        return ",".join(map(str, value)) if isinstance(value, tuple) else value

    def siblings(self) -> Iterator[Mapping[str, Any]]:
        """Yield the attributes of other nodes, but for those that say where these are."""
        known = self.operator.attributes if self.operator is not None else {}
        own = {name for name, one in known.items() if one.kind in self.numbered}
        yield from ({name: value for name, value in one.items() if name not in own} for one in super().siblings())

    def evidence(self, name: str, record: Attribute | None, old: Any) -> Iterator[site.Value]:
        """Yield each node above in place of each of a list: sooner the neighbor of the one that is written."""
        read = self.read(old) if old is not None and record is not None and record.kind in self.numbered else ()
        numbers = read if isinstance(read, tuple) else (read,)
        if len(numbers) > _MANY or not all(isinstance(one, int) for one in numbers):
            return
        for node in reversed(self.graph.nodes[max(0, self.node.index - _FAR) : self.node.index]):
            for k, one in enumerate(numbers):
                other = self.number(node, one)
                yield (*numbers[:k], other, *numbers[k + 1 :]), 0 if abs(other - one) == 1 else 2

    def with_attribute(self, name: str, value: Any) -> site.Edits:
        document = self.model.document
        if name in self.node.attrs:
            return document.write(self.graph.place(self.node, f"attr:{name}"), value)
        return tuple(self.grammar.insert(document, self.graph, self.node, {name: value}))

    def without_attribute(self, name: str) -> site.Edits:
        return tuple(self.grammar.remove(self.model.document, self.graph.place(self.node, f"attr_key:{name}")))

    def with_operator(self, name: str) -> site.Edits:
        return self.model.document.write(self.graph.place(self.node, "op"), name)
