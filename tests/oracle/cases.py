"""A file with one planted defect, and folders of them, so that several checkouts of irlint can be judged by the same files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

LIST = "cases.jsonl"


class Case(NamedTuple):
    """`line` is where the defect is, 0 if it is outside of the text (in the .bin). Not every case is wrong: ask the runtime."""

    format: str
    family: str  # kind of defect; empty for a file as it was found
    change: str
    base: str  # the model that it was made of
    suffix: str
    text: str
    weights: bytes | None = None
    line: int = 0
    lines: tuple[int, ...] = ()  # further ones on which it can be seen

    @property
    def data(self) -> bytes:
        return self.text.encode("utf-8", "surrogateescape")


class Stored(NamedTuple):
    """A case on disk."""

    path: Path
    format: str
    family: str
    change: str
    base: str
    line: int
    lines: tuple[int, ...] = ()


def store(cases: Iterable[Case], folder: Path) -> list[Stored]:
    """Write cases, their weights next to them, and the list of all."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for number, case in enumerate(cases):
        path = folder / f"{number:05}{case.suffix}"
        path.write_bytes(case.data)
        if case.weights is not None:
            path.with_suffix(".bin").write_bytes(case.weights)
        found.append(Stored(path, case.format, case.family, case.change, case.base, case.line, case.lines))
    rows = [{**stored._asdict(), "path": stored.path.name} for stored in found]
    (folder / LIST).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return found


def stored(folder: Path) -> Iterator[Stored]:
    """Read back what `store` has written."""
    for line in (folder / LIST).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Stored(**{**row, "path": folder / row["path"], "lines": tuple(row.get("lines", ()))})
