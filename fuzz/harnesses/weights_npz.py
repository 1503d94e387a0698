"""Archives of arrays: what --weights, --input and `irlint compare` read."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from fuzz import seeds as made
from fuzz.folder import folder
from fuzz.invariants import bounded
from irlint.cli import main
from irlint.files import npz


def seeds() -> list[bytes]:
    return made.archives()


def check(data: bytes) -> None:
    path = folder() / "a.npz"
    path.write_bytes(data)
    with bounded(data):
        try:
            held = list(npz.entries(data))
        except ValueError:
            held = []
        try:
            archive = npz.Archive(data) if held else None
        except ValueError:
            archive = None
        for entry in held if archive else ():
            try:
                archive.array(entry.name)  # type: ignore[union-attr]
            except (LookupError, ValueError):
                continue
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            assert main(["compare", str(path), str(path)]) in (0, 1, 2)
