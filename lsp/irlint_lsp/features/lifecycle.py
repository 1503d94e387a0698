"""initialize, initialized, configuration: the capabilities and settings of the client."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from irlint.config.find import NAMES
from irlint.formats.base import all_formats, binary_extensions
from irlint_lsp.documents import path_of
from irlint_lsp.settings import ClientSettings
from irlint_lsp.text import ENCODINGS

if TYPE_CHECKING:
    from irlint_lsp.server import Server

WATCHED = f"**/{{{','.join(NAMES)}}}"
SCHEMAS = "**/*.{schema.json,xsd,rng}"


def register(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        offered = [str(getattr(e, "value", e)) for e in _encodings(params)]
        ls.encoding = next((e for e in ENCODINGS if e in offered), "utf-16")
        ls.protocol.speak(ls.encoding)
        given = params.initialization_options
        ls.model_states = isinstance(given, dict) and given.get("modelStates") is True
        settings = given.get("settings", given) if isinstance(given, dict) else None
        apply(ls, settings)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, params: types.InitializedParams) -> None:
        if ls.client_has("workspace", "did_change_watched_files", "dynamic_registration"):
            watchers = [types.FileSystemWatcher(glob) for glob in (WATCHED, SCHEMAS, _not_text(), "**/.git/index")]
            watch = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            ls.later(
                ls.client_register_capability_async(
                    types.RegistrationParams(
                        [types.Registration("watch", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watch)]
                    )
                )
            )
        if ls.client_has("workspace", "configuration"):
            ls.later(_ask(ls))

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def changed(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if ls.client_has("workspace", "configuration"):
            ls.later(_ask(ls))
        elif isinstance(params.settings, dict):
            apply(ls, params.settings)
            ls.lint_again()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        names = {os.path.normpath(path) for change in params.changes if (path := path_of(change.uri))}
        ls.files_changed(names)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None and ls.configured.depends_on([path]):
            ls.lint_again()
        else:
            ls.did_save(params.text_document.uri)


def _not_text() -> str:
    """Return a glob of files that are not text: binary models, and what belongs to models."""
    found = binary_extensions().union(*(format_.side_extensions for format_ in all_formats().values()))
    return f"**/*{{{','.join(sorted(found))}}}"


def _encodings(params: types.InitializeParams) -> Sequence[Any]:
    general = params.capabilities.general
    return (general.position_encodings if general else None) or ()


def apply(ls: Server, settings: Any) -> None:
    ls.settings, wrong = ClientSettings.read(settings, ls.settings)
    for words in wrong:
        ls.tell_once(f"irlint settings: {words}")


async def _ask(ls: Server) -> None:
    """Request the section `irlint` of the client's settings."""
    before = ls.settings
    items = [types.ConfigurationItem(section="irlint")]
    answer = await ls.workspace_configuration_async(types.ConfigurationParams(items))
    apply(ls, answer[0] if answer else None)
    if ls.settings != before:
        ls.lint_again()
