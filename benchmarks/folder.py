"""A folder of 1,000 models, cold and warm, in one process and in two; and a folder without any."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import inputs
from measure import IRLINT, Spent, middle, ratio, run
from tables import Table, megabytes, seconds

ROUNDS = 3
MODELS = 1_000
FOREIGN = 5_000


def tables() -> Iterator[Table]:
    folder, strange = str(inputs.models(MODELS)), str(inputs.foreign(FOREIGN))
    found: dict[str, list[Spent]] = {}
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as scratch:
            empty = Path(scratch, "none")
            empty.mkdir()
            cache = ("--cache-dir", f"{scratch}/cache")
            for name, arguments in {
                "no cache, one process": (folder, "--jobs", "1", "--no-cache"),
                "no cache, two processes": (folder, "--jobs", "2", "--no-cache"),
                "cold: the cache is filled": (folder, "--jobs", "1", *cache),
                "warm: nothing has changed": (folder, "--jobs", "1", *cache),
                f"{FOREIGN:,} files that are not models": (strange, "--jobs", "1", "--no-cache"),
                "an empty folder": (str(empty), "--jobs", "1", "--no-cache"),
            }.items():
                found.setdefault(name, []).append(run((*IRLINT, "check", "--isolated", *arguments)))
    alone = found["no cache, one process"]
    rows = []
    for name, spent in found.items():
        taken = middle(spent)
        rows.append(
            (
                name,
                seconds(taken.cpu),
                seconds(taken.wall),
                f"{ratio(spent, alone):.2f}",
                f"{ratio(spent, alone, 'wall'):.2f}",
                megabytes(taken.peak),
            )
        )
    head = ("run", "CPU s", "wall s", "CPU ratio to the first", "wall ratio", "peak MB")
    size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.suffix in (".json", ".xml"))
    text = f"{MODELS:,} symbols, LightNet files and IRs of 10 to 300 nodes, {size / 1e6:.0f} MB in all."
    yield Table("A folder", text, head, rows)
