"""The server: open documents, settings and notifications; each kind of request has its own file in features/."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from irlint import __version__
from irlint.files.read import Unreadable, read
from irlint.formats.base import HEAD_SIZE, binary_extensions, by_name
from irlint.text.base import decode
from irlint.text.sniff import is_binary
from irlint_lsp import features
from irlint_lsp.documents import CurrentView, OpenDocument, path_of, shows_file
from irlint_lsp.linting import Linter
from irlint_lsp.protocol import Protocol
from irlint_lsp.settings import ClientSettings, Configured
from irlint_lsp.text import Encoding, Text

log = logging.getLogger(__name__)

_INDEX = os.path.join(os.sep, ".git", "index")

TEXT_CHANGED, MODEL_STATE = "irlint/textChanged", "irlint/model"

WITHOUT_NUMPY = "irlint: NumPy is not installed for the server's Python; what depends on computed values is not checked"


class Server(LanguageServer):
    """One editor's language server."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            "irlint",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            converter_factory=default_converter,
        )
        self.documents: dict[str, OpenDocument] = {}
        self.settings = ClientSettings()
        self.configured = Configured()
        self.encoding: Encoding = "utf-16"
        self.model_states = False  # the client takes irlint/model notifications
        self.generation = 0  # of configuration and settings
        self.linter: Linter
        self._told: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self.linter = Linter(self, loop)

    def stop(self) -> None:
        self.linter.stop()

    # What the client can do

    def client_has(self, *path: str) -> bool:
        """Return whether the client has a capability, given by a path of attributes."""
        value: Any = self.client_capabilities
        for step in path:
            value = getattr(value, step, None)
            if value is None:
                return False
        return bool(value)

    @property
    def pulls(self) -> bool:
        """Return whether the client pulls diagnostics; then nothing is pushed."""
        return self.client_has("text_document", "diagnostic")

    # Documents

    def did_open(self, uri: str, version: int, text: str) -> None:
        if (old := self.documents.get(uri)) is not None:
            self._forget(old)
        document = OpenDocument(uri, path_of(uri), version, Text.of(text), self.encoding)
        document.shows_file = shows_file(uri) or _is_binary(document.path)
        self.documents[uri] = document
        self._take_up(document)
        self._lint_readers(document.path)

    def did_change(self, uri: str, version: int, changes: Sequence[types.TextDocumentContentChangeEvent]) -> None:
        document = self.documents.get(uri)
        if document is None:
            return
        document.change(changes)
        document.version = version
        document.failed = False
        if self.settings.run == "onSave" and not document.shows_file:
            document.unsaved = True
            self.linter.cancel(document)
            document.wake()
        elif not document.left_out:
            self.linter.schedule(document)
        self._lint_readers(document.path)

    def _lint_readers(self, path: str | None) -> None:
        """Lint companions again that are about a file whose text has changed."""
        for other in self.documents.values():
            if path is not None and os.path.normpath(path) in other.reads and not other.left_out:
                other.touch()
                self.linter.schedule(other)

    def did_save(self, uri: str) -> None:
        document = self.documents.get(uri)
        if document is None or document.left_out:
            return
        was_unsaved, document.unsaved = document.unsaved, False
        if not document.is_fresh:
            self.linter.schedule(document, now=True)
        elif was_unsaved:
            document.wake()
            self.published(document)

    def did_close(self, uri: str) -> None:
        document = self.documents.pop(uri, None)
        if document is None:
            return
        self._forget(document)
        self._clear(uri)
        self._lint_readers(document.path)
        self._mirror(document)

    def _mirror(self, document: OpenDocument) -> None:
        from irlint_lsp.features.diagnostics import mirror

        mirror(self, document)

    def _clear(self, uri: str, version: int | None = None) -> None:
        """Take back the findings that were pushed."""
        if not self.pulls:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [], version))

    def _forget(self, document: OpenDocument) -> None:
        self.linter.drop(document)
        document.failed = True
        document.wake()

    def _take_up(self, document: OpenDocument) -> None:
        """Lint a document now; if it is excluded, clear its findings."""
        document.left_out = self.is_excluded(document.path)
        if not document.left_out:
            self.linter.schedule(document, now=True)
            return
        self.linter.drop(document)
        document.wake()
        self._tell_state(document)
        self._clear(document.uri, document.version)

    def lint_again(self) -> None:
        """Lint again after a change outside the documents that findings depend on."""
        self.configured = Configured(self.configured)
        self.generation += 1
        for document in self.documents.values():
            document.failed = document.unsaved = False
            document.touch()
            self._take_up(document)
        self.ask_to_pull()

    def ask_to_pull(self) -> None:
        """Tell the client that diagnostics have changed, if it supports that."""
        if self.client_has("workspace", "diagnostics", "refresh_support"):
            self.later(self.workspace_diagnostic_refresh_async(None))

    def files_changed(self, names: set[str]) -> None:
        """Lint documents again that depend on changed files on disk."""
        if self.configured.depends_on(names):
            self.lint_again()
            return
        touched = False
        index_changed = any(name.endswith(_INDEX) for name in names)
        for document in self.documents.values():
            if document.shows_file and document.path in names:
                self.file_changed(document)
            elif not document.left_out and _depends_on(document, names, index_changed):
                document.touch()
                self.linter.schedule(document, now=True)
                touched = True
        if touched:
            self.ask_to_pull()

    def file_changed(self, document: OpenDocument) -> None:
        """Lint a file again that a document shows."""
        document.touch()
        document.failed = False
        if not document.left_out:
            self.linter.schedule(document, now=True)

    def is_excluded(self, path: str | None) -> bool:
        if not self.settings.enable:
            return True
        return path is not None and self.configured.excludes(path)

    def published(self, document: OpenDocument) -> None:
        """Publish the results of a lint of the document's current text."""
        from irlint_lsp.features.diagnostics import publish

        self._tell_state(document)
        if document.is_fresh:
            self._mirror(document)
        for words in self.configured.mistakes:
            self.tell_once(words)
        if document.analysis is not None and document.analysis.result.incomplete:
            self.tell_once(WITHOUT_NUMPY, types.MessageType.Info)
        if document.is_fresh and not document.unsaved and not self.pulls:
            publish(self, document)

    def _tell_state(self, document: OpenDocument) -> None:
        """Notify a client that asked for it of what a document is."""
        if self.model_states:
            self.protocol.notify(MODEL_STATE, document.state())

    def text_changed(self, document: OpenDocument) -> None:
        """Tell the client to ask for the text of a file again."""
        self.protocol.notify(TEXT_CHANGED, {"uri": document.uri})

    def failed(self, document: OpenDocument) -> None:
        """Report a failure of the engine and clear outdated findings."""
        self.tell_once(f"irlint failed on {document.path or document.uri}; see its log", types.MessageType.Error)
        self._clear(document.uri, document.version)

    # Answers

    def about_model(
        self, method: str, options: Any = None, *, fresh: bool = False, hurry: bool = False
    ) -> Callable[[Callable[[CurrentView, Any], Any]], None]:
        """Register what answers requests about an open model; of other documents the answer is null.

        With `fresh` it waits for the model of the current text, as `Server.fresh` does; otherwise it takes the last one.
        """

        def register(answer: Callable[[CurrentView, Any], Any]) -> None:
            @self.feature(method, options)
            async def handle(ls: Server, params: Any) -> Any:
                about = getattr(params, "text_document", None) or getattr(
                    params, "item", params
                )  # of a hierarchy, or of irlint's own
                uri = about.uri
                view = await (ls.fresh(uri, hurry=hurry) if fresh else ls.recent(uri))
                return None if view is None else answer(view, params)

        return register

    def opened(self, uri: object) -> OpenDocument | None:
        """Return the open document of an argument from a client, which may be anything."""
        return self.documents.get(uri) if isinstance(uri, str) else None

    async def fresh(self, uri: str, *, hurry: bool = False) -> CurrentView | None:
        """Return the model of the current text; None if it is not a model or not open."""
        document = self.documents.get(uri)
        if document is None or not await self.linter.fresh(document, hurry=hurry):
            return None
        return _view(document)

    async def recent(self, uri: str) -> CurrentView | None:
        """Return the last model without waiting, unless the document was never read."""
        document = self.documents.get(uri)
        if document is None or (document.analysis is None and not await self.linter.fresh(document)):
            return None
        return _view(document)

    def later(self, work: Any) -> None:
        """Run a coroutine in the background."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.info("a request to the client failed: %s", error)

    def tell_once(self, words: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        if words not in self._told:
            self._told.add(words)
            self.window_show_message(types.ShowMessageParams(kind, words))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Report a failure in the response or the log, never in a message box."""
        if isinstance(error, JsonRpcException):
            log.info("refused: %s", error)
        else:
            log.error("%s", error, exc_info=error)


