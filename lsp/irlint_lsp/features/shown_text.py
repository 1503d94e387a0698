"""irlint/text: the text of a file that is not text; irlint.rewrite: edits of that text, written to the file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Any

from pygls.exceptions import JsonRpcException

from irlint import engine
from irlint.files.read import Unreadable, read
from irlint.files.replace import replace
from irlint.text.base import Document, Edit, Span, apply, decode
from irlint.text.sniff import describe, is_binary
from irlint_lsp.documents import OpenDocument, path_of
from irlint_lsp.protocol import INVALID_PARAMS, REQUEST_FAILED, Plain
from irlint_lsp.server import Server  # not only for checkers: pygls looks at the types of commands' handlers

REWRITE = "irlint.rewrite"


def register(server: Server) -> None:
    server.feature("irlint/text")(_text)
    server.command(REWRITE)(_rewrite)


async def _text(ls: Server, params: Any) -> Plain:
    """Return the text of a file, which the client shows in a document of the scheme irlint-text."""
    path = path_of(params.uri) if isinstance(getattr(params, "uri", None), str) else None
    if path is None:
        raise JsonRpcException("expected the URI of a file", code=INVALID_PARAMS)
    found = await ls.linter.in_thread(partial(_shown, path))
    if not isinstance(found, str):
        raise JsonRpcException(str(found), code=REQUEST_FAILED)
    return Plain({"text": found})


def _shown(path: str) -> str:
    data = read(path)
    if (found := engine.opened(data, path)) is not None:
        return found.document.text
    text, _ = decode(data)
    if is_binary(text, 0.02):
        raise Unreadable(describe(text, path))
    return text


def rewriting(document: OpenDocument, edits: Sequence[Edit]) -> list[Any]:
    """Return the arguments with which irlint.rewrite makes edits of a document's text."""
    return [document.uri, _digest(document.text.string), [[*edit.span, edit.text] for edit in edits]]


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


async def _rewrite(ls: Server, *args: Any) -> None:
    """Make edits in the file that a document shows, unless either has changed since they were offered."""
    uri, known, rows = args if len(args) == 3 else ("", "", [])
    document = ls.opened(uri)
    if document is None or not document.shows_file or document.path is None:
        raise JsonRpcException("this file is not shown", code=INVALID_PARAMS)
    try:
        edits = [Edit(Span(int(start), int(end)), str(text)) for start, end, text in rows]
    except (TypeError, ValueError) as error:
        raise JsonRpcException("expected edits", code=INVALID_PARAMS) from error
    shown = document.analysis.result.document if await ls.linter.fresh(document) and document.analysis else None
    if shown is None or _digest(shown.text) != known:
        raise JsonRpcException("the file has changed since this fix was offered", code=REQUEST_FAILED)
    failure = await ls.linter.in_thread(partial(_write, document.path, shown, edits))
    if failure is not None:
        raise JsonRpcException(f"{document.path}: {failure}", code=REQUEST_FAILED)
    ls.file_changed(document)
    await ls.linter.fresh(document)


def _write(path: str, shown: Document, edits: Sequence[Edit]) -> None:
    replace(path, shown.encoded(apply(shown.text, edits)), expected=shown.encode())
