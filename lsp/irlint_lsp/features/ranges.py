"""Ranges of the text: one fold per node that spans several lines, and selections from a token outwards, value by value."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.text.base import Place, Span
from irlint_lsp.documents import CurrentView
from irlint_lsp.paced import Work, paced
from irlint_lsp.protocol import Plain, Written
from irlint_lsp.visible import first_nodes

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 5000  # nodes that are folded


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(ls: Server, params: types.FoldingRangeParams) -> Plain | Written | None:
        return await paced(ls, params.text_document.uri, _folds)

    @server.about_model(types.TEXT_DOCUMENT_SELECTION_RANGE)
    def selection(view: CurrentView, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        return [_around(view, position) for position in params.positions]


def _folds(view: CurrentView) -> Work:
    model, nav = view.model, view.navigation
    folds: dict[int, dict[str, int]] = {}
    spans = (nav.outline(model, graph, node) for graph, node in first_nodes(view, MOST))
    others = (*(section.whole for section in nav.sections(model)), *nav.folds(model))
    for span in chain(others, spans):
        yield
        range_ = view.plain_range(span)
        if range_ is not None and (end := range_["end"]["line"]) > (start := range_["start"]["line"]):
            folds.setdefault(start, {"startLine": start, "endLine": end})
    return list(folds.values())


def _around(view: CurrentView, position: types.Position) -> types.SelectionRange:
    document = view.model.document
    offset = view.offset(position)
    place = document.place_at(offset)
    spans = [document.span(place)]
    for size in range(len(place.path), -1, -1):
        path = place.path[:size]
        parts = ("value", "member") if document.syntax == "json" else ("tag", "element")
        spans += [document.span(Place(path, part)) for part in parts]
    spans.append(Span(0, len(document.text)))
    kept = [Span(offset, offset)]
    for span in spans:
        if span.start <= kept[-1].start and kept[-1].end <= span.end and span != kept[-1]:
            kept.append(span)
    result: types.SelectionRange | None = None
    for span in reversed(kept[1:]):
        range_ = view.range(span)
        if range_ is not None:
            result = types.SelectionRange(range_, result)
    return result or types.SelectionRange(types.Range(position, position))
