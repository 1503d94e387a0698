"""The README's pictures: python tests/readme_pictures.py writes them to docs/images. The one of the graph needs Chromium.

The picture of the editor is a screenshot that `make e2e` takes (lsp/vscode/images).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FINDINGS = {  # a picture, its title, and the model that it shows
    ROOT / "docs/images/finding-onnx.svg": (
        "irlint reports a type that is not computed",
        "docs/samples/onnx-type-error.onnx",
    ),
    ROOT / "docs/images/finding.svg": (
        "irlint reports an opset that OpenVINO does not have",
        "docs/samples/unsupported-opset.xml",
    ),
}
GRAPH = ROOT / "docs/images/graph.png"

MODEL = "examples/onnx/encoder.onnx"
CHROMIUM = "/usr/bin/chromium"

CELL, LINE, MARGIN = 8.4, 19, 20  # pixels, of letters of 14 pixels
COLUMNS = 100  # of the terminal
COLORS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea"}
STYLE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:14px"


def finding(title: str, sample: str) -> str:
    """A report in a terminal, as an SVG."""
    report = _irlint(sample).stdout.rstrip("\n").split("\n")
    lines = [f"\x1b[32m$\x1b[0m irlint {sample}", *report]
    columns = max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines)
    width, height = round(columns * CELL + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + (number + 0.8) * LINE:.0f}" xml:space="preserve">{"".join(_spans(line))}</text>\n'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>\n'
        f'<g fill="#e6edf3" style="{STYLE}">\n{rows}</g>\n</svg>\n'
    )


def _spans(line: str) -> Iterator[str]:
    """The parts of a line between changes of color; each has its place, as letters of the reader's font may be wider."""
    style, column = "", 0
    for part in re.split(r"(\x1b\[[\d;]*m)", line):
        if part.startswith("\x1b"):
            codes = part[2:-1].split(";")
            color = next((f' fill="{COLORS[code]}"' for code in codes if code in COLORS), "")
            style = color + (' font-weight="bold"' if "1" in codes else "")
        elif part:
            place = f'x="{MARGIN + column * CELL:.1f}" textLength="{len(part) * CELL:.1f}"'
            yield f"<tspan {place}{style}>{escape(part, quote=False)}</tspan>"
            column += len(part)


def graph(path: Path) -> None:
    """A screenshot of the page that `irlint graph` writes."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "graph.html"
        _irlint("graph", MODEL, "--output", str(page))
        with playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]) as browser:
            view = browser.new_page(viewport={"width": 1200, "height": 760}, color_scheme="light")
            view.goto(page.as_uri())
            view.wait_for_timeout(1000)
            view.screenshot(path=path)


def _irlint(*arguments: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    env |= {"FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "irlint", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )


if __name__ == "__main__":
    for path, about in FINDINGS.items():
        path.write_text(finding(*about), encoding="utf-8")
    graph(GRAPH)
