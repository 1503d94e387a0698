"""State of a JSON reader: open containers, their offsets, troubles, damaged values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from irlint.codes import R, RuleRow
from irlint.text.base import Edit, Lines, Path, Span, Step
from irlint.text.json.containers import Container
from irlint.text.json.options import JsonOptions
from irlint.text.json.scan import BLANKS
from irlint.text.json.tokens import COMMENT, HASH_COMMENT, NULS, STRUCTURE, UNUSUAL_BLANKS, shown, title_of, token_end
from irlint.text.json.troubles import TooManyTroubles, Troubles
from irlint.text.words import count

MAX_UNTOLD = 1000
SETTLED = 4  # tokens
BREAK = re.compile(r"[\r\n][ \t\r\n]*")

_ODD = re.compile("[/#\x00\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff\udc80-\udcff]")


class OpenContainer:
    """An object or list that is still open."""

    __slots__ = ("comma", "container", "expects", "index", "pairs", "repeated", "shaken", "step", "value")

    def __init__(self, value: Any, container: Container, index: int, step: Step) -> None:
        self.value = value
        self.container = container
        self.index = index  # its own position in the container around it
        self.step = step  # the way to it from there
        self.expects: Literal["first", "comma", "next"] = "first"
        self.comma = -1  # where the last comma stands
        self.repeated: set[str] = set()  # keys that it has more than once
        self.pairs = False  # a list that was found to hold keys
        self.shaken = False  # what it holds from here on is a guess

    @property
    def is_lines(self) -> bool:
        """Return whether this is the implicit list of JSON Lines, without brackets and commas."""
        return self.container.start < 0

    @property
    def kind(self) -> str:
        return "list" if self.container.members is None else "object"

    @property
    def child(self) -> str:
        """Return what the container holds."""
        return "element" if self.container.members is None else "member"

    @property
    def closer(self) -> str:
        return "]" if self.container.members is None else "}"


class OpenContainers:
    """The state of one pass over one text."""

    def __init__(self, text: str, options: JsonOptions, lines: Lines) -> None:
        self.text = text
        self.options = options
        self.value: Any = None
        self.root: Span | None = None  # of the top value
        self.known: dict[int, Container] = {}  # containers that were walked
        self.damaged: set[Path] = set()
        self.shaken: set[Path] = set()  # containers that were open while quotes or brackets were paired by guessing
        self.troubles = Troubles(options, lines)
        self._frames: list[OpenContainer] = []
        self._at = 0
        self._comments: list[Span] = []
        self._line_ends: list[
            tuple[int, Edit]
        ] = []  # of JSON Lines, where something else than the end of the line follows a value
        self._nul = False  # NULs have been reported
        self._untold = 0  # syntax errors that may only follow from others
        self._bad_end = -1  # where the last value ends that nobody understands
        self._lost = -1  # the last token that makes no sense
        self.left = False  # something did not pair up after a guess, so that it was not reported
        self._guessed = False  # brackets were paired by guessing: later mismatches only follow from that

    @property
    def slips(self) -> int:
        """Return the number of mistakes that would explain the troubles."""
        return len(self.troubles.found) + self.left

    def report(self, rule: RuleRow, start: int, end: int, message: str, **more: Any) -> None:
        """Add a trouble, unless it may be a consequence of an earlier one."""
        if rule == R.syntax_error and self._frames and self._frames[-1].shaken:
            self._untold += 1
            self.left = True
            if self._untold >= MAX_UNTOLD:
                raise TooManyTroubles
            return
        if rule == R.syntax_error:
            near = self._soon_after(start)
            self._lost = -1 if more.get("edits") and more.get("safety", "safe") == "safe" else start
            if near:
                self.left = True
                return
        self.troubles.add(rule, start, end, message, **more)

    def _soon_after(self, at: int) -> bool:
        """Return whether an offset is only a few tokens after the last error, so that the reader may not have recovered yet."""
        here = self._lost
        if here < 0:
            return False
        for _ in range(SETTLED):
            if here >= at:
                return True
            here = BLANKS.match(self.text, token_end(self.text, here)).end()  # type: ignore[union-attr]
        return here >= at

    def _shake(self) -> None:
        """Note that quotes or brackets were paired by guessing: further syntax errors in open containers are not reported."""
        self._guessed = True
        for depth in range(len(self._frames) - 1, -1, -1):
            frame = self._frames[depth]
            if frame.shaken or frame.is_lines:
                break
            frame.shaken = True
            self.shaken.add(tuple(frame.step for frame in self._frames[1 : depth + 1]))

    def _error(
        self,
        at: int,
        message: str,
        *,
        related: Sequence[tuple[str, Span]] = (),
        edit: Edit | None = None,
        title: str = "",
        safety: Literal["safe", "unsafe"] = "safe",
    ) -> None:
        """Report a syntax error at the token at an offset, and perhaps an edit that repairs it."""
        more: dict[str, Any] = {"related": related}
        if edit is not None:
            more |= {"edits": [edit], "title": title or title_of(self.text, edit), "safety": safety}
        self.report(R.syntax_error, at, token_end(self.text, at), message, **more)

    def _token(self, at: int) -> str:
        return shown(self.text[at : token_end(self.text, at)])

    def _opened(self, frame: OpenContainer) -> tuple[int, list[tuple[str, Span]]]:
        """Return the line on which a container was opened, and related information for it."""
        start = frame.container.start
        return self.troubles.line(start), [("opened here", Span(start, start + 1))]

    def _damage(self, *more: Step) -> None:
        """Mark the innermost open container (or its child) as damaged."""
        self.damaged.add((*(frame.step for frame in self._frames[1:]), *more))

    def _damage_all(self) -> None:
        steps = tuple(frame.step for frame in self._frames[1:])
        self.damaged.update(steps[:depth] for depth in range(len(self._frames)))

    def _end(self, at: int) -> None:
        """Close the innermost open container."""
        frame = self._frames.pop()
        frame.container.end = at
        if self._frames:
            self._frames[-1].container.ends[frame.index] = at
        elif self.root is not None and self.root.start >= 0:
            self.root = Span(self.root.start, at)

    def _abandon(self, damaged: bool = True) -> None:
        """Close all open containers where their last children end."""
        if damaged:
            self._damage_all()
        while self._frames:
            self._end(self._frames[-1].container.last_end)

    def _skip(self, at: int) -> int:
        """Return the offset after whitespace, comments and invalid whitespace."""
        text, size = self.text, len(self.text)
        while True:
            at = BLANKS.match(text, at).end()  # type: ignore[union-attr]
            if at >= size or not _ODD.match(text, at):
                return at
            end = self._odd_blank(at)
            if end == at:
                return at
            at = end

    def _report_comments(self) -> None:
        """Report all comments in one finding: who writes one comment writes many."""
        if self._comments:
            many = len(self._comments) > 1
            more = f" ({count(len(self._comments), 'comment')} in this file)" if many else ""
            edits = [Edit(span, "") for span in self._comments]
            title = "Remove the comments" if many else "Remove the comment"
            self.report(R.comment, *self._comments[0], f"JSON does not allow comments{more}", edits=edits, title=title)

    def _report_line_ends(self) -> None:
        """Report lines of JSON Lines that do not have one value each, all in one finding: they have the same cause."""
        edits = [edit for _, edit in self._line_ends]
        if edits:
            at = self._line_ends[0][0]
            found = self._token(at)
            more = f" ({count(len(edits), 'line')} affected)" if len(edits) > 1 else ""
            message = f"expected a line break, got {found}; JSON Lines has one value per line{more}"
            end = token_end(self.text, at)
            self.report(R.syntax_error, at, end, message, edits=edits, title="Move each value to a line of its own")
        elif not self.troubles.found:
            self._report_torn()

    def _report_torn(self) -> None:
        """Report values of JSON Lines that span several lines."""
        text, lines = self.text, self.known[-1]
        torn = [
            (start, end) for start, end in zip(lines.starts, lines.ends, strict=True) if BREAK.search(text, start, end)
        ]
        if torn:
            breaks = [match.span() for start, end in torn for match in BREAK.finditer(text, start, end)]
            more = f" ({count(len(torn), 'value')} affected)" if len(torn) > 1 else ""
            message = f"this value spans several lines; JSON Lines has one value per line{more}"
            edits = [Edit(Span(*span), "") for span in breaks]
            start, end = torn[0][0], token_end(text, torn[0][0])
            self.report(R.syntax_error, start, end, message, edits=edits, title="Move each value to one line")

    def _odd_blank(self, at: int) -> int:
        """Report a comment or invalid whitespace and return its end; return its start if it is neither."""
        text, char = self.text, self.text[at]
        if match := COMMENT.match(text, at):
            self._comments.append(Span(*match.span()))
            return match.end()
        if text.startswith("/*", at):
            self.report(R.syntax_error, at, at + 2, "unclosed comment")
            self._guessed = True
            return len(text)
        if char == "#" and (match := HASH_COMMENT.match(text, at)):
            edits, title = [Edit(Span(at, match.end()), "")], "Remove the comment"
            hides = STRUCTURE.search(match[0]) is not None  # perhaps it is none, or was not meant to go on so far
            safety = "unsafe" if hides else "safe"
            self.report(
                R.syntax_error, at, match.end(), "JSON does not allow comments", edits=edits, title=title, safety=safety
            )
            if hides:
                self._shake()
            return match.end()
        if char == "\0":
            end = NULS.match(text, at).end()  # type: ignore[union-attr]
            if not self._nul:
                self.report(R.nul_character, at, end, "NUL character outside a string", level="error")
            self._nul = True
            return end
        if "\udc80" <= char <= "\udcff":  # a byte that is no UTF-8, reported as such where it is not tolerated
            if R.invalid_utf8 in self.options.tolerated:
                return at
            return at + 1
        if match := UNUSUAL_BLANKS.match(text, at):
            names = ", ".join(sorted({f"U+{ord(c):04X}" for c in match[0]}))
            message = f"{names} is not valid whitespace in JSON"
            edits, title = [Edit(Span(at, match.end()), " ")], "Replace with a space"
            self.report(R.syntax_error, at, match.end(), message, edits=edits, title=title)
            return match.end()
        return at
