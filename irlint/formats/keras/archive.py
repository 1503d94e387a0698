"""Archives: their configuration is shown and edited as text, one line for each value; all other members stay as they are."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

from irlint.files.npz import member, members
from irlint.formats.keras.evidence import kind_of
from irlint.formats.keras.rules import R
from irlint.records import dataclass
from irlint.text.base import Document, decode
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import JsonOptions
from irlint.text.words import size

CONFIG = "config.json"
_OTHERS = ("metadata.json", "model.weights.h5")  # one of them is in every archive of Keras
_MOST_MEMBERS = 10_000
_MOST_BYTES = 1 << 28  # of a configuration
_MOST_METADATA = 1 << 16
_VERSION = re.compile(rb'"keras_version": *"([0-9A-Za-z.+-]+)"')
_MOST_TIMES = 200  # as large as it is in the archive; compressed text has a tenth of its size

# What Python's own reader takes, to which Keras passes the text
LOADER = JsonOptions(
    tolerated={
        R.byte_order_mark: "info",
        R.non_finite_number: None,
        R.lone_surrogate: "warning",
        R.duplicate_key: "warning",
    },
    max_depth=300,
    claims=lambda value: kind_of(value) is not None,
)


@dataclass
class ArchiveText(JsonDocument):
    """The configuration of an archive."""

    data: bytes = b""
    is_whole: bool = True  # the document is the archive, not an edited text of it
    is_line: bool = False  # the archive has the configuration in one line

    @property
    def is_binary(self) -> bool:
        return self.is_whole

    def encode(self) -> bytes:
        return self.data if self.is_whole else super().encode()

    def decoded_from(self, encoding: str) -> None:
        if not self.is_whole:
            super().decoded_from(encoding)

    def with_text(self, text: str) -> ArchiveText:
        return _shown(text, self.name, self.data, False, self.is_line)

    def encoded(self, text: str) -> bytes:
        """Return the archive with another configuration, in one line if it was: edits that leave errors may not allow that."""
        if not self.is_whole:
            return super().encoded(text)
        if self.is_line:
            try:
                return replaced(self.data, json.dumps(json.loads(text)).encode())
            except (ValueError, RecursionError):
                pass
        return replaced(self.data, text.encode("utf-8", "surrogateescape"))


def _shown(text: str, name: str, data: bytes, is_whole: bool, is_line: bool) -> ArchiveText:
    document = ArchiveText(text, name, options=LOADER, data=data, is_whole=is_whole, is_line=is_line)
    document._read()
    return document


def opened(data: bytes, name: str) -> ArchiveText | None:
    """Return the document of an archive; None if it is not one of Keras."""
    try:
        found = members(data)
        names = {one.filename for one in found[:_MOST_MEMBERS]}
        if CONFIG not in names or names.isdisjoint(_OTHERS):
            return None
        text = decode(_config(data, found))[0]
    except ValueError:
        return None
    shown = readable(text)
    return _shown(shown, name, data, True, shown != text)


def _config(data: bytes, found: list[zipfile.ZipInfo]) -> bytes:
    info = next(one for one in found if one.filename == CONFIG)
    if info.file_size > min(_MOST_BYTES, _MOST_TIMES * max(info.compress_size, 1)):
        raise ValueError("the configuration is larger than any model needs")
    return member(data, CONFIG, info.file_size)


def readable(text: str) -> str:
    """Return a configuration with one line for each value, if that can be undone; else as it is."""
    if "\n" in text:
        return text
    try:
        value = json.loads(text)
        return json.dumps(value, indent=1, ensure_ascii=False) if json.dumps(value) == text else text
    except (ValueError, RecursionError):
        return text


def facts(document: Document) -> list[tuple[str, str]]:
    """Return which Keras wrote a model, and where its weights are."""
    value, weights, version = document.root_value(), "not in this file", None
    data = document.data if isinstance(document, ArchiveText) else b""
    for info in members(data) if data else ():
        if info.filename == "metadata.json" and info.file_size <= _MOST_METADATA:
            found = _VERSION.search(member(data, info.filename, info.file_size))
            version = found and found[1].decode()
        elif info.filename.startswith("model.weights"):
            weights = f"{info.filename}, {size(info.file_size)}, not read"
    version = version or (value.get("keras_version") if isinstance(value, dict) else None)
    return [*([("Keras", version)] if isinstance(version, str) else []), ("weights", weights)]


def replaced(data: bytes, config: bytes) -> bytes:
    """Return an archive with another configuration."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as new:
        for info in members(data):
            content: Any = config if info.filename == CONFIG else member(data, info.filename, info.file_size)
            new.writestr(info, content)
    return made.getvalue()
