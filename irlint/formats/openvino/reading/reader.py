"""Build the graph of a file: layers become nodes, edges their sources, bodies nested graphs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, partial
from operator import or_
from typing import Any

from irlint.formats.openvino.reading.layers import IrEdge, IrLayer, edge_of, layer_of
from irlint.formats.openvino.reading.locate import LayerLocator
from irlint.formats.openvino.reading.opsets import exact_type
from irlint.graph import NOWHERE, Graph, Node, Source, Value
from irlint.records import dataclass, field
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

LOOPS = ("If", "Loop", "TensorIterator")  # types of layers with bodies
VARIABLES = ("ReadValue", "Assign")
# Types of operations with inputs that the table calls "constant": the CPU plug-in cannot take computed ones.
COMPUTED = (
    "Unsqueeze", "ReduceLogicalAnd", "ReduceLogicalOr", "Gather", "RDFT", "IRDFT", "Slice", "Convolution",
    "GroupConvolution", "ConvolutionBackpropData", "GroupConvolutionBackpropData",
)  # fmt: skip
BODIES = ("then_body", "else_body", "body")
_source = partial(tuple.__new__, Source)  # the same as Source(*given), in half the time
_KINDS = {"Parameter": "var", "Const": "const", "Input": "var"}  # Input: as versions 1 to 7 have it


@dataclass
class IrSection:
    """The net or a body of If, Loop or TensorIterator: its graph, and what the reader knows about it."""

    path: Path
    graph: Graph
    element: Element
    layers: list[IrLayer] = field(default_factory=list)
    by_id: dict[str | None, int] = field(
        default_factory=dict
    )  # OpenVINO 2026.4.1: of several layers of one id the last
    edges: list[IrEdge] = field(default_factory=list)
    layers_path: Path = ()
    edges_path: Path = ()
    layers_element: Element | None = None
    edges_element: Element | None = None
    edge_steps: list[int] | None = None  # where edges are among the children of <edges>, if not at 0, 1, 2, ...
    double: list[tuple[int, int]] = field(default_factory=list)  # (node, node) of one id
    dangling: list[tuple[int, str]] = field(default_factory=list)  # (edge, which of its attributes names nothing)
    twice: list[tuple[int, int, int]] = field(default_factory=list)  # (edge, node, input) of an input that has an edge
    read: bytearray = field(default_factory=bytearray)  # per node: whether it feeds an input
    # per node: OpenVINO 2026.4.1 looks only at what a Result, Assign or Parameter is reached from
    live: bytearray = field(default_factory=bytearray)
    lost: set[str | None] = field(default_factory=set)  # numbers by which layers are called that now have another
    starved: set[int] = field(default_factory=set)  # nodes that lack an input for an edge of which an error speaks
    mapped: set[tuple[int, int]] = field(default_factory=set)  # (node, input) that a port map feeds, before IR 10
    torn: bool = False  # edges are missing or undefined, so that unreachable layers mean nothing

    @cached_property
    def proven(self) -> dict[Any, str | None]:
        """Cached values of missing attributes, by everything that they depend on."""
        return {}

    @cached_property
    def unfed(self) -> list[int]:
        """Nodes with an unconnected input."""
        found = [node.index for node in self.graph.nodes if NOWHERE in node.inputs]
        return [index for index in found if self.unfed_places(index)] if self.mapped else found

    def unfed_places(self, index: int) -> list[int]:
        """Return the positions of a node's unconnected inputs."""
        inputs = self.graph.nodes[index].inputs
        return [k for k, source in enumerate(inputs) if source is NOWHERE and (index, k) not in self.mapped]

    @property
    def tangled(self) -> bool:
        """Whether there is any problem with edges or layer ids."""
        return bool(self.double or self.dangling or self.twice or self.unfed or self.edges_path == self.path)

    @cached_property
    def lacking(self) -> bool:
        """Whether a reachable layer has an unconnected input."""
        return any(self.live[index] for index in self.unfed)

    @cached_property
    def kinds(self) -> list[list[int]]:
        """Nodes grouped by equal type, version, attributes (except those of constants) and ports."""
        found: defaultdict[tuple[str, str, int, int, int], list[int]] = defaultdict(list)
        for k, (_, _, _, type_, version, data, inputs, outputs, *_) in enumerate(self.layers):
            found[type_, version, 0 if type_ == "Const" else id(data), id(inputs), id(outputs)].append(k)
        return list(found.values())

    @cached_property
    def irregular(self) -> list[int]:
        """Nodes of layers with an irregular layout."""
        return [k for k, layer in enumerate(self.layers) if layer.element is not None]

    @cached_property
    def types(self) -> set[str]:
        """The types of all layers."""
        return {self.layers[members[0]].type for members in self.kinds}

    @cached_property
    def edge_into(self) -> dict[tuple[str | None, str | None], int]:
        """The first edge into each layer and port, by their ids."""
        found: dict[tuple[str | None, str | None], int] = {}
        for k, edge in enumerate(self.edges):
            found.setdefault((edge.to_layer, edge.to_port), k)
        return found

    @cached_property
    def edges_into(self) -> dict[str | None, list[int]]:
        """The edges into each layer, by its id."""
        found: dict[str | None, list[int]] = {}
        for k, edge in enumerate(self.edges):
            found.setdefault(edge.to_layer, []).append(k)
        return found

    @cached_property
    def constants(self) -> dict[Any, list[int]]:
        """Constants by the offset of their bytes."""
        found: dict[Any, list[int]] = {}
        for node in self.graph.nodes:
            if node.kind == "const":
                found.setdefault(node.attrs.get("offset"), []).append(node.index)
        return found

    @cached_property
    def named(self) -> set[str | None]:
        """The layer ids that edges use."""
        return {edge.from_layer for edge in self.edges} | {edge.to_layer for edge in self.edges}

    @cached_property
    def readers(self) -> list[list[int]]:
        """The consumers of each node."""
        return self.graph.consumers()

    @cached_property
    def results(self) -> set[tuple[int, int]]:
        """Outputs that a Result uses, as (node, output)."""
        return {tuple(n.inputs[0]) for n in self.graph.nodes if n.op == "Result" and n.inputs}  # type: ignore[misc]

    @cached_property
    def read_outputs(self) -> set[tuple[int, int]]:
        """Outputs that any input uses, as (node, output)."""
        return {tuple(source) for node in self.graph.nodes for source in node.inputs}  # type: ignore[misc]

    @property
    def pairs(self) -> zip[tuple[Node, IrLayer]]:
        """Each node with its layer."""
        return zip(self.graph.nodes, self.layers, strict=True)

    @cached_property
    def shadowed(self) -> set[int]:
        """Nodes whose id another one takes over."""
        return {first for first, _ in self.double}

    @property
    def next_id(self) -> str:
        """The next id that no layer has."""
        return str(max((int(number) for number in self.by_id if number is not None), default=0) + 1)

    def is_in_step(self, index: int, number: str | None) -> bool | None:
        """Return whether an id is between those of a layer's neighbors, as writers count; None if theirs are not ascending."""
        before = int(self.layers[index - 1].id or -1) if index else -1
        after = int(self.layers[index + 1].id or -1) if index + 1 < len(self.layers) else None
        if after is not None and not before < after:
            return None
        own = int(number or -1)
        return before < own and (after is None or own < after)

    def ends(self, edge: IrEdge) -> tuple[int | None, int | None]:
        """Return the nodes at the start and at the end of an edge."""
        return self.by_id.get(edge.from_layer), self.by_id.get(edge.to_layer)

    def edge_step(self, index: int) -> int:
        return self.edge_steps[index] if self.edge_steps else index

    def edge_number(self, step: int) -> int | None:
        """Return the edge at a position among the children of <edges>."""
        if self.edge_steps is None:
            return step
        return self.edge_steps.index(step) if step in self.edge_steps else None

    def edge_path(self, index: int) -> Path:
        return (*self.edges_path, self.edge_step(index))

    def edge_place(self, index: int, part: str = "tag") -> Place:
        return Place(self.edge_path(index), part)

    def edge_at(self, index: int, place: int) -> int | None:
        """Return the first edge into an input of a node."""
        return self.edge_into.get((self.layers[index].id, self.layers[index].inputs.ports[place].id))

    def edge_offset(self, index: int) -> int:
        assert self.edges_element is not None
        return self.edges_element.offset_of(self.edge_step(index))


