"""Stores of other schemes, such as hf://, through fsspec where the user has installed it."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import copyfileobj
from typing import Any, BinaryIO

from irlint.zoo.stores import (
    ChangedError,
    ListedObject,
    MissingError,
    ObjectBody,
    PassingError,
    Store,
    StoreError,
    TooLargeError,
    redacted,
    shown,
    translated,
)

_PAGE = 1000
_IDENTITIES = ("ETag", "etag", "e_tag", "blob_id", "oid", "md5Hash", "md5", "mtime", "LastModified", "last_modified")


class FsspecStore(Store):
    def __init__(self, url: str) -> None:
        super().__init__(shown(url))
        scheme = url.partition("://")[0]
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise StoreError(
                f"unknown scheme `{scheme}`; others than s3, gs, az, http and file require fsspec, which is not installed"
            ) from error
        try:
            self._fs, self._root = url_to_fs(url)
        except ImportError as error:
            raise StoreError(f"{scheme}:// requires a package that is not installed: {_words(error)}") from error
        except (ValueError, OSError) as error:
            is_unknown = "Protocol not known" in str(error)
            raise StoreError(f"unknown scheme `{scheme}`" if is_unknown else _words(error)) from error
        self._root = self._root.rstrip("/")

    def _path(self, key: str) -> str:
        return f"{self._root}/{key}" if key else self._root

    def pages(self, prefix: str = "", after: str = "") -> Iterator[list[ListedObject]]:
        page: list[ListedObject] = []
        with translated(_as_store_error):
            for folder, _, files in self._fs.walk(self._path(prefix.rstrip("/")), detail=True):
                for name, info in sorted(files.items()):
                    key = f"{folder.strip('/')}/{name}".removeprefix(self._root.strip("/")).lstrip("/")
                    if key > after:
                        page.append(ListedObject(key, int(info.get("size") or 0), _identity(info)))
                    if len(page) == _PAGE:
                        yield page
                        page = []
        yield page

    def whole(self, key: str, most: int) -> ObjectBody:
        found = self.head(key)
        if found.size > most:
            raise TooLargeError(found.size, most)
        return self._read(found, 0, None)

    def part(self, key: str, start: int, end: int, etag: str | None = None) -> ObjectBody:
        found = self.head(key)
        if etag not in (None, found.etag):
            raise ChangedError("changed since it was listed")
        return self._read(found, start, end)

    def _read(self, found: ListedObject, start: int, end: int | None) -> ObjectBody:
        with translated(_as_store_error):
            data = self._fs.cat_file(self._path(found.key), start=start or None, end=end)
        if len(data) != (found.size if end is None else min(end, found.size)) - start:
            raise PassingError("the body ended before its length")
        return ObjectBody(data, found.size, found.etag)

    def head(self, key: str) -> ListedObject:
        with translated(_as_store_error):
            info = self._fs.info(self._path(key))
        if info.get("type") == "directory":
            raise MissingError("a folder")
        return ListedObject(key, int(info.get("size") or 0), _identity(info))

    def put(self, key: str, data: BinaryIO) -> None:
        with translated(_as_store_error), self._fs.open(self._path(key), "wb") as file:
            copyfileobj(data, file)


def _identity(info: dict[str, Any]) -> str | None:
    return next((str(info[name]) for name in _IDENTITIES if info.get(name)), None)


def _as_store_error(error: Exception) -> StoreError:
    if isinstance(error, FileNotFoundError):
        return MissingError("removed since it was listed")
    if isinstance(error, PermissionError):
        return StoreError("permission denied")
    if isinstance(error, (TimeoutError, ConnectionError)):
        return PassingError("the store did not answer in time")
    return StoreError(_words(error))


def _words(error: Exception) -> str:
    return redacted(" ".join(str(error).split()))[:300] or type(error).__name__
