"""Keystroke to published diagnostics, held against a full `irlint check` of the same file, side by side.

    python benchmarks/editor.py [--keys 40] [--small]

Prints, per file: the time of `irlint check`, the median and the 95th percentile of an edit inside one node and their ratio
to it, and the slowest answer to other requests while a lint runs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "lsp"), str(ROOT / "tests")]

from lsp.client import Client, environment  # noqa: E402
from lsp.samples import glacier, lightnet, nnvm, openvino  # noqa: E402


class Case(NamedTuple):
    name: str
    make: Callable[[int], str]
    sizes: tuple[int, int]  # nodes: of about 1 MB, of about 8 MB
    needle: str  # in the middle of a node; the digit after it is typed over


CASES = (
    Case("model-symbol.json", nnvm, (8_000, 40_000), '"name": "act'),
    Case("lightnet.json", lightnet, (2_900, 24_000), '"name": "relu'),
    Case("model.xml", openvino, (1_900, 13_000), 'name="relu'),
    Case("listing.txt", glacier, (40_000, 300_000), " nn.relu ["),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=40)
    parser.add_argument("--small", action="store_true", help="only the 1 MB files")
    args = parser.parse_args()
    print(f"{'file':20} {'MB':>5} {'check':>7} {'median':>7} {'p95':>7} {'p95/check':>9} {'other max':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            for size in case.sizes[: 1 if args.small else 2]:
                _measure(case, size, Path(folder), args.keys)
    return 0


def _measure(case: Case, size: int, folder: Path, keys: int) -> None:
    text = case.make(size)
    path = folder / case.name
    path.write_text(text, encoding="utf-8")
    client = Client()
    uri = path.as_uri()
    client.open(uri, text)
    client.diagnostics(uri, 1, 120)
    middle = text.index(case.needle, len(text) // 2) + len(case.needle)
    line = text.count("\n", 0, middle)
    column = middle - text.rfind("\n", 0, middle) - 1
    at, after = {"line": line, "character": column}, {"line": line, "character": column + 1}
    checks, edits, others = [], [], []
    version = 1
    for key in range(keys):
        if key % 8 == 0:
            checks.append(_check(path))
        version += 1
        started = time.perf_counter()
        client.change(uri, version, [{"range": {"start": at, "end": after}, "text": text[middle] if key % 2 else "9"}])
        if key % 4 == 3:
            time.sleep(0.02)  # the lint has begun
            others.append(_ask(client, uri, at))
        client.diagnostics(uri, version, 120)
        found = client.find(lambda m, v=version: (m.get("params") or {}).get("version") == v)  # type: ignore[misc]
        edits.append(found["at"] - started)
    client.kill()
    full, p95 = median(checks), sorted(edits)[int(len(edits) * 0.95)]
    print(
        f"{case.name:20} {len(text) / 1e6:5.1f} {full:7.3f} {median(edits):7.3f} {p95:7.3f} {p95 / full:9.2f} {max(others):9.3f}",
        flush=True,
    )


def _check(path: Path) -> float:
    started = time.perf_counter()
    command = [sys.executable, "-m", "irlint", "check", "--no-cache", "--isolated", str(path)]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(), check=False)
    return time.perf_counter() - started


def _ask(client: Client, uri: str, at: dict[str, int]) -> float:
    started = time.perf_counter()
    answer = client.answer(client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at}))
    return float(answer["at"]) - started


if __name__ == "__main__":
    sys.exit(main())
