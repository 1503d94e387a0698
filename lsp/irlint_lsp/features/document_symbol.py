"""Outlines: the nodes of a file, the nodes of every open file by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.graph import Node
from irlint_lsp.documents import View
from irlint_lsp.shown import model_of, navigation
from irlint_lsp.visible import located

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 5000


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolOptions(label="irlint"))
    async def outline(
        ls: Server, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        view = await ls.recent(params.text_document.uri)
        if view is None:
            return None
        nested = ls.client_has("text_document", "document_symbol", "hierarchical_document_symbol_support")
        symbols = _symbols(view)
        if nested:
            return symbols
        return [types.SymbolInformation(types.Location(view.uri, s.range), s.name, s.kind) for s in symbols]

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
    kinds = {"var": types.SymbolKind.Variable, "const": types.SymbolKind.Constant}
    return kinds.get(node.kind, types.SymbolKind.Function)


def _symbols(view: View) -> list[types.DocumentSymbol]:
    model, nav = model_of(view), navigation(view)
    tops: list[types.DocumentSymbol] = []
    inside: dict[int, list[types.DocumentSymbol]] = {}
    nodes = located(view)
    for count, (_, graph, node) in enumerate(nodes):
        if count >= MOST:
            tops.append(_rest(len(nodes) - count, tops))
            break
        whole = view.range(nav.outline(model, graph, node))
        at = view.range(model.document.span(graph.place(node, "name")))
        if whole is None:
            continue
        if at is None or not _inside(at, whole):
            at = types.Range(whole.start, whole.start)
        children = inside[id(node)] = []
        symbol = types.DocumentSymbol(node.name or node.op, kind(node), whole, at, detail=node.op, children=children)
        inside.get(id(graph.parent), tops).append(symbol)
    return tops


def _rest(count: int, shown: list[types.DocumentSymbol]) -> types.DocumentSymbol:
    at = types.Range(shown[-1].range.end, shown[-1].range.end)
    return types.DocumentSymbol(f"... and {count} more nodes", types.SymbolKind.Null, at, at)


def _inside(inner: types.Range, outer: types.Range) -> bool:
    return _key(outer.start) <= _key(inner.start) and _key(inner.end) <= _key(outer.end)


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
