"""A model with a file of weights beside it: linted and run."""

from __future__ import annotations

from contextlib import suppress

import irlint
from fuzz.folder import folder
from fuzz.invariants import bounded, lies_inside
from irlint import engine


def beside(name: str, text: str, weights: str, data: bytes) -> None:
    """The weights are found by their name, and given by it."""
    model, file = folder() / name, folder() / weights
    model.write_text(text)
    file.write_bytes(data)
    with bounded(data):
        lies_inside(engine.lint_bytes(text.encode(), name, path=model).findings, text)
        with suppress(ValueError, NotImplementedError):  # which are declared
            irlint.run(model, weights=file)
    file.unlink()
