"""A configuration file: its values and their places in the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.records import NamedTuple, dataclass
from irlint.text.safe import visible
from irlint.tools import UserError

MOST = 100  # errors reported for one file
LONGEST = 400  # characters of a number: Python prints no longer ones than some thousand digits, in whatever base they were written

KeyPath = tuple[str | int, ...]


class LineColumn(NamedTuple):
    """1-based line and column."""

    line: int
    column: int


class ConfigError(UserError):
    """An invalid configuration; one message per error, at most a hundred, each beginning with file:line:column."""

    def __init__(self, path: str, mistakes: list[tuple[LineColumn | None, str]]) -> None:
        self.path = path
        self.mistakes = mistakes
        shown = visible(path)
        lines = [f"{shown}:{f'{at.line}:{at.column}:' if at else ''} {text}" for at, text in mistakes[:MOST]]
        if len(mistakes) > MOST:
            lines.append(f"{shown}: and more errors")
        super().__init__(*lines)

    def __str__(self) -> str:
        return "\n".join(self.args)


@dataclass
class ConfigSource:
    """The content of a configuration file. `locate(path)` finds the key of a value, or a list's item."""

    path: str
    values: dict[str, Any]
    locate: Callable[[KeyPath], LineColumn | None]
