"""Text from files made safe to show: nothing in it may move the cursor, hide, end a line, or command a CI."""

from __future__ import annotations

from unicodedata import category, east_asian_width

from irlint.text.patterns import later

_ORDER = later(r"##(?=[\w-]*\[)")  # build agents obey ##vso[...], ##[...] and ##teamcity[...] wherever they stand
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def visible(text: str) -> str:
    """The text in one line; what does not show itself (control, bidi, zero width, bad bytes) becomes an escape."""
    return text if _is_harmless(text) else "".join(pieces(text))


def pieces(text: str) -> list[str]:
    """What is shown for each code point of a text."""
    if _is_harmless(text):
        return list(text)
    shown = [char if char.isprintable() else escape(char) for char in text]
    for order in _ORDER.finditer(text):
        shown[order.start()] = escape("#")
    return shown


def brief(text: str, limit: int = 1000) -> str:
    """A text that nobody would read to its end, without its middle: names in a file may be of any length."""
    return text if len(text) <= limit else f"{text[: limit // 2]} ... {text[-limit // 2 :]}"


def _is_harmless(text: str) -> bool:
    return text.isprintable() and "##" not in text


def escape(char: str) -> str:
    r"""\n, \x1b, \u{202e}; a byte that is no UTF-8 shows as the byte that it is."""
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return rf"\x{code:02x}" if code < 0x100 else rf"\u{{{code:x}}}"


def width(shown: str) -> int:
    """How many cells of a terminal a text takes that `visible` let pass."""
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
    """The text with lone surrogates, which no UTF-8 can hold, as escapes."""
    if not has_surrogates(text):
        return text
    return "".join(escape(char) if "\ud800" <= char <= "\udfff" else char for char in text)


def has_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
