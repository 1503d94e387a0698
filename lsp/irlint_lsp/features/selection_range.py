"""textDocument/selectionRange: from a token outwards, value by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.text.base import Place, Span
from irlint_lsp.documents import VisibleRange
from irlint_lsp.shown import model_of

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(ls: Server, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
        view = await ls.recent(params.text_document.uri)
        if view is None:
            return None
        return [_around(view, position) for position in params.positions]


def _around(view: VisibleRange, position: types.Position) -> types.SelectionRange:
    document = model_of(view).document
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
