"""File name patterns as .gitignore has them, matched in time linear in pattern and name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irlint.files.wildcards import Segment, segment


class Pattern:
    """One line of a .gitignore, or one glob of the configuration."""

    __slots__ = ("folders_only", "negated", "segments")

    def __init__(self, glob: str) -> None:
        self.negated = glob.startswith("!")
        glob = glob[self.negated :]
        self.folders_only = glob.endswith("/")
        names = glob[: len(glob) - self.folders_only].split("/")
        if len(names) == 1 and names[0]:  # no place is named: it may stand in any folder
            names.insert(0, "**")
        elif not names[0]:
            names = names[1:]  # the place is the folder of the pattern
        self.segments = [segment(name) for name in names]  # none: a line that says nothing

    def fits(self, parts: Sequence[str], folder: bool) -> bool:
        """Whether it names the path with these parts."""
        return (folder or not self.folders_only) and bool(self.segments) and _match(self.segments, parts)


def _match(segments: Sequence[Segment], parts: Sequence[str]) -> bool:
    """Part by part: a ** takes nothing at first, then one part more each time what follows it does not fit.

    At the end it means all that is in a folder, and not the folder itself.
    """
    if segments[-1] is None:
        parts = parts[:-1]
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
    return all(segment is None for segment in segments[at:])


def _same(segment: Segment, part: str) -> bool:
    return segment == part if isinstance(segment, str) else segment is not None and segment.fits(part)


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
    lines = text.removeprefix("\ufeff").split("\n")
    return Globs(_trimmed(line.removesuffix("\r")) for line in lines if not line.startswith("#"))


def _trimmed(line: str) -> str:
    """Without the spaces at the end, but for one with a backslash before it."""
    bare = line.rstrip(" ")
    escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return bare + line[len(bare) : len(bare) + 1] if escaped else bare
