"""Repairs of single characters in a tag: one inserted, removed or replaced, or two neighbours swapped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irlint.codes import R, RuleRow
from irlint.records import NamedTuple
from irlint.text.base import Edit, Span
from irlint.text.xml.parse import NAME, SPACE

SIGN, TAGS, GUESS = 1, 2, 4  # what repairs cost: of single characters, of whole tags, of what is only a guess
_SIGNS = "<>/=\"'"
_BESIDE = frozenset(f"{_SIGNS} ")
_EDGE = re.compile(r"(?<=[^\W\d])(?=\d)|(?<=[\w.])(?=-?\d)|(?<=[<>/=\"'\s!?])|(?=[<>/=\"'\s!?-])")
_TYPOGRAPHIC = re.compile("[“”„‟″«»‘’‚‛`´]")  # noqa: RUF001
_BARE = re.compile(rf"(?<={SPACE})({NAME}{SPACE}*={SPACE}*)([^\s\"'<>=/`]+)(?=[\s/>])")
_PAIRS = re.compile(f"</?{NAME}(?:{SPACE}+{NAME}{SPACE}*={SPACE}*(?:\"[^\"]*\"|'[^']*'))*")
_JUNK = re.compile(r"[^\s\"'<>=/]+(?=[\s/>])")
_MOST = 300  # places that are tried in a tag
_SHOWN = re.compile(r"[^\s]{1,16}")

_MISSING = (  # what may be missing at a place
    (re.compile(""), ('"', ">")),
    (re.compile(r"[^\W\d]|/"), ("<", " ")),
    (re.compile(r"[^\W\d_]"), ("</",)),
    (re.compile(r">|(?<=<)"), ("/",)),
    (re.compile(r"[\"' ]"), ("=",)),
    (re.compile(""), ("'",)),
    (re.compile(r"\Z|\s|<"), ("/>",)),
    (re.compile(r"(?<=[<!-])-|->|(?<=-)>"), ("-", "!")),
    (re.compile(r"(?<=<)|>"), ("?",)),
)


class MarkupRepair(NamedTuple):
    """Edits, what they cost, and how they are reported."""

    edits: tuple[Edit, ...]
    cost: int
    message: str
    title: str
    span: Span
    is_safe: bool = True
    rule: RuleRow = R.syntax_error
    related: tuple[tuple[str, Span], ...] = ()


def signs(text: str, start: int, end: int) -> Iterator[MarkupRepair]:
    """Yield all repairs of single characters from one offset to another."""
    more = [sign for sign in "'?!" if sign in text[start:end]]
    for at in _places(text, start, end):
        yield from _inserted(text, at, more)
    for at in range(max(start - 1, 0), end):
        if text[at] in _SIGNS or text[at] in "!?- " or not (text[at].isalnum() or text[at] in "_,.:"):
            yield from _changed(text, at)
            yield from _exchanged(text, at)
        if at + 1 < end and text[at + 1] in _BESIDE and text[at] not in _SIGNS:
            yield from _exchanged(text, at)
        if text[at].isalnum() and (text[at - 1 : at] in _BESIDE or text[at + 1 : at + 2] in _BESIDE):
            yield from _changed(text, at)  # as likely as that the two are exchanged
    yield from _typed(text, start, end)
    yield from _quotes(text, start, end)


def _places(text: str, start: int, end: int) -> Sequence[int]:
    """Return where characters may be missing: between unlike ones, nearest to where the tag stops making sense first."""
    places = [found.start() for found in _EDGE.finditer(text, start, end)]
    places.append(end)
    if len(places) > _MOST:
        tag = text.find("<", start, end)
        read = _PAIRS.match(text, max(tag, start), end)
        stop = read.end() if read else start
        places = sorted(places, key=lambda at: min(abs(at - stop), at - start))[:_MOST]
    return places


def _inserted(text: str, at: int, more: list[str]) -> Iterator[MarkupRepair]:
    before = text[at - 1 : at]
    wanted = [sign for place, signs in _MISSING if place.match(text, at) for sign in signs]
    for sign in wanted:
        if before != sign and (sign not in "'?" or sign in more):
            shown = Span(at - (at > 0 and not before.isspace()), at + (at < len(text)))
            yield MarkupRepair(
                (Edit(Span(at, at), sign),),
                SIGN + len(sign) - 1,
                f"missing `{sign}` {_where(text, at)}",
                f"Insert `{sign}`",
                shown,
            )


def _where(text: str, at: int) -> str:
    if found := _SHOWN.match(text, at):
        return f"before `{found[0]}`"
    found = _SHOWN.match(text, max(at - 16, text.rfind("\n", 0, at) + 1, text.rfind(" ", 0, at) + 1), at)
    return f"after `{found[0]}`" if found else "here"


def _changed(text: str, at: int) -> Iterator[MarkupRepair]:
    sign = text[at]
    span = Span(at, at + 1)
    if text[at - 1 : at] != sign or at == 0:
        shown = "space" if sign == " " else f"`{sign}`"
        yield MarkupRepair(
            (Edit(span, ""),),
            SIGN,
            f"unexpected {shown} {_where(text, at + 1)}",
            f"Remove the {shown}" if sign == " " else f"Remove {shown}",
            span,
        )
    others = {'"': ["'"], "'": ['"'], "\\": ["/", "</"]}.get(sign, ["<", ">", "/", '"', "="])
    for other in () if sign.isalnum() or sign in " !?-_" else others:
        if other != sign:
            yield MarkupRepair(
                (Edit(span, other),), SIGN + 1, f"expected `{other}`, got `{sign}`", f"Replace with `{other}`", span
            )


def _exchanged(text: str, at: int) -> Iterator[MarkupRepair]:
    pair = text[at : at + 2]
    if len(pair) == 2 and pair[0] != pair[1] and not pair.isspace():
        span = Span(at, at + 2)
        right = pair[::-1]
        yield MarkupRepair(
            (Edit(span, right),), SIGN, f"expected `{right}`, got `{pair}`", f"Replace with `{right}`", span
        )


def _typed(text: str, start: int, end: int) -> Iterator[MarkupRepair]:
    """Yield repairs of whatever else is wrong where the tag stops making sense."""
    tag = text.find("<", start, end)
    read = _PAIRS.match(text, tag, end) if tag >= 0 else None
    if read is None:
        return
    stop = read.end()
    while stop < end and text[stop].isspace():
        stop += 1
    for at in range(stop, min(stop + 2, end)):
        yield from _changed(text, at)
    junk = _JUNK.match(text, stop, end)
    if junk and junk.end() - stop > 1:
        word = junk[0]
        yield MarkupRepair(
            (Edit(Span(stop, junk.end()), ""),),
            SIGN + 1,
            f"unexpected `{word[:40]}`",
            f"Remove `{word[:40]}`",
            Span(*junk.span()),
            is_safe=False,
        )


def _quotes(text: str, start: int, end: int) -> Iterator[MarkupRepair]:
    """Yield repairs of typographic quotes and of values without quotes."""
    found = list(_TYPOGRAPHIC.finditer(text, start, end))
    if found:
        for quote in ('"', "'"):
            edits = tuple(Edit(Span(*mark.span()), quote) for mark in found)
            message = f"expected `{quote}`, got `{found[0][0]}`"
            yield MarkupRepair(edits, SIGN, message, f"Replace with `{quote}`", Span(*found[0].span()))
    bare = list(_BARE.finditer(text, start, end))
    if bare:
        edits = tuple(
            e for b in bare for e in (Edit(Span(b.start(2), b.start(2)), '"'), Edit(Span(b.end(2), b.end(2)), '"'))
        )
        name = bare[0][1].rstrip("= \t\r\n")
        message = f"missing quotes around the value of `{name}`"
        yield MarkupRepair(edits, SIGN + 1, message, "Insert quotes", Span(*bare[0].span(2)))
