"""Cached reports of unchanged files, in JSON, not pickle: a repository is not trusted."""

from irlint.cache.store import Cache, open_cache

__all__ = ["Cache", "open_cache"]
