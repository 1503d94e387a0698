"""A proof as an in-toto statement: which files, by their digests, were compared how, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

TYPE = "https://in-toto.io/Statement/v1"
PREDICATE = "https://irlint.readthedocs.io/prove/v1"
_PIECE = 1 << 20


def statement(
    files: Sequence[tuple[str, Sequence[Path]]], found: dict[str, Any], how: dict[str, Any]
) -> dict[str, Any]:
    """Return the statement about two models: `files` are those of each, the model first; `how` says what it was given."""
    from irlint import __version__

    subjects = [{"name": str(path), "digest": {"sha256": digest(path)}} for _, paths in files for path in paths]
    models = {letter: [str(path) for path in paths] for letter, paths in files}
    return {
        "_type": TYPE,
        "subject": list({subject["name"]: subject for subject in subjects}.values()),
        "predicateType": PREDICATE,
        "predicate": {
            "tool": {"name": "irlint", "version": __version__},
            "models": models,
            "given": how,
            "result": found,
        },
    }


def digest(path: Path) -> str:
    found = sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            found.update(piece)
    return found.hexdigest()
