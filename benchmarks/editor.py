"""From keystroke to published diagnostics, against a whole `irlint check` of the same file; other requests meanwhile; memory."""

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

sys.path.append(str(ROOT / "tests"))

from lsp.client import Client
from lsp.requests import requests
from lsp.samples import glacier, lightnet, nnvm, openvino

KEYS = 12  # of each edit, half of them taking it back
PLACES = (0.3, 0.5, 0.7)  # parts of the file that stand above an edit
ROWS = 40  # lines above and below that an editor shows

# What editors ask for by themselves, or as somebody types
OTHERS = (
    *(
        "hover",
        "completion",
        "codeAction",
        "inlayHint",
        "documentHighlight",
        "definition",
        "references",
        "signatureHelp",
    ),
    *("semanticTokens/full", "semanticTokens/range", "foldingRange", "documentSymbol", "codeLens", "selectionRange"),
)


class Edit(NamedTuple):
    """Somewhere in the file, behind the needle, so many characters give way to others."""

    needle: str
    cut: int
    new: str

    def place(self, text: str, where: float) -> int:
        return text.index(self.needle, int(len(text) * where)) + len(self.needle)

    def made(self, text: str) -> str:
        place = self.place(text, 0.5)
        return text[:place] + self.new + text[place + self.cut :]


class Case(NamedTuple):
    name: str
    make: Callable[[int], str]
    sizes: tuple[int, int]  # nodes: of about 1 MB, of about 8 MB
    edits: tuple[Edit, ...]  # of a name, of something into another thing, of things into what there is not


CASES = (
    Case(
        "model-symbol.json",
        nnvm,
        (8_000, 40_000),
        (
            *(Edit('"name": "act', 0, "x"), Edit('"act_type": "', 4, "tanh"), Edit('"act_type": "re', 0, "x")),
            *(Edit('"op": "Act', 0, "x"), Edit('"inputs": [\n        [\n          ', 0, "9")),
        ),
    ),
    Case(
        "lightnet.json",
        lightnet,
        (2_900, 24_000),
        (
            *(Edit('"name": "relu', 0, "x"), Edit('"optype": "', 4, "sqrt"), Edit('"optype": "re', 0, "x")),
            *(Edit('"arg_name": "s', 0, "x"), Edit('"arg_name": "src",\n          "name": "t', 0, "x")),
        ),
    ),
    Case(
        "model.xml",
        openvino,
        (1_900, 13_000),
        (
            *(Edit('name="relu', 0, "x"), Edit('type="', 4, "Tanh"), Edit('type="Re', 0, "x")),
            *(Edit("<dim>", 0, "1"), Edit('precision="FP', 2, "16")),
        ),
    ),
    Case(
        "listing.txt",
        glacier,
        (40_000, 300_000),
        (Edit(" nn.re", 0, "x"), Edit(" nn.", 4, "tanh"), Edit(" nn.relu [", 0, "1")),
    ),
)


def tables() -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        rows = [_row(case, size, Path(folder)) for case in CASES for size in case.sizes]
    text = (
        "Edits inside one node (a name, another operator or attribute, a misspelt one, a wrong number or reference) at several "
        "places, through the language server, its protocol included, and other requests while a lint runs, that lint included. "
        "All in seconds of processor time."
    )
    head = ("file", "MB", "check", "edit, median", "edit, 95 %", "95 % of edit over check", "other request, median",
            "slowest kind", "its median", "its 95 %", "MB before", "MB after")  # fmt: skip
    yield Table("The editor", text, head, rows)


def _row(case: Case, size: int, folder: Path) -> tuple[str, ...]:
    text = case.make(size)
    path = folder / case.name
    path.write_text(text, encoding="utf-8")
    with Client() as client:
        document = _Document(client, path.as_uri(), text)
        before = _resident(client)
        checks, edits, ratios = [], [], []
        others: dict[str, list[float]] = {}
        for edit in case.edits:
            there, back = _check(path, edit.made(text)), _check(path, text)
            for key in range(KEYS):
                spent = document.keystroke(edit, PLACES[key // 2 % len(PLACES)], undo=key % 2 == 1)
                edits.append(spent)
                checks.append(back if key % 2 else there)
                ratios.append(spent / checks[-1])
            for method in OTHERS:
                times = [document.ask_during_a_lint(edit, where, method) for where in PLACES]
                others.setdefault(method, []).extend(times)
        after = _resident(client)
    slowest = max(others, key=lambda method: median(others[method]))
    figures = (median(checks), median(edits), _late(edits))
    return (
        case.name,
        f"{len(text) / 1e6:.1f}",
        *map(seconds, figures),
        f"{_late(ratios):.2f}",
        seconds(median(spent for times in others.values() for spent in times)),
        slowest,
        seconds(median(others[slowest])),
        seconds(_late(others[slowest])),
        f"{before:.0f}",
        f"{after:.0f}",
    )


class _Document:
    """What is open in the server."""

    def __init__(self, client: Client, uri: str, text: str) -> None:
        self.client, self.uri, self.text, self.version = client, uri, text, 1
        client.open(uri, text)
        client.diagnostics(uri, 1, 120)

    def keystroke(self, edit: Edit, where: float, *, undo: bool) -> float:
        """The server's processor time until it has published diagnostics and tidied up."""
        began = self._clock()
        self._change(edit, where, undo)
        self.client.diagnostics(self.uri, self.version, 120)
        time.sleep(0.03)  # in which it takes the last model apart
        self.client.forget()
        return self._clock() - began

    def ask_during_a_lint(self, edit: Edit, where: float, method: str) -> float:
        """The server's processor time until the answer."""
        at = self._position(edit.place(self.text, where))
        shown = {"start": {**at, "line": max(at["line"] - ROWS, 0)}, "end": {**at, "line": at["line"] + ROWS}}
        params = requests(self.uri, at)[f"textDocument/{method}"]
        self._change(edit, where, undo=False)
        time.sleep(0.012)  # the lint has begun
        began = self._clock()
        self.client.answer(
            self.client.request(f"textDocument/{method}", {**params, "range": shown} if "range" in params else params)
        )
        spent = self._clock() - began
        self._change(edit, where, undo=True)
        self.client.diagnostics(self.uri, self.version, 120)
        return spent

    def _change(self, edit: Edit, where: float, undo: bool) -> None:
        place = edit.place(self.text, where)
        old, new = (len(edit.new), self.text[place : place + edit.cut]) if undo else (edit.cut, edit.new)
        at = self._position(place)
        self.version += 1
        span = {"start": at, "end": {**at, "character": at["character"] + old}}
        self.client.change(self.uri, self.version, [{"range": span, "text": new}])

    def _position(self, offset: int) -> dict[str, int]:
        text = self.text
        return {"line": text.count("\n", 0, offset), "character": offset - text.rfind("\n", 0, offset) - 1}

    def _clock(self) -> float:
        """Processor time of all threads of the server so far, as Linux has it."""
        return time.clock_gettime((~self.client.process.pid << 3) | 2)


def _late(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def _check(path: Path, text: str) -> float:
    path.write_text(text, encoding="utf-8")
    return median(run((*CHECK, str(path))).cpu for _ in range(3))


def _resident(client: Client) -> float:
    with open(f"/proc/{client.process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))
