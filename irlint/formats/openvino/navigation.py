"""Navigation in OpenVINO IR for editors: from edges to layers and ports, from ports to the other end of their edge."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.formats.navigation import Choice, Mention, Navigation, NodeToken, Target
from irlint.formats.openvino.reading.layers import edge_of
from irlint.formats.openvino.reading.opsets import meaning, operator_of, opset_names, types_known
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.state import state_of
from irlint.graph import Graph, Node
from irlint.operators import Operator
from irlint.rules.base import Model
from irlint.text.base import Edit, Place, Span
from irlint.text.xml.document import XmlDocument


class OpenVinoNavigation(Navigation):
    def place(self, model: Model, graph: Graph, node: Node, part: str) -> Place | None:
        return graph.place(node, part)

    def tokens(self, model: Model, graph: Graph, node: Node) -> Iterator[NodeToken]:
        """Yield tokens; that of a port is the whole element, not only its tag."""
        document = model.document
        for token in super().tokens(model, graph, node):
            if token.part.startswith(("input:", "output:")):
                path = graph.place(node, token.part).path
                token = token._replace(span=document.span(Place(path, "element")))
            yield token

    def listed_at(self, model: Model, offset: int) -> Target | None:
        """Return the layer that the nearest attribute of an edge names, with the port if it is an output."""
        document = model.document
        assert isinstance(document, XmlDocument)
        place = document.place_at(offset)
        section, edge = _edges_at(model, place), edge_of(document.element(place.path))
        if section is None:
            return None
        is_to = place.part.startswith("@to-")
        maker, user = section.ends(edge)
        index = user if is_to else maker
        if index is None:
            return None
        output = None if is_to else section.layers[index].outputs.index.get(edge.from_port)
        return Target(section.graph, section.graph.nodes[index], output)

    def mentions(self, model: Model, target: Target) -> Iterator[Mention]:
        yield from super().mentions(model, target)
        section = next((s for s in _sections(model) if s.graph is target.graph), None)
        if section is None:
            return
        layer = section.layers[target.node.index]
        port = layer.outputs.ports[target.output].id if target.output is not None else None
        for k, edge in enumerate(section.edges):
            if edge.from_layer == layer.id and port in (None, edge.from_port):
                yield Mention(Place(section.edge_path(k), "@from-layer"), "reference")
            if edge.to_layer == layer.id and target.output is None:
                yield Mention(Place(section.edge_path(k), "@to-layer"), "reference")

    def is_name(self, place: Place) -> bool:
        return place.part == "@name"  # edges say ids, and many a layer has a number for a name

    def names_tensors(self, target: Target) -> bool:
        return False

    def operator(self, model: Model, node: Node) -> Operator | None:
        return operator_of(node.op, node.version)

    def operator_names(self, model: Model, node: Node) -> list[str]:
        """Return the types of the layer's opset."""
        return [name for name in types_known() if meaning(name, node.version or "opset1").operation]

    def choices(self, model: Model, token: NodeToken) -> Iterator[Choice]:
        if token.part == "version":
            return iter(Choice(name, "value") for name in opset_names())
        if token.part.startswith("input:"):
            return iter(())
        return super().choices(model, token)

    def choices_at(self, model: Model, offset: int) -> Iterator[Choice]:
        """Yield the ids of layers inside an edge."""
        place = model.document.place_at(offset)
        section = _edges_at(model, place) if place.part in ("@from-layer", "@to-layer") else None
        for layer in section.layers if section is not None else ():
            if layer.id is not None:
                yield Choice(layer.id, "node", f"{layer.name} ({layer.type})")

    def hints(self, model: Model, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield the names of the layers at the ends of edges in a range."""
        for section in _sections(model):
            for k, edge in enumerate(section.edges):
                if not start <= section.edge_offset(k) < end:
                    continue
                path = section.edge_path(k)
                for index, part in zip(section.ends(edge), ("@from-layer", "@to-layer"), strict=True):
                    if index is not None:
                        node, number = section.graph.nodes[index], section.layers[index].id
                        yield model.document.span(Place(path, part)).end, node.op if node.name == number else node.name

    def suppression(self, model: Model, span: Span, code: str) -> Edit | None:
        document = model.document
        assert isinstance(document, XmlDocument)
        start = document.span(Place(document.place_at(span.start).path, "element")).start
        line = document.lines.starts[document.lines.position(start).line - 1]
        indent = document.text[line:start]
        if indent.strip():
            return None
        end = "\r\n" if "\r\n" in document.text else "\n"
        return Edit(Span(line, line), f"{indent}<!-- irlint: ignore[{code}] -->{end}")


def _edges_at(model: Model, place: Place) -> IrSection | None:
    """Return the section that has the edge at a place."""
    sections = (section for section in _sections(model) if section.edges_path)
    return next((section for section in sections if place.path[:-1] == section.edges_path), None)


def _sections(model: Model) -> list[IrSection]:
    return state_of(model).sections


NAVIGATION = OpenVinoNavigation()
