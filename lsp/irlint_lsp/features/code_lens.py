"""textDocument/codeLens: how many nodes read a node, and a dry run up to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import Target, consumers
from irlint_lsp.shown import model_of, navigation
from irlint_lsp.visible import located

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 2000


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def code_lens(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        view = await ls.recent(params.text_document.uri) if ls.settings.code_lens else None
        if view is None:
            return None
        nav, model = navigation(view), model_of(view)
        lenses = []
        for _, graph, node in located(view)[:MOST]:
            if node.kind != "call":
                continue
            range_ = view.range(model.document.span(nav.definition(model, Target(graph, node))))
            if range_ is None:
                continue
            count = len(set(consumers(model, graph)[node.index]))
            readers = types.Command(
                f"{count} consumer{'' if count == 1 else 's'}",
                "irlint.showConsumers",
                arguments=[view.uri, range_.start.line, range_.start.character],
            )
            run = types.Command("dry run to here", "irlint.dryRun", arguments=[view.uri, node.name])
            lenses += [types.CodeLens(range_, readers), types.CodeLens(range_, run)]
        return lenses
