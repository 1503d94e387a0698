"""Values of JSON text, and JSON text of values and paths, as fixes and reports write it."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

from irlint.text.base import Path
from irlint.tools import later

_SURROGATE = later("[\ud800-\udc7f\udd00-\udfff]")
_written = json.JSONEncoder(ensure_ascii=False).encode
# the last text, read once however many formats look at it, and its value or the exception that reading it raises
_last: tuple[str, Any] | None = None


def value_of(text: str) -> Any:
    """Return the value of JSON text; raise ValueError if it is not sound, and RecursionError if it is nested too deeply."""
    last = _last  # another thread may read another text meanwhile
    if last is None or last[0] is not text:
        try:
            last = text, json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            last = text, error.with_traceback(None)
        remember(*last)
    if isinstance(last[1], Exception):
        raise last[1]
    return last[1]


def is_known(text: str) -> bool:
    """Return whether the text was the last one that was read."""
    return _last is not None and _last[0] is text


def remember(text: str, value: Any) -> None:
    """Keep the value of a text for the next caller."""
    global _last
    _last = text, value


def forget() -> None:
    """Free the last text and its value."""
    global _last
    _last = None


def dump(value: Any, indent: str | None = None) -> str:
    """Return the JSON text of a value: raw UTF-8, on one line, or with an indentation on several."""
    if isinstance(value, str):
        text = encode_basestring(value)
    else:
        text = _written(value) if indent is None else json.dumps(value, ensure_ascii=False, indent=indent)
    return text if text.isascii() else _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def pointer(path: Path) -> str:
    """Return a path as a JSON Pointer (RFC 6901)."""
    plain = "/%s" * len(path) % path
    if "~" not in plain and plain.count("/") == len(path):
        return plain
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
