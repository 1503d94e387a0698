"""What tokenizer.json says of its vocabulary."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

from irlint.files.side_files import file_source
from irlint.text.base import Path, decode
from irlint.text.json.document import JsonDocument

_MOST = 1 << 26  # bytes


def read_json(path: FilePath) -> JsonDocument:
    """Return a JSON file; one without a value if it cannot be read as it is."""
    state, data = file_source().open(path, None)
    text = decode(bytes(data[:]))[0] if state == "open" and len(data) <= _MOST else ""
    document = JsonDocument.parse(text, str(path))
    if document.troubles:
        document.value = None
    return document


def largest_id(folder: FilePath) -> int | None:
    """Return the largest number of a token of the folder's tokenizer; None if it is not known."""
    found = largest_token(read_json(folder / "tokenizer.json").value)
    return None if found is None else found[0]


def largest_token(tree: Any) -> tuple[int, Path] | None:
    """Return the largest number of a token, and its path; that of the token itself if it is one of a list."""
    model, added = (tree.get("model"), tree.get("added_tokens")) if isinstance(tree, dict) else (None, None)
    words = model.get("vocab") if isinstance(model, dict) else None
    found: list[tuple[Any, Path]] = []
    if isinstance(words, list) and words:
        found.append((len(words) - 1, ("model", "vocab", len(words) - 1)))
    elif isinstance(words, dict):
        ids = {word: number for word, number in words.items() if isinstance(number, int)}
        if ids:
            last = max(ids, key=ids.__getitem__)
            found.append((ids[last], ("model", "vocab", last)))
    for k, row in enumerate(added) if isinstance(added, list) else ():
        if isinstance(row, dict) and isinstance(row.get("id"), int):
            found.append((row["id"], ("added_tokens", k, "id")))
    return max(found, key=lambda pair: pair[0], default=None)
