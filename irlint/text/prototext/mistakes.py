"""Mistakes in protobuf's text format: how they are reported, and which brackets are wrong."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, NoReturn

from irlint.codes import R, RuleRow
from irlint.text.base import Edit, Span, Trouble
from irlint.text.prototext.messages import Field, Message
from irlint.text.prototext.scalars import expected
from irlint.tools.names import nearest

# Whitespace and comments. A part begins with what the part before cannot end with: there is one way to match, so none is tried twice
GAP = r"\s*(?:#[^\n]*(?:\n\s*|\Z))*"
NAMED = r"[A-Za-z_][0-9A-Za-z_+-]*"
INSIDE = r"\[[\w\s./]+\]"  # the name of a message of any kind
ATOM = rf"{NAMED}|(?:[0-9+-]|\.[0-9])[0-9A-Za-z_.+-]*"
_TOKEN = re.compile(rf"{GAP}({ATOM}|.)?", re.DOTALL)
_BRACKETS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|#[^\n]*|([\[{<])|([\]}>])", re.DOTALL)


class Unreadable(Exception):
    """Raised where the structure of the text is lost."""


class Mistakes:
    """What is wrong with a text, as far as a reader has come. `whole` is the one of the whole text, if this is about a part."""

    def __init__(self, text: str, whole: Mistakes | None = None) -> None:
        self.text, self.whole = text, whole
        self.at = 0
        self.troubles: list[Trouble] = []
        self.guesses: list[int] = []  # where values are that could not be read
        self.is_broken = False
        self._open: list[tuple[Message, int]] = []  # the messages around, each with where it opens
        self._closed: tuple[Message, int] | None = None  # the message that ended last, and where

    def _report(self, rule: RuleRow, start: int, end: int, message: str, **more: Any) -> None:
        self.troubles.append(Trouble(rule, Span(start, end), message, **more))

    def _stop(self, rule: RuleRow, start: int, end: int, message: str, **more: Any) -> NoReturn:
        """Report what makes the rest unreadable, unless it probably follows from another mistake."""
        if all(trouble.level == "warning" for trouble in self.troubles):
            self._report(rule, start, end, message, **more)
        raise Unreadable

    def _token(self, at: int) -> re.Match[str]:
        token = _TOKEN.match(self.text, at)
        assert token is not None
        return token

    def _wanted(self, what: str, at: int) -> NoReturn:
        """Unreadable at the token after an offset."""
        token = self._token(at)
        if token[1] is None:
            opened, end = self._open[-1][1], len(self.text)
            related = [("opens here", Span(opened, opened + 1))] if opened >= 0 else []
            self._stop(R.truncated_file, end, end, f"the text ends where {what} is expected", related=related)
        self._stop(R.syntax_error, *token.span(1), f"expected {what}, got `{token[1][:40]}`")

    def _misfit(self, field: Field, start: int, end: int) -> None:
        got = self.text[start:end]
        words = f"expected {expected(field)} for `{field.name}`, got `{got[:40]}`"
        names, how = list(field.names or ()), dict[str, Any]()
        word = got.strip("\"'").upper()
        ends = [name for name in names if f"_{name}".endswith(f"_{word}")]  # of one enumeration, names begin alike
        meant = ends[0] if word and len(ends) == 1 else nearest(got, names)
        if meant is not None:
            words += f"; did you mean `{meant}`?"
            how = repair(f"Replace with `{meant}`", Edit(Span(start, end), meant))
        self._report(R.wrong_type, start, end, words, **how)
        self.guesses.append(start)

    def _misfit_in_brackets(self, field: Field, opened: int) -> None:
        """Report a bracket where no message or list can be, and go on after the one that closes it."""
        self._misfit(field, opened, opened + 1)
        self.at = self._end_of_brackets(opened + 1)

    def _end_of_brackets(self, at: int) -> int:
        depth = 1
        for bracket in _BRACKETS.finditer(self.text, at):
            if bracket[1]:
                depth += 1
            elif bracket[2]:
                depth -= 1
                if not depth:
                    return bracket.end()
        raise Unreadable

    # brackets that do not match

    @cached_property
    def _balance(self) -> int:
        """Return how many more brackets are opened than closed in the whole text: counted once, not for each part of it."""
        if self.whole is not None:
            return self.whole._balance
        return sum(bool(bracket[1]) - bool(bracket[2]) for bracket in _BRACKETS.finditer(self.text))

    def _is_unclosed(self, name: str) -> bool:
        """Return whether the message around probably ended before a field: it is one of the message around that."""
        return len(self._open) > 1 and name in self._open[-2][0].fields and not self.troubles and self._balance == 1

    def _close_before(self, name: str, start: int, closer: str) -> None:
        opened, last = self._open[-1][1], self.at
        line = self.text.rfind("\n", 0, opened) + 1
        head = self.text[line:opened]
        indent = head[: len(head) - len(head.lstrip())]
        text = f"\n{indent}{closer}" if "\n" in self.text[opened:last] else f" {closer}"
        how = repair(f"Insert `{closer}`", Edit(Span(last, last), text))
        related, words = [("opens here", Span(opened, opened + 1))], f"missing `{closer}` before `{name}`"
        self._report(R.syntax_error, start, start + len(name), words, related=related, **how)

    def _closed_early(self, name: str, message: Message, at: int) -> NoReturn:
        closer = self.text[at]
        words = f"unexpected `{closer}`; `{name}` after it is a field of the {message.name} that it closes"
        self._stop(R.syntax_error, at, at + 1, words, **repair(f"Remove `{closer}`", Edit(Span(at, at + 1), "")))


def repair(title: str, edit: Edit, safety: str = "unsafe") -> dict[str, Any]:
    """Return how a mistake is repaired, as `Trouble` takes it."""
    return {"edits": lambda: (edit,), "title": title, "safety": safety}
