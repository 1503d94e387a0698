"""Pictures made of what irlint prints and draws while the site is built, so that they are never out of date."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from pathlib import Path

from irlint import engine
from irlint.settings import Settings
from irlint.view import Box, BoxScene, BoxValue
from irlint.view.draw import draw
from irlint.view.rank import RankEdge, arrange, ranks
from irlint.view.svg import svg
from irlint.view.texts import measure

EXAMPLE = Path(__file__).resolve().parent.parent.parent / "examples/onnx/mistakes.onnx"
SHOWN = ("A001", "R001")  # of its findings: those that make a short picture
WIDTHS = {"widest": 103, "wide": 78, "narrow": 40}  # columns of the terminal, for wide and small screens and for phones
LIMIT = 60  # seconds

_COLOR = re.compile(r"\x1b\[([\d;]+)m(.*?)\x1b\[0m")
_CLASSES = {
    "1;31": "red",
    "1;33": "yellow",
    "1;34": "blue",
    "36": "cyan",
    "1;36": "cyan",
    "1": "bold",
    "31": "removed",
    "32": "added",
}
_EDGE = re.compile(r"^ *(\w+) --> (\w+)$", re.MULTILINE)
_NODE = re.compile(r'^ *(\w+)\["(.+)"\]$', re.MULTILINE)


def report() -> str:
    """Return the report of a broken model as HTML, once for each width of screen."""
    return "\n".join(f'<pre class="terminal {name}">{_report(columns)}</pre>' for name, columns in WIDTHS.items())


def _report(columns: int) -> str:
    env = {**os.environ, "COLUMNS": str(columns), "FORCE_COLOR": "1", "PYTHONPATH": str(EXAMPLE.parents[2])}
    env.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "irlint", EXAMPLE.name, "--isolated", "--no-cache"]
    done = subprocess.run(
        command, cwd=EXAMPLE.parent, env=env, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    lines = "\n\n".join(_shown(done.stdout.rstrip("\n").split("\n\n")))
    prompt = f'<span class="dim">$</span> <span class="bold">irlint {EXAMPLE.name}</span>'
    # no empty line, which would end the HTML block
    return f"{prompt}\n{_html(lines)}".replace("\n\n", "\n&#8203;\n")


def _shown(blocks: list[str]) -> Iterator[str]:
    """Yield the findings that are shown and the summary, and where something is left out an ellipsis."""
    is_cut = False
    for block in blocks:
        if block is blocks[-1] or any(code in block.split("\n")[0] for code in SHOWN):
            yield f"\x1b[2m...\x1b[0m\n{block}" if is_cut else block
            is_cut = False
        else:
            is_cut = True


def _html(text: str) -> str:
    """Return a terminal's text as HTML."""
    text = escape(text, quote=False)
    return _COLOR.sub(lambda match: f'<span class="{_CLASSES.get(match[1], "dim")}">{match[2]}</span>', text)


def graph() -> str:
    """Return the graph of the same model, with its findings."""
    result = engine.lint_bytes(EXAMPLE.read_bytes(), EXAMPLE.name, Settings(), path=EXAMPLE)
    assert result.model is not None
    return svg(draw(result.model, EXAMPLE.name, result.findings, result.lines))


def diagram(mermaid: str) -> str:
    """Return a Mermaid graph as SVG; an arrow leads down to what it points at."""
    root = Box("group", "")
    names = dict(_NODE.findall(mermaid))
    boxes = {name: Box("node", title, category="group") for name, title in names.items()}
    root.adopt(list(boxes.values()))
    places = {name: number for number, name in enumerate(boxes)}
    found = _EDGE.findall(mermaid)
    values = [BoxValue(boxes[source], "", "", "", number) for number, (source, _) in enumerate(found)]
    edges = [RankEdge(number, places[source], places[target]) for number, (source, target) in enumerate(found)]
    for box in root.boxes:
        measure(box, "")
    for number, box in enumerate(root.walk()):
        box.id = number
    root.open = True
    root.layout = arrange(len(boxes), ranks(len(boxes), edges), edges)
    text = svg(BoxScene("diagram", [], root, list(root.walk()), values))
    said = "; ".join(f"{names[source]} uses {names[target]}" for source, target in found)
    # an image, so that its style stays its own
    data = b64encode(text.encode()).decode()
    return f'<img class="diagram" alt="{escape(said)}" src="data:image/svg+xml;base64,{data}">'
