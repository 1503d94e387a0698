"""Object stores through obstore: S3, Google Cloud Storage, Azure, HTTP, and memory for tests.

Credentials are found by each store's own chain. obstore retries throttling, server errors and time-outs with jitter; its
errors are put into words of our own, because theirs hold times, and URLs that may be signed.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, BinaryIO
from urllib.parse import quote

import obstore
from obstore import exceptions

from irlint.tools.installed import is_installed
from irlint.zoo.stores import (
    ChangedError,
    ListedObject,
    MissingError,
    ObjectBody,
    OddKeyError,
    PassingError,
    Store,
    StoreError,
    TooLargeError,
    bucket_and_key,
    redacted,
    shown,
    translated,
)

_PAGE = 1000
_UNRANGED = 256 << 20  # bytes of an object that is read as a whole for a part of it
_LEVEL_SECONDS = 60.0
# A request for an object has a minute, and what took that long is not asked for again: a dead object costs seconds. A page
# of a listing has more, because the run depends on it: rclone 1.75 needs half a minute for one of 20,000 files when it is busy
_CLIENT = {"timeout": "60s", "connect_timeout": "10s", "read_timeout": "20s"}
_LISTING_CLIENT = {"timeout": "300s", "connect_timeout": "10s", "read_timeout": "300s"}
_RETRIES = {
    "max_retries": 4,
    "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=3), "base": 2},
    "retry_timeout": timedelta(seconds=30),
}


class CloudStore(Store):
    def __init__(self, url: str) -> None:
        super().__init__(shown(url))
        _, key = bucket_and_key(url) or ("", "")
        self._below = f"{key.strip('/')}/".lstrip("/")  # what keys in errors begin with
        try:
            self._store = _opened(url, _CLIENT)
            self._listing = self._store if url.startswith("memory:") else _opened(url, _LISTING_CLIENT)
        except (exceptions.BaseError, ValueError) as error:
            raise StoreError(_words(error)) from error

    def pages(self, prefix: str = "", after: str = "") -> Iterator[list[ListedObject]]:
        # a prefix ends where a segment does
        stream = obstore.list(self._listing, prefix.rstrip("/") or None, offset=after or None, chunk_size=_PAGE)
        while True:
            try:
                page = next(stream, None)
            except Exception as error:
                if "status code: 404" in str(error):
                    raise MissingError(_NO_BUCKET) from error
                raise self._of_listing(error) from error
            if page is None:
                return
            yield [_listed(meta) for meta in page]

    def level(self, prefix: str) -> tuple[list[ListedObject], list[str]]:
        """Return the objects directly in a folder, and the folders in it, which end with a slash."""

        async def found() -> Any:  # the client collects all pages, and would never stop
            return await asyncio.wait_for(
                obstore.list_with_delimiter_async(self._listing, prefix.rstrip("/") or None), _LEVEL_SECONDS
            )

        try:
            level = asyncio.run(found())
        except (asyncio.TimeoutError, TimeoutError) as error:
            raise StoreError("the listing of a folder does not end") from error
        except Exception as error:
            raise self._of_listing(error) from error
        return [_listed(meta) for meta in level["objects"]], [f"{name}/" for name in level["common_prefixes"]]

    def _of_listing(self, error: Exception) -> Exception:
        translated = _as_store_error(error)
        if isinstance(translated, OddKeyError):
            translated.key = translated.key.removeprefix(self._below)
        return translated

    def whole(self, key: str, most: int) -> ObjectBody:
        with translated(_as_store_error):
            found = obstore.get(self._store, key)
            meta = found.meta
            if meta["size"] > most:
                raise TooLargeError(meta["size"], most)
            data = bytes(found.bytes())
        return _body(data, meta, meta["size"])

    def part(self, key: str, start: int, end: int, etag: str | None = None) -> ObjectBody:
        try:
            found = obstore.get(self._store, key, options={"range": (start, end)})
            meta = found.meta
            data = bytes(found.bytes())
        except Exception as error:
            # servers that do not know ranges, and objects that have become shorter than where one begins
            if _UNABLE.search(str(error)[:1000]):
                body = self.whole(key, _UNRANGED)
                return ObjectBody(body.data[start:end], body.size, body.etag)
            raise _as_store_error(error) from error
        if etag not in (None, _identity(meta)):  # not by If-Match: stores quote ETags in one answer and not in another
            raise ChangedError("changed while it was read")
        return _body(data, meta, min(end, meta["size"]) - start)

    def head(self, key: str) -> ListedObject:
        with translated(_as_store_error):
            return _listed(obstore.head(self._store, key))

    def put(self, key: str, data: BinaryIO) -> None:
        try:
            obstore.put(self._store, key, data)
        except FileNotFoundError as error:
            raise MissingError(_NO_BUCKET) from error
        except Exception as error:
            raise _as_store_error(error) from error


def _opened(url: str, client_options: dict[str, str]) -> Any:
    scheme = url.partition("://")[0].lower()
    _verify_settings()
    from obstore.store import from_url

    if scheme == "memory":
        return from_url("memory:///")
    if (parts := bucket_and_key(url)) is not None:
        url = f"{scheme}://{parts[0]}/{quote(parts[1])}"  # it decodes what it is given
    client: dict[str, Any] = dict(client_options)
    more: dict[str, Any] = {"client_options": client, "retry_config": _RETRIES}
    if any(os.environ.get(name, "").startswith("http://") for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3")):
        client["allow_http"] = True
    if scheme in ("s3", "s3a") and _wants_profile():
        from obstore.auth.boto3 import Boto3CredentialProvider

        more["credential_provider"] = Boto3CredentialProvider()
    try:
        return from_url(url, **more)
    except Exception:
        raise
    except BaseException as error:  # a panic of the client, over settings that it does not check
        raise StoreError("the store's settings in the environment are not valid") from error


def _verify_settings() -> None:
    """Refuse settings over which the client panics, with a traceback on stderr."""
    for name, value in os.environ.items():
        if name.startswith("AWS_ENDPOINT_URL") and value and not _ENDPOINT.fullmatch(value):
            raise StoreError(f"{name} is not a URL such as https://host:9000")
        if name.startswith("AWS_") and not value.isprintable():
            raise StoreError(f"{name} has control characters")


_ENDPOINT = re.compile(r"https?://[^\s/@]*[^\s/@:](?::[0-9]{1,5})?(?:/\S*)?")


def _wants_profile() -> bool:
    """Return whether the credentials are in a profile, which obstore does not read, and boto3 does."""
    if os.environ.get("AWS_ACCESS_KEY_ID") or os.environ.get("AWS_SKIP_SIGNATURE"):
        return False
    files = (os.path.expanduser(f"~/.aws/{name}") for name in ("credentials", "config"))
    return is_installed("boto3") and (bool(os.environ.get("AWS_PROFILE")) or any(map(os.path.exists, files)))


def _body(data: bytes, meta: Any, expected: int) -> ObjectBody:
    if len(data) != expected:
        raise PassingError("the body ended before its length")
    return ObjectBody(data, meta["size"], _identity(meta))


def _listed(meta: Any) -> ListedObject:
    return ListedObject(meta["path"], meta["size"], _identity(meta))


def _identity(meta: Any) -> str | None:
    if meta["e_tag"]:
        return str(meta["e_tag"]).removeprefix("W/").strip('"')
    changed = meta["last_modified"]
    return changed.isoformat() if isinstance(changed, datetime) else None


_UNABLE = re.compile("non-partial response|status code: 416|Range request not supported")
_STATUS = re.compile(r"status code: ([0-9]{3})(?: ([A-Za-z ]{1,60}))?")
_MISSING = "not found: removed since it was listed, or its key has control characters, or `/` at its beginning or end"
_NO_BUCKET = "no such bucket or container"
_ODD = re.compile(r'(?s)Path "(.*?)"(?: contained|:|$)')


def _as_store_error(error: Exception) -> Exception:
    """Return the error to raise in place of one of obstore's."""
    if isinstance(error, FileNotFoundError):
        return MissingError(_MISSING)
    if isinstance(error, exceptions.PreconditionError):
        return ChangedError("changed while it was read")
    text = str(error)
    if isinstance(error, exceptions.InvalidPathError):
        found = _ODD.search(text)
        return OddKeyError(found[1] if found else "")
    if text.startswith("Could not parse path"):
        return OddKeyError("")
    if not isinstance(error, (exceptions.BaseError, ValueError, OSError)):
        return error
    passing = "status code: 5" in text or "status code: 429" in text or "HTTP error" in text
    return (PassingError if passing else StoreError)(_words(error))


def _words(error: Exception) -> str:
    text = str(error)
    if (found := _STATUS.search(text)) is not None:
        if found[1] in ("401", "403"):
            return f"access denied (the store answered {found[1]})"
        return f"the store answered {found[1]}{f' ({found[2].strip()})' if found[2] else ''}"
    if "kind: Timeout" in text or "TimedOut" in text:
        return "the store did not answer in time"
    if "body error" in text:
        return "the body ended before its length"
    if "error sending request" in text:
        return "cannot connect to the store"
    if isinstance(error, (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError)):
        return "access denied"
    first = " ".join(text.partition("\n\nDebug source")[0].split())
    return redacted(re.sub(r" in [0-9.]+(?:ns|µs|ms|s)\b", "", first))[:300]
