"""How bad it is that the reader passes over an element whose name is misspelled: often it takes the file all the same."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.formats.openvino.opsets import operator_of
from irlint.formats.openvino.settle import Layers
from irlint.text.base import Path


def unread(layers: Layers, meant: str, path: Path) -> Severity | None:
    """None where the file is refused for it."""
    needed = True
    if meant == "layers":
        needed = len(path) > 1  # an empty model is read, an empty body is not
    elif meant == "layer":
        section = layers.sections.get(path[:-1])
        needed = section is None or section.lacking
    elif (found := layers.find(path)) is not None:
        section, index = found
        layer, node = section.layers[index], section.graph.nodes[index]
        if meant == "data":
            operator = operator_of(node.op, node.version or "")
            needed = (
                node.kind != "call"
                or operator is None
                or any("absent" in attribute.facts for attribute in operator.attributes.values())
            )
        elif meant in ("input", "output", "port"):
            ends = (section.edges[edge] for edge, _ in section.dangling)
            needed = any(layer.id in (edge.from_layer, edge.to_layer) for edge in ends)
    return None if needed else Severity.WARNING
