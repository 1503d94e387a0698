"""Definition, references and highlights: from a token to its target, and to all references to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import Mention, Target
from irlint.text.base import Place, Span
from irlint_lsp.documents import VisibleRange
from irlint_lsp.shown import model_of, navigation

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | None:
        view = await ls.recent(params.text_document.uri)
        place = navigation(view).defined_at(model_of(view), view.offset(params.position)) if view else None
        if view is None or place is None:
            return None
        range_ = range_of(view, place)
        return types.Location(view.uri, range_) if range_ else None

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
        view = await ls.recent(params.text_document.uri)
        target = referent(view, params.position) if view else None
        if view is None or target is None:
            return None
        with_definition = params.context.include_declaration
        found = [m for m in mentions(view, target) if with_definition or m.role == "reference"]
        return [types.Location(view.uri, r) for m in found if (r := range_of(view, m.place))]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        view = await ls.recent(params.text_document.uri)
        target = referent(view, params.position) if view else None
        if view is None or target is None:
            return None
        kinds = {"definition": types.DocumentHighlightKind.Write, "reference": types.DocumentHighlightKind.Read}
        return [
            types.DocumentHighlight(r, kinds[m.role]) for m in mentions(view, target) if (r := range_of(view, m.place))
        ]


def referent(view: VisibleRange, position: types.Position) -> Target | None:
    return navigation(view).referent(model_of(view), view.offset(position))


def mentions(view: VisibleRange, target: Target) -> Iterator[Mention]:
    return navigation(view).mentions(model_of(view), target)


def range_of(view: VisibleRange, place: Place | Span) -> types.Range | None:
    return view.range(place if isinstance(place, Span) else model_of(view).document.span(place))
