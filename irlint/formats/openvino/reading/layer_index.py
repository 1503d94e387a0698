"""The layer or edge of a file that a place is in."""

from __future__ import annotations

from bisect import bisect_left

from irlint.formats.openvino.reading.reader import Section
from irlint.text.base import Path, Step


class LayerIndex:
    """An index from paths in the document to layers."""

    def __init__(self, sections: list[Section]) -> None:
        self.sections = {section.layers_path: section for section in sections if section.layers}
        self.edges = {section.edges_path: section for section in sections if section.edges_path != section.path}

    def edge(self, path: Path) -> Path | None:
        """Return the path of the edge that contains a path, or of the element in its place."""
        return next((path[: k + 1] for k in range(len(path) - 1, 0, -1) if path[:k] in self.edges), None)

    def find(self, path: Path) -> tuple[Section, int] | None:
        """Return the innermost layer that contains a path."""
        for depth in range(len(path) - 1, 0, -1):
            section = self.sections.get(path[:depth])
            if section is not None:
                index = _index(section, path[depth])
                if index is not None:
                    return section, index
        return None


def _index(section: Section, step: Step) -> int | None:
    nodes = section.graph.nodes
    k = bisect_left(nodes, int(step), key=lambda node: int(node.path[-1]))
    return k if k < len(nodes) and nodes[k].path[-1] == step else None
