"""File URIs and paths."""

from __future__ import annotations

from pygls.uris import from_fs_path, to_fs_path


def path_of(uri: str) -> str | None:
    """Return the path of a file URI; None for others (untitled:, git:, ...)."""
    if not uri.startswith("file:"):
        return None
    try:
        return to_fs_path(uri)
    except ValueError:
        return None


def uri_of(path: str) -> str:
    return from_fs_path(path) or f"file://{path}"
