"""textDocument/rename: names of nodes and tensors, with all references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from irlint_lsp.documents import CurrentView
from irlint_lsp.features.code_action import workspace_edit
from irlint_lsp.features.navigation import referent
from irlint_lsp.protocol import REQUEST_FAILED

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    @server.about_model(types.TEXT_DOCUMENT_PREPARE_RENAME, fresh=True)
    def prepare(view: CurrentView, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        target = referent(view, params.position)
        if target is None or view.document.shows_file:
            return None
        nav, model = view.navigation, view.model
        name = nav.name_of(target)
        token = nav.token_at(model, view.offset(params.position))
        if not name or token is None or nav.rename(model, target, f"{name}_").refusal:
            return None
        text = model.document.text[token.span.start : token.span.end]
        at = text.find(name)
        if at < 0:
            return None
        start = token.span.start + at
        range_ = view.range(token.span._replace(start=start, end=start + len(name)))
        return types.PrepareRenamePlaceholder(range_, name) if range_ else None

    @server.about_model(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True), fresh=True)
    def rename(view: CurrentView, params: types.RenameParams) -> types.WorkspaceEdit | None:
        target = referent(view, params.position)
        if target is None:
            return None
        if view.document.shows_file:
            raise JsonRpcException("this text shows a file and cannot be edited", code=REQUEST_FAILED)
        result = view.navigation.rename(view.model, target, params.new_name)
        if result.refusal:
            raise JsonRpcException(result.refusal, code=REQUEST_FAILED)
        return workspace_edit(server, view, result.edits) if result.edits else None
