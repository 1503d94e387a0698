"""Files and findings as other tools identify them: relative paths, URIs, fingerprints."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from irlint.report.base import FileReport, Options, ReportedFinding

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


_INDEX = re.compile(r"(?<=/)\d+(?=/|$)|(?<=\[)\d+(?=\])")


class Fingerprints:
    """Fingerprints that are unique in one report: equal findings are numbered in order."""

    def __init__(self, options: Options) -> None:
        self._root = options.root
        self._seen: Counter[str] = Counter()

    def of(self, file: FileReport, entry: ReportedFinding) -> str:
        finding = entry.finding
        place = None if finding.pointer is None else _INDEX.sub("*", finding.pointer)
        token = " ".join(entry.token.split())
        key = (relative(file.name, self._root) or file.name, finding.code, finding.node, place, token)
        text = json.dumps(key)
        self._seen[text] += 1
        return sha256(f"{text}{self._seen[text]}".encode()).hexdigest()
