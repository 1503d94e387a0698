"""Where the parts of a call are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from irlint.graph import Graph
from irlint.text.base import Place


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
