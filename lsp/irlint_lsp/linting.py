"""Lints in a thread: debounced, one at a time, given up when the text has moved on."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from irlint import engine
from irlint.companions import named_like
from irlint.engine import Request, Result
from irlint.files.read import Unreadable, read
from irlint.formats.base import PLAIN
from irlint.settings import Settings
from irlint_lsp.documents import Analysis, CancellationToken, OpenDocument, Superseded
from irlint_lsp.settings import ClientSettings, Configured
from irlint_lsp.text import Text

T = TypeVar("T")

log = logging.getLogger(__name__)

SHORTEST, LONGEST = 0.01, 0.15  # seconds that a lint waits for more edits
REST = 0.5  # seconds without an edit after which types are inferred
SHARE = 0.1  # ... in between, this part of the time that the last one took
IDLE = 2.0  # seconds without a lint after which garbage among young objects is collected
LONG_IDLE = 60.0  # ... and among all


class Client(Protocol):
    """Whom the lints are for: the server."""

    documents: dict[str, OpenDocument]
    settings: ClientSettings
    configured: Configured

    def failed(self, document: OpenDocument) -> None: ...

    def published(self, document: OpenDocument) -> None: ...

    def text_changed(self, document: OpenDocument) -> None: ...


class Linter:
    """Runs the engine next to the loop that answers requests."""

    def __init__(self, server: Client, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self.loop = loop
        self.lints = 0  # finished ones, for tests and figures
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="lint")
        self._idle: list[asyncio.TimerHandle] = []
        sys.setswitchinterval(0.001)  # a request waits for the lint's thread no longer than this
        gc.disable()  # a search among millions of live objects would hold every answer up; see _when_idle

    def stop(self) -> None:
        for document in self.server.documents.values():
            self.cancel(document)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def schedule(self, document: OpenDocument, *, now: bool = False) -> None:
        """Lint soon; what is under way for an older text is given up."""
        self.cancel(document)
        took = document.analysis.seconds if document.analysis else 0.0
        delay = 0.0 if now else min(max(took * SHARE, SHORTEST), LONGEST)
        document.timer = self.loop.call_later(delay, self._start, document)

    def cancel(self, document: OpenDocument) -> None:
        for timer in (document.timer, document.rest):
            if timer is not None:
                timer.cancel()
        if document.token is not None:
            document.token.superseded = True
        document.timer = document.token = document.rest = None

    def drop(self, document: OpenDocument) -> None:
        """Forget what is known of a document that is no longer needed."""
        self.cancel(document)
        old, document.analysis = document.analysis, None
        document.changes.clear()
        if old is not None:
            self.loop.call_soon(_take_apart, old)

    def _start(self, document: OpenDocument) -> None:
        token = document.token = CancellationToken()
        document.timer = None
        future = self._linted(document, token)
        future.add_done_callback(lambda done: self._finish(document, token, done))

    def _linted(self, document: OpenDocument, token: CancellationToken) -> asyncio.Future[Analysis | Exception | None]:
        """The analysis of a document's present text."""
        text, version, edits = document.text, document.version, document.edits
        settings = self.server.configured.settings(document.path, self.server.settings)
        name = document.path or document.uri
        path = Path(document.path) if document.path else None
        shown = path if document.shows_file else None
        texts = {
            other.path: other.text for other in self.server.documents.values() if other.path and not other.shows_file
        }

        def run() -> Analysis:
            started = time.perf_counter()
            if shown is None:
                result, seen = lint(text.string, name, settings, path, token, texts), text
            else:
                result = lint_file(shown, settings, token)
                seen = text if result.lines.text == text.string else Text.of(result.lines.text)
            return Analysis(seen, version, edits, result, time.perf_counter() - started)

        return self.loop.run_in_executor(self._threads, _quietly, run)

    def _finish(
        self, document: OpenDocument, token: CancellationToken, done: asyncio.Future[Analysis | Exception | None]
    ) -> None:
        if token.superseded or done.cancelled():
            return
        document.token = None
        outcome = done.result()
        self.lints += 1
        if isinstance(outcome, Analysis):
            is_first = document.analysis is None
            self._show(document, outcome)
            if (old := document.replace(outcome)) is not None:
                self.loop.call_later(SHORTEST, _take_apart, old)  # the client is notified first
            document.known = document.known or (outcome.is_model and outcome.result.format not in PLAIN)
            document.failed = False
            if is_first:
                gc.freeze()  # what a document is made of is here to stay: no search for garbage has to look at it
            document.rest = self.loop.call_later(REST, self._infer, outcome)
        else:
            log.error("the lint of %s failed", document.uri, exc_info=outcome)
            document.failed = True
            self.server.failed(document)
        document.wake()
        self.server.published(document)
        self._when_idle()

    def _show(self, document: OpenDocument, analysis: Analysis) -> None:
        """Take over the text that a file has now."""
        if document.shows_file and analysis.text is not document.text:
            document.text = analysis.text
            self.server.text_changed(document)

    def _infer(self, analysis: Analysis) -> None:
        """Infer the types of a text that is not being edited, so that no request has to."""
        self.loop.run_in_executor(self._threads, _quietly, partial(_with_types, analysis.result))

    def _when_idle(self) -> None:
        for timer in self._idle:
            timer.cancel()
        self._idle = [self.loop.call_later(IDLE, gc.collect, 1), self.loop.call_later(LONG_IDLE, _collect_all)]

    async def in_thread(self, work: Callable[[], T]) -> T | Exception | None:
        """Other lints, behind those of open documents."""
        return await self.loop.run_in_executor(self._threads, _quietly, work)

    async def fresh(self, document: OpenDocument, *, hurry: bool = False, saved: bool = False) -> bool:
        """Wait for an analysis of the current text; return whether there is one. With `hurry`, do not wait for further edits.

        With `saved`, also wait until the document is saved if findings are reported only then.
        """
        while not document.is_fresh or (saved and document.unsaved):
            is_idle = document.timer is None and document.token is None
            if document.left_out or (document.failed and is_idle):
                return False
            may_start = is_idle and not (saved and document.unsaved)
            if not document.is_fresh and (may_start or (hurry and document.timer is not None)):
                self.schedule(document, now=True)
            future: asyncio.Future[None] = self.loop.create_future()
            document.waiting.append(future)
            await future
        return True


def lint(
    text: str, name: str, settings: Settings, path: Path | None, token: CancellationToken, texts: Mapping[str, Text]
) -> Result:
    """Lint a text; `texts` are those of open documents by path, which a companion is compared with."""
    token.check()
    others = {os.path.normpath(other): known.string for other, known in texts.items()} if named_like(name) else {}
    return engine.linted(text, Request(name, settings, path=path, checkpoint=token.check, texts=others))


def lint_file(path: Path, settings: Settings, token: CancellationToken) -> Result:
    token.check()
    try:
        return engine.linted_bytes(read(str(path)), Request(str(path), settings, path=path, checkpoint=token.check))
    except Unreadable as error:
        return Result(str(path), [], why=str(error))


def _quietly(work: Callable[[], T]) -> T | Exception | None:
    """What the work gives, the exception that ended it, or None if it was given up."""
    try:
        return work()
    except Superseded:
        return None
    except Exception as error:
        return error


def _with_types(result: Result) -> None:
    """Infer the types of a valid model, which a lint leaves until they are requested."""
    if result.model is not None:  # which may have to be read yet
        getattr(result.model.types, "types", None)


def _collect_all() -> None:
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _take_apart(analysis: Analysis) -> None:
    if analysis.result.model is not None:
        analysis.result.model.take_apart()
