"""Stores of objects: what irlint asks of one."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO
from urllib.parse import urlsplit, urlunsplit

from irlint.records import NamedTuple


class ListedObject(NamedTuple):
    """An object as a listing shows it. `etag` is what the store has that changes with the content."""

    key: str
    size: int
    etag: str | None


class ObjectBody(NamedTuple):
    """Bytes of an object, and the size and ETag that the whole object had when they were read."""

    data: bytes
    size: int
    etag: str | None


class StoreError(Exception):
    """Why a store did not do what it was asked, in words without credentials or times."""

    may_pass = False  # whether asking again may help


class PassingError(StoreError):
    """An error of the moment: throttling, a server's error, a time-out, a body that was cut off."""

    may_pass = True


class MissingError(StoreError):
    """There is no such object."""


class ChangedError(StoreError):
    """The object is no longer the one that was asked for."""


class TooLargeError(StoreError):
    """The object has more bytes than are wanted."""

    def __init__(self, size: int, most: int) -> None:
        super().__init__(f"{size:,} bytes; at most {most:,} are read")


class OddKeyError(StoreError):
    """A key that the store's client cannot express, in a listing or of an object; empty if it is not known."""

    def __init__(self, key: str) -> None:
        super().__init__("the store's client cannot express this key")
        self.key = key


@contextmanager
def translated(of: Callable[[Exception], Exception]) -> Iterator[None]:
    """Raise what `of` makes of an error of a store's client in its place."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        raise of(error) from error


class Store(ABC):
    """The objects below a URL. Keys are relative to it; `url` has no credentials and no slash at its end."""

    has_empty_folders = False  # whether a folder can be there without an object in it

    def __init__(self, url: str) -> None:
        self.url = url

    @abstractmethod
    def pages(self, prefix: str = "", after: str = "") -> Iterator[list[ListedObject]]:
        """Return what is in the folder `prefix` and below it, whose keys come after `after`, page by page."""

    @abstractmethod
    def whole(self, key: str, most: int) -> ObjectBody:
        """Return all bytes of an object, or raise TooLargeError, with nothing read, if there are more than `most`."""

    @abstractmethod
    def part(self, key: str, start: int, end: int, etag: str | None = None) -> ObjectBody:
        """Return a range of the bytes of an object; with `etag` only if it is still that."""

    @abstractmethod
    def head(self, key: str) -> ListedObject:
        """Return the size and ETag of an object."""

    @abstractmethod
    def put(self, key: str, data: BinaryIO) -> None:
        """Write an object, whole or not at all."""


BUCKETS = frozenset(
    ("s3", "s3a", "gs", "az", "azure", "adl", "abfs", "abfss")
)  # schemes whose paths are keys, sign for sign


def bucket_and_key(url: str) -> tuple[str, str] | None:
    """Return the bucket and the key of a URL, which are not quoted; None if its scheme is another."""
    scheme, mark, rest = url.partition("://")
    if not mark or scheme.lower() not in BUCKETS:
        return None
    bucket, _, key = rest.partition("/")
    return bucket, key


def refusal(url: str) -> str | None:
    """Return why a URL cannot be used: it would have to be shown with what is secret in it, or it says nothing."""
    if not url:
        return "a URL is empty"
    if (parts := bucket_and_key(url)) is None:
        return _CREDENTIALS if "@" in url and nearly(url) else None
    bucket, key = parts
    if ":" in bucket or ("@" in bucket and not url.lower().startswith("abfs")):
        return _CREDENTIALS
    if _QUERY_KEY.search(key):
        return "URLs of buckets have no query; set credentials in the environment"
    return None


_CREDENTIALS = "credentials are not read from URLs; set them in the environment"
_NEARLY = re.compile(r"(s3a?|gs|az|abfss?|hf|https?)(?::|:/|//)(?!/)")
_QUERY_KEY = re.compile(r"\?[^/]*=")


def nearly(text: str) -> str | None:
    """Return the URL that was probably meant; None for a URL or a path."""
    found = _NEARLY.match(text)
    return f"{found[1]}://{text[found.end() :]}" if found else None


def shown(url: str) -> str:
    """Return a URL without what may be secret in it: user, password, query and fragment."""
    if "://" not in url or bucket_and_key(url) is not None:  # those with secrets have been refused
        return url.rstrip("/") or url
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return _USER.sub("", urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", "")))


def address(url: str, key: str) -> str:
    """Return the URL of an object of a store; that of the store without a key."""
    return f"{shown(url).rstrip('/')}/{key}" if key else shown(url)


def redacted(text: str) -> str:
    """Return a text in which URLs have no user, password or query."""
    return _QUERY.sub("?...", _USER.sub("", text))


_USER = re.compile(r"(?<=[:/])[^\s/@:]{0,1000}:[^\s@]{1,1000}@")
_QUERY = re.compile(r"\?[^\s\"')>]{1,10000}")
