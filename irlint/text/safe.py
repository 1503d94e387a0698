"""Text from files made safe to show: it cannot move the cursor, hide text, end a line, or send commands to a CI.

All output to terminals, pipes and reports goes through the doors below: `put` for people, `put_json` for programs, and `emit` for
text that is safe by its own syntax, such as XML in ASCII. `tests/cli/test_cli_hostile.py` holds that.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

from irlint.tools import later

if TYPE_CHECKING:
    from typing import TextIO

NARROWEST = 40  # cells; fewer are not easier to read

_ORDER = later(r"##(?=[\w-]*\[)")  # build agents obey ##vso[...], ##[...] and ##teamcity[...] wherever they stand
_STYLE = later("(\x1b\\[(?:[012]|3[0-7]|1;3[0-7])m)")  # colors of our own
_OBEYED = "::"  # at the beginning of a line GitHub treats this as a command, blanks in front of it or not
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_HARMLESS = {"\t", "\ufeff"}  # within lines of a file: indentation, a byte order mark
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


class Command(str):
    """A line that ends with words to copy into a shell: where it does not fit, they go below the rest, and are not wrapped."""

    __slots__ = ("command",)
    command: str

    def __new__(cls, before: str, command: str) -> Command:
        self = super().__new__(cls, before + command)
        self.command = command
        return self

    @property
    def before(self) -> str:
        return self[: len(self) - len(self.command)]


def led(start: str, line: str) -> str:
    """Return a line after the start of it."""
    return Command(start + line.before, line.command) if isinstance(line, Command) else start + line


def visible(text: str) -> str:
    """Return the text in one line, with invisible characters (control, bidi, zero width, invalid bytes) as escapes."""
    return text if _is_harmless(text) else "".join(pieces(text))


def pieces(text: str) -> list[str]:
    """Return what is shown for each code point of a text."""
    if _is_harmless(text):
        return list(text)
    shown = [char if char.isprintable() else escape(char) for char in text]
    for order in _ORDER.finditer(text):
        shown[order.start()] = escape("#")
    return shown


def brief(text: str, limit: int = 1000) -> str:
    """Return a text, without its middle if it is long: names in a file can have any length."""
    return text if len(text) <= limit else f"{text[: limit // 2]} ... {text[-limit // 2 :]}"


def _is_harmless(text: str) -> bool:
    return text.isprintable() and "##" not in text


def escape(char: str) -> str:
    r"""Return an escape: \n, \x1b, \u{202e}; bytes that are not UTF-8 are shown as bytes."""
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return rf"\x{code:02x}" if code < 0x100 else rf"\u{{{code:x}}}"


def width(shown: str) -> int:
    """Return the number of terminal cells of a text that `visible` has returned."""
    if shown.isascii():
        return len(shown)
    return sum(_cells(char) for char in shown)


def _cells(char: str) -> int:
    if east_asian_width(char) in "WF":
        return 2
    if "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb":
        return 0  # vowels and finals of Hangul that join the initial before them
    return 0 if category(char) in ("Mn", "Me") else 1


def unicode_only(text: str) -> str:
    """Return the text with lone surrogates, which UTF-8 cannot encode, as escapes."""
    if not has_surrogates(text):
        return text
    return "".join(escape(char) if "\ud800" <= char <= "\udfff" else char for char in text)


def has_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def lines(text: str, color: bool = False) -> str:
    """Return lines of text that are safe to show. Text that only holds what is harmless, tabs and CRLF included, stays as it is."""
    plain = _STYLE.sub("", text) if color else text
    if _is_harmless(plain.replace("\n", "")) and _OBEYED not in plain:
        return text
    return "\n".join([_line(line, color) for line in text.split("\n")])


def _line(line: str, color: bool) -> str:
    end = "\r" if line.endswith("\r") else ""
    parts = _STYLE.split(line[: len(line) - len(end)]) if color else [line[: len(line) - len(end)]]
    parts[::2] = map(_part, parts[::2])
    if "".join(parts[::2]).lstrip("\ufeff \t").startswith(_OBEYED):
        at = next(k for k in range(0, len(parts), 2) if ":" in parts[k])
        parts[at] = parts[at].replace(":", escape(":"), 1)
    return "".join(parts) + end


def _part(text: str) -> str:
    if _is_harmless(text):
        return text
    shown = [escape(char) if category(char) in _INVISIBLE and char not in _HARMLESS else char for char in text]
    for order in _ORDER.finditer(text):
        shown[order.start()] = escape("#")
    return "".join(shown)


def put(stream: TextIO, text: str, color: bool = False) -> None:
    """Write lines for people; with `color` they may hold our own colors."""
    emit(stream, lines(text, color))


def put_json(stream: TextIO, text: str) -> None:
    """Write JSON in ASCII, with nothing in its strings that build agents obey."""
    emit(stream, text.replace("##", r"\u0023#").replace("##", r"\u0023#") if "##" in text else text)


def emit(stream: TextIO, text: str) -> None:
    """Write text that is safe, with escapes for characters that the stream cannot encode."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def columns(stream: TextIO) -> int | None:
    """Return the width of lines: COLUMNS, else the width of the terminal; None if the stream is not a terminal."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and len(said) < 6 and int(said):
        return max(int(said), NARROWEST)
    if not stream.isatty():
        return None
    try:
        found = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        found = 0
    return max(found or 80, NARROWEST)
