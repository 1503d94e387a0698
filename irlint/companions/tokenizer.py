"""What tokenizer.json says of its vocabulary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from irlint.files.side_files import file_source

_MOST = 1 << 26  # bytes


def read_json(path: Path) -> Any:
    """Return what is in a JSON file; None if it cannot be read."""
    state, data = file_source().open(path, None)
    if state != "open" or len(data) > _MOST:
        return None
    try:
        return json.loads(bytes(data[:]))
    except (ValueError, RecursionError):
        return None


def largest_id(folder: Path) -> int | None:
    """Return the largest number of a token of the folder's tokenizer; None if it is not known."""
    tree = read_json(folder / "tokenizer.json")
    return max(_ids(tree), default=None) if isinstance(tree, dict) else None


def _ids(tree: dict[str, Any]) -> list[int]:
    model, added = tree.get("model"), tree.get("added_tokens")
    vocabulary = model.get("vocab") if isinstance(model, dict) else None
    found = [len(vocabulary) - 1] if isinstance(vocabulary, list) else []
    values = vocabulary.values() if isinstance(vocabulary, dict) else ()
    more = [row.get("id") for row in added if isinstance(row, dict)] if isinstance(added, list) else []
    return [*found, *(each for each in (*values, *more) if isinstance(each, int))]
