"""Responses about a whole document, computed in slices, so that other requests need not wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from itertools import count
from typing import TYPE_CHECKING, Any

from irlint_lsp.documents import CurrentView
from irlint_lsp.protocol import Plain, Written

if TYPE_CHECKING:
    from irlint_lsp.server import Server

SLICE = 0.004  # seconds of work before others get their turn
STEP = 32  # turns of the work between looks at the clock
ATTEMPTS = 3  # that a change of the document may interrupt

Work = Generator[None, None, Any]


async def paced(server: Server, uri: str, make: Callable[[CurrentView], Work]) -> Plain | Written | None:
    """Return the result of a generator that yields at each node; restart it if the document changes in the meantime."""
    for attempt in range(ATTEMPTS + 1):
        view = await server.recent(uri)
        if view is None:
            return None
        work, state, since = make(view), _state(view), time.perf_counter()
        try:
            for turn in count(1):
                next(work)
                if attempt < ATTEMPTS and turn % STEP == 0 and time.perf_counter() - since > SLICE:
                    await asyncio.sleep(0)
                    if _state(view) != state:
                        break
                    since = time.perf_counter()
        except StopIteration as end:
            return end.value if isinstance(end.value, Written) else Plain(end.value)
    raise AssertionError("the last attempt is not interrupted")


def _state(view: CurrentView) -> tuple[int, int]:
    return id(view.document.analysis), view.document.edits
