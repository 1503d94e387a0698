"""Reports of files that have not changed since. JSON, never pickle: what lies in a repository may be anybody's work."""

from irlint.cache.store import Cache, open_cache

__all__ = ["Cache", "open_cache"]
