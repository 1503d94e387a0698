"""The store of a URL, by its scheme."""

from __future__ import annotations

from functools import lru_cache

from irlint.zoo.stores import Store

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
