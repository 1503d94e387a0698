"""Outlines: the nodes of a file, the nodes of every open file by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from irlint.graph import Node
from irlint_lsp.documents import PlainRange, View
from irlint_lsp.paced import STEP, Work, paced
from irlint_lsp.protocol import Plain
from irlint_lsp.shown import model_of, navigation
from irlint_lsp.visible import located

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 5000
KINDS = {"var": types.SymbolKind.Variable, "const": types.SymbolKind.Constant}
MANY = 1000  # nodes from which on a symbol is selected at its start: to look up every name takes too long


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolOptions(label="irlint"))
    async def outline(ls: Server, params: types.DocumentSymbolParams) -> Plain | None:
        nested = ls.client_has("text_document", "document_symbol", "hierarchical_document_symbol_support")
        return await paced(ls, params.text_document.uri, _symbols if nested else _flat)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol] | None:
        query = params.query.casefold()
        found: list[types.WorkspaceSymbol] = []
        for uri in list(ls.documents):
            view = await ls.recent(uri)
            if view is None:
                continue
            document, nav, model = model_of(view).document, navigation(view), model_of(view)
            for _, graph, node in located(view):
                if query in node.name.casefold() or query in node.op.casefold():
                    range_ = view.range(document.span(nav.place(model, graph, node, "name") or graph.place(node)))
                    if range_ is not None:
                        found.append(
                            types.WorkspaceSymbol(
                                types.Location(uri, range_), node.name or node.op, kind(node), container_name=node.op
                            )
                        )
                if len(found) >= MOST:
                    return found
        return found


def kind(node: Node) -> types.SymbolKind:
    return KINDS.get(node.kind, types.SymbolKind.Function)


def _symbols(view: View) -> Work:
    model, nav = model_of(view), navigation(view)
    tops: list[dict[str, Any]] = []
    inside: dict[int, list[dict[str, Any]]] = {}
    nodes = located(view)
    brief = len(nodes) > MANY
    numbers, call = {word: found.value for word, found in KINDS.items()}, types.SymbolKind.Function.value
    for count, (_, graph, node) in enumerate(nodes):
        if count % STEP == 0:
            yield
        if count >= MOST:
            tops.append(_rest(len(nodes) - count, tops))
            break
        whole = view.plain_range(nav.outline(model, graph, node))
        if whole is None:
            continue
        at = None if brief else view.plain_range(model.document.span(graph.place(node, "name")))
        if at is None or not _inside(at, whole):
            at = {"start": whole["start"], "end": whole["start"]}
        symbol: dict[str, Any] = {"name": node.name or node.op, "detail": node.op, "kind": numbers.get(node.kind, call)}
        symbol.update(range=whole, selectionRange=at)
        if node.graphs:
            symbol["children"] = inside[id(node)] = []
        inside.get(id(graph.parent), tops).append(symbol)
    return tops


def _flat(view: View) -> Work:
    """The same for clients that know no symbols within symbols."""
    found = yield from _symbols(view)
    return [{"name": s["name"], "kind": s["kind"], "location": {"uri": view.uri, "range": s["range"]}} for s in found]


def _rest(count: int, shown: list[dict[str, Any]]) -> dict[str, Any]:
    end = shown[-1]["range"]["end"]
    at = {"start": end, "end": end}
    words = f"... and {count} more nodes"
    return {"name": words, "kind": types.SymbolKind.Null.value, "range": at, "selectionRange": at}


def _inside(inner: PlainRange, outer: PlainRange) -> bool:
    return _key(outer["start"]) <= _key(inner["start"]) and _key(inner["end"]) <= _key(outer["end"])


def _key(position: dict[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]
