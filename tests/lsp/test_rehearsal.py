"""After the first lint the server rehearses an edit; nothing but the time that the next one takes depends on it."""

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
def test_a_rehearsal_finds_the_same(sample: Sample, run: Callable[[Any], None]) -> None:
    async def work() -> None:
        server, document = await _opened(sample, sample.text)
        first = document.analysis
        assert first is not None
        server.linter._rehearse(document, first)
        while document.token is not None:
            await asyncio.sleep(0.001)
        again = document.analysis
        assert again is not None
        assert again is not first
        assert document.is_fresh
        assert again.result.findings == first.result.findings
        assert again.result.model is not None
        later = again.result.model.extra.get("types")
        assert later is None or "types" in vars(later)
        server.stop()

    run(work())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_an_edit_ends_it(sample: Sample, run: Callable[[Any], None]) -> None:
    async def work() -> None:
        server, document = await _opened(sample, sample.text)
        first = document.analysis
        assert first is not None
        server.linter._rehearse(document, first)
        whole = types.TextDocumentContentChangeWholeDocument(sample.text.replace(*sample.wrong, 1))
        server.did_change(document.uri, 2, [whole])
        assert await server.linter.fresh(document)
        assert document.analysis is not None
        found = document.analysis.result.findings
        assert found == engine.lint(whole.text, document.uri).findings
        assert found != first.result.findings
        server.stop()

    run(work())


def test_a_broken_text_is_not_rehearsed(run: Callable[[Any], None]) -> None:
    async def work() -> None:
        server, document = await _opened(SAMPLES[0], SAMPLES[0].text[:-2])
        assert document.analysis is not None
        server.linter._rehearse(document, document.analysis)
        assert document.token is None
        server.stop()

    run(work())


async def _opened(sample: Sample, text: str) -> tuple[Server, OpenDocument]:
    server = Server()
    server.start(asyncio.get_running_loop())
    uri = f"untitled:{sample.name}"
    server.did_open(uri, 1, text)
    assert await server.linter.fresh(server.documents[uri])
    return server, server.documents[uri]
