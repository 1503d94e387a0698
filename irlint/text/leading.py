"""What comes before a file's first word: blanks, and comments in the syntaxes of JSON with comments, XML and listings."""

from __future__ import annotations

import re

_BLANKS = re.compile(r"[\s\ufeff]*")
_COMMENTS = {"/*": "*/", "//": "\n", "#": "\n", "<!--": "-->", "<?": "?>"}


def after_leading(text: str) -> int:
    """Where the first word begins; the end of the text if there is none, or if a comment is not closed."""
    at = 0
    while True:
        at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        closing = next((end for begin, end in _COMMENTS.items() if text.startswith(begin, at)), None)
        if closing is None:
            return at
        end = text.find(closing, at + 2)
        if end < 0:
            return len(text)
        at = end + len(closing)
