"""textDocument/foldingRange: one fold per node that spans several lines."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint_lsp.documents import VisibleRange
from irlint_lsp.paced import STEP, Work, paced
from irlint_lsp.protocol import Plain
from irlint_lsp.shown import model_of, navigation
from irlint_lsp.visible import first_nodes

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 5000


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(ls: Server, params: types.FoldingRangeParams) -> Plain | None:
        return await paced(ls, params.text_document.uri, _folds)


def _folds(view: VisibleRange) -> Work:
    model, nav = model_of(view), navigation(view)
    folds: dict[int, dict[str, int]] = {}
    spans = (nav.outline(model, graph, node) for graph, node in first_nodes(view, MOST))
    others = (*(section.whole for section in nav.sections(model)), *nav.folds(model))
    for count, span in enumerate(chain(others, spans)):
        if count % STEP == 0:
            yield
        range_ = view.plain_range(span)
        if range_ is not None and (end := range_["end"]["line"]) > (start := range_["start"]["line"]):
            folds.setdefault(start, {"startLine": start, "endLine": end})
    return list(folds.values())
