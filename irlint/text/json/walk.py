"""Reads JSON token by token against a shape. A state is a value: one can go on from any."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.records import NamedTuple
from irlint.text.json.options import JsonOptions
from irlint.text.json.shape import ANYTHING, ListLengths, Shape, Shapes, fitting
from irlint.text.json.tokens import NUMBER, UNUSUAL_BLANKS, lenient_number, number

BACK = 24  # tokens before a misfit in which its cause is looked for
MANY = 64  # keys of one object that are remembered
_COMMENT = 4000  # characters of one between two signs: without an end, each would be looked for up to the text's
STRING = re.compile(r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"')
_SINGLE = re.compile(r"'[^'\"\\\n\r]*'(?=[ \t]*[,:\]}\n\r])")
_IGNORED = re.compile(rf"(?:[\s\0]+|{UNUSUAL_BLANKS.pattern}|//[^\n\r]*|/\*(?:[^*]|\*(?!/)){{0,{_COMMENT}}}\*/)*")
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


class JsonToken(NamedTuple):
    start: int
    end: int
    text: str


class JsonMisfit(NamedTuple):
    """Where a text stops to fit, and the tokens before that, each with the state that it is read in."""

    at: int  # the offset of the token that does not fit; the text's length if it ends too early
    before: list[tuple[JsonToken, State]]
    state: State


def tokens(text: str, at: int) -> Iterator[JsonToken]:
    """Yield the tokens from an offset on; what is none is one of its own."""
    while True:
        at = _IGNORED.match(text, at).end()  # type: ignore[union-attr]
        if at >= len(text):
            return
        is_closed = (
            text[at] != '"' or text.find('"', at + 1) > 0
        )  # else the rest of a long line is looked through in vain
        match = (is_closed and STRING.match(text, at)) or _SINGLE.match(text, at) or _REST.match(text, at)
        assert match is not None
        yield JsonToken(at, match.end(), match[0])
        at = match.end()


class Walker:
    """The rules of one walk: the shapes, and how long lists are in this file."""

    def __init__(self, shapes: Shapes | None, options: JsonOptions) -> None:
        self.shapes = shapes or Shapes(())
        self.is_strict = shapes is not None
        self.options = options
        self.habits = ListLengths()

    def top(self) -> State:
        """Return the state in which a text begins."""
        return State(None, "value", self.shapes.top, self.shapes.top, False, frozenset(), 0, -1)

    def walk(self, text: str, start: int, state: State, end: int) -> JsonMisfit | None:
        """Return the first misfit from an offset on, in a state; None if there is none before `end`."""
        before: list[tuple[JsonToken, State]] = []
        for token in tokens(text, start):
            if token.start >= end:
                return None
            after = self.feed(state, token)
            if after is None:
                return JsonMisfit(token.start, before[-BACK:], state)
            if token.text == "]" and ListLengths.concern(state.shape):
                self.habits.note(state.shape, state.items)
            before.append((token, state))
            state = after
        return None if state.phase == "done" else JsonMisfit(len(text), before[-BACK:], state)

    def reach(self, state: State, text: str, at: int, is_cut: bool) -> int:
        """Return how far a piece of text fits from an offset on, in a state; beyond its length if all of it does.

        `is_cut`: the piece ends where the text goes on.
        """
        for token in tokens(text, at):
            after = self.feed(state, token)
            if after is None:
                return token.start if not (is_cut and token.end >= len(text)) else len(text) + 1
            state = after
        return len(text) + (1 if is_cut or state.phase == "done" else 0)

    def feed(self, state: State, token: JsonToken) -> State | None:
        """Return the state after a token; None if it does not fit."""
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
        keys = state.keys if len(state.keys) >= MANY else state.keys | {key}
        return state._replace(phase="colon", shape=shape, inner=inner, keys=keys) if inner else None

    def _open(self, state: State, inner: Shape, token: JsonToken) -> State | None:
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
        return self.after_value(state.around) if sound or not self.is_strict else None

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
        return self.after_value(state) if fitting(inner, value) else None

    def after_value(self, state: State) -> State:
        """Return the state behind a value."""
        if state.around is None:
            return state._replace(phase="done")
        return state._replace(phase="comma", items=state.items + 1)
