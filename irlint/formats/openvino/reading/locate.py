"""From a node and the name of one of its parts to a place in the document."""

from __future__ import annotations

from irlint.graph import Graph
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_HEAD = {"name": "@name", "op": "@type", "version": "@version", "node": "tag", "id": "@id"}


class LayerLocator:
    """The places of the parts of one document's layers; a missing part is located at the nearest existing one."""

    def __init__(self, document: XmlDocument) -> None:
        self.document = document
        self._last: tuple[Path, str] | None = None  # the ports of this side were looked at last
        self._parent: Path = ()
        self._steps: list[int] = []

    def __call__(self, graph: Graph, index: int, part: str) -> Place:
        path = graph.nodes[index].path
        if part in _HEAD:
            return Place(path, _HEAD[part])
        word, _, rest = part.partition(":")
        if word in ("attr", "attr_key", "attrs"):
            return self._data(path, word, rest)
        if word in ("input", "output") and rest.isdigit():
            return Place(self.port(path, word, int(rest)), "tag")
        return Place(path, "tag")

    def _data(self, path: Path, word: str, key: str) -> Place:
        place = self.child(path, "data")
        if place == path or word == "attrs":
            return Place(place, "tag")
        return Place(place, f"@{key}" if word == "attr" else f"@{key}.name")

    def child(self, path: Path, tag: str) -> Path:
        """Return the first child with that name; the element itself if it has none."""
        for k, child in enumerate(self.document.element(path).children):
            if isinstance(child, Element) and child.tag == tag:
                return (*path, k)
        return path

    def port(self, path: Path, side: str, index: int) -> Path:
        """Return a port of a layer by its position; the layer itself if it has no such port."""
        if (path, side) != self._last:
            parent = self.child(path, side)
            inner = [] if parent == path else self.document.element(parent).children
            self._last = path, side
            self._parent = parent
            self._steps = [k for k, child in enumerate(inner) if isinstance(child, Element) and child.tag == "port"]
        return (*self._parent, self._steps[index]) if index < len(self._steps) else self._parent
