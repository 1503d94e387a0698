"""The URLs of a run: stores, folders in them, and single objects; and the store of a URL, by its scheme."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache

from irlint.formats.base import extensions
from irlint.records import NamedTuple
from irlint.report.paths import is_url
from irlint.text.others import ending
from irlint.zoo.stores import Store, StoreError, shown

OBSTORE = frozenset(("s3", "s3a", "gs", "az", "azure", "adl", "abfs", "abfss", "http", "https", "memory"))


@lru_cache(maxsize=64)
def open_store(url: str) -> Store:
    """Return the store of a URL or of a folder's path."""
    scheme, mark, _ = url.partition("://")
    scheme = scheme.lower()
    if not mark or scheme == "file":
        from irlint.zoo.disk_store import DiskStore

        return DiskStore(url)
    if scheme in OBSTORE:
        from irlint.zoo.cloud_store import CloudStore

        return CloudStore(url)
    from irlint.zoo.fsspec_store import FsspecStore

    return FsspecStore(url)


class Root(NamedTuple):
    """A folder whose objects are checked: all below it, or a few that lie directly in it."""

    url: str
    only: tuple[str, ...] = ()


def roots_of(urls: Sequence[str]) -> tuple[Root, ...]:
    """Return what URLs mean, in the order of their objects' URLs. One that ends like a model's is asked for as an object first."""
    found: list[Root] = []
    for url in distinct(urls):
        folder, name = _split(url)
        if not _is_object(folder, name):
            found.append(Root(url))
        elif found and found[-1].only and shown(found[-1].url) == shown(folder):
            found[-1] = Root(found[-1].url, (*found[-1].only, name))
        else:
            found.append(Root(folder, (name,)))
    return tuple(found)


def distinct(urls: Sequence[str]) -> tuple[str, ...]:
    """Return URLs in the order of their objects' URLs, without those below another."""
    places = {url: _place(url) for url in urls}
    kept: list[str] = []
    for url in sorted(places, key=places.__getitem__):
        if not kept or not places[url].startswith(places[kept[-1]]):
            kept.append(url)
    return tuple(sorted(kept, key=lambda url: f"{shown(url)}/".encode("utf-8", "surrogateescape")))


def _place(url: str) -> bytes:
    """Return the same bytes for URLs of the same place: folders may be written in several ways."""
    return f"{shown(url) if is_url(url) else os.path.abspath(url)}/".encode("utf-8", "surrogateescape")


def _split(url: str) -> tuple[str, str]:
    folder, slash, name = url.rpartition("/")
    return (folder or slash, name) if slash else (".", name)


def _is_object(folder: str, name: str) -> bool:
    if folder.endswith(":/") or ending(name) not in extensions():
        return False
    try:
        open_store(folder).head(name)
    except StoreError:
        return False
    return True
