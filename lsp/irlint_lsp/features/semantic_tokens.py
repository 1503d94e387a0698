"""textDocument/semanticTokens: colors for operators, names, attributes and references."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import NodeToken
from irlint.text.base import Span
from irlint_lsp.documents import CurrentView
from irlint_lsp.paced import Work, paced
from irlint_lsp.protocol import Plain
from irlint_lsp.visible import first_nodes, located, nodes_in

if TYPE_CHECKING:
    from irlint_lsp.server import Server

TYPES = ("function", "variable", "property", "enumMember", "class")
MODIFIERS = ("definition",)
PARTS = {"op": 0, "name": 1, "id": 1, "input": 1, "output": 1, "attr_key": 2, "attr": 3, "version": 4}
MOST = 600  # nodes; of larger files editors get those of the visible range


def register(server: Server) -> None:
    legend = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
    options = types.SemanticTokensRegistrationOptions(legend, range=True, full=True)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, options)
    async def full(ls: Server, params: types.SemanticTokensParams) -> Plain | None:
        view = await ls.recent(params.text_document.uri)
        if view is None or len(located(view)) > MOST:
            return None
        return await paced(ls, params.text_document.uri, _full)

    @server.about_model(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    def some(view: CurrentView, params: types.SemanticTokensRangeParams) -> types.SemanticTokens:
        nodes = list(islice(nodes_in(view, view.span(params.range)), MOST))
        nav, model = view.navigation, view.model
        return types.SemanticTokens(
            _encoded(view, [t for graph, node in nodes for t in nav.tokens(model, graph, node)])
        )


def _full(view: CurrentView) -> Work:
    nav, model = view.navigation, view.model
    tokens: list[NodeToken] = []
    for graph, node in first_nodes(view, MOST):
        yield
        tokens += nav.tokens(model, graph, node)
    return {"data": _encoded(view, tokens)}


def _encoded(view: CurrentView, tokens: list[NodeToken]) -> list[int]:
    """Return lines and columns relative to the previous token, for single-line tokens that do not overlap."""
    data: list[int] = []
    line = column = 0
    end = -1
    for token in sorted(tokens, key=lambda t: (t.span.start, t.span.end)):
        kind = PARTS.get(token.part.partition(":")[0])
        if kind is None or token.span.start < end or token.span.end == token.span.start:
            continue
        range_ = view.plain_range(Span(*token.span))
        if range_ is None or range_["start"]["line"] != range_["end"]["line"]:
            continue
        end = token.span.end
        row, character = range_["start"]["line"], range_["start"]["character"]
        data += [row - line, character - column if row == line else character]
        data += [range_["end"]["character"] - character, kind, int(token.part in ("name", "id"))]
        line, column = row, character
    return data
