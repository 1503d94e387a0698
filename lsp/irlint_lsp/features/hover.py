"""textDocument/hover: documentation of the token under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import NodeToken, Target, describe, limits
from irlint.text.base import Span
from irlint_lsp.documents import CurrentView
from irlint_lsp.shown import card, code, escaped, operator_card

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    @server.about_model(types.TEXT_DOCUMENT_HOVER)
    def hover(view: CurrentView, params: types.HoverParams) -> types.Hover | None:
        offset = view.offset(params.position)
        nav, model = view.navigation, view.model
        token = nav.token_at(model, offset)
        text = _text(view, token) if token else None
        if text is None and (target := nav.referent(model, offset)) is not None:
            text = card(view, target)
        span = token.span if token else Span(offset, offset)
        said = [] if text is None else [text]
        for notes, _, at in view.hints(offset):
            if notes:
                span = at if not said else span
                said += map(escaped, notes)
        if not said:
            return None
        text = "\n\n---\n\n".join(said)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), view.range(span))


def _text(view: CurrentView, token: NodeToken) -> str | None:
    nav, model = view.navigation, view.model
    graph, node = token.target.graph, token.target.node
    word, _, key = token.part.partition(":")
    if word in ("op", "version"):
        operator = nav.operator(model, node)
        if operator is None and node.kind != "call":
            return card(view, token.target)  # inputs and constants have none
        return operator_card(operator, node.op) if operator else f"**{escaped(node.op)}**\n\nunknown operator"
    if word in ("attr", "attr_key"):
        attribute = nav.attributes(model, node).get(key)
        if attribute is None:
            return None
        lines = [f"**{escaped(key)}** of {code(node.op)}: {describe(attribute)}"]
        if values := attribute.values or tuple(attribute.meanings):
            meant = ", ".join(f"`{value}` {attribute.meanings.get(value, '')}".rstrip() for value in values)
            lines.append(f"one of {meant}" if attribute.values else meant)
        if bounds := ", ".join(limits(attribute)):
            lines.append(escaped(bounds))
        return "\n\n".join(lines)
    if word == "input":
        source = node.inputs[int(key)]
        if source[0] < 0:
            return "this input is not defined in this file"
        return f"input {key} of {code(node.op)} is\n\n{card(view, Target(graph, graph.nodes[source[0]], source[1]))}"
    if word == "input_name":
        return None
    return card(view, token.target)
