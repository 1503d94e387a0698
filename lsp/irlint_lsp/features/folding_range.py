"""textDocument/foldingRange: one fold per node that takes several lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from irlint_lsp.shown import model_of, navigation
from irlint_lsp.visible import located

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 5000


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        view = await ls.recent(params.text_document.uri)
        if view is None:
            return None
        model, nav = model_of(view), navigation(view)
        folds: dict[int, types.FoldingRange] = {}
        for _, graph, node in located(view)[:MOST]:
            range_ = view.range(nav.outline(model, graph, node))
            if range_ is not None and range_.end.line > range_.start.line:
                folds.setdefault(range_.start.line, types.FoldingRange(range_.start.line, range_.end.line))
        return list(folds.values())
