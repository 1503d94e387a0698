"""Tokens of JSON, and of what people write instead of them."""

from __future__ import annotations

import re

from irlint.text.base import Edit
from irlint.text.numbers import integer

LEAST, MOST = -(1 << 63), (1 << 64) - 1  # what a signed or an unsigned integer of 64 bits holds

WORD = re.compile(r"[^\W\d][\w$.]*")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
NUMBER_LIKE = re.compile(r"[+-]?\.?[0-9](?:[eE][+-]|[\w.])*|[+-]+[\w.]*")
NAN = re.compile(r"[+-]?(?:nan|inf|infinity)|-?1\.#(?:inf|ind|qnan)", re.IGNORECASE)
STRING = re.compile(r'"[^"\\\x00-\x1f]*"')
QUOTED = re.compile(r'"[^"\\\n\r]*(?:\\[^\n\r][^"\\\n\r]*)*"?')
SINGLE_QUOTED = re.compile(r"'([^'\\\n\r]*(?:\\[^\n\r][^'\\\n\r]*){0,64})'")
COMMENT = re.compile(r"//[^\n\r]*|(?s:/\*.*?\*/)")
HASH_COMMENT = re.compile(r"#[^\n\r]*")
BEGUN = re.compile(r"-?[0-9]+(?:(?:\.[0-9]+)?[eE][+-]?|\.)|-|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?")  # a value cut off
NULS = re.compile("\0+")
STRUCTURE = re.compile(r"""["'\[\]{}]""")
UNUSUAL_BLANKS = re.compile("[\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+")

_LENIENT = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL)


def number(text: str) -> int | float:
    """The value of a JSON number token."""
    return integer(text) if text.lstrip("-").isdigit() else float(text)


def lenient_number(text: str) -> int | float | None:
    """The value of something that was meant as a number: +1, 01, .5, 1., 0x1F; None if it is none."""
    match = _LENIENT.fullmatch(text)
    if match is None:
        return None
    sign, body = match.groups()
    value: int | float
    if body[:2] in ("0x", "0X"):
        value = int(body[2:66], 16)
    elif body.isdigit():
        value = integer(body.lstrip("0") or "0")
    else:
        try:
            value = float(body)
        except ValueError:
            return None
    return -value if sign == "-" else value


def token_end(text: str, at: int) -> int:
    """Where the token that begins at an offset ends, whether it is well-formed or not."""
    char = text[at]
    match: re.Match[str] | None = None
    if char == '"':
        match = QUOTED.match(text, at)
    elif char == "'":
        match = SINGLE_QUOTED.match(text, at)
    elif char == "/":
        match = COMMENT.match(text, at)
    elif char not in "{}[],:":
        match = NUMBER_LIKE.match(text, at) or WORD.match(text, at)
    return match.end() if match else at + 1


def after_brackets(text: str, at: int) -> int:
    """Where the container that opens at an offset ends, however deep it is; -1 if it does not."""
    depth = 0
    for match in _BRACKETS.finditer(text, at):
        if match[0] in "[{":
            depth += 1
        elif match[0] in "]}":
            depth -= 1
            if depth == 0:
                return match.end()
    return -1


def shown(text: str, limit: int = 40) -> str:
    """A token fit for a message: short, on one line, with nothing in it that a terminal would obey."""
    if text == "`":
        return "a backtick"
    if len(text) > limit:
        text = text[: limit - 3] + "..."
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _visible(char) for char in text)
    return f"`{text}`"


def title_of(text: str, edit: Edit) -> str:
    """Return what an edit of a text does, as the title of a fix."""
    old = text[edit.span.start : edit.span.end]
    if not old:
        return f"Insert {shown(edit.text)}"
    return f"Replace with {shown(edit.text)}" if edit.text else f"Remove {shown(old)}"


def _visible(char: str) -> str:
    if "\udc80" <= char <= "\udcff":
        return f"\\x{ord(char) - 0xDC00:02x}"  # a byte that is no UTF-8
    return char.encode("unicode_escape").decode()
