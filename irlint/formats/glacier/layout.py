"""Which node of the graph each line and each name of a listing becomes: calls by line, variables and constants in front of
the call that names them first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import partial

from irlint.formats.glacier.sessions import state_of
from irlint.graph import NOWHERE, Graph, Node, Source
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Path, Place

CONSTANT = "constant"  # what stands for a constant without a name
_source: Callable[[tuple[int, int]], Source] = partial(tuple.__new__, Source)


Inputs = Sequence[int | str | None]  # ids, names; None: it cannot be read
WrittenCall = tuple[int, str, Inputs, Path]


class OddReference(NamedTuple):
    """An input that is not the id of a call above: of one below, or, if `is_undefined`, of none."""

    node: Node
    position: int
    item: int | None
    is_undefined: bool


class CallLayout:
    """Adds the nodes of calls to others, in their order. `leaf` makes that of a variable or constant of its index, its name, the path
    of the call that names it first, and which input it is there."""

    def __init__(
        self, nodes: list[Node], calls: Iterable[WrittenCall], leaf: Callable[[int, str, Path, int], Node]
    ) -> None:
        self.nodes, self.leaf = nodes, leaf
        self.names: dict[str, int] = {}  # name of a variable -> node index
        known = self.index_of = dict[int, int]()  # id -> node index
        odd: list[OddReference] = []
        for id_, op, inputs, path in calls:
            sources: list[Source] = []
            unknown: list[tuple[int, int | None]] = []
            for position, item in enumerate(inputs):
                if isinstance(item, str):
                    sources.append(_source((self._leaf(item, path, position), 0)))
                elif item in known:
                    sources.append(_source((known[item], 0)))
                else:
                    sources.append(NOWHERE)
                    unknown.append((position, item))
            known[id_] = len(nodes)
            nodes.append(Node(len(nodes), str(id_), op, path, sources))
            if unknown:
                odd += [OddReference(nodes[-1], position, item, True) for position, item in unknown]
        self.odd = list(map(self._resolved, odd))

    def _resolved(self, one: OddReference) -> OddReference:
        """Return a reference, which may be to a call below."""
        index = None if one.item is None else self.index_of.get(one.item)
        if index is None:
            return one
        assert isinstance(one.node.inputs, list)
        one.node.inputs[one.position] = Source(index)
        return one._replace(is_undefined=False)

    def _leaf(self, name: str, path: Path, position: int) -> int:
        """Return the node of a name; every constant without a name has one of its own."""
        index = len(self.nodes)
        if name != CONSTANT and (known := self.names.setdefault(name, index)) != index:
            return known
        self.nodes.append(self.leaf(index, name, path, position))
        return index


def complete(
    model: Model, calls: Iterable[WrittenCall], broken: Set[Path], parts: Mapping[str, str], usual: str
) -> None:
    """Complete the graph of a model once its nodes are there: all but its outputs. `broken`: paths of calls that cannot be read; the
    others are for `by_parts`."""
    graph = model.graph
    graph.inputs = [node.index for node in graph.nodes if node.kind == "var"]
    graph.locate, graph.locate_output = by_parts(parts, usual), lambda k: Place(graph.nodes[graph.outputs[k].node].path)
    model.silent |= {id(node) for node in graph.nodes if node.path in broken} if broken else set()
    state_of(model).kinds = {node.kind for node in graph.nodes} - {"call"}
    if any(isinstance(item, int) for _, _, inputs, _ in calls for item in inputs):
        state_of(model).kinds.add("call")


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
