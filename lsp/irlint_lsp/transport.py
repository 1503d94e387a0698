"""Bytes in and out: standard streams, or one connection on the loopback interface."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irlint_lsp.server import Server

LOOPBACK = "127.0.0.1"
MAX_BODY = 1 << 30
POLL = 2.0  # seconds between looks at the editor's process

_LENGTH = re.compile(rb"^content-length:[ \t]*([0-9]{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_HEAD_END = re.compile(rb"\r?\n\r?\n")

Frame = Callable[[bytes], None]


class Frames:
    """A stream split into message bodies."""

    def __init__(self, take: Frame) -> None:
        self._take = take
        self._pieces = bytearray()
        self._missing: int | None = None  # bytes of the body that is being read

    def feed(self, data: bytes) -> None:
        self._pieces += data
        while self._one():
            pass

    def _one(self) -> bool:
        if self._missing is None:
            end = _HEAD_END.search(self._pieces)
            if end is None:
                return False
            found = _LENGTH.search(self._pieces, 0, end.end())
            length = int(found[1]) if found else MAX_BODY + 1
            del self._pieces[: end.end()]
            if length > MAX_BODY:
                self._take(b"")  # a header without a length: the protocol layer calls it malformed
                return True
            self._missing = length
        if len(self._pieces) < self._missing:
            return False
        body = bytes(self._pieces[: self._missing])
        del self._pieces[: self._missing]
        self._missing = None
        self._take(body)
        return True


class PipeWriter:
    """A blocking writer to a descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def close(self) -> None:
        pass


def serve_stdio(server: Server) -> int:
    """Communicate over stdin and stdout; other output of the process goes to stderr."""
    out = os.dup(1)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(out, os.O_BINARY)
    server.protocol.set_writer(PipeWriter(out))
    return asyncio.run(_stdio(server))


async def _stdio(server: Server) -> int:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def read() -> None:
        def hand_over(body: bytes | None) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, body)

        frames = Frames(hand_over)
        with suppress(RuntimeError):  # the loop is closed: the server has ended
            try:
                while data := _read(0):
                    frames.feed(data)
            finally:
                hand_over(None)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    return await _messages(server, queue)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


async def _messages(server: Server, queue: asyncio.Queue[bytes | None]) -> int:
    """Pass messages on until exit, the end of the stream, or the end of the editor's process."""
    server.start(asyncio.get_running_loop())
    watch = asyncio.ensure_future(_watch_editor(server, queue))
    try:
        while server.protocol.ended is None:
            body = await queue.get()
            if body is None:
                return 1
            server.protocol.receive(body)
        return server.protocol.ended
    finally:
        watch.cancel()
        server.stop()


async def _watch_editor(server: Server, queue: asyncio.Queue[bytes | None]) -> None:
    """End the loop when the process that the client named has ended."""
    while True:
        await asyncio.sleep(POLL)
        if server.process_id is not None and not _is_alive(server.process_id):
            queue.put_nowait(None)
            return


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32" or pid <= 0:
        return True  # os.kill would end it there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def serve_tcp(server: Server, port: int) -> int:
    """Wait for one client on the loopback interface; print the port on stderr."""
    return asyncio.run(_tcp(server, port))


async def _tcp(server: Server, port: int) -> int:
    queue: asyncio.Queue[bytes | None] = asyncio.Queue()
    connected = asyncio.Event()

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if connected.is_set():
            writer.close()
            return
        server.protocol.set_writer(_SocketWriter(writer))
        connected.set()
        frames = Frames(queue.put_nowait)
        try:
            while data := await reader.read(1 << 16):
                frames.feed(data)
        except OSError:
            pass
        queue.put_nowait(None)

    listener = await asyncio.start_server(connection, LOOPBACK, port)
    bound = listener.sockets[0].getsockname()[1]
    sys.stderr.write(f"irlint: language server on {LOOPBACK}:{bound}\n")
    sys.stderr.flush()
    await connected.wait()
    status = await _messages(server, queue)
    listener.close()
    return status


class _SocketWriter:
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    def close(self) -> None:
        self._writer.close()
