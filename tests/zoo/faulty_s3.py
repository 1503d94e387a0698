"""An S3 server on loopback that does wrong what a key's entry in `faults` says: a public protocol, reads without signatures, and no disk.

Entries are lists of steps; every request for an object takes the next one, and the last one stays. A step is a status (503, 403, 429), "truncated" (the body
ends before its length), "slow" (the body comes a byte a second), "ok", or bytes, which are a new content with a new ETag. `pages` says how listings go wrong:
"endless" (a continuation token that leads back to the same page), 503 (each page fails once), 403, or an XML document to send.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

from irlint.zoo import patience
from irlint.zoo.roots import open_store

PAGE = 1000  # keys


class FaultyS3:
    """`objects` by key, in one bucket; `requests` counts what was asked for: ("GET", key), ("HEAD", key), ("LIST", prefix), ("PUT", key)."""

    bucket = "models"

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.faults: dict[str, list[object]] = {}
        self.pages: object = None
        self.requests: Counter[tuple[str, str]] = Counter()
        self.url = ""
        self.lock = Lock()

    def step(self, key: str) -> object:
        with self.lock:
            steps = self.faults.get(key, ["ok"])
            return steps.pop(0) if len(steps) > 1 else steps[0]


@contextmanager
def serving() -> Iterator[FaultyS3]:
    """Yield a server at `url`; AWS_ENDPOINT_URL, AWS_ALLOW_HTTP and AWS_SKIP_SIGNATURE lead clients there."""
    store = FaultyS3()
    handler = type("Handler", (_Handler,), {"store": store})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    store.url = f"http://127.0.0.1:{server.server_address[1]}"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def in_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyS3]:
    """Yield a server that clients of this process find by their environment, without pauses between tries."""
    monkeypatch.setattr(patience, "PAUSE", 0.01)
    with serving() as store:
        for name, value in (("ENDPOINT_URL", store.url), ("SKIP_SIGNATURE", "true"), ("REGION", "us-east-1")):
            monkeypatch.setenv(f"AWS_{name}", value)
        open_store.cache_clear()
        yield store
        open_store.cache_clear()


def etag(data: bytes) -> str:
    return f'"{md5(data).hexdigest()}"'


def _quote(key: str) -> str:
    return quote(key, errors="surrogateescape")


class _Handler(BaseHTTPRequestHandler):
    store: FaultyS3
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query, keep_blank_values=True, errors="surrogateescape")
        key = self._key(parts.path)
        if "list-type" in query:
            self._list({name: values[0] for name, values in query.items()})
        else:
            self._object(key, "GET")

    def do_HEAD(self) -> None:
        self._object(self._key(urlsplit(self.path).path), "HEAD")

    def do_PUT(self) -> None:
        key = self._key(urlsplit(self.path).path)
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.store.requests["PUT", key] += 1
        if isinstance(step := self.store.step(key), int):
            return self._refuse(step)
        self.store.objects[key] = data
        return self._answer(200, b"", {"ETag": etag(data)})

    def _key(self, path: str) -> str:
        return unquote(path.removeprefix(f"/{self.store.bucket}").removeprefix("/"), errors="surrogateescape")

    def _object(self, key: str, verb: str) -> None:
        self.store.requests[verb, key] += 1
        step = self.store.step(key)
        if isinstance(step, bytes):
            self.store.objects[key] = step
            self.store.faults[key] = ["ok"]
        if isinstance(step, int):
            return self._refuse(step)
        data = self.store.objects.get(key)
        if data is None:
            return self._refuse(404)
        wanted = self.headers.get("If-Match")
        if wanted is not None and wanted.strip('"') != etag(data).strip('"'):
            return self._refuse(412)
        headers = {"ETag": etag(data), "Last-Modified": "Wed, 25 Nov 2026 10:00:00 GMT", "Accept-Ranges": "bytes"}
        status, body = 200, data
        if (part := self.headers.get("Range")) is not None:
            first, _, last = part.removeprefix("bytes=").partition("-")
            start, stop = int(first or 0), min(int(last or len(data)), len(data) - 1) + 1
            if start >= len(data):
                return self._refuse(416)
            status, body = 206, data[start:stop]
            headers["Content-Range"] = f"bytes {start}-{stop - 1}/{len(data)}"
        return self._answer(status, b"" if verb == "HEAD" else body, headers, len(body), step)

    def _list(self, query: dict[str, str]) -> None:
        prefix = query.get("prefix", "")
        self.store.requests["LIST", prefix] += 1
        pages = self.store.pages
        if isinstance(pages, str) and pages.startswith("<"):
            return self._answer(200, pages.encode(), {"Content-Type": "application/xml"})
        after = query.get("continuation-token") or query.get("start-after") or ""
        if pages == 403:
            return self._refuse(403)
        if pages == 503 and self.store.requests["FAILED", after] == 0:
            self.store.requests["FAILED", after] += 1
            return self._refuse(503)
        endless = pages == "endless"
        keys = sorted(key for key in self.store.objects if key.startswith(prefix) and (key > after or endless))
        folders: list[str] = []
        if delimiter := query.get("delimiter"):
            inner = {key: key[len(prefix) :].partition(delimiter) for key in keys}
            folders = sorted({f"{prefix}{head}{mark}" for head, mark, _ in inner.values() if mark})
            keys = [key for key in keys if not inner[key][1]]
        shown, more = keys[:PAGE], len(keys) > PAGE or endless
        if query.get("encoding-type") == "url" or any("\n" in key or "\x01" in key for key in shown):
            encode, kind = _quote, "<EncodingType>url</EncodingType>"
        else:
            encode, kind = escape, ""
        entries = "".join(
            f"<Contents><Key>{encode(key)}</Key><LastModified>2026-11-25T10:00:00.000Z</LastModified><ETag>{escape(etag(self.store.objects[key]))}</ETag>"
            f"<Size>{len(self.store.objects[key])}</Size><StorageClass>STANDARD</StorageClass></Contents>"
            for key in shown
        )
        entries += "".join(f"<CommonPrefixes><Prefix>{encode(name)}</Prefix></CommonPrefixes>" for name in folders)
        token = f"<NextContinuationToken>{escape(shown[-1])}</NextContinuationToken>" if more and shown else ""
        text = (
            f'<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>{self.store.bucket}</Name>'
            f"<Prefix>{escape(prefix)}</Prefix><KeyCount>{len(shown)}</KeyCount><MaxKeys>{PAGE}</MaxKeys>{kind}"
            f"<IsTruncated>{str(bool(more and shown)).lower()}</IsTruncated>{token}{entries}</ListBucketResult>"
        )
        return self._answer(200, text.encode("utf-8", "surrogateescape"), {"Content-Type": "application/xml"})

    def _refuse(self, status: int) -> None:
        codes = {
            403: "AccessDenied",
            404: "NoSuchKey",
            412: "PreconditionFailed",
            416: "InvalidRange",
            429: "SlowDown",
            503: "SlowDown",
        }
        text = f'<?xml version="1.0"?><Error><Code>{codes.get(status, "InternalError")}</Code><Message>injected</Message></Error>'
        self._answer(status, text.encode(), {"Content-Type": "application/xml"})

    def _answer(
        self, status: int, body: bytes, headers: dict[str, str], length: int | None = None, step: object = None
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        with suppress(OSError):
            if self.command == "HEAD":
                return
            if step == "truncated":
                self.wfile.write(body[: len(body) // 2])
                self.close_connection = True
            elif step == "slow":
                for k in range(len(body)):
                    self.wfile.write(body[k : k + 1])
                    self.wfile.flush()
                    time.sleep(1)
            else:
                self.wfile.write(body)
