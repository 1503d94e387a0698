"""Where the next value of clean JSON begins and ends."""

from __future__ import annotations

from json.scanner import c_make_scanner  # type: ignore[attr-defined]

from irlint.text.json_scan import BLANKS


class _Plain:
    """Scans clean JSON only to find its ends."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = str


_scan = c_make_scanner(_Plain())


def skip_value(text: str, at: int) -> int:
    """Where the value at an offset of clean JSON ends."""
    try:
        return _scan(text, at)[1]  # type: ignore[no-any-return]
    except RecursionError:  # the caller stands deeper than the parser stood
        from irlint.text.json_tokens import after_brackets

        return after_brackets(text, at)


def after_blank(text: str, at: int) -> int:
    return at if text[at] not in " \t\n\r" else BLANKS.match(text, at).end()  # type: ignore[union-attr]
