"""Definition, references and highlights: from a token to its target, and to all references to it; links from a model to the
weights files next to it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.base import by_name
from irlint.formats.navigation import Mention, Target
from irlint.text.base import Document, Place, Span
from irlint_lsp.documents import CurrentView, uri_of

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    @server.about_model(types.TEXT_DOCUMENT_DEFINITION)
    def definition(view: CurrentView, params: types.DefinitionParams) -> types.Location | None:
        place = view.navigation.defined_at(view.model, view.offset(params.position))
        range_ = range_of(view, place) if place else None
        return types.Location(view.uri, range_) if range_ else None

    @server.about_model(types.TEXT_DOCUMENT_REFERENCES)
    def references(view: CurrentView, params: types.ReferenceParams) -> list[types.Location] | None:
        target = referent(view, params.position)
        if target is None:
            return None
        with_definition = params.context.include_declaration
        found = [m for m in mentions(view, target) if with_definition or m.role == "reference"]
        return [types.Location(view.uri, r) for m in found if (r := range_of(view, m.place))]

    @server.about_model(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(view: CurrentView, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        target = referent(view, params.position)
        if target is None:
            return None
        kinds = {"definition": types.DocumentHighlightKind.Write, "reference": types.DocumentHighlightKind.Read}
        return [
            types.DocumentHighlight(r, kinds[m.role]) for m in mentions(view, target) if (r := range_of(view, m.place))
        ]

    @server.about_model(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions(resolve_provider=False))
    def links(view: CurrentView, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        format_ = by_name(view.result.format or "")
        if view.document.path is None:
            return None
        weights = format_.side_files(Path(view.document.path)) if format_ else []
        range_ = view.range(_head(view.model.document))
        return [
            types.DocumentLink(range_, uri_of(str(path)), f"Open weights {path.name}")
            for path in weights
            if range_ is not None and os.path.isfile(path)
        ]


def _head(document: Document) -> Span:
    """Return the name of the root of XML, the first sign of JSON, the first line of other texts."""
    root = document.span(Place((), "name"))  # of XML the root's name, else the whole text
    if document.syntax == "xml":
        return root
    size = 1 if document.syntax == "json" else document.text.find("\n", root.start) - root.start
    return Span(root.start, min(root.start + max(size, 1), root.end))


def referent(view: CurrentView, position: types.Position) -> Target | None:
    return view.navigation.referent(view.model, view.offset(position))


def mentions(view: CurrentView, target: Target) -> Iterator[Mention]:
    return view.navigation.mentions(view.model, target)


def range_of(view: CurrentView, place: Place | Span) -> types.Range | None:
    return view.range(place if isinstance(place, Span) else view.model.document.span(place))
