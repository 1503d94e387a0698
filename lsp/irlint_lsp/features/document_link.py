"""textDocument/documentLink: links from a model to the weights files next to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.base import by_name
from irlint.text.base import Place, Span
from irlint_lsp.shown import model_of
from irlint_lsp.uris import uri_of

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions(resolve_provider=False))
    async def links(ls: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        view = await ls.recent(params.text_document.uri)
        if view is None or view.document.path is None:
            return None
        format_ = by_name(view.result.format or "")
        beside = format_.side_files(Path(view.document.path)) if format_ else []
        document = model_of(view).document
        root = document.span(Place((), "name"))  # of XML the root's name, else the whole text
        if document.syntax != "xml":
            begin = 1 if document.syntax == "json" else document.text.find("\n", root.start) - root.start
            root = Span(root.start, min(root.start + max(begin, 1), root.end))
        range_ = view.range(root)
        return [
            types.DocumentLink(range_, uri_of(str(path)), f"Open weights {path.name}")
            for path in beside
            if range_ is not None and os.path.isfile(path)
        ]
