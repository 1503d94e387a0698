"""File name patterns of .gitignore, matched in time linear in pattern and name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count

from irlint.files.wildcards import NeverMatches, bytes_of, expression, first_match

_PARTS = "(?:[^/]*/)*"


class Globs:
    """Patterns of one source; the last one that matches a path applies."""

    def __init__(self, globs: Iterable[str]) -> None:
        groups = count()
        self._found = [pattern for glob in globs if (pattern := _pattern(glob, groups)) is not None]

    def __bool__(self) -> bool:
        return bool(self._found)

    @cached_property
    def _match(self) -> Callable[[str], re.Match[str] | None]:
        """Return all patterns as one expression, the last first; the last matching group shows whether it was a ! pattern."""
        found = [f"{text}(?P<{'no' if negated else 'yes'}{k}>)" for k, (negated, text) in enumerate(self._found)]
        return re.compile("|".join(reversed(found)) or "(?!)", re.DOTALL).match

    def verdict(self, parts: Sequence[str], folder: bool) -> bool | None:
        """Return whether the path matches a pattern (True), a ! pattern (False), or none (None)."""
        found = self._match(bytes_of("/".join(parts)) + "/" * folder)
        return None if found is None else str(found.lastgroup).startswith("yes")

    def covers(self, parts: Sequence[str]) -> bool:
        """Return whether a file, or a folder around it, matches."""
        return any(self.verdict(parts[:size], size < len(parts)) for size in range(1, len(parts) + 1))


def _pattern(glob: str, groups: Iterator[int]) -> tuple[bool, str] | None:
    """One line of a .gitignore, or one glob of the configuration: whether it is a ! pattern, and the expression of what it
    names, where a folder ends in a slash. None if it names nothing.
    """
    negated = glob.startswith("!")
    glob = glob[negated:]
    folders_only = glob.endswith("/")
    names = glob[: len(glob) - folders_only].split("/")
    if len(names) == 1 and names[0]:  # no place is named: it may be in any folder
        names.insert(0, "**")
    elif not names[0]:
        names = names[1:]  # the place is the folder of the pattern
    try:
        return (negated, _path(names, groups) + ("/" if folders_only else "/?") + r"\Z") if names else None
    except NeverMatches:
        return None


def _path(names: Sequence[str], groups: Iterator[int]) -> str:
    """The expression of all parts. A ** takes as little as it can; at the end it means all that is in a folder, and not the
    folder itself.
    """
    runs: list[list[str]] = [[]]
    for name in names:
        if len(name) > 1 and not name.strip("*"):
            runs.append([])
        else:
            runs[-1].append(expression(name, groups))
    first, *rest = ["/".join(run) for run in runs]
    if not rest:
        return first
    middle = "".join(first_match(f"{_PARTS}?{run}/", groups) for run in rest[:-1] if run)
    return (first and f"{first}/") + middle + (_PARTS + rest[-1] if rest[-1] else "[^/].*?")


def gitignore(text: str) -> Globs:
    """Return the patterns of a .gitignore file."""
    lines = text.removeprefix("\ufeff").split("\n")
    return Globs(_trimmed(line.removesuffix("\r")) for line in lines if not line.startswith("#"))


def _trimmed(line: str) -> str:
    """Without the spaces at the end, but for one with a backslash before it."""
    bare = line.rstrip(" ")
    escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 == 1
    return bare + line[len(bare) : len(bare) + 1] if escaped else bare