def read(document: XmlDocument) -> list[IrSection]:
    """Return the net and every body in it, outermost first."""
    return [] if document.root is None else _read(document.root, LayerLocator(document))


def _read(root: Element, locate: LayerLocator) -> list[IrSection]:
    sections = [_section(root, (), None, locate)]
    for section in sections:  # grows while it is walked
        for index, layer in enumerate(section.layers):
            if layer.element is None or exact_type(layer.type) not in (None, *LOOPS):
                continue  # OpenVINO 2026.4.1 does not look at bodies of other types
            node = section.graph.nodes[index]
            graphs = []
            for k, child in layer.element.steps(*BODIES):
                inner = _section(child, (*node.path, k), node, locate)
                sections.append(inner)
                graphs.append(inner.graph)
            node.graphs = tuple(graphs)
    return sections


def _section(element: Element, path: Path, parent: Node | None, locate: LayerLocator) -> IrSection:
    graph = Graph(locate=locate, ordered=False, parent=parent, name=element.get("name") or "")
    section = IrSection(path, graph, element)
    _read_layers(section)
    _read_edges(section)
    _connect(section)
    section.live = _live(section, _starts(section))
    return section


def _part(section: IrSection, tag: str) -> tuple[Path, Element | None]:
    """Return the first child of that tag with its path; the path of the section if there is none."""
    for k, child in section.element.steps(tag):
        return (*section.path, k), child
    return section.path, None


