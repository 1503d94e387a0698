"""What differs between two models, as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from irlint.graph import Graph, Node, Source
from irlint.inspection.rounding import Rounding
from irlint.operators import Attribute
from irlint.records import NamedTuple

Status = Literal["same", "added", "removed", "changed", "follows"]


class NodeChange(NamedTuple):
    """One thing that changed: "operator", "name", "attribute", "weights", "input", "type", "output", "version", "order", "entry" (what the
    file says beside the graph) or "results" (what a node of two forms makes of the same input); `key` identifies one of several. None
    where there was nothing, or is nothing left."""

    what: str
    key: str
    old: str | None
    new: str | None
    attribute: Attribute | None = None  # one whose name does not say what it means
    role: str = ""  # of an entry: see Format.roles
    distance: float | None = None  # of weights with other values, relative to the largest; None if that is not known


class ChangedNode(NamedTuple):
    """A node that was added, removed or changed; the name and operator are the new ones where it has both."""

    name: str
    op: str
    changes: tuple[NodeChange, ...] = ()


class NodePair(NamedTuple):
    """A node before and after, each with its graph; None where there was none, or is none left."""

    old: tuple[Graph, Node] | None
    new: tuple[Graph, Node] | None
    status: Status
    changes: tuple[NodeChange, ...] = ()


class Rewritten(NamedTuple):
    """Nodes in whose place the other form of a network has others."""

    old: list[Node]
    new: list[Node]


class Network(NamedTuple):
    """What two forms of a network have in common."""

    layers: dict[
        str, list[int]
    ]  # by operator: how many with weights each form has, and how many of these the other has
    rounding: Rounding | None  # of their weights; None if these were not compared
    unknown: int  # layers of both whose weights could not be compared
    apart: list[NodePair]  # nodes of both whose weights differ
    others: int  # further changes of what both have
    alone: tuple[int, int]  # nodes that only the old form has, and only the new one
    nodes: int  # that both have
    rewritten: list[Rewritten]
    ends: int = 0  # changes of inputs and outputs, which say nothing of layers

    @property
    def wrong(self) -> int:
        return len(self.apart)

    @property
    def has_all_layers(self) -> bool:
        """Whether each layer of one form is one of the other, whatever their weights are and whatever is between them."""
        return all(row[:2] == row[2:] for row in self.layers.values())

    @property
    def only_weights_differ(self) -> bool:
        """Whether both forms have the same layers but for the weights of some."""
        return bool(self.apart) and not self.others and self.has_all_layers

    @property
    def differs(self) -> bool:
        """Whether anything is not known to be the same."""
        return not self.has_same_layers or bool(self.rewritten) or (self.rounding is not None and self.unknown > 0)

    @property
    def has_same_layers(self) -> bool:
        return not self.wrong and not self.others and self.has_all_layers


class Difference(NamedTuple):
    added: list[ChangedNode]
    removed: list[ChangedNode]
    changed: list[ChangedNode]  # by themselves
    follows: list[ChangedNode]  # as a consequence: only the types of their outputs
    outputs: list[NodeChange]
    versions: list[NodeChange]  # of operators, which the files declare
    model: list[NodeChange]  # of what the file says of the model, and the order of its inputs
    counted: dict[str, list[NodeChange]]  # by kind: what is worth no line of its own
    same: int  # nodes that are what they were
    pairs: list[NodePair]
    network: Network | None = None  # of models of two formats, or where nodes were added or removed
    is_foreign: bool = False  # the models are of two formats
    unread: int = 0  # nodes whose values are not compared, as one file does not have them

    @property
    def is_empty(self) -> bool:
        lists = (self.added, self.removed, self.changed, self.follows, self.outputs, self.versions, self.model)
        return not any((*lists, self.counted)) and not (self.is_foreign and self.network and self.network.differs)


def entries(pairs: Sequence[NodePair], status: Status, op: Callable[[Node], str]) -> list[ChangedNode]:
    """Return the nodes of which one thing has become."""
    found = ((pair.old if status == "removed" else pair.new, pair.changes) for pair in pairs if pair.status == status)
    return [ChangedNode(of[1].name, op(of[1]), changes) for of, changes in found if of is not None]


def source_name(graph: Graph, source: Source | None) -> str | None:
    """Return how a value is called: by its node, and which of its outputs it is; None if it is not known."""
    if source is None or source[0] < 0:
        return None
    node = graph.nodes[source[0]]
    name = node.name or node.op
    return f"{name}:{source[1]}" if source[1] else name


def held_graphs(node: Node) -> dict[Any, Graph]:
    """Return the graphs of a node by the attribute that each is the value of, or by their places."""
    found: dict[Any, Graph] = {}
    for key, value in node.attrs.items() if node.graphs else ():
        values = value if isinstance(value, tuple) else (value,)
        found |= {(key, k): graph for k, graph in enumerate(values) if isinstance(graph, Graph)}
    return found or dict(enumerate(node.graphs))
