"""textDocument/semanticTokens: operators, names, attributes and references, told apart by colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import Token
from irlint.text.base import Span
from irlint_lsp.documents import View
from irlint_lsp.shown import model_of, navigation
from irlint_lsp.visible import located, nodes_in

if TYPE_CHECKING:
    from irlint_lsp.server import Server

TYPES = ("function", "variable", "property", "enumMember", "class")
MODIFIERS = ("definition",)
PARTS = {"op": 0, "name": 1, "id": 1, "input": 1, "output": 1, "attr_key": 2, "attr": 3, "version": 4}
MOST = 4000  # nodes in an answer for a whole file; editors ask for the visible range as well


def register(server: Server) -> None:
    legend = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
    options = types.SemanticTokensRegistrationOptions(legend, range=True, full=True)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, options)
    async def full(ls: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        view = await ls.recent(params.text_document.uri)
        if view is None:
            return None
        return types.SemanticTokens(_encoded(view, _tokens(view, located(view)[:MOST])))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    async def some(ls: Server, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
        view = await ls.recent(params.text_document.uri)
        if view is None:
            return None
        found = ((0, *pair) for pair in nodes_in(view, view.span(params.range)))
        return types.SemanticTokens(_encoded(view, _tokens(view, found)))


def _tokens(view: View, nodes: Iterable[tuple]) -> list[Token]:  # type: ignore[type-arg]
    nav, model = navigation(view), model_of(view)
    return [token for _, graph, node in nodes for token in nav.tokens(model, graph, node)]


def _encoded(view: View, tokens: list[Token]) -> list[int]:
    """Lines and columns relative to the token before; tokens of one line, none inside another."""
    data: list[int] = []
    line = column = 0
    end = -1
    for token in sorted(tokens, key=lambda t: (t.span.start, t.span.end)):
        kind = PARTS.get(token.part.partition(":")[0])
        if kind is None or token.span.start < end or token.span.end == token.span.start:
            continue
        range_ = view.range(Span(*token.span))
        if range_ is None or range_.start.line != range_.end.line:
            continue
        end = token.span.end
        start = range_.start
        if start.line != line:
            data += [start.line - line, start.character]
        else:
            data += [0, start.character - column]
        data += [range_.end.character - start.character, kind, int(token.part in ("name", "id"))]
        line, column = start.line, start.character
    return data
