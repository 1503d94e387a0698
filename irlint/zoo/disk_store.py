"""A folder as a store.

Our own, because the listing of obstore's ends at a name that is not UTF-8, and because it follows links to anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from shutil import copyfileobj
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from irlint.files.read import Unreadable, open_regular, plainly
from irlint.text.safe import visible
from irlint.zoo.stores import (
    ChangedError,
    ListedObject,
    MissingError,
    ObjectBody,
    Store,
    StoreError,
    TooLargeError,
    nearly,
    shown,
    translated,
)

_PAGE = 1000


class DiskStore(Store):
    has_empty_folders = True

    def __init__(self, url: str) -> None:
        super().__init__(shown(url))
        path = unquote(urlsplit(url).path) if url.lower().startswith("file://") else url
        self.root = os.path.realpath(path)

    def pages(self, prefix: str = "", after: str = "") -> Iterator[list[ListedObject]]:
        if not os.path.isdir(self.root):
            raise MissingError("no such folder" + self._hint())
        page: list[ListedObject] = []
        stack = [prefix]
        while stack:
            at = stack.pop()
            if at.endswith("/") or not at:
                stack.extend(reversed(self._inside(at)))
            elif at > after and (found := self._stat(at)) is not None:
                page.append(found)
                if len(page) == _PAGE:
                    yield page
                    page = []
        yield page

    def _hint(self) -> str:
        meant = nearly(self.url)
        return f" (did you mean `{visible(meant)}`?)" if meant else ""

    def _inside(self, folder: str) -> list[str]:
        """Return what is in a folder in the order of the keys: folders end with a slash."""
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                found = [
                    f"{folder}{entry.name}{'/' if entry.is_dir(follow_symlinks=False) else ''}" for entry in entries
                ]
        except OSError as error:
            if folder:
                return []
            raise StoreError(plainly(error)) from error
        return sorted(found, key=lambda name: name.encode("utf-8", "surrogateescape"))

    def _stat(self, key: str) -> ListedObject | None:
        """Return an object; None for what is not a regular file, or a link out of the folder."""
        path = os.path.join(self.root, *key.split("/"))
        try:
            real = os.path.realpath(path) if os.path.islink(path) else path
            if not real.startswith(self.root.rstrip(os.sep) + os.sep) or not os.path.isfile(real):
                return None
            return ListedObject(key, *_identity(os.stat(real)))
        except OSError:
            return None

    def whole(self, key: str, most: int) -> ObjectBody:
        return self._read(key, 0, None, None, most)

    def part(self, key: str, start: int, end: int, etag: str | None = None) -> ObjectBody:
        return self._read(key, start, end, etag, None)

    def _read(self, key: str, start: int, end: int | None, etag: str | None, most: int | None) -> ObjectBody:
        parts = key.split("/")
        if os.pardir in parts or "" in parts or self._stat(key) is None:
            raise MissingError("removed since it was listed")
        with (
            translated(_as_store_error),
            open(open_regular(os.path.join(self.root, *parts)), "rb", buffering=0) as file,
        ):
            size, now = _identity(os.fstat(file.fileno()))
            if etag not in (None, now):
                raise ChangedError("changed since it was listed")
            if most is not None and size > most:
                raise TooLargeError(size, most)
            file.seek(start)
            data = file.readall() if end is None else file.read(max(end - start, 0))
        return ObjectBody(data or b"", size, now)

    def head(self, key: str) -> ListedObject:
        if (found := self._stat(key)) is None:
            raise MissingError("removed since it was listed")
        return found

    def put(self, key: str, data: BinaryIO) -> None:
        from irlint.files.replace import replacing

        path = os.path.join(self.root, *key.split("/"))
        with translated(_as_store_error):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with replacing(path) as file:
                copyfileobj(data, file)


def _identity(found: os.stat_result) -> tuple[int, str]:
    return found.st_size, f"{found.st_mtime_ns:x}-{found.st_size:x}-{found.st_ino:x}"


def _as_store_error(error: Exception) -> Exception:
    """Return the error to raise in place of one of the file system's."""
    if isinstance(error, Unreadable):
        return StoreError(str(error))
    return StoreError(plainly(error)) if isinstance(error, OSError) else error
