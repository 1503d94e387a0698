"""From a node and the name of one of its parts to a place in the document."""

from __future__ import annotations

from irlint.graph import Graph
from irlint.text.base import Path, Place
from irlint.text.xml import XmlDocument

_HEAD = {"name": "@name", "op": "@type", "version": "@version", "node": "tag", "id": "@id"}


class Locator:
    """Places of the parts of one document's layers. A part that the layer lacks is shown at the nearest thing that it has."""

    def __init__(self, document: XmlDocument) -> None:
        self.document = document

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
        """The first child of that name; the element itself if it has none."""
        element = self.document.element(path)
        for k, child in enumerate(element.elements()):
            if child.tag == tag:
                return (*path, k)
        return path

    def port(self, path: Path, side: str, index: int) -> Path:
        """A port of a layer by its position; the layer itself if it has no such port."""
        parent = self.child(path, side)
        if parent == path:
            return path
        ports = [k for k, child in enumerate(self.document.element(parent).elements()) if child.tag == "port"]
        return (*parent, ports[index]) if index < len(ports) else parent