def _view(document: OpenDocument) -> CurrentView | None:
    analysis = document.analysis
    if analysis is None or not analysis.is_model:
        return None
    return CurrentView(document, analysis, document.since(analysis))


def _is_binary(path: str | None) -> bool:
    """Return whether a file is not text, so that a client can only have sent what is in it."""
    if path is None or os.path.splitext(path)[1].lower() not in binary_extensions():
        return False
    try:
        return is_binary(decode(read(path, HEAD_SIZE))[0])
    except Unreadable:
        return False


def _depends_on(document: OpenDocument, names: set[str], index_changed: bool) -> bool:
    """Return whether findings depend on files that have changed, or on git's index, if that has."""
    if names & document.reads or names & side_file_names(document) or _weights_for(document, names):
        return True
    return index_changed and _depends_on_git(document)


def side_file_names(document: OpenDocument) -> set[str]:
    """Return files next to a model that its findings depend on."""
    model = document.model
    format_ = by_name(model.format) if model else None
    if model is None or format_ is None or document.path is None:
        return set()
    return {os.path.normpath(path) for path in format_.side_files(Path(document.path), model.options)}


def _depends_on_git(document: OpenDocument) -> bool:
    """Return whether findings depend on what git tracks: weights that are not there may be expected."""
    model = document.model
    if model is None or model.missing_weights != "auto":
        return False
    return any(not os.path.lexists(name) for name in side_file_names(document))


def _weights_for(document: OpenDocument, names: set[str]) -> bool:
    """Return whether removed or added files may be a model's weights: their names begin like the model's."""
    if document.path is None:
        return False
    folder, name = os.path.split(os.path.normpath(document.path))
    stem = os.path.splitext(name)[0].removesuffix("-symbol")
    return any(os.path.dirname(n) == folder and os.path.basename(n).startswith(stem) for n in names)


def make_server() -> Server:
    """Return a server with all features in features/."""
    server = Server()
    for module in iter_modules(features.__path__):
        import_module(f"irlint_lsp.features.{module.name}").register(server)
    return server
