"""What a file says of its nodes and values beside what they compute: the modules of a program that nodes come from, documentation,
metadata; and by which names other viewers know nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.graph import Graph, Node
    from irlint.rules.base import Model

Rows = list[tuple[str, str]]


class SourceModule(NamedTuple):
    """A module of the program that a model was exported from: its whole name, such as `model.layers.0`, and its class."""

    name: str
    kind: str = ""


class ViewerId(NamedTuple):
    """By which names a viewer knows a node and the graph that it is in."""

    graph: str
    node: str


class Remarks:
    """What one model says of itself; a format may have a subclass in its module `remarks`, as `REMARKS`."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def modules(self, graph: Graph, node: Node) -> Sequence[SourceModule] | None:
        """Return the modules that a node is part of, the outermost first; None if the file says nothing but the node's name."""
        return None

    def of_node(self, graph: Graph, node: Node) -> Rows:
        """Return documentation and metadata of a node."""
        return []

    def of_value(self, graph: Graph, name: str) -> Rows:
        """Return documentation and metadata of a value, such as an input or a weight."""
        return []

    def of_model(self) -> Rows:
        """Return what the file says of its graph; what it says of the model is in `Format.metadata`."""
        return []

    def viewer_ids(self) -> dict[tuple[int, int], ViewerId]:
        """Return by which names other viewers know nodes, by id() of the graph and the node's index."""
        graphs = self.model.graph.walk()
        return {
            (id(graph), node.index): ViewerId(graph.name or "main", node.name)
            for graph in graphs
            for node in graph.nodes
        }
