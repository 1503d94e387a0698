"""What is kept of an IR beside its graph, and which layer or edge of it a place is in."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from irlint.graph import Graph, Node
from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Model
from irlint.text.base import Path, Step

if TYPE_CHECKING:
    from irlint.formats.openvino.passes.constant_inputs import NodeInput
    from irlint.formats.openvino.reading.binfile import BinFile
    from irlint.formats.openvino.reading.extensions import Extensions
    from irlint.formats.openvino.reading.layers import IrEdge, IrLayer
    from irlint.formats.openvino.reading.reader import IrSection
    from irlint.targets.kernels import AskedNode


class StructureProblems:
    """The layers that problems of structure are about, and the edges, as far as they can be read."""

    def __init__(self) -> None:
        self.layers: set[int] = set()
        self.edges: list[IrEdge] = []
        self.strangers = 0  # what was meant for a layer


@dataclass(slots=True)
class OpenVinoState:
    sections: list[IrSection] = field(default_factory=list)  # the net, then its bodies; none: there is nothing to check
    marks: dict[int, StructureProblems] = field(default_factory=dict)  # by id() of a section
    extensions: Extensions | None = None
    computed: list[NodeInput] = field(default_factory=list)  # inputs that must be constant and depend on a Parameter
    weights: BinFile | None = None
    asked: list[AskedNode] | None = None  # layers of which tables of kernels may speak, where a target was asked for


def state_of(model: Model) -> OpenVinoState:
    found: OpenVinoState = model.state
    return found


class LayerAt(NamedTuple):
    """A layer, by its section and its index in it."""

    section: IrSection
    index: int  # type: ignore[assignment]  # it is never subscripted

    @property
    def graph(self) -> Graph:
        return self.section.graph

    @property
    def node(self) -> Node:
        return self.section.graph.nodes[self.index]

    @property
    def layer(self) -> IrLayer:
        return self.section.layers[self.index]

    @property
    def key(self) -> tuple[int, int]:
        return id(self.section), self.index


class LayerIndex:
    """An index from paths in the document to layers."""

    def __init__(self, sections: list[IrSection]) -> None:
        self.sections = {section.layers_path: section for section in sections if section.layers}
        self.edges = {section.edges_path: section for section in sections if section.edges_path != section.path}

    def edge(self, path: Path) -> Path | None:
        """Return the path of the edge that contains a path, or of the element in its place."""
        return next((path[: k + 1] for k in range(len(path) - 1, 0, -1) if path[:k] in self.edges), None)

    def find(self, path: Path) -> LayerAt | None:
        """Return the innermost layer that contains a path."""
        for depth in range(len(path) - 1, 0, -1):
            section = self.sections.get(path[:depth])
            index = None if section is None else _index(section, path[depth])
            if section is not None and index is not None:
                return LayerAt(section, index)
        return None

    def around(self, path: Path) -> list[LayerAt]:
        """Return the layers that contain a path, innermost first."""
        found: list[LayerAt] = []
        while (at := self.find(path)) is not None:
            found.append(at)
            path = at.section.path
        return found


def _index(section: IrSection, step: Step) -> int | None:
    nodes = section.graph.nodes
    k = bisect_left(nodes, int(step), key=lambda node: int(node.path[-1]))
    return k if k < len(nodes) and nodes[k].path[-1] == step else None
