"""Rules of the protocol that pygls does not enforce: lifecycle, malformed messages, exit status."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, lsp_method

from irlint_lsp.text import Encoding

if TYPE_CHECKING:
    from irlint_lsp.server import Server

log = logging.getLogger(__name__)

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
NOT_INITIALIZED, REQUEST_FAILED, CONTENT_MODIFIED = -32002, -32803, -32801

# Methods without params; every other method of the protocol has some
_BARE = frozenset((types.SHUTDOWN, types.EXIT))


class Plain(NamedTuple):
    """A result that is already JSON: converting thousands of small objects would take longer than creating them."""

    value: Any


class Written(NamedTuple):
    """A result as JSON text, in ASCII: creating thousands of small objects would take longer than writing them."""

    text: str


class Protocol(LanguageServerProtocol):
    """A protocol that takes messages as JSON values; `ended` is the exit status after the client has sent exit."""

    _server: Server

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ended: int | None = None
        self._initialized = False
        self._encoding: Encoding = "utf-16"

    def receive(self, body: bytes) -> None:
        """Handle one message; it never raises."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self.refuse(None, PARSE_ERROR, f"not JSON: {error}")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.refuse(None, INVALID_REQUEST, "not a JSON-RPC 2.0 message")
            return
        method, id_ = message.get("method"), message.get("id")
        if "method" not in message and ("result" in message or "error" in message):
            self._take_response(message)
        elif not isinstance(method, str) or ("id" in message and type(id_) not in (int, str)):
            self.refuse(
                None, INVALID_REQUEST, "a message requires a method, and the id of a request is a number or a string"
            )
        elif "id" in message:
            self._take_request(method, id_, message)
        else:
            self._take_notification(method, message)

    def _take_request(self, method: str, id_: Any, message: dict[str, Any]) -> None:
        if self._shutdown:
            self.refuse(id_, INVALID_REQUEST, "the server is shutting down")
        elif not self._initialized and method != types.INITIALIZE:
            self.refuse(id_, NOT_INITIALIZED, "the server is not initialized")
        elif self._initialized and method == types.INITIALIZE:
            self.refuse(id_, INVALID_REQUEST, "the server is already initialized")
        elif id_ in self._request_futures:
            self.refuse(id_, INVALID_REQUEST, "a request with this id is already running")
        elif (structured := self._structured(method, message)) is None:
            self.refuse(id_, INVALID_PARAMS, f"invalid params for {method}")
        elif not hasattr(structured, "id"):
            self.refuse(id_, INVALID_REQUEST, f"{method} is a notification, which has no id")
        else:
            self._initialized = True
            self.handle_message(structured)

    def _take_notification(self, method: str, message: dict[str, Any]) -> None:
        if method == types.EXIT:
            self.ended = 0 if self._shutdown else 1
        elif self._shutdown or not self._initialized:
            log.info("ignored %s", method)
        elif method.startswith("$/") and method not in (types.CANCEL_REQUEST, types.SET_TRACE):
            log.debug("ignored %s", method)
        elif (structured := self._structured(method, message)) is not None:
            self.handle_message(structured)

    def _take_response(self, message: dict[str, Any]) -> None:
        id_ = message.get("id")
        if isinstance(id_, str) and id_ in self._request_futures:  # as all ids that we give
            try:
                self.handle_message(self.structure_message(message))
            except Exception as error:
                log.warning("unreadable response: %s", error)

    def _structured(self, method: str, message: dict[str, Any]) -> Any:
        """Return the message as its type; None if it is invalid."""
        known = self.get_message_type(method)
        if known is not None and method not in _BARE and not isinstance(message.get("params"), dict):
            if method not in (types.INITIALIZED, types.WORKSPACE_DID_CHANGE_CONFIGURATION):
                return None
            message = {**message, "params": {"settings": None} if method != types.INITIALIZED else {}}
        elif "params" not in message:
            message = {**message, "params": None}
        try:
            return self.structure_message(message)
        except Exception as error:
            log.warning("unreadable %s: %s", method, error.__cause__ or error)
            return None

    def speak(self, encoding: Encoding) -> None:
        """Set the encoding of positions; pygls would choose its own."""
        self._encoding = encoding

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        result.capabilities.position_encoding = types.PositionEncodingKind(self._encoding)
        return result

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        if isinstance(result, Plain) and error is None:
            self._result_types.pop(msg_id, None)
            self._send_data({"jsonrpc": "2.0", "id": msg_id, "result": result.value})
        elif isinstance(result, Written) and error is None:
            self._result_types.pop(msg_id, None)
            body = f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result.text}}}'
            self._send_text(body)
        else:
            super()._send_response(msg_id, result, error)

    def _send_text(self, body: str) -> None:
        assert self.writer is not None
        try:
            self.writer.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii"))
        except (BrokenPipeError, ConnectionError):
            self.ended = 1

    def plain(self, value: Any) -> Any:
        """Return a value of the protocol as JSON."""
        return self._converter.unstructure(value)

    def refuse(self, id_: Any, code: int, words: str) -> None:
        self._send_data({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": words}})

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        future = self._request_futures.get(msg_id) if type(msg_id) in (int, str) else None
        if future is not None:
            future.cancel()

    def _send_data(self, data: Any) -> None:
        try:
            super()._send_data(data)
        except (BrokenPipeError, ConnectionError):
            self.ended = 1

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """Never called: `receive` handles the message first."""
        yield from ()

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        self._server.did_open(item.uri, item.version, item.text)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        self._server.did_change(document.uri, document.version, params.content_changes)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.did_close(params.text_document.uri)
