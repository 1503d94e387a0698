"""File names as other tools want them: relative to the repository, with slashes, as URIs."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote


def relative(name: str, root: Path) -> str | None:
    """The path below the root, with slashes; None if the file lies elsewhere."""
    full = os.path.normpath(os.path.join(root, name))
    inside = os.path.relpath(full, root) if os.path.splitdrive(full)[0] == os.path.splitdrive(root)[0] else os.pardir
    parts = inside.split(os.sep)
    return None if parts[0] == os.pardir else "/".join(parts)


def uri(name: str, root: Path) -> tuple[str, bool]:
    """A file's URI and whether it is relative to the root. Bytes that are no UTF-8 go through, percent-encoded."""
    inside = relative(name, root)
    if inside is not None:
        return _quote(inside), True
    full = os.path.normpath(os.path.join(root, name)).replace(os.sep, "/")
    return "file://" + _quote(full if full.startswith("/") else f"/{full}"), False


def _quote(path: str) -> str:
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return quote(path.encode("utf-8", "surrogatepass"))
