"""From a node and the name of one of its parts to a place in the document."""

from __future__ import annotations

from irlint.graph import Graph
from irlint.text.base import Document, Path, Place, Span
from irlint.text.xml.document import XmlDocument

_HEAD = {"name": "@name", "op": "@type", "version": "@version", "node": "tag", "id": "@id"}


def removal(document: Document, place: Place) -> Span:
    """Return the span of an element with the whitespace before it, so that no empty line is left."""
    start, end = document.span(Place(place.path, "element"))
    while start > 0 and document.text[start - 1] in " \t\r\n":
        start -= 1
    return Span(start, end)


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
        return next(((*path, k) for k, _ in self.document.element(path).steps(tag)), path)

    def port(self, path: Path, side: str, index: int) -> Path:
        """Return a port of a layer by its position; the layer itself if it has no such port."""
        if (path, side) != self._last:
            self._last = path, side
            self._parent = self.child(path, side)
            ports = [] if self._parent == path else self.document.element(self._parent).steps("port")
            self._steps = [k for k, _ in ports]
        return (*self._parent, self._steps[index]) if index < len(self._steps) else self._parent
