"""A bare client: raw messages to a real server process, so that nothing between test and server smooths anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 60.0
MEASURED = "COVERAGE_PROCESS_CONFIG" in os.environ  # then a server writes down what it ran before it ends

FULL = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


def environment() -> dict[str, str]:
    path = os.pathsep.join((str(ROOT), str(ROOT / "lsp")))
    return {**os.environ, "PYTHONPATH": path, "BROWSER": "true"}  # a browser that opens nothing


class Client:
    def __init__(self, *arguments: str, capabilities: dict[str, Any] | None = None, start: bool = True) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "irlint", "server", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        self.messages: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self._id = 0
        self.errors = b""
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._drain)]
        for thread in self._threads:
            thread.start()
        self.capabilities: dict[str, Any] = {}
        self.pulls = False  # diagnostics are asked for, not waited for
        if start:
            try:
                self.initialize(FULL if capabilities is None else capabilities)
            except BaseException:
                self.kill()
                raise

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def initialize(self, capabilities: dict[str, Any], **more: Any) -> None:
        params = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities, **more}
        self.pulls = (capabilities.get("textDocument") or {}).get("diagnostic") is not None
        self.capabilities = self.ask("initialize", params)["capabilities"]
        self.tell("initialized", {})

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            size = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if not line:
                break
            message = json.loads(stream.read(size))
            message["at"] = time.perf_counter()
            with self._changed:
                self.messages.append(message)
                self._changed.notify_all()
            if "method" in message and "id" in message:
                answer = [None] if message["method"] == "workspace/configuration" else None
                with suppress(OSError, ValueError):  # the server has gone, or the test is over
                    self.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})

    def _drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line

    def send(self, message: Any) -> None:
        self.send_bytes(json.dumps(message).encode())

    def send_together(self, *messages: Any) -> None:
        """In one go: the server has all of them before it gets to do anything else."""
        bodies = [json.dumps(message).encode() for message in messages]
        self.send_bytes(b"", b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies))

    def send_bytes(self, body: bytes, head: bytes | None = None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((b"Content-Length: %d\r\n\r\n" % len(body) if head is None else head) + body)
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any = None) -> int:
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._id

    def find(self, fits: Callable[[dict[str, Any]], bool], timeout: float = TIMEOUT) -> dict[str, Any]:
        """The last message that fits, waited for."""

        def found() -> list[dict[str, Any]]:
            return [m for m in self.messages if fits(m)]

        with self._changed:
            assert self._changed.wait_for(found, timeout), f"no such message; stderr: {self.errors[-2000:]!r}"
            return found()[-1]

    def forget(self) -> None:
        """What came so far."""
        with self._changed:
            self.messages.clear()

    def answer(self, id_: Any, timeout: float = TIMEOUT) -> dict[str, Any]:
        return self.find(lambda m: "method" not in m and m.get("id") == id_, timeout)

    def ask(self, method: str, params: Any = None) -> Any:
        """The result; an error fails the test."""
        answer = self.answer(self.request(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, params: Any = None) -> int:
        answer = self.answer(self.request(method, params))
        return int(answer["error"]["code"])

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "json", "version": version, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, changes: list[dict[str, Any]]) -> None:
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int, timeout: float = TIMEOUT) -> list[dict[str, Any]]:
        def fits(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and params.get("uri") == uri
                and params.get("version") == version
            )

        found: list[dict[str, Any]] = self.find(fits, timeout)["params"]["diagnostics"]
        return found

    def stop(self) -> int:
        """Shut down as the protocol has it; the exit status."""
        if self.process.poll() is None:
            self.ask("shutdown")
            self.tell("exit", None)
        return self.wait()

    def wait(self) -> int:
        """The exit status of a server that is about to end."""
        return self.process.wait(TIMEOUT)

    def kill(self) -> None:
        if self.process.poll() is None and MEASURED:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(TIMEOUT)
        if self.process.poll() is None:
            self.process.kill()
        self.wait()
        for thread in self._threads:
            thread.join(TIMEOUT)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
