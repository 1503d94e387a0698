"""Text from files made safe to show: it cannot move the cursor, hide text, end a line, or send commands to a CI."""

from __future__ import annotations

from unicodedata import category, east_asian_width

from irlint.text.patterns import later

_ORDER = later(r"##(?=[\w-]*\[)")  # build agents obey ##vso[...], ##[...] and ##teamcity[...] wherever they stand
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


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
