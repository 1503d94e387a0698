"""JSON text of values and paths, as fixes and reports write it."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

from irlint.text.base import Path
from irlint.text.patterns import later

_SURROGATE = later("[\ud800-\udc7f\udd00-\udfff]")
_written = json.JSONEncoder(ensure_ascii=False).encode


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