def _read_layers(section: IrSection) -> None:
    section.layers_path, parent = _part(section, "layers")
    section.layers_element = parent
    if parent is None:
        return
    nodes, layers, by_id, path = section.graph.nodes, section.layers, section.by_id, section.layers_path
    for step, child in enumerate(parent.children):
        if isinstance(child, Element):
            if child.tag != "layer":
                continue
            layer = layer_of(child)
        else:
            layer = child  # type: ignore[assignment]
        index = len(nodes)
        nodes.append(node_of(layer, index, (*path, step), [NOWHERE] * len(layer.inputs.ports)))
        layers.append(layer)
        if layer.id is not None:
            if layer.id in by_id:
                section.double.append((by_id[layer.id], index))
            by_id[layer.id] = index


def node_of(layer: IrLayer, index: int, path: Path, inputs: Sequence[Source]) -> Node:
    _, _, name, type_, version, data, _, ports, names, _, _, _ = layer
    outputs = ports.values
    if names is not None:
        outputs = tuple([Value(n, v.type) for n, v in zip(names, outputs, strict=True)])
    return Node(index, name, type_, path, inputs, outputs, data, _KINDS.get(type_, "call"), version)


def _read_edges(section: IrSection) -> None:
    section.edges_path, parent = _part(section, "edges")
    section.edges_element = parent
    if parent is None:
        return
    children = parent.children
    if not any(isinstance(child, Element) for child in children):
        section.edges = children  # type: ignore[assignment]
        return
    steps = [k for k, child in enumerate(children) if not isinstance(child, Element) or child.tag == "edge"]
    section.edge_steps = steps
    section.edges = [edge_of(c) if isinstance(c := children[k], Element) else c for k in steps]  # type: ignore[misc]


def _connect(section: IrSection) -> None:
    """Set the sources of every node, and record dangling edges and second edges into an input."""
    nodes, layers, find = section.graph.nodes, section.layers, section.by_id.get
    read = section.read = bytearray(len(nodes))
    forward = True
    for k, (_, from_layer, from_port, to_layer, to_port) in enumerate(section.edges):
        user = find(to_layer)
        maker = find(from_layer)
        if user is None or maker is None:
            section.dangling += _undefined(k, ("to-layer", to_layer, user), ("from-layer", from_layer, maker))
            continue
        place = layers[user].inputs.index.get(to_port)
        output = layers[maker].outputs.index.get(from_port)
        if place is None or output is None:
            section.dangling += _undefined(k, ("to-port", to_port, place), ("from-port", from_port, output))
            continue
        inputs = nodes[user].inputs
        if inputs[place] is not NOWHERE:
            section.twice.append((k, user, place))
            continue
        inputs[place] = _source((maker, output))  # type: ignore[index]
        read[maker] = 1
        if maker >= user:
            forward = False
    section.graph.forward = forward


def _undefined(edge: int, *ends: tuple[str, str | None, int | None]) -> list[tuple[int, str]]:
    """Return the attributes of an edge whose ids name nothing; ids that cannot be read have another problem."""
    return [(edge, attribute) for attribute, number, found in ends if found is None and number is not None]


def _starts(section: IrSection) -> list[int]:
    """Set the inputs and outputs of the graph; return the nodes from which the loader looks for layers backwards. A Result
    whose id another layer takes over does not count."""
    starts = []
    graph = section.graph
    for node in graph.nodes:
        if node.kind == "var":
            graph.inputs.append(node.index)
        elif node.index in section.shadowed:
            continue
        elif node.op == "Result":
            graph.outputs.append(node.inputs[0] if node.inputs else NOWHERE)
            starts.append(node.index)
        elif node.op == "Assign":
            starts.append(node.index)
    return starts


def _live(section: IrSection, starts: list[int]) -> bytearray:
    """Return for each node whether the loader reaches it from Result, Assign or Parameter."""
    nodes, inputs, live = section.graph.nodes, section.graph.inputs, bytearray(len(section.graph.nodes))
    for k in inputs:
        live[k] = nodes[k].op == "Parameter"
    stack = [*starts]
    for k in stack:
        live[k] = 1
    if section.graph.forward and not any(nodes[k].inputs for k in inputs) and all(map(or_, section.read, live)):
        return bytearray(b"\1") * len(nodes)  # as whatever reads a node is reached itself
    loose = _loose(section)
    while stack:
        at = stack.pop()
        for maker in (*[maker for maker, _ in nodes[at].inputs if maker >= 0], *loose.get(at, ())):
            if not live[maker]:
                live[maker] = 1
                stack.append(maker)
    return live


def _loose(section: IrSection) -> dict[int, list[int]]:
    """Return producers by consumer for edges that feed no input: the loader follows them before it checks ports."""
    found: dict[int, list[int]] = {}
    for k in {k for k, _ in section.dangling} | {k for k, _, _ in section.twice}:
        maker, user = section.ends(section.edges[k])
        if user is not None and maker is not None:
            found.setdefault(user, []).append(maker)
    return found
