"""Which node of the graph each line and each name of a listing becomes: calls by line, variables and constants in front of
the call that names them first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from irlint.graph import NOWHERE, Graph, Node, Source
from irlint.records import NamedTuple
from irlint.text.base import Place
from irlint.text.listing.line import ListingRow

CONSTANT = "constant"  # what stands for a constant without a name
_source: Callable[[tuple[int, int]], Source] = partial(tuple.__new__, Source)


class OddReference(NamedTuple):
    """An input that is not the id of a line above: of a line below, or, if `is_undefined`, of none."""

    node: Node
    position: int
    item: int
    is_undefined: bool


class ListingLayout:
    """The nodes of a listing. `meant` are the ids of its lines; None: the line is superfluous."""

    def __init__(self, meant: Sequence[int | None], rows: Sequence[ListingRow]) -> None:
        self.nodes: list[Node] = []
        self.names: dict[str, int] = {}  # name of a variable -> node index
        self.kinds: set[str] = set()  # of the nodes that lists of inputs show
        self.broken: list[Node] = []  # of lines that cannot be read
        self.odd: list[OddReference] = []
        self.index_of: dict[int, int] = {}  # id -> node index
        nodes, known = self.nodes, self.index_of
        for number, (id_, row) in enumerate(zip(meant, rows, strict=True)):
            if id_ is None:
                continue
            sources: list[Source] = []
            unknown: list[tuple[int, int]] = []
            for position, item in enumerate(row.inputs):
                if isinstance(item, str):
                    sources.append(_source((self._leaf(item, (number, "inputs", position)), 0)))
                elif item in known:
                    sources.append(_source((known[item], 0)))
                else:
                    sources.append(NOWHERE)
                    unknown.append((position, item))
            known[id_] = len(nodes)
            node = Node(len(nodes), str(id_), row.op, (number,), sources)
            nodes.append(node)
            if unknown:
                self.odd += [OddReference(node, position, item, True) for position, item in unknown]
            if row.broken:
                self.broken.append(node)
        if any(row.references for row in rows):
            self.kinds.add("Call")
        self.last = max(self.index_of, default=-1)
        self.odd = [self._resolved(one) for one in self.odd]

    def _resolved(self, one: OddReference) -> OddReference:
        """Return a reference, which may be to a line below."""
        if (index := self.index_of.get(one.item)) is None:
            return one
        assert isinstance(one.node.inputs, list)
        one.node.inputs[one.position] = Source(index)
        return one._replace(is_undefined=False)

    def _leaf(self, name: str, path: tuple[int, str, int]) -> int:
        """Return the node of a name; every constant without a name has one of its own."""
        index = len(self.nodes)
        if name == CONSTANT:
            self.kinds.add("Constant")
            self.nodes.append(Node(index, CONSTANT, CONSTANT, path, kind="const"))
        elif (known := self.names.setdefault(name, index)) != index:
            return known
        else:
            self.kinds.add("Var")
            self.nodes.append(Node(index, name, "var", path, kind="var"))
        return index


def unread(graph: Graph, calls: Iterable[int]) -> list[int]:
    """Return those of some calls that no node uses."""
    read = {source[0] for node in graph.nodes for source in node.inputs}
    return [index for index in calls if index not in read]


def by_parts(parts: Mapping[str, str], usual: str) -> Callable[[Graph, int, str], Place]:
    """Return what finds the place of a part of a node: an input by its number, others by the names of `parts`."""

    def locate(graph: Graph, index: int, part: str) -> Place:
        node = graph.nodes[index]
        if node.kind != "call":
            return Place(node.path)
        word, _, number = part.partition(":")
        if word == "input":
            return Place((*node.path, "inputs", int(number)))
        return Place((*node.path, parts.get(word, usual)))

    return locate
