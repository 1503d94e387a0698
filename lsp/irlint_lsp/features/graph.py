"""irlint/graph and irlint/graphBox: the picture of a model, and what its side panel says of one box; irlint.openGraph writes
it to a page and opens that in the browser.
"""

from __future__ import annotations

import json
import os
import tempfile
import webbrowser
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from irlint.findings import Finding
from irlint.records import replace
from irlint_lsp.documents import Analysis
from irlint_lsp.protocol import INVALID_PARAMS
from irlint_lsp.server import Server  # not only for checkers: pygls looks at the types of commands' handlers

if TYPE_CHECKING:
    from irlint.view import BoxScene
    from irlint.view.build import Builder

T = TypeVar("T")

ATTEMPTS = 3  # that a change of the document may interrupt
_PASSING = (
    "badge",
    "count",
    "line",
    "details",
    "histograms",
    "arrays",
)  # what changes with findings and places, not with the graph


def register(server: Server) -> None:
    server.feature("irlint/graph")(_graph)
    server.feature("irlint/graphBox")(_box)
    server.feature("irlint/graphViewer")(_viewer)
    server.command("irlint.openGraph")(_open)


async def _viewer(ls: Server, params: Any) -> dict[str, str]:
    from irlint.view.page import viewer

    script, style = viewer()
    return {"script": script, "style": style}


async def _graph(ls: Server, params: Any) -> dict[str, Any] | None:
    """Return the scene, or only its findings and lines if the client knows the graph by its `key`."""
    known = getattr(params, "key", None)
    return await _asked(ls, params.uri, lambda analysis, name: _answer(analysis, name, known))


async def _open(ls: Server, *args: Any) -> str:
    """Write the page of a model, open it in the browser, and return its address."""
    uri = args[0] if args and isinstance(args[0], str) else ""
    address = await _asked(ls, uri, _written)
    if address is None:
        raise JsonRpcException("this model is not open", code=INVALID_PARAMS)
    if ls.client_has("window", "show_document", "support"):
        await ls.window_show_document_async(types.ShowDocumentParams(address, external=True))
    else:
        webbrowser.open(address)
    return address


def _written(analysis: Analysis, name: str) -> str:
    from irlint.view.draw import draw
    from irlint.view.page import page

    model = analysis.result.model
    assert model is not None
    scene = draw(model, name, _findings(analysis), analysis.result.lines)
    folder = Path(tempfile.mkdtemp(prefix="irlint-graph-"))  # nobody else can have put anything there
    path = folder / f"{Path(name).stem or 'graph'}.html"
    path.write_text(page(scene), encoding="utf-8", errors="backslashreplace")
    return path.as_uri()


async def _box(ls: Server, params: Any) -> dict[str, Any] | None:
    return await _asked(ls, params.uri, lambda analysis, name: _details(analysis, name, int(params.box)))


async def _asked(ls: Server, uri: str, work: Callable[[Analysis, str], T]) -> T | None:
    """Work on a model in the linter's thread; again if a lint has replaced it meanwhile."""
    for _ in range(ATTEMPTS):
        if await ls.fresh(uri) is None:
            return None
        document = ls.documents[uri]
        analysis = document.analysis
        assert analysis is not None
        name = os.path.basename(document.path or uri)
        found = await ls.linter.in_thread(lambda analysis=analysis, name=name: work(analysis, name))  # type: ignore[misc]
        if not isinstance(found, Exception):
            return found
        if ls.documents.get(uri) is document and document.analysis is analysis:
            raise found
    return None


def _drawn(analysis: Analysis, name: str) -> tuple[BoxScene, Builder]:
    from irlint.view.annotate import heat
    from irlint.view.draw import sketch

    model = analysis.result.model
    assert model is not None
    if analysis.drawing is None:
        analysis.drawing = sketch(model, name, _findings(analysis), analysis.result.lines)
        heat(*analysis.drawing)
    return analysis.drawing


def _findings(analysis: Analysis) -> list[Finding]:
    """Return the findings without their fixes: code actions offer those, after they have been tried."""
    return [replace(finding, fix=None) for finding in analysis.result.findings]


def _answer(analysis: Analysis, name: str, known: str | None) -> dict[str, Any]:
    scene = _drawn(analysis, name)[0].json()
    boxes = scene["boxes"]
    graph = [{key: value for key, value in box.items() if key not in _PASSING} for box in boxes]
    key = blake2b(json.dumps([graph, scene["values"]]).encode(), digest_size=12).hexdigest()
    if key != known:
        return {"key": key, "scene": scene}
    passing = [[box["badge"], box["count"], box["line"]] for box in boxes]
    return {"key": key, "findings": scene["findings"], "boxes": passing}


def _details(analysis: Analysis, name: str, number: int) -> dict[str, Any]:
    from irlint.view.annotate import details

    scene, builder = _drawn(analysis, name)
    if not 0 <= number < len(scene.boxes):
        return {"box": number, "details": []}
    box = scene.boxes[number]
    details([box], builder)
    return {"box": number, **box.panel()}
