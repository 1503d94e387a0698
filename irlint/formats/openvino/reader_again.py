"""Read the graph again after an edit that changed only a few layers."""

from __future__ import annotations

from bisect import bisect_left

from irlint.formats.openvino.layers import Layer, LayerPorts, layer_of
from irlint.formats.openvino.locate import LayerLocator
from irlint.formats.openvino.reader import BODIES, ReadSections, Section, child_of, node_of
from irlint.graph import Graph
from irlint.rules.pass_cache import PassCache
from irlint.text.base import Path
from irlint.text.xml_tree import Element

# what of a section is the same where its layers are connected alike
_CARRIED = {"unfed", "lacking", "edge_into", "edges_into", "named", "read_outputs", "readers", "results"}
_ROLES = ("Result", "Parameter", "Input", "Const", "Assign")  # which types matter to what the reader reaches


def read_again(root: Element, locate: LayerLocator, before: ReadSections, memory: PassCache) -> ReadSections | None:
    """Return what a full read would return; None if edges, ids or ports changed, or if there are bodies."""
    if len(before.sections) > 1:
        return None
    old = before.sections[0]
    layers_path, parent = _same_child(root, "layers", old.layers_path)
    edges_path, edges = _same_child(root, "edges", old.edges_path)
    if parent is None or edges is None or old.edges_element is None or old.layers_element is None:
        return None
    indices = memory.changed(old.layers_element.children, parent.children)
    if (
        indices is None
        or len(parent.children) != len(before.nodes)  # something else stands between the layers
        or memory.changed(old.edges_element.children, edges.children) != []
    ):
        return None
    layers, nodes = old.layers.copy(), before.nodes.copy()
    for i in indices:
        child = parent.children[i]
        if isinstance(child, Element):
            if child.tag != "layer" or any(inner.tag in BODIES for inner in child.elements()):
                return None
            layer = layer_of(child)
        else:
            layer = child  # type: ignore[assignment]
        if not _is_connected_alike(layers[i], layer):
            return None
        layers[i] = layer
        nodes[i] = node_of(layer, i, (*layers_path, i), nodes[i].inputs)
    graph = Graph(
        nodes,
        before.inputs.copy(),
        before.outputs.copy(),
        root.get("name") or "",
        locate,
        ordered=False,
        forward=old.graph.forward,
    )
    section = Section(
        (),
        graph,
        root,
        layers,
        old.by_id,
        old.edges,
        layers_path,
        edges_path,
        parent,
        edges,
        old.edge_steps,
        old.double,
        old.dangling,
        old.twice,
        old.read,
        old.live.copy(),
    )
    for name in _CARRIED & old.__dict__.keys():
        setattr(section, name, getattr(old, name))
    if "kinds" in old.__dict__:
        section.kinds = _kinds_again(old.kinds, indices)
    if "irregular" in old.__dict__:
        irregular = [i for i in indices if layers[i].element is not None]
        section.irregular = sorted({*old.irregular}.difference(indices).union(irregular))
    return ReadSections([section], nodes, graph.inputs, graph.outputs)


def with_nodes_of(before: ReadSections, found: ReadSections, memory: PassCache) -> ReadSections:
    """Return what has been read, reusing earlier nodes that are equal."""
    old, new = before.sections[0], found.sections[0]
    indices = memory.changed(old.layers, new.layers) if len(before.sections) == len(found.sections) == 1 else None
    if indices is None:
        return found
    nodes, others = new.graph.nodes, set(indices)
    for k, node in enumerate(before.nodes):
        if k not in others and node.inputs == nodes[k].inputs and node.path == nodes[k].path:
            nodes[k] = node
    if "kinds" in old.__dict__:
        new.kinds = _kinds_again(old.kinds, indices)
    return found


def _kinds_again(kinds: list[list[int]], indices: list[int]) -> list[list[int]]:
    """Return groups of equal nodes; each changed node becomes a group of its own."""
    found = []
    for members in kinds:
        gone = [i for i in indices if members[(at := bisect_left(members, i)) : at + 1] == [i]]
        kept = [k for k in members if k not in gone] if gone else members
        if kept:
            found.append(kept)
    return [*found, *[[i] for i in indices]]


def _same_child(root: Element, tag: str, path: Path) -> tuple[Path, Element | None]:
    found, child = child_of(root, tag, ())
    return found, child if found == path else None


def _is_connected_alike(old: Layer, new: Layer) -> bool:
    """Return whether the edges of a layer and the layers that the reader reaches are unchanged."""
    return (
        old.id == new.id
        and _same_ports(old.inputs, new.inputs)
        and _same_ports(old.outputs, new.outputs)
        and (old.type == new.type or not (old.type in _ROLES or new.type in _ROLES))
    )


def _same_ports(old: LayerPorts, new: LayerPorts) -> bool:
    return old is new or (len(old) == len(new) and old.index == new.index)
