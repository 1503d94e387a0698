"""What the protocol asks for before initialize, after shutdown, and of messages that are none."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time

import pytest

from .client import FULL, Client, environment
from .samples import SAMPLES, glacier, nnvm

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800
URI = "file:///nowhere/toy-symbol.json"


def test_a_request_before_initialize_is_refused(raw: Client) -> None:
    assert raw.error("textDocument/hover", {}) == NOT_INITIALIZED
    assert raw.error("shutdown") == NOT_INITIALIZED
    raw.tell("textDocument/didOpen", {})
    raw.initialize(FULL)
    assert raw.stop() == 0


def test_exit_before_initialize(raw: Client) -> None:
    raw.tell("exit", None)
    assert raw.wait() == 1


def test_exit_without_shutdown(client: Client) -> None:
    client.tell("exit", None)
    assert client.wait() == 1


def test_exit_after_shutdown_while_a_lint_runs(client: Client) -> None:
    client.open(URI, nnvm(20_000))
    assert client.stop() == 0


def test_requests_after_shutdown_are_refused(client: Client) -> None:
    client.ask("shutdown")
    assert client.error("textDocument/hover", {"textDocument": {"uri": URI}}) == INVALID_REQUEST
    assert client.error("shutdown") == INVALID_REQUEST
    client.tell("exit", None)
    assert client.wait() == 0


def test_a_second_initialize_is_refused(client: Client) -> None:
    assert client.error("initialize", {"processId": None, "rootUri": None, "capabilities": {}}) == INVALID_REQUEST


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", PARSE_ERROR),
        (b"\xff\xfe", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b"17", INVALID_REQUEST),
        (b'{"id": 5, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 5, "method": 6}', INVALID_REQUEST),
    ],
    ids=lambda value: repr(value[:12]) if isinstance(value, bytes) else None,
)
def test_malformed_messages_are_answered_and_survived(shared: Client, body: bytes, code: int) -> None:
    shared.forget()
    shared.send_bytes(body)
    assert shared.answer(None)["error"]["code"] == code
    assert shared.ask("workspace/symbol", {"query": "?"}) == []


def test_a_header_without_a_length(shared: Client) -> None:
    shared.forget()
    shared.send_bytes(b"", b"Content-Type: nothing\r\n\r\n")
    assert shared.answer(None)["error"]["code"] == PARSE_ERROR
    assert shared.ask("workspace/symbol", {"query": "?"}) == []


@pytest.mark.parametrize("id_", [[], {}, None, 1.5, True, "x", 10**40], ids=str)
def test_answers_and_cancellations_with_ids_that_nobody_gave(shared: Client, id_: object) -> None:
    shared.send({"jsonrpc": "2.0", "id": id_, "result": 1})
    shared.send({"jsonrpc": "2.0", "id": id_, "error": id_})
    shared.tell("$/cancelRequest", {"id": id_})
    assert shared.ask("workspace/symbol", {"query": "?"}) == []


def test_an_answer_with_the_id_of_a_request_is_not_its_answer(shared: Client, uri: str) -> None:
    shared.forget()
    item = {"uri": uri, "languageId": "json", "version": 1, "text": nnvm(2_000)}
    shared.send_together(
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"jsonrpc": "2.0", "id": 9999, "method": "textDocument/documentLink", "params": {"textDocument": {"uri": uri}}},
        {"jsonrpc": "2.0", "id": 9999, "result": "forged"},
    )
    assert shared.answer(9999)["result"] in (None, [])


def test_an_unknown_method(shared: Client) -> None:
    assert shared.error("irlint/unheardOf", {}) == METHOD_NOT_FOUND
    shared.tell("irlint/unheardOf", {})
    shared.tell("$/unheardOf", {})
    assert shared.error("workspace/executeCommand", {"command": "irlint.unheardOf"}) == INVALID_PARAMS
    for arguments in ([], [None], [["R001"]], ["R999"]):
        params = {"command": "irlint.explain", "arguments": arguments}
        assert shared.error("workspace/executeCommand", params) == INVALID_PARAMS
    assert shared.ask("workspace/symbol", {"query": "?"}) == []


@pytest.mark.parametrize("method", ["initialized", "textDocument/didClose", "exit"])
def test_a_notification_sent_as_a_request(shared: Client, method: str) -> None:
    assert shared.error(method, {"textDocument": {"uri": URI}}) == INVALID_REQUEST
    assert shared.ask("workspace/symbol", {"query": "?"}) == []


def test_a_cancelled_request_is_answered_as_such(client: Client) -> None:
    item = {"uri": URI, "languageId": "json", "version": 1, "text": nnvm(20_000)}
    document = {"textDocument": {"uri": URI}}
    client.send_together(
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"jsonrpc": "2.0", "id": "asked", "method": "textDocument/documentSymbol", "params": document},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "asked"}},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 999}},
    )
    assert client.answer("asked")["error"]["code"] == CANCELLED
    client.send_together(
        {"jsonrpc": "2.0", "id": "all", "method": "workspace/symbol", "params": {"query": "no such name"}},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "all"}},
    )
    assert client.answer("all")["error"]["code"] == CANCELLED
    assert client.ask("textDocument/documentSymbol", document)


def test_questions_about_documents_that_are_not_open(client: Client) -> None:
    at = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    assert client.ask("textDocument/hover", at) is None
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    actions = {"textDocument": {"uri": URI}, "range": span, "context": {"diagnostics": []}}
    assert client.ask("textDocument/codeAction", actions) == []
    client.change(URI, 2, [{"text": "{}"}])
    client.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
    client.open(URI, SAMPLES[1].text)
    assert client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    client.tell("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}}) is None


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", "int main() {}", "<a/>", "\x00\ufffe", "{" * 5000])
def test_foreign_files_get_no_diagnostics(shared: Client, text: str, uri: str) -> None:
    shared.open(uri, text)
    assert shared.diagnostics(uri, 1) == []
    assert shared.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) is None


def test_the_server_ends_when_its_input_does(client: Client) -> None:
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.wait() == 1


@pytest.mark.skipif(sys.platform == "win32", reason="processes are asked for by signal")
def test_the_server_ends_when_the_editor_dies_and_its_pipes_live_on(raw: Client) -> None:
    editor = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        raw.ask("initialize", {"processId": editor.pid, "rootUri": None, "capabilities": {}})
    finally:
        editor.kill()
        editor.wait(60)
    assert raw.wait() == 1


def test_tcp_listens_on_the_loopback_interface_only() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "irlint", "server", "--tcp", "0"], stderr=subprocess.PIPE, env=environment()
    )
    try:
        assert process.stderr is not None
        found = re.search(rb"127\.0\.0\.1:(\d+)", process.stderr.readline())
        assert found
        with socket.create_connection(("127.0.0.1", int(found[1])), 10) as connection:
            body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert b"-32002" in connection.recv(4096)
        assert process.wait(60) == 1
    finally:
        process.kill()
        process.wait(60)
        if process.stderr is not None:
            process.stderr.close()


def test_stdout_carries_nothing_but_messages() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "irlint", "server", "--stdio"],
        input=b"",
        capture_output=True,
        env=environment(),
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.parametrize(
    ("uri", "text", "column"), [(URI, nnvm(1500), 17), ("file:///nowhere/toy.txt", glacier(1500), 7)]
)
def test_memory_is_flat_over_a_thousand_keystrokes(client: Client, uri: str, text: str, column: int) -> None:
    if not os.path.exists(f"/proc/{client.process.pid}/status"):
        pytest.skip("no /proc here")
    client.open(uri, text)
    client.diagnostics(uri, 1)
    at = {"line": 3, "character": column}
    sizes = []
    for version in range(2, 1002):
        end = {"line": 3, "character": column + 1} if version % 2 else at
        client.change(uri, version, [{"range": {"start": at, "end": end}, "text": "" if version % 2 else "x"}])
        if version % 10 == 0:
            client.diagnostics(uri, version)
        if version in (300, 1001):
            time.sleep(0.2)
            sizes.append(_resident(client.process.pid))
    assert sizes[1] < sizes[0] * 1.2, sizes


def test_memory_is_flat_over_many_openings(client: Client) -> None:
    if not os.path.exists(f"/proc/{client.process.pid}/status"):
        pytest.skip("no /proc here")
    text, sizes = nnvm(10_000), []
    for version in range(1, 33):
        client.open(URI, text, version)
        client.diagnostics(URI, version)
        client.close(URI)
        if version in (10, 32):
            time.sleep(1)  # what was planned for the document comes to nothing
            sizes.append(_resident(client.process.pid))
    assert sizes[1] < sizes[0] * 1.9, sizes  # what is never freed makes it 2.4


def _resident(pid: int) -> int:
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
