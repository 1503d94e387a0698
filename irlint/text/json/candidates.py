"""Single changes that may repair JSON at the place where it breaks: a character, a quote, a space, a key."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.records import NamedTuple
from irlint.text.base import Edit, Span
from irlint.text.json.tokens import SINGLE_QUOTED, shown, title_of
from irlint.text.json.values import dump
from irlint.text.json.walk import JsonMisfit, JsonState, JsonToken, tokens

SIGNS = ",:{}[]"
_QUOTES = 6  # tokens before the fault in which quotes are tried
_RUN = 12  # tokens that may have lost both their quotes
_SHORT = 24  # characters of a word or number one of which may be too many
_LONG = 300  # characters of a token that are tried one by one
_BOUNDARY = re.compile(r"(?<=\w)(?!\w)|(?<!\w)(?=\w)|(?<=[)\]}])|(?=[(\[{])")
_QUOTE_LIKE = re.compile("[\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033'`\u00b4;]")
_BETWEEN = re.compile(r'\w"\w')
_LINE_END = re.compile(r"[\n\r]|\Z")
_WORD = re.compile(r"[\w.+-]+")
_VALUE = re.compile(r"-?[0-9.]+(?:[eE][+-]?[0-9]+)?|true|false|null|\".*", re.DOTALL)
_FANCY = re.compile(
    '[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019`\u00b4]([^"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019`\u00b4\n\r]*)'
    "[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019`\u00b4]"
)


PLAIN, ODD, GUESS = range(3)  # ODD: counts only where nothing plain fits; GUESS: writes or drops something unknown


class JsonCandidate(NamedTuple):
    """A change with its message and span. `state` is that in front of the token at `start`."""

    edit: Edit
    start: int
    state: JsonState
    at: Span
    message: str
    title: str
    rank: int = PLAIN

    @property
    def begin(self) -> int:
        """Return where reading resumes."""
        return min(self.start, self.edit.span.start)


class _Site(NamedTuple):
    """A token that may be what is wrong, the state in which it is read, and the token before it."""

    source: str
    start: int
    end: int
    text: str
    state: JsonState
    before: _Site | None = None

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    def change(self, edit: Edit, at: Span, message: str, rank: int = PLAIN, title: str = "") -> JsonCandidate:
        return JsonCandidate(edit, self.start, self.state, at, message, title or title_of(self.source, edit), rank)

    def removal(self, span: Span, rank: int = PLAIN) -> JsonCandidate:
        return self.change(Edit(span, ""), span, f"unexpected {shown(self.source[span.start : span.end])}", rank)

    def replacement(self, span: Span, new: str, rank: int = PLAIN, edit: Edit | None = None) -> JsonCandidate:
        """Return the replacement of a part of the text; `edit` is the part of it that changes, if that is less."""
        message = f"expected {shown(new)}, got {shown(self.source[span.start : span.end])}"
        return self.change(edit or Edit(span, new), span, message, rank, f"Replace with {shown(new)}")

    def insertion(self, at: int, new: str, where: Span, message: str, rank: int = PLAIN) -> JsonCandidate:
        return self.change(Edit(Span(at, at), new), where, message, rank)


def candidates(text: str, fault: JsonMisfit) -> Iterator[JsonCandidate]:
    """Yield all plausible changes, the most likely first."""
    bad = next(tokens(text, fault.at), JsonToken(len(text), len(text), ""))
    sites: list[_Site] = []
    for token, state in [*fault.before, (bad, fault.state)]:
        sites.append(_Site(text, *token, state, sites[-1] if sites else None))
    for k, site in enumerate(reversed(sites)):
        if k < _QUOTES and site.text:
            yield from _quotes(site)
            yield from _words(site)
            yield from _turned_quotes(site)
        yield from _signs(site)
        yield from _lost(site)
        yield from _joined(site)
        yield from _missing_keys(site)
        yield from _missing_values(site)


def _signs(site: _Site) -> Iterator[JsonCandidate]:
    """Yield the removal or replacement of a token, or of one of its characters."""
    span, text = site.span, site.text
    if not text or (text[0] in "\"'" and len(text) > 1):
        return
    if text in SIGNS or not _WORD.fullmatch(text):
        yield from (site.replacement(span, sign) for sign in SIGNS if sign != text)
    rank = ODD if _VALUE.fullmatch(text) else PLAIN
    yield site.removal(span, ODD if _VALUE.match(text) else PLAIN)
    for k, char in enumerate(text if 1 < len(text) < _SHORT else ""):
        surplus = Span(site.start + k, site.start + k + 1)
        yield site.replacement(span, text[:k] + text[k + 1 :], rank, Edit(surplus, ""))
        if not char.isalnum():
            yield site.replacement(surplus, ",")


def _lost(site: _Site) -> Iterator[JsonCandidate]:
    """Yield the insertion of a missing character before a token."""
    before = site.before
    for sign in SIGNS:
        if sign not in "{[" and before is not None:
            rank = ODD if before.text.endswith(f'{sign}"') else PLAIN  # its quote was turned with the sign
            yield site.insertion(before.end, sign, before.span, f"missing `{sign}` after {shown(before.text)}", rank)
        elif site.text or sign not in "{[":
            yield site.insertion(site.start, sign, site.span, f"missing `{sign}` before {shown(site.text)}")


def _joined(site: _Site) -> Iterator[JsonCandidate]:
    """Yield a number or word without the space that splits it, and two swapped characters in the right order."""
    before = site.before
    if before is None:
        return
    both = Span(before.start, site.end)
    if before.end < site.start and _WORD.fullmatch(before.text) and _WORD.fullmatch(site.text):
        yield before.replacement(both, before.text + site.text, edit=Edit(Span(before.end, site.start), ""))
    if before.end == site.start and before.text in SIGNS and site.text in SIGNS and before.text != site.text:
        yield before.replacement(both, site.text + before.text)


def _turned_quotes(site: _Site) -> Iterator[JsonCandidate]:
    """Yield a quote swapped with the character next to it."""
    start, end, text = site.start, site.end, site.text
    if len(text) > 3 and text[0] == text[-1] == '"':
        if text[1] in ",:{[":
            yield site.replacement(Span(start, start + 2), f'{text[1]}"')
        for sign in (text[-2:-1], text[-3:-1]):
            if sign.strip(",:}]") == "":
                yield site.replacement(Span(end - 1 - len(sign), end), f'"{sign}')


def _missing_keys(site: _Site) -> Iterator[JsonCandidate]:
    """Yield keys before a colon without one."""
    state = site.state
    if site.text != ":" or state.phase not in ("key", "key or end"):
        return
    required = {key for one in state.shape for key in one.required}
    named = dict.fromkeys(key for one in state.shape for key in one.properties)
    optional = [] if any(one.is_open for one in state.shape) else [key for key in named if key not in required]
    for key in [*sorted(required), *optional]:
        if key not in state.keys:
            message = f"missing key {shown(dump(key))} before `:`"
            yield site.insertion(site.start, dump(key), site.span, message, PLAIN if key in required else GUESS)


def _missing_values(site: _Site) -> Iterator[JsonCandidate]:
    """Yield an empty list or object where a key has no value and could have no other."""
    kinds = {kind for one in site.state.inner for kind in one.kinds or ("any",)}
    empty = {"array": "[]", "object": "{}"}.get(next(iter(kinds))) if len(kinds) == 1 else None
    if empty and site.state.phase == "value" and site.text in (",", "}"):
        yield site.insertion(site.start, empty, site.span, f"expected a value before {shown(site.text)}", GUESS)


def _quotes(site: _Site) -> Iterator[JsonCandidate]:
    """Yield repairs of missing, extra and wrong quotes in a token or at its ends."""
    text, start, end = site.source, site.start, site.end
    line_end = min(_LINE_END.search(text, end).start(), end + 80)  # type: ignore[union-attr]
    yield from _odd_quotes(site, line_end if site.text == '"' else end)  # it is never closed
    if (match := _FANCY.match(text, start) or SINGLE_QUOTED.match(text, start)) is not None:
        span = Span(*match.span())
        message = f"expected a string in double quotes, got {shown(match[0])}"
        yield site.change(Edit(span, dump(match[1])), span, message, title="Replace with double quotes")
    last = line_end if '"' not in site.text[1:] else end
    for match in _BOUNDARY.finditer(text, start, min(last, start + _LONG)):
        yield _lost_quote(site, match.start())
    yield _lost_quote(site, last)


def _odd_quotes(site: _Site, stop: int) -> Iterator[JsonCandidate]:
    """Yield repairs of single characters that are quotes, or may have been meant as such."""
    text, start = site.source, site.start
    for at in range(start, min(stop, start + _LONG)):
        char, span = text[at], Span(at, at + 1)
        if char == '"':
            # what was between two words may be lost
            yield site.removal(span, GUESS if _BETWEEN.match(text, max(at - 1, 0)) else PLAIN)
        elif _QUOTE_LIKE.match(char):
            yield site.replacement(span, '"')
        elif not char.isalnum() and char not in "_ \t\n\r" and stop - start > 1:
            yield site.replacement(span, '"', ODD)


def _lost_quote(site: _Site, at: int) -> JsonCandidate:
    text = site.source
    is_first = text[site.start] != '"' and at == site.start
    message = f"missing {'opening' if is_first else 'closing'} quote of this string"
    beside = text[at : at + 1] if is_first else text[at - 1 : at]
    rank = ODD if _QUOTE_LIKE.match(beside) or beside in (",", ":", " ") else PLAIN
    return site.insertion(at, '"', Span(site.start, max(site.end, at)), message, rank)


def _words(site: _Site) -> Iterator[JsonCandidate]:
    """Yield quotes around unquoted text up to the next comma, colon or bracket."""
    if site.text[0] in "\"',:[]{}":
        return
    for k, token in enumerate(tokens(site.source, site.start)):
        whole = site.source[site.start : token.end]
        if k >= _RUN or "\n" in whole or '"' in whole:
            return
        rank = ODD if _QUOTE_LIKE.search(whole) or _VALUE.fullmatch(site.text) else PLAIN
        rank = GUESS if site.state.phase in ("value", "first") and _may_be_constant(whole, site.state) else rank
        span = Span(site.start, token.end)
        message = f"expected double quotes around {shown(whole)}"
        yield site.change(Edit(span, dump(whole)), span, message, rank, "Add double quotes")


def _may_be_constant(word: str, state: JsonState) -> bool:
    """Return whether a word may be a fragment of `true`, `false` or `null`."""
    if not any(one.takes("boolean") or one.takes("null") for one in state.inner):
        return False
    return any(word.lower() in whole or whole in word.lower() for whole in ("true", "false", "null"))
