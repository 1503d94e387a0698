"""The example of a companion as a plug-in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import packages
import pytest
from cli.helpers import ROOT

from companions.planted import write
from companions.ultralytics import net
from irlint import companions, engine
from irlint.engine import Result

EXAMPLE = ROOT / "examples/delivery"
PACKAGE = EXAMPLE / "irlint_delivery"
POINTS = "[irlint.companions]\ndelivery = irlint_delivery\n"
DELIVERY = """version: 3
model: net.onnx
input: [3, 160, 160]
classes: [cat, dog, bird]
"""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    site = packages.site_with(tmp_path / "packages", PACKAGE, POINTS)
    with packages.known(site, monkeypatch, companions._kinds, companions.endings):
        yield


def lint(path: Path) -> Result:
    result = engine.lint(path.read_text(), str(path), path=path)
    assert result.format == "delivery"
    return result


def test_the_example_is_silent() -> None:
    assert lint(EXAMPLE / "delivery.yaml").findings == []


@pytest.mark.parametrize(
    ("old", "new", "code", "token"),
    [
        ("[3, 160, 160]", "[3, 640, 160]", "F004", "640"),
        ("[3, 160, 160]", "[160, 160]", "T004", "["),
        (", bird]", "]", "F005", "["),
        (", bird]", ", bird, cow]", "F005", "["),
        (", bird]", ", dog]", "R005", "dog"),
        ("net.onnx", "other.onnx", "F006", "other.onnx"),
        ("input:", "inptu:", "T003", "inptu"),
        ("model: net.onnx\n", "", "T002", "version: 3"),
    ],
)
def test_what_is_planted_is_found(tmp_path: Path, old: str, new: str, code: str, token: str) -> None:
    write({"delivery.yaml": DELIVERY.replace(old, new), "net.onnx": net("1,3")}, tmp_path)
    result = lint(tmp_path / "delivery.yaml")
    found = {f.code: result.lines.text[f.span.start : f.span.end] for f in result.findings}
    assert found.get(code) == token, found


def test_the_package_is_short_and_its_entry_point_is_that_of_its_project() -> None:
    assert sum(len(path.read_text().splitlines()) for path in PACKAGE.glob("*.py")) <= 120
    project = (EXAMPLE / "pyproject.toml").read_text()
    assert '[project.entry-points."irlint.companions"]\ndelivery = "irlint_delivery"\n' in project
