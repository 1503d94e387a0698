"""textDocument/codeLens: how many nodes read a node, and a dry run up to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from irlint.formats.navigation import Target, consumers
from irlint_lsp.documents import View
from irlint_lsp.paced import STEP, Work, paced
from irlint_lsp.protocol import Plain
from irlint_lsp.shown import model_of, navigation
from irlint_lsp.visible import located

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 1500


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def code_lens(ls: Server, params: types.CodeLensParams) -> Plain | None:
        return await paced(ls, params.text_document.uri, _lenses) if ls.settings.code_lens else None


def _lenses(view: View) -> Work:
    nav, model = navigation(view), model_of(view)
    lenses: list[dict[str, Any]] = []
    for done, (_, graph, node) in enumerate(located(view)[:MOST]):
        if done % STEP == 0:
            yield
        if node.kind != "call":
            continue
        range_ = view.plain_range(model.document.span(nav.definition(model, Target(graph, node))))
        if range_ is None:
            continue
        count, start = len(set(consumers(model, graph)[node.index])), range_["start"]
        readers = {
            "title": f"{count} consumer{'' if count == 1 else 's'}",
            "command": "irlint.showConsumers",
            "arguments": [view.uri, start["line"], start["character"]],
        }
        run = {"title": "dry run to here", "command": "irlint.dryRun", "arguments": [view.uri, node.name]}
        lenses += [{"range": range_, "command": readers}, {"range": range_, "command": run}]
    return lenses
