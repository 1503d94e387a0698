"""Many files: one process against two, cold against warm, the same output however it is run, and foreign files passed over.

    python benchmarks/many_files.py [FOLDER]      (IRLINT_CORPUS, else examples/)

Processor time beside the wall clock, as other work on the machine disturbs the clock only.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3


class Taken(NamedTuple):
    wall: float
    processor: float
    output: str


def run(*arguments: str, seed: int = 0) -> Taken:
    env = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'lsp'}", "PYTHONHASHSEED": str(seed)}
    before, begun = _used(), time.perf_counter()
    command = [sys.executable, "-m", "irlint", "--isolated", "--output-format", "json", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return Taken(time.perf_counter() - begun, _used() - before, hashlib.sha256(done.stdout).hexdigest()[:12])


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best(*arguments: str) -> Taken:
    return min((run(*arguments) for _ in range(ROUNDS)), key=lambda taken: taken.wall)


def main() -> None:
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("IRLINT_CORPUS") or str(ROOT / "examples")
    with tempfile.TemporaryDirectory() as scratch:
        one, two = best(folder, "--jobs", "1", "--no-cache"), best(folder, "--jobs", "2", "--no-cache")
        cache = ["--cache-dir", f"{scratch}/cache"]
        first, warm = run(folder, "--jobs", "1", *cache), best(folder, "--jobs", "1", *cache)
        print(f"one process     {one.wall:6.2f} s  {one.processor:6.2f} s of processors")
        print(
            f"two processes   {two.wall:6.2f} s  {two.processor:6.2f} s of processors   {one.wall / two.wall:.2f} times as fast"
        )
        print(f"filling a cache {first.wall:6.2f} s  {first.processor:6.2f} s of processors")
        faster, cheaper = one.wall / warm.wall, one.processor / warm.processor
        print(
            f"warm            {warm.wall:6.2f} s  {warm.processor:6.2f} s of processors   {faster:.1f} times as fast ({cheaper:.1f})"
        )
        outputs = {one.output, two.output, first.output, warm.output}
        for seed in range(5):
            for jobs in ("1", "2", "8"):
                outputs |= {run(folder, "--jobs", jobs, *how, seed=seed).output for how in (["--no-cache"], cache)}
        print(f"{len(outputs)} different output(s) of --jobs 1, 2, 8, five hash seeds, with and without cache")
        tree, count = Path(scratch, "foreign"), 5000
        _write_foreign(tree, count)
        few, many = best(str(Path(scratch, "none")), "--jobs", "1"), best(str(tree), "--jobs", "1")
        wall, processor = (many.wall - few.wall) * 1000, (many.processor - few.processor) * 1000
        print(f"{count} foreign files: {wall / count:.3f} ms each ({processor / count:.3f} of processors)")


def _write_foreign(tree: Path, count: int) -> None:
    """Packages such as a front end has, and a folder with nothing in it beside them."""
    (tree.parent / "none").mkdir()
    package = {"name": "some", "version": "1.0.0", "dependencies": {f"dependency-{k}": "^1.0" for k in range(40)}}
    nodes = {
        "nodes": [{"id": k, "label": "x"} for k in range(400)],
        "edges": [{"from": k, "to": k + 1} for k in range(399)],
    }
    texts = [json.dumps(package, indent=2), json.dumps(nodes), "<project>" + "<item name='x'/>" * 300 + "</project>"]
    for number in range(count):
        folder = tree / f"modules/package{number // 10}"
        folder.mkdir(parents=True, exist_ok=True)
        suffix = ".xml" if number % 3 == 2 else ".json"
        (folder / f"file{number % 10}{suffix}").write_text(texts[number % 3])


if __name__ == "__main__":
    main()
