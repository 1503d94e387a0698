"""File names for other tools: relative to the repository, with slashes, as URIs."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

_URL = re.compile(r"[a-z][a-z0-9+.:-]+://", re.IGNORECASE)


def relative(name: str, root: Path) -> str | None:
    """Return the path below the root, with slashes; None if the file is elsewhere, or an object of a store."""
    if is_url(name):
        return None
    full = _absolute(name, root)
    base = os.path.realpath(root) if _climbs(name) else str(root)
    try:
        parts = os.path.relpath(full, base).split(os.sep)
    except ValueError:  # another drive
        return None
    return None if parts[0] == os.pardir else "/".join(parts)


def uri(name: str, root: Path) -> tuple[str, bool]:
    """Return a file's URI and whether it is relative to the root. Bytes that are not UTF-8 are percent-encoded."""
    if (scheme := _URL.match(name)) is not None:
        return scheme[0] + _quote(name[scheme.end() :]), False
    inside = relative(name, root)
    if inside is not None:
        return _quote(inside), True
    full = _absolute(name, root).replace(os.sep, "/")
    return "file://" + _quote(full if full.startswith("/") else f"/{full}"), False


def is_url(name: str) -> bool:
    """Return whether a name is a URL, as those of objects are, and not a path."""
    return _URL.match(name) is not None


def _absolute(name: str, root: Path) -> str:
    full = os.path.join(root, name)
    try:
        return os.path.realpath(full) if _climbs(name) else os.path.normpath(full)
    except ValueError:  # no file can be called so
        return os.path.normpath(full)


def _climbs(name: str) -> bool:
    """Return whether a path has `..` in it, which is not lexical after a link."""
    return os.pardir in name.replace(os.sep, "/").split("/")


def _quote(path: str) -> str:
    try:
        return quote(path.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return quote(path.encode("utf-8", "surrogatepass"))
