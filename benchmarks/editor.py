"""From keystroke to published diagnostics, against a whole `irlint check` of the same file."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from measure import CHECK, ROOT, run
from tables import Table, seconds

sys.path[:0] = [str(ROOT / "tests")]

from lsp.client import Client  # noqa: E402
from lsp.samples import glacier, lightnet, nnvm, openvino  # noqa: E402

KEYS = 40


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


def tables() -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        rows = [_row(case, size, Path(folder)) for case in CASES for size in case.sizes]
    text = (
        f"{KEYS} edits inside one node, through the language server, its protocol included, in seconds of the clock; "
        "and the slowest answer to another request while a lint runs."
    )
    head = ("file", "MB", "check", "edit, median", "edit, 95 %", "95 % over check", "slowest answer")
    yield Table("The editor", text, head, rows)


def _row(case: Case, size: int, folder: Path) -> tuple[str, ...]:
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
    for key in range(KEYS):
        if key % 8 == 0:
            checks.append(run((*CHECK, str(path))).wall)
        version = key + 2
        started = time.perf_counter()
        client.change(uri, version, [{"range": {"start": at, "end": after}, "text": text[middle] if key % 2 else "9"}])
        if key % 4 == 3:
            time.sleep(0.02)  # the lint has begun
            others.append(_ask(client, uri, at))
        client.diagnostics(uri, version, 120)
        found = client.find(lambda m, v=version: (m.get("params") or {}).get("version") == v)  # type: ignore[misc]
        edits.append(found["at"] - started)
    client.kill()
    full, late = median(checks), sorted(edits)[int(len(edits) * 0.95)]
    figures = (full, median(edits), late)
    return (case.name, f"{len(text) / 1e6:.1f}", *map(seconds, figures), f"{late / full:.2f}", seconds(max(others)))


def _ask(client: Client, uri: str, at: dict[str, int]) -> float:
    started = time.perf_counter()
    answer = client.answer(client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at}))
    return float(answer["at"]) - started
