"""textDocument/inlayHint: what a reference does not say itself: the name or operator of its target, and its type."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from irlint.formats.navigation import NodeToken, Target
from irlint.text.base import Span
from irlint.text.safe import visible
from irlint_lsp.documents import CurrentView
from irlint_lsp.paced import Work, paced
from irlint_lsp.protocol import Plain
from irlint_lsp.shown import name_of, shown_type
from irlint_lsp.visible import nodes_in

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 1000
LONGEST = 40  # characters; editors cut longer ones without a way to read the rest
ELLIPSIS = "…"


class Hint(NamedTuple):
    name: str
    type: str = ""

    @property
    def whole(self) -> str:
        return " : ".join(part for part in self if part)

    @property
    def short(self) -> str:
        """Return at most LONGEST characters; names are cut in front, as they differ at the end."""
        if len(self.whole) <= LONGEST:
            return self.whole
        room = LONGEST - len(self.whole) + len(self.name) - len(ELLIPSIS)
        if not self.name or room < len(self.name) // 4 or room < 1:
            return self.whole[: LONGEST - len(ELLIPSIS)] + ELLIPSIS
        return self._replace(name=ELLIPSIS + self.name[-room:]).whole


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=False))
    async def inlay_hint(ls: Server, params: types.InlayHintParams) -> Plain | None:
        if not ls.settings.inlay_hints:
            return None
        return await paced(ls, params.text_document.uri, lambda view: _hints(view, view.span(params.range)))


def _hints(view: CurrentView, span: Span) -> Work:
    nav, model = view.navigation, view.model
    found: list[tuple[int, Hint]] = []
    for graph, node in nodes_in(view, span):
        yield
        if len(found) >= MOST:
            break
        for token in nav.tokens(model, graph, node):
            word, _, number = token.part.partition(":")
            if word == "input" and not nav.is_table and (source := node.inputs[int(number)])[0] >= 0:
                found.append(
                    (token.span.end, _of_reference(view, token, Target(graph, graph.nodes[source[0]], source[1])))
                )
            elif word == "output":
                found.append(
                    (token.span.end, Hint("", shown_type(nav.type_of(model, Target(graph, node, int(number))))))
                )
    found += [(offset, Hint(name)) for offset, name in islice(nav.hints(model, span.start, span.end), MOST)]
    return [shown for offset, hint in found[:MOST] if (shown := _shown(view, offset, hint))]


def _of_reference(view: CurrentView, token: NodeToken, target: Target) -> Hint:
    """Return the name, unless the reference is written with it; the operator, if all that names the target is a number."""
    nav, model = view.navigation, view.model
    name = "" if nav.names_tensors(target) else name_of(view, target)
    if name == model.document.text[token.span.start : token.span.end].strip("'\""):
        name = target.node.op if name.isdigit() and target.node.kind == "call" else ""
    return Hint(visible(name), shown_type(nav.type_of(model, target)))


def _shown(view: CurrentView, offset: int, hint: Hint) -> dict[str, Any] | None:
    range_ = view.plain_range(Span(offset, offset)) if hint.whole else None
    if range_ is None:
        return None
    found = {"position": range_["end"], "label": hint.short, "paddingLeft": True}
    return found if hint.short == hint.whole else {**found, "tooltip": hint.whole}
