"""Half a second after the last edit the server infers the types of a text, so that no request has to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from irlint_lsp.documents import OpenDocument
from irlint_lsp.server import Server
from lsprotocol import types

from irlint import engine

from .samples import SAMPLES, Sample

PATIENCE = 60.0


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[Coroutine[Any, Any, None]], None]:
    monkeypatch.setattr(Server, "published", lambda *_: None)  # there is no client
    return lambda work: asyncio.run(asyncio.wait_for(work, PATIENCE))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_types_are_inferred_once_nobody_edits(sample: Sample, run: Callable[[Any], None]) -> None:
    async def work() -> None:
        server, document = await _opened(sample, sample.text)
        first = document.analysis
        assert first is not None
        assert document.rest is not None
        server.linter._infer(first)
        await server.linter.in_thread(lambda: None)  # there is one thread
        assert document.analysis is first
        assert first.result.model is not None
        later = first.result.model.types
        assert later is None or "types" in vars(later)
        server.stop()

    run(work())


def test_an_edit_is_not_kept_waiting(run: Callable[[Any], None]) -> None:
    async def work() -> None:
        sample = SAMPLES[0]
        server, document = await _opened(sample, sample.text)
        rest = document.rest
        assert rest is not None
        whole = types.TextDocumentContentChangeWholeDocument(sample.text.replace(*sample.wrong, 1))
        server.did_change(document.uri, 2, [whole])
        assert rest.cancelled()
        assert await server.linter.fresh(document)
        assert document.analysis is not None
        assert document.analysis.result.findings == engine.lint(whole.text, document.uri).findings != []
        server.stop()

    run(work())


async def _opened(sample: Sample, text: str) -> tuple[Server, OpenDocument]:
    server = Server()
    server.start(asyncio.get_running_loop())
    uri = f"untitled:{sample.name}"
    server.did_open(uri, 1, text)
    assert await server.linter.fresh(server.documents[uri])
    return server, server.documents[uri]
