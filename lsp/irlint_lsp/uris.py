"""URIs and paths: those of files, and of documents that show the text of a file."""

from __future__ import annotations

from pygls.uris import from_fs_path, to_fs_path

SCHEME = "irlint-text"  # of documents whose text the server makes of a file; the rest of the URI is that of the file


def path_of(uri: str) -> str | None:
    """Return the path of a file, or of the file that a document shows; None for others (untitled:, git:, ...)."""
    if shows_file(uri):
        uri = f"file{uri.removeprefix(SCHEME)}"
    if not uri.startswith("file:"):
        return None
    try:
        return to_fs_path(uri)
    except ValueError:
        return None


def shows_file(uri: str) -> bool:
    """Return whether the text of a document is that of a file on disk, whatever the client sends."""
    return uri.startswith(f"{SCHEME}:")


def uri_of(path: str) -> str:
    return from_fs_path(path) or f"file://{path}"


def text_uri_of(path: str) -> str:
    """Return the URI of the document that shows a file."""
    return SCHEME + uri_of(path).removeprefix("file").replace(":///", ":/", 1)
