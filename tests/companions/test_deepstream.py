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
from irlint.tools import installed

PACKAGE = ROOT / "examples/deepstream/irlint_deepstream"
POINTS = "[irlint.companions]\ndeepstream = irlint_deepstream\n"
CONFIG = (ROOT / "examples/deepstream/config_infer_primary.txt").read_text().replace("640", "160").replace("=80", "=3")
FILES = {
    "config_infer_primary.txt": CONFIG,
    "labels.txt": "cat\ndog\nbird\n",
    "yolo.onnx": net("1,7,525").replace("output0", "output"),
}


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    caches = installed._declared, companions._kinds, companions.endings
    monkeypatch.syspath_prepend(str(packages.site_with(tmp_path / "packages", PACKAGE, POINTS)))
    for cached in caches:
        cached.cache_clear()
    yield
    monkeypatch.undo()
    for cached in caches:
        cached.cache_clear()


def found(folder: Path, files: dict[str, str]) -> dict[str, str]:
    write(files, folder)
    path = folder / "config_infer_primary.txt"
    result = engine.lint(path.read_text(), str(path), path=path)
    assert result.format == "deepstream"
    return {f.code: result.lines.text[f.span.start : f.span.end] for f in result.findings}


def test_a_configuration_that_is_right_is_silent(tmp_path: Path) -> None:
    assert found(tmp_path, FILES) == {}
    more = "model-color-format=1\noffsets=1.0;2.0;3.0;\n"
    assert found(tmp_path, {**FILES, "config_infer_primary.txt": CONFIG.replace("gpu-id", f"{more}gpu-id")}) == {}


def test_boxes_with_a_score_and_a_class_have_no_number_of_classes(tmp_path: Path) -> None:
    config = CONFIG.replace("classes=3", "classes=80").replace("labelfile-path=labels.txt\n", "")
    files = {"config_infer_primary.txt": config, "yolo.onnx": FILES["yolo.onnx"].replace("1,7,525", "1,525,6")}
    assert found(tmp_path, files) == {}


@pytest.mark.parametrize(
    ("old", "new", "code", "token"),
    [
        ("classes=3", "classes=4", "F005", "4"),
        ("labels.txt", "names.txt", "F006", "names.txt"),
        ("infer-dims=3;160;160", "infer-dims=3;640;640", "F004", "3;640;640"),
        ("blob-names=output", "blob-names=outputs", "F001", "outputs"),
        ("network-mode=2", "network-mode=7", "T006", "7"),
        ("network-type=0", "network-type=9", "T006", "9"),
        ("batch-size=1", "batch-size=0", "T006", "0"),
        ("batch-size=1", "batch-size=4", "F004", "4"),
        ("labelfile-path=labels.txt\nnum-detected-classes=3", "num-detected-classes=4", "F005", "4"),
        ("gpu-id=0", "model-color-format=2", "F004", "2"),
        ("gpu-id=0", "offsets=1;2;3;4", "F004", "1;2;3;4"),
    ],
)
def test_what_is_planted_is_found(tmp_path: Path, old: str, new: str, code: str, token: str) -> None:
    files = {**FILES, "config_infer_primary.txt": CONFIG.replace(old, new, 1)}
    assert found(tmp_path, files).get(code) == token


def test_the_package_is_short_and_its_entry_point_is_that_of_its_project() -> None:
    assert sum(len(path.read_text().splitlines()) for path in PACKAGE.glob("*.py")) <= 120
    project = (PACKAGE.parent / "pyproject.toml").read_text()
    assert '[project.entry-points."irlint.companions"]\ndeepstream = "irlint_deepstream"\n' in project
