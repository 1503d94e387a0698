"""workspace/diagnostic: findings of the model files in the client's folders, within a budget."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from irlint import engine
from irlint.engine import Result
from irlint.files.read import read_if
from irlint.files.walk import walk
from irlint.formats.base import HEAD_SIZE, all_formats, binary_extensions, extensions
from irlint.missing_weights import state_of
from irlint.settings import Settings
from irlint_lsp.documents import Analysis, path_of, text_uri_of, uri_of
from irlint_lsp.features.diagnostics import diagnostic
from irlint_lsp.text import Text

if TYPE_CHECKING:
    from irlint_lsp.server import Server

MOST_FILES = 1000
MOST_SECONDS = 20.0
MOST_BYTES = 32 << 20  # of one file
MOST_BINARY = 512 << 20  # of one that is not text: most of it are weights

_STARTED = time.time_ns()  # what another server found may have been found by other rules

Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


def register(server: Server) -> None:
    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        known = {previous.uri: previous.value for previous in params.previous_result_ids}
        progress = _Progress(ls, params.work_done_token)
        reports: list[Any] = []
        started = time.monotonic()
        shown = {document.path for document in ls.documents.values()}
        for count, path in enumerate(_paths(ls)):
            if count >= MOST_FILES or time.monotonic() - started > MOST_SECONDS:
                ls.tell_once(
                    f"irlint checked {count} files of this workspace and skipped the rest", types.MessageType.Info
                )
                break
            if path in shown:
                continue  # the editor asks for open documents by themselves
            progress.say(count, path)
            if (report := await _report(ls, path, known)) is not None:
                reports.append(report)
        looked_at = {report.uri for report in reports}
        for uri in known.keys() - looked_at - ls.documents.keys():
            if (path := path_of(uri)) is not None and not os.path.exists(path):
                reports.append(
                    types.WorkspaceFullDocumentDiagnosticReport(uri, [])
                )  # it is gone, and so is what was found
        progress.end()
        return types.WorkspaceDiagnosticReport(reports)


async def _report(ls: Server, path: str, known: Mapping[str, str]) -> Report | None:
    try:
        seen = os.stat(path)
    except OSError:
        return None
    settings = ls.configured.settings(path, ls.settings)
    id_ = "-".join([f"{_STARTED:x}", str(ls.generation), _age(path), *_ages_beside(path, settings)])
    if (same := next((uri for uri in (uri_of(path), text_uri_of(path)) if known.get(uri) == id_), None)) is not None:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(same, id_)
    is_binary = os.path.splitext(path)[1].lower() in binary_extensions()
    if seen.st_size > (MOST_BINARY if is_binary else MOST_BYTES):
        return None

    def work() -> Result | None:
        wanted = settings.describes_files
        data = read_if(path, lambda head: wanted or engine.deserves_reading(head, path), HEAD_SIZE)
        return None if data is None else engine.lint_bytes(data, path, settings, path=Path(path))

    result = await ls.linter.in_thread(work)
    if not isinstance(result, Result) or result.document is None:
        return None
    uri = text_uri_of(path) if result.document.is_binary else uri_of(path)
    analysis = Analysis(Text.of(result.document.text), 0, 0, result)
    found = [diagnostic(uri, analysis, finding, ls.encoding, result.format) for finding in result.findings]
    return types.WorkspaceFullDocumentDiagnosticReport(uri, found, result_id=id_)


def _age(path: str) -> str:
    try:
        seen = os.stat(path)
    except OSError:
        return "none"
    return f"{seen.st_mtime_ns:x}.{seen.st_size:x}.{seen.st_ino:x}"


def _ages_beside(path: str, settings: Settings) -> list[str]:
    """Return the ages of possible side files. For a missing one, it may matter whether git tracks it."""
    asks_git = settings.missing_weights == "auto"
    files = _beside(path, settings)
    return [state_of(file) if asks_git and not os.path.lexists(file) else _age(file) for file in files]


def _beside(path: str, settings: Settings) -> list[str]:
    """Return the possible side files of a file."""
    at, suffix = Path(path), os.path.splitext(path)[1].lower()
    formats = [format_ for format_ in all_formats().values() if suffix in format_.extensions]
    return [str(file) for f in formats for file in f.side_files(at, settings.options.get(f.name, {}))]


def _paths(ls: Server) -> Iterator[str]:
    """Yield files with a model's extension in the client's folders, each once."""
    if not ls.settings.enable:
        return
    seen: set[str] = set()
    for uri in ls.workspace.folders or ([ls.workspace.root_uri] if ls.workspace.root_uri else []):
        folder = path_of(uri)
        if folder is None or not os.path.isdir(folder):
            continue
        exclusion = lambda at: ls.configured.config(os.path.join(at, "x")).exclusion  # noqa: E731
        for path in walk(folder, extensions(), exclusion, lambda where, why: None):
            if path not in seen and not os.path.basename(path).startswith("."):
                seen.add(path)
                yield path


class _Progress:
    """The progress shown by the client, if it requested it."""

    def __init__(self, ls: Server, token: types.ProgressToken | None) -> None:
        self._ls = ls
        self._token = token
        self._send(types.WorkDoneProgressBegin("irlint: checking model files"))

    def say(self, count: int, path: str) -> None:
        if count % 10 == 0:
            self._send(types.WorkDoneProgressReport(message=f"{count}: {os.path.basename(path)}"))

    def end(self) -> None:
        self._send(types.WorkDoneProgressEnd())

    def _send(self, value: Any) -> None:
        if self._token is not None:
            self._ls.progress(types.ProgressParams(self._token, self._ls.protocol.plain(value)))
