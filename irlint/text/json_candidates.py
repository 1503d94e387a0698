"""Single changes that may repair JSON at the place where it breaks: a character, a quote, a space, a key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irlint.records import NamedTuple
from irlint.text.base import Edit, Span
from irlint.text.json_dump import dump
from irlint.text.json_shape import members
from irlint.text.json_tokens import SINGLE_QUOTED, shown
from irlint.text.json_walk import JsonMisfit, JsonToken, State, tokens

SIGNS = ",:{}[]"
_QUOTES = 6  # tokens before the fault in which quotes are tried
_RUN = 12  # tokens that may have lost both their quotes
_SHORT = 24  # characters of a word or number one of which may be too many
_LONG = 300  # characters of a token that are tried one by one
_OPENERS = 8  # open brackets that may be the ones too many
_BOUNDARY = re.compile(r"(?<=\w)(?!\w)|(?<!\w)(?=\w)|(?<=[)\]}])|(?=[(\[{])")
_QUOTE_LIKE = re.compile("[\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033'`\u00b4;]")
_BETWEEN = re.compile(r'\w"\w')
_WORD = re.compile(r"[\w.+-]+")
_VALUE = re.compile(r"-?[0-9.]+(?:[eE][+-]?[0-9]+)?|true|false|null|\".*", re.DOTALL)
_FANCY = re.compile(
    '[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019`\u00b4]([^"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019`\u00b4\n\r]*)'
    "[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019`\u00b4]"
)


PLAIN, ODD, GUESS = range(3)  # ODD: counts only where nothing plain fits; GUESS: writes or drops what nobody knows


class JsonCandidate(NamedTuple):
    """A change with its message and span. Reading resumes at `start`, in the state there."""

    edit: Edit
    start: int
    state: State
    at: Span
    message: str
    title: str
    rank: int = PLAIN


def candidates(text: str, fault: JsonMisfit) -> Iterator[JsonCandidate]:
    """Yield all plausible changes, the most likely first."""
    behind = [token for token, _ in zip(tokens(text, fault.at), range(2), strict=False)]
    steps = [*fault.before, *((token, fault.state) for token in behind[:1])]
    if not behind:
        steps.append((JsonToken(len(text), len(text), ""), fault.state))
    for k in range(len(steps) - 1, -1, -1):
        token, state = steps[k]
        before = steps[k - 1] if k else None
        if k >= len(steps) - _QUOTES and token.text:
            yield from _quotes(text, token, state)
            yield from _words(text, token, state)
            yield from _turned_quotes(token, state)
        yield from _signs(token, state)
        yield from _lost(text, token, state, before)
        if before is not None:
            yield from _joined(text, *before, token)
            yield from _swapped(*before, token)
        if token.text == ":":
            yield from _keys(token, state)
        if token.text in (",", "]", "}") and state.phase == "value":
            yield from _values(token, state)
            yield from _members(steps[max(0, k - 3) : k], token, state)
    yield from _openers(text, fault.state)


def _signs(token: JsonToken, state: State) -> Iterator[JsonCandidate]:
    """Yield the removal or replacement of a token."""
    span, text = Span(token.start, token.end), token.text
    if not text or (text[0] in "\"'" and len(text) > 1):
        return
    if text in SIGNS or not _WORD.fullmatch(text):
        for sign in SIGNS:
            if sign != text:
                message = f"expected `{sign}`, got {shown(text)}"
                yield JsonCandidate(Edit(span, sign), token.start, state, span, message, f"Replace with `{sign}`")
    rank = ODD if _VALUE.fullmatch(text) else PLAIN
    message = f"unexpected {shown(text)}"
    yield JsonCandidate(Edit(span, ""), token.start, state, span, message, f"Remove {shown(text)}", rank)
    for at in range(token.start, token.end) if 1 < len(text) < _SHORT else ():
        surplus, rest = Span(at, at + 1), text[: at - token.start] + text[at - token.start + 1 :]
        message = f"expected {shown(rest)}, got {shown(text)}"
        yield JsonCandidate(Edit(surplus, ""), token.start, state, span, message, f"Replace with {shown(rest)}", rank)
        if not text[at - token.start].isalnum():
            message = f"expected `,`, got {shown(text[at - token.start])}"
            yield JsonCandidate(Edit(surplus, ","), token.start, state, surplus, message, "Replace with `,`")


def _lost(text: str, token: JsonToken, state: State, before: tuple[JsonToken, State] | None) -> Iterator[JsonCandidate]:
    """Yield the insertion of a missing character before a token."""
    for sign in SIGNS:
        opens = sign in "{["
        at = token.start if opens or before is None else before[0].end
        if opens or before is None:
            here, message = (
                Span(token.start, max(token.end, token.start)),
                f"missing `{sign}` before {shown(token.text)}",
            )
        else:
            here, message = Span(before[0].start, before[0].end), f"missing `{sign}` after {shown(before[0].text)}"
        if not token.text and opens:
            continue
        turned = sign in ",:" and before is not None and before[0].text[-2:] == f'{sign}"'
        yield JsonCandidate(
            Edit(Span(at, at), sign), token.start, state, here, message, f"Insert `{sign}`", ODD if turned else PLAIN
        )


def _joined(text: str, before: JsonToken, state: State, token: JsonToken) -> Iterator[JsonCandidate]:
    """Yield a number or word without the space that splits it."""
    if before.end < token.start and _WORD.fullmatch(before.text) and _WORD.fullmatch(token.text):
        whole = shown(before.text + token.text)
        message = f"expected {whole}, got {shown(text[before.start : token.end])}"
        span = Span(before.start, token.end)
        yield JsonCandidate(
            Edit(Span(before.end, token.start), ""), before.start, state, span, message, f"Replace with {whole}"
        )


def _swapped(before: JsonToken, state: State, token: JsonToken) -> Iterator[JsonCandidate]:
    """Yield two swapped characters in the right order."""
    one, two = before.text, token.text
    if one in SIGNS and two in SIGNS and one != two and before.end == token.start:
        yield _turned(Span(before.start, token.end), one, two, before.start, state)


def _turned(span: Span, one: str, two: str, start: int, state: State) -> JsonCandidate:
    message = f"expected `{two}{one}`, got `{one}{two}`"
    return JsonCandidate(Edit(span, two + one), start, state, span, message, f"Replace with `{two}{one}`")


def _turned_quotes(token: JsonToken, state: State) -> Iterator[JsonCandidate]:
    """Yield a quote swapped with the character next to it."""
    start, end, text = token
    if len(text) > 3 and text[0] == text[-1] == '"':
        if text[1] in ",:{[":
            yield _turned(Span(start, start + 2), '"', text[1], start, state)
        for size in (1, 2):
            sign = text[-1 - size : -1]
            if sign.strip(",:}]") == "":
                yield _turned(Span(end - 1 - size, end), sign, '"', start, state)


def _keys(token: JsonToken, state: State) -> Iterator[JsonCandidate]:
    """Yield missing keys before a colon."""
    if state.phase not in ("key", "key or end"):
        return
    span = Span(token.start, token.end)
    required = {key for one in state.shape for key in one.required}
    for key in required - state.keys:
        edit = Edit(Span(token.start, token.start), dump(key))
        message = f"missing key {shown(dump(key))} before `:`"
        yield JsonCandidate(edit, token.start, state, span, message, f"Insert {shown(dump(key))}")
    if any(one.is_open for one in state.shape):
        return
    for key in dict.fromkeys(members(state.shape)):
        if key not in state.keys and key not in required:
            edit = Edit(Span(token.start, token.start), dump(key))
            message = f"missing key {shown(dump(key))} before `:`"
            yield JsonCandidate(edit, token.start, state, span, message, f"Insert {shown(dump(key))}", GUESS)


def _values(token: JsonToken, state: State) -> Iterator[JsonCandidate]:
    """Yield empty values where a value is missing."""
    if not state.is_object:
        return
    for kind, value in (("array", "[]"), ("object", "{}")):
        if any(one.kinds is not None and kind in one.kinds for one in state.inner):
            at = Span(token.start, token.start)
            message = f"expected a value before {shown(token.text)}"
            yield JsonCandidate(
                Edit(at, value), token.start, state, Span(token.start, token.end), message, f"Insert `{value}`", GUESS
            )


def _members(before: Sequence[tuple[JsonToken, State]], token: JsonToken, state: State) -> Iterator[JsonCandidate]:
    """Yield the removal of an optional key without a value."""
    if not state.is_object or len(before) < 3 or before[2][0].text != ":":
        return
    (comma, in_comma), (key, in_key), _ = before
    if any(key.text[1:-1] in one.required for one in state.shape):
        return
    if token.text == ",":
        span, start, known = Span(key.start, token.end), key.start, in_key
    elif comma.text == ",":
        span, start, known = Span(comma.start, token.start), comma.start, in_comma
    else:
        span, start, known = Span(key.start, token.start), key.start, in_key
    message = f"missing value for the key {shown(key.text)}"
    yield JsonCandidate(Edit(span, ""), start, known, Span(key.start, key.end), message, "Remove the key", GUESS)


def _quotes(text: str, token: JsonToken, state: State) -> Iterator[JsonCandidate]:
    """Yield repairs of missing, extra and wrong quotes in a token or at its ends."""
    start, end = token.start, token.end
    line_end = min([at for at in (text.find("\n", end), text.find("\r", end)) if at >= 0] + [len(text), end + 80])
    stop = line_end if token.text == '"' else end  # it is never closed
    for at in range(start, min(stop, start + _LONG)):
        char = text[at]
        if char == '"':
            span = Span(at, at + 1)
            rank = GUESS if _BETWEEN.match(text, max(at - 1, 0)) else PLAIN  # what was between two words may be lost
            yield JsonCandidate(Edit(span, ""), start, state, span, 'unexpected `"`', 'Remove `"`', rank)
        elif _QUOTE_LIKE.match(char) or (not char.isalnum() and char not in "_ \t\n\r" and stop - start > 1):
            span = Span(at, at + 1)
            rank = PLAIN if _QUOTE_LIKE.match(char) else ODD
            yield JsonCandidate(
                Edit(span, '"'), start, state, span, f'expected `"`, got {shown(char)}', 'Replace with `"`', rank
            )
    if (match := _FANCY.match(text, start) or SINGLE_QUOTED.match(text, start)) is not None:
        span = Span(*match.span())
        message = f"expected a string in double quotes, got {shown(match[0])}"
        yield JsonCandidate(Edit(span, dump(match[1])), start, state, span, message, "Replace with double quotes")
    for at in _places(text, start, line_end if '"' not in token.text[1:] else end):
        span = Span(at, at)
        is_first = text[start] != '"' and at == start
        message = f"missing {'opening' if is_first else 'closing'} quote of this string"
        beside = text[at : at + 1] if is_first else text[at - 1 : at]
        rank = ODD if _QUOTE_LIKE.match(beside) or beside in (",", ":", " ") else PLAIN
        yield JsonCandidate(Edit(span, '"'), start, state, Span(start, max(end, at)), message, 'Insert `"`', rank)


def _places(text: str, start: int, end: int) -> Iterator[int]:
    for match in _BOUNDARY.finditer(text, start, min(end, start + _LONG)):
        yield match.start()
    yield end


def _words(text: str, token: JsonToken, state: State) -> Iterator[JsonCandidate]:
    """Yield quotes around unquoted text up to the next comma, colon or bracket."""
    if token.text[0] in "\"',:[]{}":
        return
    run = [token]
    for after in tokens(text, token.start):
        if after.start > token.start:
            run.append(after)
        whole = text[token.start : run[-1].end]
        if len(run) > _RUN or "\n" in whole or '"' in whole:
            return
        span = Span(token.start, run[-1].end)
        message = f"expected double quotes around {shown(whole)}"
        rank = ODD if _QUOTE_LIKE.search(whole) or _VALUE.fullmatch(token.text) else PLAIN
        rank = GUESS if state.phase in ("value", "first") and _may_be_constant(whole, state) else rank
        yield JsonCandidate(Edit(span, dump(whole)), token.start, state, span, message, "Add double quotes", rank)


def _may_be_constant(word: str, state: State) -> bool:
    """Return whether a word may be a fragment of `true`, `false` or `null`."""
    if not any(one.takes("boolean") or one.takes("null") for one in state.inner):
        return False
    return any(word.lower() in whole or whole in word.lower() for whole in ("true", "false", "null"))


def _openers(text: str, state: State | None) -> Iterator[JsonCandidate]:
    """Yield the removal or replacement of open brackets."""
    for _ in range(_OPENERS):
        if state is None or state.around is None:
            return
        span, sign = Span(state.start, state.start + 1), text[state.start]
        around = state.around
        yield JsonCandidate(Edit(span, ""), span.start, around, span, f"unexpected `{sign}`", f"Remove `{sign}`")
        other = "[" if sign == "{" else "{"
        message = f"expected `{other}`, got `{sign}`"
        yield JsonCandidate(Edit(span, other), span.start, around, span, message, f"Replace with `{other}`")
        state = around
