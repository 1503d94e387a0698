"""textDocument/completion: operators, attributes, their values, and possible inputs of a node."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import Choice
from irlint.text.base import Span
from irlint_lsp.documents import CurrentView

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 1000

KINDS = {
    "operator": types.CompletionItemKind.Function,
    "attribute": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "tensor": types.CompletionItemKind.Variable,
    "node": types.CompletionItemKind.Reference,
}


def register(server: Server) -> None:
    options = types.CompletionOptions(trigger_characters=['"', "'", "[", "="])

    @server.about_model(types.TEXT_DOCUMENT_COMPLETION, options, fresh=True, hurry=True)
    def completion(view: CurrentView, params: types.CompletionParams) -> types.CompletionList | None:
        nav, model = view.navigation, view.model
        offset = view.offset(params.position)
        token = nav.token_at(model, offset)
        found = iter(nav.choices(model, token)) if token else nav.choices_at(model, offset)
        span = _replaced(view, token.span, offset) if token else _word(view, offset)
        typed = model.document.text[span.start : offset]
        choices = list(islice((c for c in found if _fits(typed, c.label or c.text)), MOST + 1))
        range_ = view.range(span)
        if range_ is None:
            return None
        items = [_item(choice, range_) for choice in choices[:MOST]]
        known = {item.label for item in items}
        for _, more, at in view.hints(offset):
            if (there := view.range(at)) is not None:
                items += [_item(c, there, c.text) for c in islice(more, MOST) if (c.label or c.text) not in known]
        return types.CompletionList(is_incomplete=len(choices) > MOST, items=items)


def _fits(typed: str, text: str) -> bool:
    """Return whether the typed letters occur in this order."""
    at = 0
    folded = text.casefold()
    return all((at := folded.find(letter, at) + 1) > 0 for letter in typed.casefold())


def _replaced(view: CurrentView, span: Span, offset: int) -> Span:
    """Return a token without its quotes."""
    text = view.model.document.text[span.start : span.end]
    if text[:1] in ("'", '"') and span.start < offset:
        closed = len(text) > 1 and text.endswith(text[0])
        return Span(span.start + 1, max(span.end - closed, span.start + 1))
    return span


def _word(view: CurrentView, offset: int) -> Span:
    text = view.model.document.text
    start = offset
    while start > 0 and re.match(r"[\w.]", text[start - 1]):
        start -= 1
    if text[start - 1 : start] == "-" and text[start - 2 : start - 1] in (" ", "="):  # the sign of a number
        start -= 1
    return Span(start, offset)


def _item(choice: Choice, range_: types.Range, looked_for: str = "") -> types.CompletionItem:
    return types.CompletionItem(
        choice.label or choice.text,
        kind=KINDS[choice.kind],
        detail=choice.detail or None,
        documentation=choice.doc or None,
        filter_text=looked_for or choice.label or choice.text,
        text_edit=types.TextEdit(range_, choice.text),
    )
