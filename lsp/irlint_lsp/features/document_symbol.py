"""Outlines: the nodes of a file, and the nodes of all open files by name."""

from __future__ import annotations

import json
from functools import partial
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from irlint.graph import Graph, Node
from irlint.text.base import Span
from irlint_lsp.documents import CurrentView
from irlint_lsp.paced import Work, paced
from irlint_lsp.protocol import Plain, Written
from irlint_lsp.visible import first_nodes, located

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 5000
KINDS = {"var": types.SymbolKind.Variable, "const": types.SymbolKind.Constant}
_SECTION = types.SymbolKind.Namespace.value
MANY = 1000  # nodes from which on a symbol is selected at its start: to look up every name takes too long


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, types.DocumentSymbolOptions(label="irlint"))
    async def outline(ls: Server, params: types.DocumentSymbolParams) -> Plain | Written | None:
        nested = ls.client_has("text_document", "document_symbol", "hierarchical_document_symbol_support")
        return await paced(ls, params.text_document.uri, _symbols if nested else _flat)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace(ls: Server, params: types.WorkspaceSymbolParams) -> Plain:
        query = params.query.casefold()
        found: list[dict[str, Any]] = []
        for uri in list(ls.documents):
            of_one = await paced(ls, uri, partial(_named, query=query, most=MOST - len(found)))
            if isinstance(of_one, Plain):
                found += of_one.value
        return Plain(found)


def _named(view: CurrentView, query: str, most: int) -> Work:
    """Return nodes of one document whose names contain a word."""
    found: list[dict[str, Any]] = []
    document, nav, model = view.model.document, view.navigation, view.model
    for graph, node in first_nodes(view, len(located(view))):
        yield
        if len(found) >= most:
            break
        if query not in node.name.casefold() and query not in node.op.casefold():
            continue
        range_ = view.plain_range(document.span(nav.place(model, graph, node, "name") or graph.place(node)))
        if range_ is not None:
            location = {"uri": view.uri, "range": range_}
            symbol = {"location": location, "name": node.name or node.op, "kind": kind(node).value}
            found.append({**symbol, "containerName": node.op})
    return found


def kind(node: Node) -> types.SymbolKind:
    return KINDS.get(node.kind, types.SymbolKind.Function)


class _Symbol:
    """A symbol as JSON text, without its children."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.children: list[str | _Symbol] = []


def _symbols(view: CurrentView) -> Work:
    model, nav = view.model, view.navigation
    sections = _sections(view)
    tops: list[str | _Symbol] = [*sections.values()]
    # by id() of a node with graphs, or of a graph that has a symbol itself
    inside = {graph: symbol.children for graph, symbol in sections.items()}
    nodes = located(view)
    brief = len(nodes) > MANY
    kinds = {word: found.value for word, found in KINDS.items()}
    call, ops = types.SymbolKind.Function.value, dict[tuple[str, str], str]()
    span = Span(0, 0)
    for graph, node in first_nodes(view, MOST):
        yield
        span = nav.outline(model, graph, node)
        whole = view.written_range(span)
        if whole is None:
            continue
        if brief or (at := _name(view, graph, node, span)) is None:
            start, _, _ = whole.partition(',"end"')
            at = f'{start},"end"{start[8:]}}}'
        op = ops.get((node.op, node.kind))
        if op is None:
            detail = f'"detail":{quoted(node.op)},"kind":{kinds.get(node.kind, call)},"range":'
            op = ops[node.op, node.kind] = detail
        text = f'{{"name":{quoted(node.name or node.op)},{op}{whole},"selectionRange":{at}'
        symbol = _Symbol(text) if node.graphs else f"{text}}}"
        if isinstance(symbol, _Symbol):
            inside[id(node)] = symbol.children
        inside.get(id(graph.parent or graph), tops).append(symbol)
    if len(nodes) > MOST:
        tops.append(_rest(view, len(nodes) - MOST, span))
    return Written(_list(tops))


def _sections(view: CurrentView) -> dict[int, _Symbol]:
    """Return the symbols of graphs that have some themselves, by id()."""
    found = {}
    for section in view.navigation.sections(view.model):
        whole, at = view.written_range(section.whole), view.written_range(section.at)
        if whole is not None and at is not None:
            named = f'{{"name":{quoted(section.name)},"detail":{quoted(section.detail)}'
            found[id(section.graph)] = _Symbol(f'{named},"kind":{_SECTION},"range":{whole},"selectionRange":{at}')
    return found


def _name(view: CurrentView, graph: Graph, node: Node, whole: Span) -> str | None:
    """Return the span of a node's name."""
    span = view.model.document.span(graph.place(node, "name"))
    return view.written_range(span) if whole.start <= span.start and span.end <= whole.end else None


def _list(symbols: list[str | _Symbol]) -> str:
    """Return symbols as JSON text, at any depth."""
    pieces: list[str] = ["["]
    waiting: list[tuple[list[str | _Symbol], int]] = [(symbols, 0)]
    while waiting:
        here, at = waiting.pop()
        if at == len(here):
            pieces.append("]}" if waiting else "]")
            continue
        waiting.append((here, at + 1))
        symbol = here[at]
        comma = "," if at else ""
        if isinstance(symbol, str):
            pieces += [comma, symbol]
        else:
            pieces += [comma, symbol.text, ',"children":[']
            waiting.append((symbol.children, 0))
    return "".join(pieces)


def _flat(view: CurrentView) -> Work:
    """Return flat symbols for clients that do not support nested ones."""
    found = json.loads((yield from _symbols(view)).text)
    return [{"name": s["name"], "kind": s["kind"], "location": {"uri": view.uri, "range": s["range"]}} for s in found]


def _rest(view: CurrentView, count: int, last: Span) -> str:
    at = view.written_range(Span(last.end, last.end)) or view.written_range(Span(0, 0))
    words = f"... and {count} more nodes"
    return f'{{"name":"{words}","kind":{types.SymbolKind.Null.value},"range":{at},"selectionRange":{at}}}'
