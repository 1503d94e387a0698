"""Reads JSON token by token against a shape. A state is a value: one can go on from any."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.records import NamedTuple
from irlint.text.json.containers import Container
from irlint.text.json.options import JsonOptions
from irlint.text.json.shape import ANYTHING, Shape, Shapes
from irlint.text.json.tokens import NUMBER, UNUSUAL_BLANKS, lenient_number, number

BACK = 24  # tokens before a misfit in which its cause is looked for
MANY = 64  # keys of one object that are remembered
_COMMENT = 4000  # characters of one between two signs: without an end, each would be looked for up to the text's
_DIGITS = 400  # of a number that is compared with limits
STRING = re.compile(r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"')
_SINGLE = re.compile(r"'[^'\"\\\n\r]*'(?=[ \t]*[,:\]}\n\r])")
_IGNORED = re.compile(rf"(?:[\s\0]+|{UNUSUAL_BLANKS.pattern}|//[^\n\r]*|/\*(?:[^*]|\*(?!/)){{0,{_COMMENT}}}\*/)*")
_REST = re.compile(r"[^\s\"'{}\[\],:]+|.", re.DOTALL)
_CONSTANTS = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "NaN": 0.5, "nan": 0.5,
    "Infinity": 0.5, "-Infinity": 0.5,
}  # fmt: skip
_ENDS = {"}": (True, ("key or end", "comma")), "]": (False, ("first", "comma"))}  # of what, and when they may come
_NO_VALUE = object()


class JsonState(NamedTuple):
    """What is open, from the innermost container outwards, and what may come next."""

    around: JsonState | None
    phase: str  # "value", "first" (a value or the end), "comma", "key", "key or end", "colon" or "done"
    shape: Shape  # of the container; of the value, where none is open
    inner: Shape  # of a member's value
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
    before: list[tuple[JsonToken, JsonState]]
    state: JsonState


def tokens(text: str, at: int) -> Iterator[JsonToken]:
    """Yield the tokens from an offset on; what is none is one of its own."""
    while True:
        at = _IGNORED.match(text, at).end()  # type: ignore[union-attr]
        if at >= len(text):
            return
        # without another quote, the rest of a long line would be looked through in vain
        is_closed = text[at] != '"' or text.find('"', at + 1) > 0
        match = (is_closed and STRING.match(text, at)) or _SINGLE.match(text, at) or _REST.match(text, at)
        assert match is not None
        yield JsonToken(at, match.end(), match[0])
        at = match.end()


def is_string(text: str) -> bool:
    """Return whether a token is a string, in quotes of any kind."""
    return text[0] in "\"'" and len(text) > 1


class ShapeWalker:
    """The rules of one walk."""

    def __init__(self, shapes: Shapes | None, options: JsonOptions) -> None:
        self.shapes = shapes or Shapes(())
        self.has_shapes = shapes is not None
        self.options = options

    def top(self) -> JsonState:
        """Return the state in which a text begins."""
        return JsonState(None, "value", self.shapes.top, self.shapes.top, False, frozenset(), 0, -1)

    def walk(self, text: str, start: int, state: JsonState, end: int) -> JsonMisfit | None:
        """Return the first misfit from an offset on, in a state; None if there is none before `end`."""
        before: list[tuple[JsonToken, JsonState]] = []
        for token in tokens(text, start):
            if token.start >= end:
                return None
            after = self.feed(state, token)
            if after is None:
                return JsonMisfit(token.start, before[-BACK:], state)
            before.append((token, state))
            state = after
        return None if self._may_end(state) else JsonMisfit(len(text), before[-BACK:], state)

    def reach(self, state: JsonState, text: str, is_cut: bool) -> int:
        """Return how far a piece of text fits, in a state; beyond its length if all of it does.

        `is_cut`: the piece ends where the text goes on.
        """
        for token in tokens(text, 0):
            after = self.feed(state, token)
            if after is None:
                return token.start if not (is_cut and token.end >= len(text)) else len(text) + 1
            state = after
        return len(text) + (is_cut or self._may_end(state))

    def _may_end(self, state: JsonState) -> bool:
        return state.phase == "done" or (self.options.lines and state.around is None)

    def feed(self, state: JsonState, token: JsonToken) -> JsonState | None:
        """Return the state after a token; None if it does not fit."""
        text, phase = token.text, state.phase
        if text == ",":
            return state._replace(phase="key" if state.is_object else "value") if phase == "comma" else None
        if text == ":":
            return state._replace(phase="value") if phase == "colon" else None
        if text in _ENDS:
            return self._close(state, *_ENDS[text])
        if phase in ("key", "key or end"):
            return self._key(state, text) if is_string(text) else None
        if phase not in ("value", "first"):
            return None
        if text in ("[", "{"):
            return self._open(state, text == "{", token.start)
        value = self._scalar(text)
        fits = value is not _NO_VALUE and any(one.fits(value) for one in self._due(state))
        return self.after_value(state) if fits else None

    def _due(self, state: JsonState) -> Shape:
        """Return the shape of the value that is due."""
        if state.is_object or state.around is None:
            return state.inner
        return self.shapes.item(state.shape, state.items)

    def _key(self, state: JsonState, text: str) -> JsonState | None:
        key = self.options.fold.get(text[1:-1].lower(), text[1:-1])
        inner = self.shapes.member(state.shape, key)
        if not inner or (self.has_shapes and key in state.keys):
            return None
        return self._after_key(state, key, inner)._replace(phase="colon")

    def _after_key(self, state: JsonState, key: str, inner: Shape) -> JsonState:
        shape = tuple(one for one in state.shape if one.has(key)) or state.shape
        keys = state.keys if len(state.keys) >= MANY else state.keys | {key}
        return state._replace(phase="value", shape=shape, inner=inner, keys=keys)

    def _open(self, state: JsonState, is_object: bool, start: int) -> JsonState | None:
        shape = tuple(one for one in self._due(state) if one.takes("object" if is_object else "array"))
        if not shape or state.depth >= self.options.max_depth:
            return None
        phase = "key or end" if is_object else "first"
        return JsonState(state, phase, shape, ANYTHING, is_object, frozenset(), 0, start, state.depth + 1)

    def _close(self, state: JsonState, is_object: bool, phases: tuple[str, ...]) -> JsonState | None:
        if state.around is None or state.is_object != is_object or state.phase not in phases:
            return None
        if is_object:
            is_sound = any(one.required <= state.keys for one in state.shape)
        else:
            is_sound = any(one.shortest <= state.items <= one.longest for one in state.shape)
        return self.after_value(state.around) if is_sound else None

    def _scalar(self, text: str) -> object:
        """Return the value of a scalar; _NO_VALUE if it is none."""
        if is_string(text):
            return text[1:-1]
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if NUMBER.fullmatch(text):
            return number(text) if len(text) < _DIGITS else 0
        own = self.options.number
        value = lenient_number(text) if own is None or own.fullmatch(text) else None
        return _NO_VALUE if value is None else value

    def after_value(self, state: JsonState) -> JsonState:
        """Return the state after a value."""
        if state.around is None:
            return state if self.options.lines else state._replace(phase="done")
        return state._replace(phase="comma", items=state.items + 1)

    def inside(self, around: JsonState, container: Container, index: int) -> JsonState:
        """Return the state in front of a child of a container that was read, whether it fits or not."""
        is_object = container.members is not None
        found = self._open(around, is_object, container.start)
        state = found or JsonState(
            around, "key", self._due(around), ANYTHING, is_object, frozenset(), 0, container.start, around.depth + 1
        )
        keys = frozenset(container.keys[:index][-MANY:])
        shape = tuple(one for one in state.shape if all(map(one.has, keys))) or state.shape
        phase = state.phase if index == 0 else "key" if is_object else "value"
        return state._replace(phase=phase, shape=shape, keys=keys, items=index)

    def at_value(self, state: JsonState, key: str | None) -> JsonState:
        """Return the state in front of a child's value, given the state in front of the child and its key, if it has one."""
        return state if key is None else self._after_key(state, key, self.shapes.member(state.shape, key))
