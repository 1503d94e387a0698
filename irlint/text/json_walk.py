"""Reads JSON token by token against a shape, and tells where it stops to fit. A state is a value: one can go on from any."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from irlint.records import NamedTuple
from irlint.text.json_options import JsonOptions
from irlint.text.json_scan import FastScanner
from irlint.text.json_shape import ANYTHING, Habits, Shape, Shapes, fits, fitting
from irlint.text.json_tokens import NUMBER, UNUSUAL_BLANKS, lenient_number, number

_MANY = 64  # keys of one object that are remembered
_RECENT = 32  # containers read as a whole that are looked at again
_LONG = 1 << 16  # characters of such a container that is looked at from outside only
SKIPPED = 4  # containers down to this depth are offered to the C scanner
STRING = re.compile(r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"')
_SINGLE = re.compile(r"'[^'\"\\\n\r]*'(?=[ \t]*[,:\]}\n\r])")
_IGNORED = re.compile(
    rf"(?:[\s\0]|{UNUSUAL_BLANKS.pattern.rstrip('+')}|//[^\n\r]*(?![^\n\r])|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)*"
)
_REST = re.compile(r"[^\s\"'{}\[\],:]+|.", re.DOTALL)
_CONSTANTS = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "NaN": 0.5, "nan": 0.5,
    "Infinity": 0.5, "-Infinity": 0.5,
}  # fmt: skip


class State(NamedTuple):
    """What is open, from the innermost container outwards, and what may come next."""

    around: State | None
    phase: str  # "value", "first" (a value or the end), "comma", "key", "key or end", "colon" or "done"
    shape: Shape  # of the container; of the value, where none is open
    inner: Shape  # of the value that is due
    is_object: bool
    keys: frozenset[str]
    items: int
    start: int  # where the container opens
    depth: int = 0  # containers that are open


class Token(NamedTuple):
    start: int
    end: int
    text: str


def tokens(text: str, at: int) -> Iterator[Token]:
    """The tokens from an offset on; what is none is one of its own."""
    while True:
        at = _IGNORED.match(text, at).end()  # type: ignore[union-attr]
        if at >= len(text):
            return
        match = STRING.match(text, at) or _SINGLE.match(text, at) or _REST.match(text, at)
        assert match is not None
        yield Token(at, match.end(), match[0])
        at = match.end()


class Walker:
    """The rules of one walk: the shapes, and how long lists are in this file."""

    def __init__(self, shapes: Shapes | None, options: JsonOptions) -> None:
        self.shapes = shapes or Shapes(())
        self.is_strict = shapes is not None
        self.options = options
        self.habits = Habits()

    @property
    def begin(self) -> State:
        return State(None, "value", self.shapes.top, self.shapes.top, False, frozenset(), 0, -1)

    def feed(self, state: State, token: Token) -> State | None:
        """The state after a token; None if it does not fit."""
        text = token.text
        phase = state.phase
        if text == ",":
            return state._replace(phase="key" if state.is_object else "value") if phase == "comma" else None
        if text == ":":
            return state._replace(phase="value") if phase == "colon" else None
        if text in ("]", "}"):
            return self._close(state, text)
        if phase in ("key", "key or end"):
            return self._key(state, text) if text[0] in "\"'" and len(text) > 1 else None
        if phase not in ("value", "first"):
            return None
        inner = state.inner if state.is_object or state.around is None else self.shapes.item(state.shape, state.items)
        return self._open(state, inner, token) if text in ("[", "{") else self._scalar(state, inner, text)

    def _key(self, state: State, text: str) -> State | None:
        key = text[1:-1]
        key = self.options.fold.get(key.lower(), key)
        if self.is_strict and key in state.keys:
            return None
        inner = self.shapes.member(state.shape, key)
        shape = tuple(one for one in state.shape if one.has(key))
        keys = state.keys if len(state.keys) >= _MANY else state.keys | {key}
        return state._replace(phase="colon", shape=shape, inner=inner, keys=keys) if inner else None

    def _open(self, state: State, inner: Shape, token: Token) -> State | None:
        kind = "object" if token.text == "{" else "array"
        shape = tuple(one for one in inner if one.takes(kind))
        if not shape or state.depth >= self.options.max_depth:
            return None
        return State(
            state, "key or end" if kind == "object" else "first", shape, ANYTHING, kind == "object", frozenset(), 0, token.start,
            state.depth + 1,
        )  # fmt: skip

    def _close(self, state: State, text: str) -> State | None:
        expected = ("}", ("key or end", "comma")) if state.is_object else ("]", ("first", "comma"))
        if state.around is None or text != expected[0] or state.phase not in expected[1]:
            return None
        if state.is_object:
            sound = any(one.required <= state.keys for one in state.shape)
        else:
            sound = any(one.shortest <= state.items <= one.longest for one in state.shape)
            sound = sound and not (self.is_strict and self.habits.forbid(state.shape, state.items))
        return self._after(state.around) if sound or not self.is_strict else None

    def _scalar(self, state: State, inner: Shape, text: str) -> State | None:
        if text[0] in "\"'" and len(text) > 1:
            value: object = text[1:-1]
        elif text in _CONSTANTS:
            value = _CONSTANTS[text]
        elif NUMBER.fullmatch(text):
            value = number(text) if len(text) < 400 else 0
        elif (self.options.number is None or self.options.number.fullmatch(text)) and lenient_number(text) is not None:
            value = lenient_number(text)
        else:
            return None
        return self._after(state) if fitting(inner, value) else None

    def _after(self, state: State) -> State:
        """The state behind a value."""
        if state.around is None:
            return state._replace(phase="done")
        return state._replace(phase="comma", items=state.items + 1)


class Fault(NamedTuple):
    """Where a text stops to fit, and the tokens before that, each with the state that it is read in."""

    at: int  # the offset of the token that does not fit; the text's length if it ends too early
    before: list[tuple[Token, State]]
    state: State


class Skipped(NamedTuple):
    """A container that was read as a whole."""

    at: int
    state: State
    shape: Shape
    value: object
    end: int


def walk(walker: Walker, text: str, at: int, near: int, back: int) -> Fault | None:
    """The first place at which a text does not fit; None if all does.

    Sound containers are taken as a whole by the C scanner. Whether the last few fit, too, is looked at where the text stops
    to: one slip leaves those before sound in any case. Up to `back` tokens within `near` characters are read one by one.
    """
    marks: list[tuple[int, State]] = [(at, walker.begin)]  # places to go on from
    recent: deque[Skipped] = deque(maxlen=_RECENT)
    state, end, fault = walker.begin, len(text), False
    scanner = FastScanner(text, walker.options)
    while not fault:
        at = _IGNORED.match(text, at).end()  # type: ignore[union-attr]
        if at >= end:
            fault = state.phase != "done"
            break
        if at - marks[-1][0] > near // 4:
            marks.append((at, state))
        if text[at] in "[{" and (skipped := _skipped(walker, scanner, state, text, at)) is not None:
            recent.append(skipped)
            state, at = walker._after(state), skipped.end
            continue
        token = next(tokens(text, at))
        after = walker.feed(state, token)
        fault = after is None
        if after is not None:
            state, at = after, token.end
    scanner.release()
    bad = next((one for one in recent if walker.is_strict and not _fits(walker, one)), None)
    if bad is not None:
        at, state = bad.at, bad.state
        for token in tokens(text, bad.at):
            at, after = token.start, walker.feed(state, token)
            if after is None:
                break
            state = after
    elif not fault:
        return None
    begin = next(mark for mark in reversed(marks) if mark[0] <= max(at - near, marks[0][0]))
    return Fault(min(at, end), _again(walker, text, begin, at)[-back:] if back else [], state)


def _fits(walker: Walker, one: Skipped) -> bool:
    depth = 1 << 30 if one.end - one.at < _LONG else 1
    return fits(walker.shapes, one.shape, one.value, walker.habits, depth)


def _skipped(walker: Walker, scanner: FastScanner, state: State, text: str, at: int) -> Skipped | None:
    """The container at an offset, if it is sound."""
    if state.phase not in ("value", "first") or state.around is None or state.depth > SKIPPED:
        return None
    inner = state.inner if state.is_object else walker.shapes.item(state.shape, state.items)
    if not any(one.takes("object" if text[at] == "{" else "array") for one in inner):
        return None
    found = scanner.scan(at)
    return None if found is None else Skipped(at, state, inner, found[0], found[1])


def _again(walker: Walker, text: str, start: tuple[int, State], stop: int) -> list[tuple[Token, State]]:
    at, state = start
    found = []
    for token in tokens(text, at):
        if token.start >= stop:
            break
        found.append((token, state))
        after = walker.feed(state, token)
        if after is None:
            break
        state = after
    return found


def reach(walker: Walker, state: State, text: str, at: int, is_cut: bool) -> int:
    """How far a piece of text fits from an offset on, in a state; beyond its length if all of it does. `is_cut`: the piece ends where
    the text goes on."""
    for token in tokens(text, at):
        after = walker.feed(state, token)
        if after is None:
            return token.start if not (is_cut and token.end >= len(text)) else len(text) + 1
        state = after
    return len(text) + (1 if is_cut or state.phase == "done" else 0)
