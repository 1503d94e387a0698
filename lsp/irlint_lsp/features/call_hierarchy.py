"""Call hierarchy: incoming calls are the users of a node, outgoing calls its inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from irlint.formats.navigation import Target, consumers
from irlint.graph import Graph, Node
from irlint.text.base import Place
from irlint_lsp.documents import CurrentView
from irlint_lsp.features.document_symbol import kind
from irlint_lsp.features.navigation import referent

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    @server.about_model(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare(view: CurrentView, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
        found: Target | tuple[Graph, Node] | None = referent(view, params.position)
        if found is None:
            found = view.navigation.node_at(view.model, view.offset(params.position))
        item = _item(view, *found[:2]) if found else None
        return [item] if item else None

    @server.about_model(types.CALL_HIERARCHY_INCOMING_CALLS)
    def incoming(view: CurrentView, params: types.CallHierarchyIncomingCallsParams) -> list[Any] | None:
        target = _target(view, params.item)
        if target is None:
            return None
        graph, node = target.graph, target.node
        calls = []
        for user in sorted(set(consumers(view.model, graph)[node.index])):
            reader = graph.nodes[user]
            at = [k for k, source in enumerate(reader.inputs) if source[0] == node.index]
            if item := _item(view, graph, reader):
                calls.append(types.CallHierarchyIncomingCall(item, _ranges(view, graph, reader, at)))
        return calls

    @server.about_model(types.CALL_HIERARCHY_OUTGOING_CALLS)
    def outgoing(view: CurrentView, params: types.CallHierarchyOutgoingCallsParams) -> list[Any] | None:
        target = _target(view, params.item)
        if target is None:
            return None
        graph, node = target.graph, target.node
        reads: dict[int, list[int]] = {}
        for k, source in enumerate(node.inputs):
            if source[0] >= 0:
                reads.setdefault(source[0], []).append(k)
        return [
            types.CallHierarchyOutgoingCall(item, _ranges(view, graph, node, at))
            for maker, at in reads.items()
            if (item := _item(view, graph, graph.nodes[maker]))
        ]


def _item(view: CurrentView, graph: Graph, node: Node) -> types.CallHierarchyItem | None:
    model, nav = view.model, view.navigation
    whole = view.range(nav.outline(model, graph, node))
    at = view.range(model.document.span(nav.definition(model, Target(graph, node))))
    if whole is None or at is None:
        return None
    data = {"path": list(node.path), "name": node.name}
    return types.CallHierarchyItem(node.name or node.op, kind(node), view.uri, whole, at, detail=node.op, data=data)


def _target(view: CurrentView, item: types.CallHierarchyItem) -> Target | None:
    """Return the node of an item by its path, which may belong to another node after an edit."""
    data = item.data if isinstance(item.data, dict) else {}
    path = data.get("path")
    if not isinstance(path, list):
        return None
    for graph in view.navigation.graphs(view.model):
        for node in graph.nodes:
            if list(node.path) == path and node.name == data.get("name"):
                return Target(graph, node)
    return None


def _ranges(view: CurrentView, graph: Graph, reader: Node, inputs: list[int]) -> list[types.Range]:
    span = view.model.document.span
    places: list[Place] = [graph.place(reader, f"input:{k}") for k in inputs]
    return [r for place in places if (r := view.range(span(place)))]
