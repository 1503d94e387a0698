"""The README: short, with links that work wherever it is shown (PyPI, too), and pictures of what irlint does today."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
import readme_pictures

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SITE = "https://irlint.readthedocs.io/"
FILES = ("https://raw.githubusercontent.com/irlint/irlint/main/", "https://github.com/irlint/irlint/blob/main/")


def targets() -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", README, flags=re.DOTALL))


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 160


def test_no_code_is_cut_off() -> None:
    """PyPI and GitHub have room for so many letters."""
    blocks = re.findall(r"```\w*\n(.*?)```", README, re.DOTALL)
    assert [
        line
        for block in blocks
        for line in block.splitlines()
        if len(line) > 90 and not line.startswith("irlint: proven")
    ] == []


def test_links_are_absolute_and_lead_somewhere() -> None:
    assert len(targets()) > 20
    for target in targets():
        if target.startswith(SITE):
            page = target.removeprefix(SITE).partition("#")[0].rstrip("/")
            assert page == "playground" or any(
                (ROOT / "docs" / name).is_file() for name in (f"{page}.md", f"{page}/index.md")
            ), target
        elif (root := next((root for root in FILES if target.startswith(root)), None)) is not None:
            assert (ROOT / target.removeprefix(root)).is_file(), target
        else:
            assert target.startswith("https://"), target


def test_it_shows_a_finding_an_editor_and_a_graph() -> None:
    shown = [target.removeprefix(FILES[0]) for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)]
    findings = [path.relative_to(ROOT).as_posix() for path in readme_pictures.FINDINGS]
    assert shown == [*findings, "lsp/vscode/images/onnx.png", "docs/images/graph.png"]


@pytest.mark.parametrize("path", readme_pictures.FINDINGS, ids=lambda path: path.stem)
def test_the_pictures_of_findings_are_current(path: Path) -> None:
    shown = readme_pictures.finding(*readme_pictures.FINDINGS[path])
    assert path.read_text(encoding="utf-8") == shown, "python tests/readme_pictures.py"


def test_the_picture_of_the_graph_is_one() -> None:
    head = readme_pictures.GRAPH.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:]) == (1200, 760)
