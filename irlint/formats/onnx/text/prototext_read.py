"""Protobuf's text format read: the same tree as a binary's, and where each of its fields is in the text.

A mistake that leaves the structure clear is reported, and the rest is read; at any other reading stops, as protobuf does.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import Any, NoReturn

from irlint.codes import R, RuleRow
from irlint.formats.onnx.text.prototext_scalars import BadEscape, Unfit, decimals, expected, number, numbers, unescaped
from irlint.formats.onnx.wire.messages import (
    BYTES,
    DOUBLE,
    ENUMS,
    FLOAT,
    INTEGERS,
    MESSAGE,
    MESSAGES,
    MODEL,
    STRING,
    Field,
    Message,
)
from irlint.formats.onnx.wire.reader import DEPTH, Tree
from irlint.records import NamedTuple
from irlint.text.base import Edit, Path, Span, Trouble
from irlint.tools.names import nearest

# Whitespace and comments. A part begins with what the part before cannot end with: there is one way to match, so none is tried twice
_GAP = r"\s*(?:#[^\n]*(?:\n\s*|\Z))*"
_NAMED = r"[A-Za-z_][0-9A-Za-z_+-]*"
_ATOM = rf"{_NAMED}|(?:[0-9+-]|\.[0-9])[0-9A-Za-z_.+-]*"
_PLAIN_STRING = rf'"([^"\\\n]*)"(?!{_GAP}["\'])'  # without escapes, and not the first of several
_VALUE = rf"(?:({_ATOM})|{_PLAIN_STRING}|([\"'])|([\[{{<]))"
_FIELD = rf"(?:({_NAMED})(?:{_GAP}(?::{_GAP}{_VALUE}|([\[{{<])))?|([}}>])|(\Z))?"
_FIRST = re.compile(rf"{_GAP}((?!))?{_FIELD}")  # field of a message, before which there is no separator
_NEXT = re.compile(rf"{_GAP}(?:([,;]){_GAP})?{_FIELD}")
_ITEM = re.compile(rf"{_GAP}((?!))?((?!))?(?:{_VALUE}|(\]))?")
_SEPARATOR, _NAME, _WORD, _PLAIN, _QUOTE, _OPEN, _BARE, _CLOSE, _END = range(
    1, 10
)  # groups: `_BARE` opens without a colon
_END_OF_LIST = _BARE  # of an item
_AFTER_ITEM = re.compile(rf"{_GAP}([,\]])?")
_AGAIN = re.compile(rf"{_GAP}([\"'])")  # the next of several strings
_NUMBERS = re.compile(r"([^\[\]{}<>#\"']*)\]")  # the rest of a list
_TOKEN = re.compile(rf"{_GAP}({_ATOM}|.)?", re.DOTALL)
_BRACKETS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|#[^\n]*|([\[{<])|([\]}>])", re.DOTALL)
_NUMERIC = (*INTEGERS, FLOAT, DOUBLE)
_CLOSERS = {"{": "}", "<": ">"}
_SIZES = ("dim_value", "dim_param")
_ONE_OF = {  # fields of which a message has one
    MESSAGES["Type"]: frozenset(MESSAGES["Type"].fields) - {"denotation"},
    MESSAGES["Dimension"]: frozenset(_SIZES),
    MESSAGES["SimpleSharding"]: frozenset(_SIZES),
}


class Entry(NamedTuple):
    """Where a field is: from its name (of an item in brackets: its value) to its end."""

    start: int
    value: int
    end: int


class Stop(Exception):
    """Raised where the structure of the text is lost."""


class Reader:
    """Reads a text. `entries` are the fields of the model, its graph and its functions, or of all messages if it is `deep`.
    `whole` is the reader of the whole text, for one that reads parts of it again.
    """

    def __init__(self, text: str, deep: bool = False, whole: Reader | None = None) -> None:
        self.text, self.deep, self.whole = text, deep, whole
        self.at = 0
        self.entries: dict[Path, Entry] = {}
        self.troubles: list[Trouble] = []
        self.guesses: list[int] = []  # where values are that could not be read
        self.is_broken = False
        self._open: list[tuple[Message, int]] = []  # the messages around, each with where it opens
        self._closed: tuple[Message, int] | None = None  # the message that ended last, and where

    def model(self, start: int = 0) -> Tree:
        found: Tree = {}
        self.at = start
        try:
            self._fields(MODEL, found, "", ())
        except Stop:
            self.is_broken = True
        return found

    def again(self, field: Field, path: Path, entry: Entry) -> Any:
        """Return the value of a field that was read before."""
        found: Tree = {}
        match = _ITEM.match(self.text, entry.value)
        assert match is not None
        try:
            self._value(field, found, match, match.lastindex or 0, entry.start, path)
        except Stop:
            self.is_broken = True
        value = found.get(field.name)
        return value[0] if field.many and value else value

    # messages

    def _fields(self, message: Message, found: Tree, closer: str, path: Path | None) -> None:
        """Read the fields of a message up to its end. `path` is None if nobody asks where they are."""
        text, fields, one_of, following = self.text, message.fields, _ONE_OF.get(message), _NEXT.match
        if len(self._open) >= DEPTH:
            self._stop(R.too_deep, self.at - 1, self.at, f"messages are nested more than {DEPTH} deep")
        self._open.append((message, self.at - 1))
        match = _FIRST.match(text, self.at)
        while True:
            assert match is not None
            kind = match.lastindex or 0
            if kind < _NAME or kind > _BARE:
                if (kind == _CLOSE and match[_CLOSE] == closer) or (kind == _END and not closer):
                    self.at = match.end()
                    self._closed = message, match.start(_CLOSE)
                    break
                self._unexpected(match, closer)
            name = match[_NAME]
            field = fields.get(name)
            if field is None:
                if closer and self._is_unclosed(name):
                    self._close_before(match, closer)
                    break
                field = self._unknown(message, found, match)
                if field is None:
                    match = following(text, self.at)
                    continue
                name = field.name
            if one_of is not None and name in one_of and (others := found.keys() & one_of - {name}):
                words = f"`{name}` is set in addition to `{others.pop()}`; {message.name} has only one of them"
                self._report(R.duplicate_key, *match.span(_NAME), words, level="error")
            start = match.start(_NAME)
            if kind == _NAME or (kind == _BARE and field.kind != MESSAGE):
                match = self._without_colon(field, match)
                kind = match.lastindex or 0
            place: Path | None = None
            if path is not None:
                place = (*path, name, len(found.get(name, ()))) if field.many else (*path, name)
            self._value(field, found, match, kind, start, place)
            match = following(text, self.at)
        self._open.pop()

    def _value(
        self, field: Field, found: Tree, match: re.Match[str], kind: int, start: int, place: Path | None
    ) -> None:
        """Add the value of a field, or of one item, to what its message holds."""
        name, many = field.name, field.many
        if kind >= _OPEN:
            if match[kind] == "[":
                self._list(field, found, match.start(kind), start, place)
                return
            if field.message is None:
                self._misfit(field, match.start(kind), match.end())
                self.at = self._end_of_brackets(match.end())
                return
            value: Any = {}
        else:
            value = self._scalar(field, match, kind)
        if many:
            if (listed := found.get(name)) is None:
                listed = found[name] = []
            listed.append(value)
            if kind == _WORD and place is None:
                listed += self._run(field)
        elif name in found:
            self._report(R.duplicate_key, start, start + len(name), f"`{name}` is set twice", level="error")
        else:
            found[name] = value
        if kind >= _OPEN:
            assert field.message is not None
            self.at = match.end()
            is_told = place is not None and (self.deep or place == ("graph",) or place[:-1] == ("functions",))
            self._fields(field.message, value, _CLOSERS[match[kind]], place if is_told else None)
        if place is not None:
            self.entries[place] = Entry(start, match.start(kind) - (kind == _PLAIN), self.at)

    def _list(self, field: Field, found: Tree, opened: int, start: int, place: Path | None) -> None:
        """Read a list in brackets: more items of the field."""
        if not field.many:
            self._misfit(field, opened, opened + 1)
            self.at = self._end_of_brackets(opened + 1)
            return
        at, home = opened + 1, None if place is None else place[:-1]
        simple = _NUMBERS.match(self.text, at) if place is None and field.kind in _NUMERIC else None
        if simple is not None and (listed := _listed(field, simple[1])) is not None:
            if listed:
                found.setdefault(field.name, []).extend(listed)
            self.at = simple.end()
            return
        match = _ITEM.match(self.text, at)
        assert match is not None
        if match.lastindex == _END_OF_LIST:
            self.at = match.end()
            return
        while True:
            kind = match.lastindex or 0
            if kind < _WORD or kind >= _END_OF_LIST or match[kind] == "[":
                self._wanted(f"{expected(field)} in `{field.name}`", at)
            value_at = match.start(kind) - (kind == _PLAIN)
            item = None if home is None else (*home, len(found.get(field.name, ())))
            self._value(field, found, match, kind, value_at, item)
            after = _AFTER_ITEM.match(self.text, self.at)
            assert after is not None
            if after[1] is None:
                self._wanted("`,` or `]`", self.at)
            at = self.at = after.end()
            if after[1] == "]":
                break
            match = _ITEM.match(self.text, at)
            assert match is not None
        if home is not None:
            self.entries[home] = Entry(start, opened, self.at)

    # scalars

    def _scalar(self, field: Field, match: re.Match[str], kind: int) -> Any:
        self.at = match.end()
        if kind == _WORD:
            if field.kind in _NUMERIC:
                try:
                    return number(field, match[_WORD])
                except Unfit:
                    pass
            self._misfit(field, *match.span(_WORD))
        elif field.kind == STRING or field.kind == BYTES:
            if kind == _PLAIN:
                text = match[_PLAIN]
                if field.kind == STRING:
                    return text
                return _bytes(field, text.encode("utf-8", "surrogateescape"))
            return self._string(field, match.start(_QUOTE))
        elif kind == _PLAIN:
            self._misfit(field, match.start(_PLAIN) - 1, match.end())
        else:
            self._strings(match.start(_QUOTE), [])
            self._misfit(field, match.start(_QUOTE), self.at)
        return {STRING: "", BYTES: b"", MESSAGE: {}}.get(field.kind, 0)

    def _run(self, field: Field) -> list[Any]:
        """Read as many more numbers of a field as follow in the usual spelling: tensors have thousands of them."""
        match = _run_of(field.name).match(self.text, self.at)
        if match is None or (found := decimals(field, match[0].split()[1::2])) is None:
            return []
        self.at = match.end()
        return found

    def _string(self, field: Field, start: int) -> Any:
        odd: list[tuple[int, BadEscape]] = []
        data = self._strings(start, odd)
        for at, escape in odd:
            words = f"invalid escape sequence `{escape.text}`"
            if not escape.is_refused:
                words = f"unknown escape sequence `{escape.text}`; protobuf reads it differently in Python and C++"
            begin = at + escape.start
            level = "error" if escape.is_refused else "warning"
            self._report(R.syntax_error, begin, begin + len(escape.text), words, level=level)
        if field.kind == BYTES:
            return _bytes(field, data)
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            byte = data[error.start]
            words = f"byte 0x{byte:02X} of `{field.name}` is not valid UTF-8"
            if not self.text.isascii() and 0xDC00 + byte in map(ord, self.text[start : self.at]):
                words = ""  # a byte of the file, which is reported as such
            if words:
                self._report(R.invalid_utf8, start, self.at, words)
            return data.decode("utf-8", "surrogateescape")

    def _strings(self, start: int, odd: list[tuple[int, BadEscape]]) -> bytes:
        """Return the bytes of strings that follow each other."""
        text, pieces = self.text, []
        while True:
            quote, end = text[start], start
            while True:
                end = text.find(quote, end + 1)
                if end < 0:
                    break
                first = end
                while text[first - 1] == "\\":
                    first -= 1
                if not (end - first) % 2:
                    break
            if end < 0 or text.find("\n", start, end) >= 0:
                self._stop(R.syntax_error, start, start + 1, f"unterminated string; missing `{quote}`")
            found: list[BadEscape] = []
            pieces.append(unescaped(text[start + 1 : end], found))
            odd += [(start + 1, escape) for escape in found]
            self.at = end + 1
            following = _AGAIN.match(text, self.at)
            if following is None:
                return b"".join(pieces)
            start = following.start(1)

    # mistakes

    def _report(self, rule: RuleRow, start: int, end: int, message: str, **more: Any) -> None:
        self.troubles.append(Trouble(rule, Span(start, end), message, **more))

    def _stop(self, rule: RuleRow, start: int, end: int, message: str, **more: Any) -> NoReturn:
        """Report what makes the rest unreadable, unless it probably follows from another mistake."""
        if all(trouble.level == "warning" for trouble in self.troubles):
            self._report(rule, start, end, message, **more)
        raise Stop

    def _wanted(self, what: str, at: int) -> NoReturn:
        """Stop at the token after an offset."""
        token = _TOKEN.match(self.text, at)
        assert token is not None
        if token[1] is None:
            opened = self._open[-1][1]
            related = [("opens here", Span(opened, opened + 1))] if opened >= 0 else []
            end = len(self.text)
            self._stop(R.truncated_file, end, end, f"the text ends where {what} is expected", related=related)
        self._stop(R.syntax_error, *token.span(1), f"expected {what}, got `{token[1][:40]}`")

    def _misfit(self, field: Field, start: int, end: int) -> None:
        got = self.text[start:end]
        words = f"expected {expected(field)} for `{field.name}`, got `{got[:40]}`"
        more: dict[str, Any] = {}
        if (
            field.name in ENUMS
            and field.message is None
            and (meant := nearest(got, list(ENUMS[field.name]))) is not None
        ):
            edits = (Edit(Span(start, end), meant),)
            words += f"; did you mean `{meant}`?"
            more = {"edits": lambda: edits, "title": f"Replace with `{meant}`", "safety": "unsafe"}
        self._report(R.wrong_type, start, end, words, **more)
        self.guesses.append(start)

    def _unexpected(self, match: re.Match[str], closer: str) -> NoReturn:
        at = match.end(_SEPARATOR) if match[_SEPARATOR] else self.at
        if match[_CLOSE] and not closer:
            self._stop(R.syntax_error, *match.span(_CLOSE), f"unexpected `{match[_CLOSE]}`")
        self._wanted(
            f"a field or `{closer}`" if closer and not match[_CLOSE] else f"`{closer}`" if closer else "a field", at
        )

    def _without_colon(self, field: Field, match: re.Match[str]) -> re.Match[str]:
        """Return the match of the value of a field without its colon."""
        end = match.end(_NAME)
        item = _ITEM.match(self.text, end)
        assert item is not None
        kind = item.lastindex or 0
        if field.kind == MESSAGE:
            self._wanted("`{`", end)
        if kind == 0:
            token = _TOKEN.match(self.text, end)
            assert token is not None
            if token[1] == ":":
                self._wanted(f"{expected(field)} for `{field.name}`", token.end())
            self._wanted("`:`", end)
        is_text = field.kind in (STRING, BYTES)
        fits = kind in (_PLAIN, _QUOTE) if is_text else kind == _WORD and numbers(field, [item[_WORD]]) is not None
        if not fits and not (field.many and kind == _OPEN and item[_OPEN] == "["):
            self._wanted("`:`", end)
        edits = (Edit(Span(end, end), ":"),)
        words = f"missing `:` after `{field.name}`"
        self._report(R.syntax_error, end - len(match[_NAME]), end, words, edits=lambda: edits, title="Insert `:`")
        return item

    def _unknown(self, message: Message, found: Tree, match: re.Match[str]) -> Field | None:
        """Report an unknown field, and return which one was probably meant; the value of any other is passed."""
        name, kind = match[_NAME], match.lastindex or 0
        span = Span(*match.span(_NAME))
        if self._balance < 0 and self._closed is not None and name in self._closed[0].fields:
            self._closed_early(name, *self._closed)
        kinds = (STRING, BYTES) if kind in (_PLAIN, _QUOTE) else (MESSAGE,) if kind >= _OPEN else _NUMERIC
        fitting = [
            field.name
            for field in message.fields.values()
            if field.kind in kinds and (field.many or field.name not in found)
        ]
        meant = nearest(name, fitting) if kind != _NAME else None
        words = f"unknown field `{name}` in {message.name}"
        if meant is not None:
            edits = (Edit(span, meant),)
            words += f"; did you mean `{meant}`?"
            title = f"Rename to `{meant}`"
            self._report(R.unknown_key, *span, words, edits=lambda: edits, title=title, safety="unsafe")
            return message.fields[meant]
        if kind == _NAME or self._balance:  # what it belongs to is not clear
            self._stop(R.unknown_key, *span, words)
        self._report(R.unknown_key, *span, words)
        self.guesses.append(span.start)
        if kind >= _OPEN:
            self.at = self._end_of_brackets(match.end())
        elif kind == _QUOTE:
            self._strings(match.start(_QUOTE), [])
        else:
            self.at = match.end()
        return None

    def _end_of_brackets(self, at: int) -> int:
        depth = 1
        for bracket in _BRACKETS.finditer(self.text, at):
            if bracket[1]:
                depth += 1
            elif bracket[2]:
                depth -= 1
                if not depth:
                    return bracket.end()
        raise Stop

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

    def _close_before(self, match: re.Match[str], closer: str) -> None:
        opened, last = self._open[-1][1], self.at
        line = self.text.rfind("\n", 0, opened) + 1
        head = self.text[line:opened]
        indent = head[: len(head) - len(head.lstrip())]
        edits = (Edit(Span(last, last), f"\n{indent}{closer}" if "\n" in self.text[opened:last] else f" {closer}"),)
        words = f"missing `{closer}` before `{match[_NAME]}`"
        related = [("opens here", Span(opened, opened + 1))]
        more: dict[str, Any] = {"edits": lambda: edits, "title": f"Insert `{closer}`", "safety": "unsafe"}
        self._report(R.syntax_error, *match.span(_NAME), words, related=related, **more)

    def _closed_early(self, name: str, message: Message, at: int) -> NoReturn:
        closer, edits = self.text[at], (Edit(Span(at, at + 1), ""),)
        words = f"unexpected `{closer}`; `{name}` after it is a field of the {message.name} that it closes"
        more: dict[str, Any] = {"edits": lambda: edits, "title": f"Remove `{closer}`", "safety": "unsafe"}
        self._stop(R.syntax_error, at, at + 1, words, **more)


@cache
def _run_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:[ \r\n]+{name}: -?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?(?=[ \r\n]))+")


def _listed(field: Field, text: str) -> list[Any] | None:
    """Return numbers that are separated by commas; None if anything is not as it should be."""
    return numbers(field, [word.strip() for word in text.split(",")]) if text.strip() else []


def _bytes(field: Field, data: bytes) -> bytes | memoryview:
    return memoryview(data) if field.name == "raw_data" else data
