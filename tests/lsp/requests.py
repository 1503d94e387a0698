"""Every request that the server answers, with params for a place in a document."""

from __future__ import annotations

from typing import Any

START = {"line": 0, "character": 0}
NOTHING = {"start": START, "end": START}
ALL = {"start": START, "end": {"line": 99_999, "character": 0}}

# What stands for "there is nothing to say": null wherever the protocol admits it, else an empty list or report
EMPTY: tuple[Any, ...] = (None, [], {"kind": "full", "items": []}, {"items": []})


def requests(uri: str, at: dict[str, int] = START) -> dict[str, dict[str, Any]]:
    """Params of each request about one document, by method."""
    document = {"textDocument": {"uri": uri}}
    place = {**document, "position": at}
    item = {"name": "x", "kind": 12, "uri": uri, "range": NOTHING, "selectionRange": NOTHING}
    return {
        "textDocument/hover": place,
        "textDocument/definition": place,
        "textDocument/references": {**place, "context": {"includeDeclaration": True}},
        "textDocument/documentHighlight": place,
        "textDocument/prepareRename": place,
        "textDocument/rename": {**place, "newName": "fresh"},
        "textDocument/completion": place,
        "textDocument/signatureHelp": place,
        "textDocument/prepareCallHierarchy": place,
        "callHierarchy/incomingCalls": {"item": item},
        "callHierarchy/outgoingCalls": {"item": item},
        "textDocument/selectionRange": {**document, "positions": [at]},
        "textDocument/foldingRange": document,
        "textDocument/documentSymbol": document,
        "textDocument/documentLink": document,
        "textDocument/codeLens": document,
        "textDocument/inlayHint": {**document, "range": ALL},
        "textDocument/semanticTokens/full": document,
        "textDocument/semanticTokens/range": {**document, "range": ALL},
        "textDocument/codeAction": {**document, "range": NOTHING, "context": {"diagnostics": []}},
        "textDocument/diagnostic": document,
    }


OF_THE_WORKSPACE: dict[str, dict[str, Any]] = {
    "workspace/symbol": {"query": "relu"},
    "workspace/diagnostic": {"previousResultIds": []},
    "workspace/executeCommand": {"command": "irlint.explain", "arguments": ["R001"]},
}
