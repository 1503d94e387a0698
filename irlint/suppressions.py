"""What a file says is not to be reported: which findings that silences, and which of its words silence nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.findings import Finding, Fix, Problem
from irlint.records import NamedTuple
from irlint.text.base import Document, Edit, Span
from irlint.text.patterns import later

if TYPE_CHECKING:
    from irlint.settings import Settings

ORDER = later(r"\bignore(?:\[([^\]]*)\])?")
_WORD = later(r"[^\s,]+")


class Suppression(NamedTuple):
    """Findings that begin in a range of the text are silenced: those of the rules named, or all if none is."""

    start: int
    end: int
    words: frozenset[str]
    at: Span | None = None  # the text that says so
    removable: bool = False  # and that can be taken out, as it is a comment


def words_of(text: str | None) -> frozenset[str]:
    """The codes and names in a list such as `R001, cycle`."""
    return frozenset(_WORD.findall(text or ""))


def of_comments(document: Document, comments: Iterable[tuple[Span, str | None]]) -> Iterator[Suppression]:
    """What comments silence, each with the codes and names it lists: findings on its line, or if it is alone there, on the next."""
    text, lines = document.text, document.lines
    for at, listed in comments:
        line = lines.position(at.start).line
        if not text[lines.starts[line - 1] : at.start].strip():
            line = lines.position(at.end).line + 1
        if line <= len(lines.starts):
            end = lines.starts[line] if line < len(lines.starts) else len(text)
            yield Suppression(lines.starts[line - 1], end, words_of(listed), at, True)


Used = list[tuple[Suppression, set[str]]]  # each with the codes and names that it has silenced


def silence(findings: Iterable[Finding], said: Iterable[Suppression]) -> tuple[list[Finding], Used]:
    """The findings, in their order in the text, that nothing silences; and what was used for those that are."""
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
    """Words that silence nothing although their rules were looked for."""
    from irlint.rules import registry

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
        idle = []
        for word in sorted(suppression.words - names):
            rule = registry.find(word)
            if rule is None and not any(word in (mine.code, mine.name) for mine in settings.declared):
                idle.append((word, f"unknown rule `{word}`"))
            elif rule is None or settings.wants(rule.code, rule.name):
                idle.append((word, f"`{word}` is not reported here"))
        if idle:
            message = f"unused suppression: {', '.join((words for _, words in idle))}"
            left = suppression.words - {word for word, _ in idle}
            yield Problem(R.unused_suppression, at, message, fix=_without(suppression, left))


def _without(suppression: Suppression, left: frozenset[str] = frozenset()) -> Callable[[Document], Fix | None] | None:
    return partial(_taken_out, suppression.at, left) if suppression.removable and suppression.at else None


def _taken_out(at: Span, left: frozenset[str], document: Document) -> Fix | None:
    """Takes a comment out, or only those of its words that are of no use."""
    text = document.text
    if not left:
        return Fix("Remove the comment", (Edit(_whole(text, at), ""),))
    found = ORDER.search(text, at.start, at.end)
    if found is None or found[1] is None:
        return None
    kept = ", ".join(word for word in _WORD.findall(found[1]) if word in left)
    return Fix(f"Replace with `{kept}`", (Edit(Span(*found.span(1)), kept),))


def _whole(text: str, at: Span) -> Span:
    """A comment with the spaces before it; alone on its line, with the line."""
    start, end = at
    while start and text[start - 1] in " \t":
        start -= 1
    alone = start == 0 or text[start - 1] in "\r\n"
    if not alone:
        return Span(start, end)
    if text.startswith("\r\n", end):
        return Span(start, end + 2)
    return Span(start, end + 1) if text[end : end + 1] in ("\r", "\n") else at
