"""A text read: the same tree as a binary's, and where each of its fields is in the text.

A mistake that leaves the structure clear is reported, and the rest is read; at any other reading stops, as protobuf does.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from irlint.codes import R
from irlint.records import NamedTuple
from irlint.text.base import Edit, Path, Span
from irlint.text.prototext.messages import BYTES, DEPTH, DOUBLE, FLOAT, INTEGERS, MESSAGE, STRING, Field, Message, Tree
from irlint.text.prototext.mistakes import ATOM, GAP, INSIDE, NAMED, Mistakes, Unreadable, repair
from irlint.text.prototext.scalars import BadEscape, Unfit, decimals, expected, number, numbers, unescaped
from irlint.tools.names import nearest

_PLAIN_STRING = rf'"([^"\\\n]*)"(?!{GAP}["\'])'  # without escapes, and not the first of several
_VALUE = rf"(?:({ATOM})|{_PLAIN_STRING}|([\"'])|([\[{{<]))"
_FIELD = rf"(?:({NAMED}|{INSIDE})(?:{GAP}(?::{GAP}{_VALUE}|([\[{{<])))?|([}}>])|(\Z))?"
_FIRST = re.compile(rf"{GAP}((?!))?{_FIELD}")  # field of a message, before which there is no separator
_NEXT = re.compile(rf"{GAP}(?:([,;]){GAP})?{_FIELD}")
_ITEM = re.compile(rf"{GAP}((?!))?((?!))?(?:{_VALUE}|(\]))?")
# Groups: `_BARE` opens without a colon
_SEPARATOR, _NAME, _WORD, _PLAIN, _QUOTE, _OPEN, _BARE, _CLOSE, _END = range(1, 10)
_END_OF_LIST = _BARE  # of an item
_AFTER_ITEM = re.compile(rf"{GAP}([,\]])?")
_AGAIN = re.compile(rf"{GAP}([\"'])")  # the next of several strings
_NUMBERS = re.compile(r"([^\[\]{}<>#\"']*)\]")  # the rest of a list
_NUMERIC = (*INTEGERS, FLOAT, DOUBLE)
_CLOSERS = {"{": "}", "<": ">"}


class FieldEntry(NamedTuple):
    """Where a field is: from its name (of an item in brackets: its value) to its end."""

    start: int
    value: int
    end: int


class PrototextReader(Mistakes):
    """Reads a text. `entries` are the fields of the outermost message, of those that are kept, or of all messages if it is `deep`.
    `whole` is the reader of the whole text, for one that reads parts of it again.
    """

    def __init__(self, text: str, deep: bool = False, whole: PrototextReader | None = None) -> None:
        super().__init__(text, whole)
        self.deep = deep
        self.entries: dict[Path, FieldEntry] = {}

    def message(self, message: Message, start: int = 0) -> Tree:
        """Return the message that the text is."""
        found: Tree = {}
        self.at = start
        try:
            self._fields(message, found, "", ())
        except Unreadable:
            self.is_broken = True
        return found

    def again(self, field: Field, path: Path, entry: FieldEntry) -> Any:
        """Return the value of a field that was read before."""
        found: Tree = {}
        match = _ITEM.match(self.text, entry.value)
        assert match is not None
        try:
            self._value(field, found, match, match.lastindex or 0, entry.start, path)
        except Unreadable:
            self.is_broken = True
        value = found.get(field.name)
        return value[0] if field.many and value else value

    # messages

    def _fields(self, message: Message, found: Tree, closer: str, path: Path | None) -> None:
        """Read the fields of a message up to its end. `path` is None if their places are not needed."""
        text, fields, one_of, following = self.text, message.fields, message.one_of, _NEXT.match
        if len(self._open) >= DEPTH:
            self._stop(R.too_deep, self.at - 1, self.at, f"messages are nested more than {DEPTH} deep")
        self._open.append((message, self.at - 1))
        match = _FIRST.match(text, self.at)
        while True:
            assert match is not None
            kind = match.lastindex or 0
            if not _NAME <= kind <= _BARE:
                self._end(message, found, match, closer)
                break
            name, start = match[_NAME], match.start(_NAME)
            field = fields.get(name)
            if field is None:
                if closer and self._is_unclosed(name):
                    self._close_before(name, start, closer)
                    break
                field = self._unknown(message, found, match)
            if field is not None:
                if one_of:
                    self._check_one_of(message, field.name, found, match)
                if kind == _NAME or (kind == _BARE and field.kind != MESSAGE):
                    match = self._without_colon(field, match.end(_NAME), len(name))
                    kind = match.lastindex or 0
                place = None if path is None else _place(path, field, found)
                self._value(field, found, match, kind, start, place)
            match = following(text, self.at)
        self._open.pop()

    def _end(self, message: Message, found: Tree, match: re.Match[str], closer: str) -> None:
        """End a message; stop where something else is."""
        kind = match.lastindex or 0
        if (match[_CLOSE] or "") != closer or kind < _NAME:
            at = match.end(_SEPARATOR) if match[_SEPARATOR] else self.at
            if match[_CLOSE] and not closer:
                self._stop(R.syntax_error, *match.span(_CLOSE), f"unexpected `{match[_CLOSE]}`")
            wanted = f"`{closer}`" if closer else "a field"
            self._wanted(f"a field or {wanted}" if closer and not match[_CLOSE] else wanted, at)
        self.at = match.end()
        self._closed = message, match.start(_CLOSE)
        for name in message.needed:
            if name not in found:
                opened, words = self._open[-1][1], f"missing `{name}` of {message.name}"
                self._report(R.missing_key, opened, opened + 1, words, level="error")

    def _check_one_of(self, message: Message, name: str, found: Tree, match: re.Match[str]) -> None:
        one_of = message.one_of.get(name, ())
        others = [other for other in found if other in one_of and other != name]
        if others:
            words = f"`{name}` is set in addition to `{others[0]}`; {message.name} has only one of them"
            self._report(R.duplicate_key, *match.span(_NAME), words, level="error")

    def _value(
        self, field: Field, found: Tree, match: re.Match[str], kind: int, start: int, place: Path | None
    ) -> None:
        """Add the value of a field, or of one item, to what its message holds."""
        name, opened = field.name, match[kind] if kind >= _OPEN else ""
        if opened == "[":
            self._list(field, found, match.start(kind), start, place)
            return
        if opened and field.message is None:
            self._misfit_in_brackets(field, match.start(kind))
            return
        value: Any = {} if opened else self._scalar(field, match, kind)
        if field.many:
            if (listed := found.get(name)) is None:
                listed = found[name] = []
            listed.append(value)
            if kind == _WORD and place is None:
                listed += self._run(field)
        elif name in found:
            self._report(R.duplicate_key, start, start + len(name), f"`{name}` is set twice", level="error")
        else:
            found[name] = value
        if opened:
            assert field.message is not None
            self.at = match.end()
            self._fields(field.message, value, _CLOSERS[opened], place and self._kept(place))
        if place is not None:
            self.entries[place] = FieldEntry(start, match.start(kind) - (kind == _PLAIN), self.at)

    def _kept(self, place: Path) -> Path | None:
        """Return the path of a message of which it is kept where its fields are; None of any other."""
        return place if self.deep else None

    def _list(self, field: Field, found: Tree, opened: int, start: int, place: Path | None) -> None:
        """Read a list in brackets: more items of the field."""
        if not field.many:
            self._misfit_in_brackets(field, opened)
            return
        if place is None and self._plain_numbers(field, found, opened + 1):
            return
        at, home, sign = opened + 1, None if place is None else place[:-1], ","
        match = _ITEM.match(self.text, at)
        assert match is not None
        if match.lastindex == _END_OF_LIST:
            self.at = match.end()
            return
        while sign == ",":
            match = _ITEM.match(self.text, at)
            assert match is not None
            kind = match.lastindex or 0
            if not _WORD <= kind < _END_OF_LIST or match[kind] == "[":
                self._wanted(f"{expected(field)} in `{field.name}`", at)
            item = None if home is None else (*home, len(found.get(field.name, ())))
            self._value(field, found, match, kind, match.start(kind) - (kind == _PLAIN), item)
            after = _AFTER_ITEM.match(self.text, self.at)
            assert after is not None
            sign = after[1]
            if sign is None:
                self._wanted("`,` or `]`", self.at)
            at = self.at = after.end()
        if home is not None:
            self.entries[home] = FieldEntry(start, opened, self.at)

    def _plain_numbers(self, field: Field, found: Tree, at: int) -> bool:
        """Read the rest of a list of numbers at once; return whether it is one, without mistakes."""
        match = _NUMBERS.match(self.text, at) if field.kind in _NUMERIC else None
        if match is None:
            return False
        words = match[1].split(",") if match[1].strip() else []
        listed = numbers(field, [word.strip() for word in words])
        if listed:
            found.setdefault(field.name, []).extend(listed)
        self.at = match.end() if listed is not None else self.at
        return listed is not None

    # scalars

    def _scalar(self, field: Field, match: re.Match[str], kind: int) -> Any:
        self.at = match.end()
        if kind == _WORD:
            if field.kind in _NUMERIC:
                try:
                    return number(field, match[_WORD])
                except Unfit:
                    pass
        elif field.kind == STRING and kind == _PLAIN:
            return match[_PLAIN]
        start = match.start(kind) - (kind == _PLAIN)
        if kind != _WORD:
            if field.kind in (STRING, BYTES):
                return self._string(field, start)
            self._strings(start, [])
        self._misfit(field, start, self.at)
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
            begin, level, words = at + escape.start, "error", f"invalid escape sequence `{escape.text}`"
            if not escape.is_refused:
                level = "warning"
                words = f"unknown escape sequence `{escape.text}`; protobuf reads it differently in Python and C++"
            self._report(R.syntax_error, begin, begin + len(escape.text), words, level=level)
        if field.kind == BYTES:
            return self._bytes(field, data)
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            byte = data[error.start]
            if chr(0xDC00 + byte) not in self.text[start : self.at]:  # a byte of the file is reported as such
                self._report(R.invalid_utf8, start, self.at, f"byte 0x{byte:02X} of `{field.name}` is not valid UTF-8")
            return data.decode("utf-8", "surrogateescape")

    def _bytes(self, field: Field, data: bytes) -> bytes | memoryview:
        return data

    def _strings(self, start: int, odd: list[tuple[int, BadEscape]]) -> bytes:
        """Return the bytes of strings that follow each other."""
        text, pieces = self.text, []
        while True:
            end = _end_of_string(text, start)
            if end < 0 or text.find("\n", start, end) >= 0:
                self._stop(R.syntax_error, start, start + 1, f"unterminated string; missing `{text[start]}`")
            found: list[BadEscape] = []
            pieces.append(unescaped(text[start + 1 : end], found))
            odd += [(start + 1, escape) for escape in found]
            self.at = end + 1
            following = _AGAIN.match(text, self.at)
            if following is None:
                return b"".join(pieces)
            start = following.start(1)

    # mistakes in fields

    def _without_colon(self, field: Field, end: int, length: int) -> re.Match[str]:
        """Return the match of the value of a field without its colon, whose name ends at an offset."""
        item = _ITEM.match(self.text, end)
        assert item is not None
        kind = item.lastindex or 0
        if field.kind == MESSAGE:
            self._wanted("`{`", end)
        if kind == 0 and (token := self._token(end))[1] == ":":
            self._wanted(f"{expected(field)} for `{field.name}`", token.end())
        if not _may_be_value(field, item, kind):
            self._wanted("`:`", end)
        how = repair("Insert `:`", Edit(Span(end, end), ":"), safety="safe")
        self._report(R.syntax_error, end - length, end, f"missing `:` after `{field.name}`", **how)
        return item

    def _unknown(self, message: Message, found: Tree, match: re.Match[str]) -> Field | None:
        """Report an unknown field, and return which one was probably meant; the value of any other is passed."""
        name, kind = match[_NAME], match.lastindex or 0
        if message.kinds is not None and name[0] == "[":
            if (inner := message.field(name)) is None:
                self._skip(match)
            return inner
        span, words = Span(*match.span(_NAME)), f"unknown field `{name}` in {message.name}"
        if self._balance < 0 and self._closed is not None and name in self._closed[0].fields:
            self._closed_early(name, *self._closed)
        if (meant := _meant(message, found, name, kind)) is not None:
            how = repair(f"Rename to `{meant.name}`", Edit(span, meant.name))
            self._report(R.unknown_key, *span, f"{words}; did you mean `{meant.name}`?", **how)
            return meant
        if kind == _NAME or self._balance:  # what it belongs to is not clear
            self._stop(R.unknown_key, *span, words)
        self._report(R.unknown_key, *span, words)
        self.guesses.append(span.start)
        self._skip(match)
        return None

    def _skip(self, match: re.Match[str]) -> None:
        """Go on after the value of a field that is not known."""
        self.at = match.end()
        if (match.lastindex or 0) >= _OPEN:
            self.at = self._end_of_brackets(match.end())
        elif match.lastindex == _QUOTE:
            self._strings(match.start(_QUOTE), [])


def _place(home: Path, field: Field, found: Tree) -> Path:
    """Return the path of the next value of a field."""
    return (*home, field.name, len(found.get(field.name, ()))) if field.many else (*home, field.name)


@cache
def _run_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:[ \r\n]+{name}: -?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?(?=[ \r\n]))+")


def _meant(message: Message, found: Tree, name: str, kind: int) -> Field | None:
    """Return the field whose name is like an unknown one and that may have a value of its kind."""
    kinds: tuple[int, ...] = _NUMERIC
    if kind in (_PLAIN, _QUOTE):
        kinds = (STRING, BYTES)
    elif kind >= _OPEN:
        kinds = (MESSAGE,)
    rows = message.fields.values()
    fitting = [field.name for field in rows if field.kind in kinds and (field.many or field.name not in found)]
    meant = nearest(name, fitting) if kind != _NAME else None
    return None if meant is None else message.fields[meant]


def _may_be_value(field: Field, item: re.Match[str], kind: int) -> bool:
    """Return whether what follows the name of a field is a value of it or a list of such."""
    if kind == _OPEN:
        return field.many and item[_OPEN] == "["
    if field.kind in (STRING, BYTES):
        return kind in (_PLAIN, _QUOTE)
    return kind == _WORD and numbers(field, [item[_WORD]]) is not None


def _end_of_string(text: str, start: int) -> int:
    """Return where the closing quote of a string is, before which there is an even number of backslashes; -1 if it has none."""
    end = start
    while (end := text.find(text[start], end + 1)) >= 0:
        first = end
        while text[first - 1] == "\\":
            first -= 1
        if not (end - first) % 2:
            break
    return end
