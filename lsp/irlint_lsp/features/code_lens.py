"""textDocument/codeLens: the number of users of a node, and a dry run up to it, above the first line of the node."""

from __future__ import annotations

from collections import Counter
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import Target, consumers
from irlint.text.base import Span
from irlint_lsp.documents import CurrentView
from irlint_lsp.paced import Work, paced
from irlint_lsp.protocol import Plain, Written
from irlint_lsp.visible import first_nodes

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST = 1500


def register(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def code_lens(ls: Server, params: types.CodeLensParams) -> Plain | Written | None:
        return await paced(ls, params.text_document.uri, _lenses) if ls.settings.code_lens else None


def _lenses(view: CurrentView) -> Work:
    nav, model = view.navigation, view.model
    found: list[tuple[str, str]] = []  # the first line of a node, its lenses
    uri = quoted(view.uri)
    for graph, node in () if nav.is_table else first_nodes(view, MOST):
        yield
        start = model.document.start(node.path)
        head = view.written_range(Span(start, start))
        range_ = view.written_range(model.document.span(nav.definition(model, Target(graph, node))))
        if head is None or range_ is None or node.kind != "call":
            continue
        count = len(set(consumers(model, graph)[node.index]))
        line, _, character = range_[17:].partition("}")[0].partition(',"character":')
        title = f"{count} consumer{'' if count == 1 else 's'}"
        readers = f'"title":"{title}","command":"irlint.showConsumers","arguments":[{uri},{line},{character}]'
        run = f'"title":"Dry run to here","command":"irlint.dryRun","arguments":[{uri},{quoted(node.name)}]'
        lenses = ",".join(f'{{"range":{head},"command":{{{words}}}}}' for words in (readers, run))
        found.append((head[: head.index(",")], lenses))
    alone = Counter(line for line, _ in found)  # lenses of several nodes on one line could not be told apart
    return Written(f"[{','.join(lenses for line, lenses in found if alone[line] == 1)}]")
