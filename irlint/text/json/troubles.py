"""Troubles collected while a JSON text is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from irlint.codes import R, RuleRow
from irlint.text.base import Edit, Level, Lines, Span, Trouble
from irlint.text.json.options import JsonOptions

MAX_ERRORS = 100  # syntax errors after which the rest of a file is not read


class TooManyTroubles(Exception):
    """Raised after so many syntax errors that reading stops."""


class Troubles:
    """Troubles in the order found, at the levels of the options."""

    def __init__(self, options: JsonOptions, lines: Lines) -> None:
        self.found: list[Trouble] = []
        self._options = options
        self._lines = lines
        self.errors = 0
        self._last = -1  # where the last syntax error is
        self._printed: bool | None = None
        self._pythonic: list[Edit] | None = None  # repairs of Python literals

    def add(
        self,
        rule: RuleRow,
        start: int,
        end: int,
        message: str,
        *,
        related: Sequence[tuple[str, Span]] = (),
        edits: Sequence[Edit] | Callable[[], Sequence[Edit]] | None = None,
        title: str = "",
        safety: Literal["safe", "unsafe"] = "safe",
        level: Level | None = None,
        pythonic: bool = False,
    ) -> None:
        """Add a trouble. `pythonic` ones become one finding in a file that was printed by Python."""
        if pythonic and self._is_printed_by_python() and isinstance(edits, list):
            if self._pythonic is not None:
                self._pythonic += edits
                return
            edits = self._pythonic = edits.copy()
            message += "; the whole file looks like data printed by Python"
            title = "Replace Python literals with JSON"
        if rule == R.syntax_error:
            if start == self._last:
                return  # one error per token
            self._last = start
        if level is None and rule in self._options.tolerated:
            level = self._options.tolerated[rule]
            if level is None:
                return
        if edits is None or callable(edits):
            later = edits
        else:
            fixed = edits

            def later() -> Sequence[Edit]:
                return fixed

        self.found.append(Trouble(rule, Span(start, end), message, related, later, title, safety, level))
        if rule == R.syntax_error:
            self.errors += 1
            if self.errors >= MAX_ERRORS:
                self.found[-1].message += f" (irlint stops reading after {MAX_ERRORS} syntax errors)"
                raise TooManyTroubles

    def _is_printed_by_python(self) -> bool:
        if self._printed is None:
            text = self._lines.text
            self._printed = text.count("'") > max(6, text.count('"'))
        return self._printed

    def line(self, offset: int) -> int:
        return self._lines.position(offset).line
