"""Reads JSON token by token against a shape, and tells where it stops to fit. A state is a value: one can go on from any."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Any

from irlint.records import NamedTuple
from irlint.text.json_options import JsonOptions
from irlint.text.json_scan import NEXT_OBJECT, FastScanner
from irlint.text.json_shape import ANYTHING, Alternative, ListLengths, Shape, Shapes, fits, fitting
from irlint.text.json_tokens import NUMBER, UNUSUAL_BLANKS, lenient_number, number

_MANY = 64  # keys of one object that are remembered
_RECENT = 32  # containers read as a whole that are looked at again
_LONG = 1 << 16  # characters of such a container of which only the last few items are looked at
_SHALLOW = 4  # how deep that is done
_APART = 1 << 15  # characters between marks that are not likely to be needed
_COMMENT = 4000  # characters of one between two signs: without an end, each would be looked for up to the text's
SKIPPED = 4  # containers down to this depth are offered to the C scanner
STRING = re.compile(r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"')
_SINGLE = re.compile(r"'[^'\"\\\n\r]*'(?=[ \t]*[,:\]}\n\r])")
_IGNORED = re.compile(rf"(?:[\s\0]+|{UNUSUAL_BLANKS.pattern}|//[^\n\r]*|/\*(?:[^*]|\*(?!/)){{0,{_COMMENT}}}\*/)*")
_REST = re.compile(r"[^\s\"'{}\[\],:]+|.", re.DOTALL)
_OBJECTS = re.compile(r"\[\s*\{")
_POSITION = 999_999_999  # the largest number that is read without a look at it
_NUMBERS = re.compile(r"(?:(?:0|[1-9][0-9]{0,8})[ \t\n\r]*,[ \t\n\r]*){8,}")
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


def tokens(text: str, at: int) -> Iterator[JsonToken]:
    """The tokens from an offset on; what is none is one of its own."""
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

    def feed(self, state: State, token: JsonToken) -> State | None:
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
        """The state behind a value."""
        if state.around is None:
            return state._replace(phase="done")
        return state._replace(phase="comma", items=state.items + 1)


class JsonMisfit(NamedTuple):
    """Where a text stops to fit, and the tokens before that, each with the state that it is read in."""

    at: int  # the offset of the token that does not fit; the text's length if it ends too early
    before: list[tuple[JsonToken, State]]
    state: State
    marks: Marks  # what is before the fault is read already


class Skipped(NamedTuple):
    """A container that was read as a whole."""

    at: int
    state: State
    shape: Shape
    value: Any
    end: int

    @property
    def is_long(self) -> bool:
        return self.end - self.at > _LONG


class Checkpoint(NamedTuple):
    """A place to go on from. `is_far`: what is before it is not worth reading again."""

    at: int
    state: State
    is_far: bool = False


Marks = list[Checkpoint]


def begin(walker: Walker, at: int) -> Marks:
    """The marks of a text that is still to be read, from an offset on."""
    top = walker.shapes.top
    return [Checkpoint(at, State(None, "value", top, top, False, frozenset(), 0, -1), True)]


def marks_before(marks: Marks, at: int) -> Marks:
    """The marks that hold for a text which is changed from an offset on."""
    return marks[: max(1, bisect_left(marks, at, key=lambda mark: mark.at))]


def walk(walker: Walker, text: str, marks: Marks, near: int, back: int) -> JsonMisfit | None:
    """The first place at which a text does not fit, from the last of some marks on; None if all does.

    Sound containers are taken as a whole by the C scanner. Whether the last few fit, too, is looked at where the text stops
    to: one slip leaves those before sound in any case. Up to `back` tokens within `near` characters are read one by one.
    """
    marks = marks.copy()
    recent: deque[Skipped] = deque(maxlen=_RECENT)
    (at, state, _), end, fault = marks[-1], len(text), False
    scanner = FastScanner(text, walker.options)
    while not fault:
        at = _after_blanks(text, at)
        if at >= end:
            fault = state.phase != "done"
            break
        if at - marks[-1].at > near // 4:
            marks.append(Checkpoint(at, state))
        if text[at] in "[{" and (skipped := _skipped(walker, scanner, state, text, at)) is not None:
            recent.append(skipped)
            if skipped.is_long:
                marks.append(Checkpoint(skipped.end - 1, _inside(walker, skipped), True))
            state, at = walker.after_value(state), skipped.end
            if text[skipped.at] == "{" and (run := _Run.read(scanner, state, at)) is not None:
                recent += run.last(walker)
                marks += run.marks(near)
                state, at = run.after, run.end
            continue
        if (numbers := _numbers(walker, state, text, at, near // 4)) is not None:
            state, at = numbers
            continue
        token = next(tokens(text, at))
        after = walker.feed(state, token)
        fault = after is None
        if after is not None:
            state, at = after, token.end
    bad = next((one for one in recent if walker.is_strict and not _fits(walker, one)), None)
    if bad is not None and (found := _misfit(walker, scanner, text, bad)) is not None:
        (at, state), fault = found, True
        marks = marks_before(marks, at)
    scanner.release()
    if not fault:
        return None
    start = next(mark for mark in reversed(marks) if mark.at <= at - near or mark.is_far)
    return JsonMisfit(min(at, end), _again(walker, text, start, at)[-back:] if back else [], state, marks)


class _Run:
    """The objects of a list, one after the other, read without a look at each."""

    def __init__(self, state: State) -> None:
        self.state = state  # in front of the first one
        self.values: deque[Any] = deque(maxlen=_RECENT)
        self.starts: list[int] = []
        self.ends: list[int] = []

    @classmethod
    def read(cls, scanner: FastScanner, before: State, at: int) -> _Run | None:
        """What follows on an object; None if that is another matter, or the list may become too long."""
        if before.is_object or any(one.longest < 1 << 62 for one in before.shape):
            return None
        match = NEXT_OBJECT.match(scanner.text, at)
        if match is None or scanner.patience < 0:
            return None
        run = cls(before._replace(phase="value"))
        scanner.objects(match.end(), run.values, run.starts, run.ends, False)
        return run if run.starts else None

    @property
    def end(self) -> int:
        return self.ends[-1]

    @property
    def after(self) -> State:
        return self._state(len(self.starts))._replace(phase="comma")

    def _state(self, index: int) -> State:
        return self.state._replace(items=self.state.items + index)

    def last(self, walker: Walker) -> Iterator[Skipped]:
        """Those that are looked at again."""
        first = len(self.starts) - len(self.values)
        for index, value in enumerate(self.values, first):
            state = self._state(index)
            inner = walker.shapes.item(state.shape, state.items)
            yield Skipped(self.starts[index], state, inner, value, self.ends[index])

    def marks(self, near: int) -> Iterator[Checkpoint]:
        """A few places to go on from, more of them around the last objects."""
        at, last = self.starts[0], self.starts[-min(len(self.starts), _RECENT)] - 2 * near
        while at <= self.starts[-1]:
            index = bisect_left(self.starts, at)
            at = self.starts[index]
            yield Checkpoint(at, self._state(index))
            at += near // 4 if at >= last else max(1, min(_APART, last - at))


def _numbers(walker: Walker, state: State, text: str, at: int, most: int) -> tuple[State, int] | None:
    """The state behind some of the numbers of a long list, each with its comma, and where that is."""
    if state.is_object or state.items < _RECENT or state.phase != "value":
        return None
    if not any(map(_takes_positions, walker.shapes.item(state.shape, state.items))):
        return None
    match = _NUMBERS.match(text, at, at + most)
    if match is None or any(
        one.longest < 1 << 62 or any(isinstance(part, list) for part in one.items) for one in state.shape
    ):
        return None
    return state._replace(items=state.items + match[0].count(",")), match.end()


def _takes_positions(shape: Alternative) -> bool:
    least, most = shape.limits
    return shape.takes("integer") and shape.words is None and least <= 0 and most >= _POSITION


def _after_blanks(text: str, at: int) -> int:
    return _IGNORED.match(text, at).end()  # type: ignore[union-attr]


def _fits(walker: Walker, one: Skipped) -> bool:
    """Whether a container fits; of a long list, its last few items."""
    shapes, habits = walker.shapes, walker.habits
    if not one.is_long:
        return fits(shapes, one.shape, one.value, habits, 1 << 30)
    if not fits(shapes, one.shape, one.value, habits, 0):
        return False
    if not isinstance(one.value, list):
        return True
    shape, last = fitting(one.shape, one.value), range(max(0, len(one.value) - _RECENT), len(one.value))
    return all(fits(shapes, shapes.item(shape, k), one.value[k], habits, _SHALLOW) for k in last)


def _misfit(walker: Walker, scanner: FastScanner, text: str, one: Skipped) -> tuple[int, State] | None:
    """Where in a container that does not fit it stops to, and the state there."""
    at, state = one.at, one.state
    while at < one.end:
        at = _after_blanks(text, at)
        if at > one.at and text[at] in "[{":
            inner = _skipped(walker, scanner, state, text, at)
            if inner is not None and fits(walker.shapes, inner.shape, inner.value, ListLengths(), 1 << 30):
                state, at = walker.after_value(state), inner.end
                continue
        token = next(tokens(text, at))
        after = walker.feed(state, token)
        if after is None:
            return at, state
        state, at = after, token.end
    return None


def _inside(walker: Walker, one: Skipped) -> State:
    """The state at the end of a container, before its closing bracket."""
    is_object = isinstance(one.value, dict)
    keys = frozenset(islice(one.value, _MANY)) if is_object else frozenset()
    shape = fitting(one.shape, one.value)
    return State(
        one.state, "comma", shape, ANYTHING, is_object, keys, len(one.value), one.at, one.state.depth + 1
    )  # fmt: skip


def _skipped(walker: Walker, scanner: FastScanner, state: State, text: str, at: int) -> Skipped | None:
    """The container at an offset, if it is sound."""
    if state.phase not in ("value", "first") or state.around is None or state.depth > SKIPPED:
        return None
    inner = state.inner if state.is_object else walker.shapes.item(state.shape, state.items)
    if not any(one.takes("object" if text[at] == "{" else "array") for one in inner):
        return None
    if state.depth == 1 and _OBJECTS.match(text, at):  # the fault is likely to be in here: none of it would be known
        return None
    found = scanner.scan(at)
    return None if found is None else Skipped(at, state, inner, found[0], found[1])


def _again(walker: Walker, text: str, start: Checkpoint, stop: int) -> list[tuple[JsonToken, State]]:
    at, state, _ = start
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
