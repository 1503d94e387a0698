"""textDocument/inlayHint: the target of a reference, with its type, after the reference."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import Target
from irlint.text.base import Span
from irlint_lsp.documents import VisibleRange
from irlint_lsp.paced import STEP, Work, paced
from irlint_lsp.protocol import Plain
from irlint_lsp.shown import label, model_of, navigation, shown_type
from irlint_lsp.visible import nodes_in

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 1000


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=False))
    async def inlay_hint(ls: Server, params: types.InlayHintParams) -> Plain | None:
        if not ls.settings.inlay_hints:
            return None
        return await paced(ls, params.text_document.uri, lambda view: _hints(view, view.span(params.range)))


def _hints(view: VisibleRange, span: Span) -> Work:
    nav, model = navigation(view), model_of(view)
    found: list[tuple[int, str]] = []
    for count, (graph, node) in enumerate(nodes_in(view, span)):
        if count % STEP == 0:
            yield
        if len(found) >= MOST:
            break
        for token in nav.tokens(model, graph, node):
            word, _, number = token.part.partition(":")
            if word == "input" and (source := node.inputs[int(number)])[0] >= 0:
                target = Target(graph, graph.nodes[source[0]], source[1])
                text = label(view, target)
                if nav.names_tensors(target):  # the name is already there
                    text = shown_type(nav.type_of(model, target))
            elif word == "output":
                text = shown_type(nav.type_of(model, Target(graph, node, int(number))))
            else:
                continue
            found.append((token.span.end, text))
    found += islice(nav.hints(model, span.start, span.end), MOST)
    hints = []
    for offset, text in found[:MOST]:
        range_ = view.plain_range(Span(offset, offset)) if text else None
        if range_ is not None:
            hints.append({"position": range_["end"], "label": f" {text}", "paddingLeft": True})
    return hints
