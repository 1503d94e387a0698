"""What can be typed at an offset of a text: fields of the message there, or values of an enumeration. The text may end anywhere."""

from __future__ import annotations

import re

from irlint.records import NamedTuple
from irlint.text.base import Span
from irlint.text.prototext.messages import Field, Message

_TOKEN = re.compile(
    r"#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?|[\w.+-]+|\[\s*[A-Za-z_]\w*(?:\s*[./]\s*\w+)+\s*\]|[^\s\w]"
)
_NAME = re.compile(r"[A-Za-z_\[]")  # the first character of a field
_WORD = re.compile(r"\w*")


class Typed(NamedTuple):
    """The word at an offset, and what can be there."""

    span: Span
    texts: list[str]


def typed_at(text: str, offset: int, root: Message) -> Typed | None:
    """Return what can be typed at an offset; None inside a string or a comment, and where nothing is known."""
    start, rest = offset, _WORD.match(text, offset)
    assert rest is not None
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    stack: list[Message | None] = [root]
    fields: list[Field | None] = [None]  # of each open message or list the field whose value follows
    for token in _TOKEN.finditer(text, 0, start):
        word = token[0]
        if token.end() == start and word[0] in "#\"'" and (len(word) < 2 or word[0] == "#" or word[-1] != word[0]):
            return None
        _step(word, stack, fields)
    message, field = stack[-1], fields[-1]
    span = Span(start, rest.end())
    if field is not None:
        return Typed(span, list(field.names or ()))
    return None if message is None else Typed(span, list(message.fields))


def _step(word: str, stack: list[Message | None], fields: list[Field | None]) -> None:
    """Take one token: `stack` are the messages and lists that are open."""
    message, field = stack[-1], fields[-1]
    if word in ("{", "<", "["):
        stack.append(message if word == "[" else field and field.message)
        fields.append(field if word == "[" else None)
    elif word in ("}", ">", "]") and len(stack) > 1:
        stack.pop()
        fields.pop()
        fields[-1] = None
    elif word == "," and _is_in_list(stack, fields):
        fields[-1] = fields[-2]
    elif field is None and message is not None and _NAME.match(word):
        fields[-1] = message.field(word)
    elif word not in (":", ",", ";") and word[0] != "#":
        fields[-1] = None  # its value


def _is_in_list(stack: list[Message | None], fields: list[Field | None]) -> bool:
    """Return whether the innermost bracket is that of a list, in which more values of its field follow."""
    return len(stack) > 1 and stack[-2] is stack[-1] and fields[-2] is not None
