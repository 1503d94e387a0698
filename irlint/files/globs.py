"""File name patterns as .gitignore has them, matched in time linear in pattern and name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import translate  # its expressions never backtrack from one star into another


class Pattern:
    """One line of a .gitignore, or one glob of the configuration."""

    __slots__ = ("folders_only", "negated", "segments")

    def __init__(self, glob: str) -> None:
        self.negated = glob.startswith("!")
        glob = glob[self.negated :]
        self.folders_only = glob.endswith("/")
        glob = glob.rstrip("/")
        segments = [segment for segment in glob.split("/") if segment]
        if segments and "/" not in glob:  # no place is named: it may stand in any folder
            segments.insert(0, "**")
        self.segments = [_segment(segment) for segment in segments]  # none: a line that says nothing

    def fits(self, parts: Sequence[str], folder: bool) -> bool:
        """Whether it names the path with these parts."""
        return (folder or not self.folders_only) and bool(self.segments) and _match(self.segments, parts)


Segment = str | re.Pattern[str] | None  # a plain name, a glob, or None for **


def _segment(text: str) -> Segment:
    if text == "**":
        return None
    if not re.search(r"[*?\[\\]", text):
        return text
    return re.compile(translate(_for_fnmatch(text)))


def _for_fnmatch(text: str) -> str:
    r"""fnmatch knows neither \* nor [^a]; [*] and [!a] mean the same to it."""
    return re.sub(r"\\(.)|\[\^", lambda m: "[!" if m[1] is None else f"[{m[1]}]" if m[1] in "*?[" else m[1], text)


def _match(segments: Sequence[Segment], parts: Sequence[str]) -> bool:
    """Part by part: a ** takes nothing at first, then one part more each time what follows it does not fit."""
    at, part, star, taken = 0, 0, -1, 0
    while part < len(parts):
        if at < len(segments) and segments[at] is None:
            star, taken = at, part
            at += 1
        elif at < len(segments) and _same(segments[at], parts[part]):
            at += 1
            part += 1
        elif star >= 0:
            taken += 1
            at, part = star + 1, taken
        else:
            return False
    return at == len(segments)


def _same(segment: Segment, part: str) -> bool:
    return segment == part if isinstance(segment, str) else segment is not None and segment.match(part) is not None


class Globs:
    """Patterns of one source; the last one that fits a path decides."""

    def __init__(self, globs: Iterable[str]) -> None:
        self.patterns = [pattern for glob in globs if (pattern := Pattern(glob)).segments]

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def verdict(self, parts: Sequence[str], folder: bool) -> bool | None:
        """Whether the path is named (True), named by a ! pattern (False), or not spoken of (None)."""
        for pattern in reversed(self.patterns):
            if pattern.fits(parts, folder):
                return not pattern.negated
        return None

    def covers(self, parts: Sequence[str]) -> bool:
        """Whether a file, or a folder that it lies in, is named."""
        return any(self.verdict(parts[:size], size < len(parts)) for size in range(1, len(parts) + 1))


def gitignore(text: str) -> Globs:
    """The patterns of a .gitignore file."""
    return Globs(_unquoted(line) for line in text.split("\n") if not line.startswith("#"))


def _unquoted(line: str) -> str:
    """Without the spaces at the end that are not escaped."""
    line = line.rstrip("\r")
    bare = line.rstrip(" \t")
    return bare + line[len(bare) : len(bare) + 1] if bare.endswith("\\") and not bare.endswith("\\\\") else bare
