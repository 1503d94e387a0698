"""The language server's message stream: one message a line, or bytes as they are where the input begins with a header."""

from __future__ import annotations

import asyncio
import gc
import json
from functools import cache
from typing import Any
from zlib import crc32

import irlint_lsp.server
from irlint_lsp import transport
from irlint_lsp.features import workspace_diagnostic
from irlint_lsp.server import make_server
from irlint_lsp.transport import Frames

from fuzz.invariants import bounded, demand
from irlint.formats.lightnet.samples import LIGHTNET
from irlint.formats.nnvm.samples import SYMBOL
from irlint.formats.openvino.samples import OPENVINO

_PATIENCE = 60.0  # seconds for the answers
_HEADER = b"Content-Length:"
_URI = "file:///nowhere/model.json"
_START = {"line": 0, "character": 0}
_RANGE = {"start": _START, "end": {"line": 9, "character": 5}}

transport.POLL = 1e9  # the editor's process is not watched for
irlint_lsp.server.default_converter = cache(
    irlint_lsp.server.default_converter
)  # its code is generated, and never forgotten
workspace_diagnostic._paths = lambda ls: iter(())  # type: ignore[assignment]  # an input may name the root of the disk


def seeds() -> list[bytes]:
    document = {"textDocument": {"uri": _URI}}
    place = {**document, "position": {"line": 3, "character": 30}}
    asked: list[tuple[str, dict[str, Any]]] = [
        *(
            (f"textDocument/{word}", place)
            for word in ("hover", "definition", "documentHighlight", "completion", "signatureHelp")
        ),
        *(
            (f"textDocument/{word}", document)
            for word in ("documentSymbol", "foldingRange", "codeLens", "diagnostic", "documentLink")
        ),
        *((f"textDocument/{word}", {**document, "range": _RANGE}) for word in ("inlayHint", "semanticTokens/range")),
        ("textDocument/references", {**place, "context": {"includeDeclaration": True}}),
        ("textDocument/rename", {**place, "newName": "fresh"}),
        ("textDocument/selectionRange", {**document, "positions": [_START]}),
        ("textDocument/codeAction", {**document, "range": _RANGE, "context": {"diagnostics": []}}),
        ("workspace/symbol", {"query": "relu"}),
        ("workspace/executeCommand", {"command": "irlint.explain", "arguments": ["R001"]}),
        *(
            ("workspace/executeCommand", {"command": f"irlint.{word}", "arguments": [_URI]})
            for word in ("dryRun", "flatten", "ngrams", "summary")
        ),
    ]
    found = []
    for text in (LIGHTNET, SYMBOL, OPENVINO, "0 nn.relu ['data']\n1 nn.relu [0]\n"):
        for k in range(0, len(asked), 6):
            some = [_request(number, *one) for number, one in enumerate(asked[k : k + 6], 2)]
            found.append(_lines(*_opening(text), *some, _change(2, _RANGE, "x"), _change(3, None, text), *some[:2]))
    found.append(_lines(*_opening(OPENVINO, {"workspace": {"configuration": True}}), _request(2, *asked[0])))
    found.append(
        _lines(*_opening(LIGHTNET), _tell("$/cancelRequest", {"id": 2}), _tell("textDocument/didClose", document))
    )
    found.append(b'Content-Length: 44\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"shutdown"}Content-Length: 2\n\n[]')
    return found


def _opening(text: str, can: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    item = {"uri": _URI, "languageId": "json", "version": 1, "text": text}
    start = _request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": can or {}})
    return [start, _tell("initialized", {}), _tell("textDocument/didOpen", {"textDocument": item})]


def _change(version: int, at: dict[str, Any] | None, text: str) -> dict[str, Any]:
    change = {"text": text} if at is None else {"range": at, "text": text}
    return _tell(
        "textDocument/didChange", {"textDocument": {"uri": _URI, "version": version}, "contentChanges": [change]}
    )


def _request(number: int | str, method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _tell(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _lines(*messages: Any) -> bytes:
    return b"\n".join(json.dumps(message).encode() for message in messages)


def check(data: bytes) -> None:
    with bounded(data * 20):  # each message may ask for a lint
        asyncio.run(_talk(data if data.startswith(_HEADER) else b"".join(map(framed, data.split(b"\n")))))
        if crc32(data) % 16 == 0:  # a server looks for garbage when nothing happens, which is never here
            gc.collect()


def framed(body: bytes) -> bytes:
    return b"%s %d\r\n\r\n%s" % (_HEADER, len(body), body)


class _Heard:
    """What the server says, cut into messages."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self._frames = Frames(lambda body: self.messages.append(json.loads(body)))
        self.news = asyncio.Event()

    def write(self, data: bytes) -> None:
        self._frames.feed(data)
        self.news.set()

    def close(self) -> None:
        pass

    def silent(self, asked: list[int | str]) -> list[int | str]:
        """The requests that have no answer yet."""
        answered = {message.get("id") for message in self.messages if "method" not in message}
        return [id_ for id_ in asked if id_ not in answered]

    async def answers(self, asked: list[int | str]) -> None:
        while silent := self.silent(asked):
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), _PATIENCE)
            except asyncio.TimeoutError:
                demand(False, f"requests without an answer: {silent}")


async def _talk(stream: bytes) -> None:
    server, heard, loop = make_server(), _Heard(), asyncio.get_running_loop()
    failures: list[str] = []
    loop.set_exception_handler(lambda _, context: failures.append(str(context.get("exception") or context["message"])))
    server.protocol.set_writer(heard)
    server.start(loop)
    bodies: list[bytes] = []
    Frames(bodies.append).feed(stream)
    asked: list[int | str] = []
    try:
        for body in bodies[:200]:
            asked += _id_of(body)
            server.protocol.receive(body)
            if server.protocol.ended is not None:
                return
            await asyncio.sleep(0)
        await heard.answers(asked)
        server.protocol.receive(_lines(_request("the end", "shutdown", None)))
        await heard.answers(["the end"])
    finally:
        server.stop()
        await asyncio.sleep(0)
    demand(not failures, f"in the background: {failures}")


def _id_of(body: bytes) -> list[int | str]:
    """The id of a request; what is none is answered without one."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return []
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return []
    return [message["id"]] if type(message.get("id")) in (int, str) else []
