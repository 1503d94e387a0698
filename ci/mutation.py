"""Mutation testing with mutmut of a sample of mutants, the same number from each file. Prints the score and what survived.

`python ci/mutation.py [COUNT [SEED]]`; what mutmut did is kept under mutants/ (mutmut show NAME, mutmut browse).
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

SMALL = "irlint.text.numbers.*"  # for which mutmut makes the mutants of all files
STATES = {0: "survived", 1: "killed", 3: "killed", 33: "no test", **dict.fromkeys((36, 24, 152, 255, -24), "timeout")}


def main(count: int = 600, seed: int = 1) -> None:
    _mutmut(SMALL)
    results = _results()
    chosen = _chosen(results, count, random.Random(seed))
    _mutmut(*chosen)
    results = _results()
    states = {name: STATES.get(results[name], "suspicious") for name in chosen}  # type: ignore[arg-type]
    for name, state in states.items():
        if state != "killed":
            print(f"{state}: {name}")
    print(f"{len(chosen)} of {len(results)} mutants, seed {seed}: {dict(Counter(states.values()))}")


def _mutmut(*names: str) -> None:
    subprocess.run([sys.executable, "-m", "mutmut", "run", "--max-children", "1", *names], check=True)


def _results() -> dict[str, int | None]:
    """The exit status of the tests under each mutant, None where they have not been run."""
    found: dict[str, int | None] = {}
    for file in sorted(Path("mutants").rglob("*.meta")):
        found |= json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def _chosen(names: dict[str, int | None], count: int, choose: random.Random) -> list[str]:
    """As many of each file, or all that it has."""
    files: dict[str, list[str]] = {}
    for name in sorted(names):
        files.setdefault(name.rpartition(".")[0], []).append(name)
    for mutants in files.values():
        choose.shuffle(mutants)
    turns = [(turn, file) for file, mutants in files.items() for turn in range(len(mutants))]
    return sorted(files[file][turn] for turn, file in sorted(turns)[:count])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
