"""Suppressions in files: which findings they suppress, and which of their words are unused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.findings import Finding, Fix, Problem
from irlint.records import NamedTuple
from irlint.text.base import Document, Edit, Span
from irlint.tools import later

if TYPE_CHECKING:
    from irlint.settings import Settings

ORDER = later(r"\bignore(?:\[([^\]]*)\])?")
_WORD = later(r"[^\s,]+")
_LISTED = r"ignore(?:\[([^\]\r\n]*)\])?[^\r\n]*"


class Suppression(NamedTuple):
    """A suppression of findings that start in a range of the text: those of the named rules, or all if none is named."""

    start: int
    end: int
    words: frozenset[str]
    at: Span | None = None  # the text of the suppression
    removable: bool = False  # a comment, which a fix can remove


def words_of(text: str | None) -> frozenset[str]:
    """Return the codes and names in a list such as `R001, cycle`."""
    return frozenset(_WORD.findall(text or ""))


def of_comments(document: Document, comments: Iterable[tuple[Span, str | None]]) -> Iterator[Suppression]:
    """Yield the suppressions of comments, each for its listed codes and names: on its line, or if it is alone there, on the next."""
    text, lines = document.text, document.lines
    for at, listed in comments:
        line = lines.position(at.start).line
        if not text[lines.starts[line - 1] : at.start].strip():
            line = lines.position(at.end).line + 1
        if line <= len(lines.starts):
            end = lines.starts[line] if line < len(lines.starts) else len(text)
            yield Suppression(lines.starts[line - 1], end, words_of(listed), at, True)


def of_marks(document: Document, mark: str) -> Iterator[Suppression]:
    """Yield the suppressions of comments that begin with a mark and end with their line: `# irlint: ignore[R001, cycle]`."""
    if "irlint:" in document.text:
        found = re.finditer(rf"{re.escape(mark)}[ \t]*irlint:[ \t]*{_LISTED}", document.text)
        yield from of_comments(document, ((Span(*match.span()), match[1]) for match in found))


Used = list[tuple[Suppression, set[str]]]  # each with the codes and names that it has suppressed


def silence(findings: Iterable[Finding], said: Iterable[Suppression]) -> tuple[list[Finding], Used]:
    """Return the findings that are not suppressed, in text order, and the suppressions with the names that they were used for."""
    used: Used = [(suppression, set()) for suppression in said]
    if not used:
        return list(findings), used
    ahead = sorted(used, key=lambda pair: pair[0].start, reverse=True)
    here: Used = []
    kept = []
    for finding in findings:
        at = finding.span.start
        while ahead and ahead[-1][0].start <= at:
            here.append(ahead.pop())
        here = [pair for pair in here if at < pair[0].end]
        names = {finding.code, finding.name}
        fitting = [silenced for suppression, silenced in here if not suppression.words or suppression.words & names]
        for silenced in fitting:
            silenced |= names
        if not fitting:
            kept.append(finding)
    return kept, used


def unused(used: Used, settings: Settings) -> Iterator[Problem]:
    """Report unused words of suppressions whose rules are selected."""
    for suppression, names in used:
        at = suppression.at
        if at is None:
            continue
        if not suppression.words:
            if not names and settings.select == ("ALL",) and not settings.ignore and not settings.never:
                yield Problem(
                    R.unused_suppression, at, "unused suppression: nothing is reported here", fix=_without(suppression)
                )
            continue
        unwanted = {word: why for word in sorted(suppression.words - names) if (why := _why_idle(word, settings))}
        if unwanted:
            message = f"unused suppression: {', '.join(unwanted.values())}"
            left = suppression.words - unwanted.keys()
            yield Problem(R.unused_suppression, at, message, fix=_without(suppression, left))


def _why_idle(word: str, settings: Settings) -> str | None:
    """Return why a word suppresses nothing; None if its rule is not selected."""
    from irlint.rules import registry

    rule = registry.find(word)
    if rule is None and not any(word in (mine.code, mine.name) for mine in settings.declared):
        return f"unknown rule `{word}`"
    return f"`{word}` is not reported here" if rule is None or settings.wants(rule.code, rule.name) else None


def _without(suppression: Suppression, left: frozenset[str] = frozenset()) -> Callable[[Document], Fix | None] | None:
    return partial(_taken_out, suppression.at, left) if suppression.removable and suppression.at else None


def _taken_out(at: Span, left: frozenset[str], document: Document) -> Fix | None:
    """Return a fix that removes a comment, or only its unused words."""
    text = document.text
    if not left:
        return Fix("Remove the comment", (Edit(_whole(text, at), ""),))
    found = ORDER.search(text, at.start, at.end)
    if found is None or found[1] is None:
        return None
    kept = ", ".join(word for word in _WORD.findall(found[1]) if word in left)
    return Fix(f"Replace with `{kept}`", (Edit(Span(*found.span(1)), kept),))


def _whole(text: str, at: Span) -> Span:
    """Return the range of a comment with the spaces before it; if it is alone on its line, with the line."""
    start, end = at
    while start and text[start - 1] in " \t":
        start -= 1
    alone = start == 0 or text[start - 1] in "\r\n"
    if not alone:
        return Span(start, end)
    if text.startswith("\r\n", end):
        return Span(start, end + 2)
    return Span(start, end + 1) if text[end : end + 1] in ("\r", "\n") else at
