"""One root, one finding: what is missing as a whole is reported, and not what follows from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from irlint import engine

MODEL = Path(__file__).parents[3] / "examples" / "openvino" / "digits.xml"
EDGES = re.compile(r"<edges>.*?</edges>", re.DOTALL)
LAYERS = re.compile(r"<layers>.*?</layers>", re.DOTALL)


def _renamed(old: str, new: str) -> Callable[[str], str]:
    return lambda text: re.sub(rf"(</?){old}\b", rf"\1{new}", text)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: EDGES.sub("<edges/>", text), {("T002", "error")}),
        (lambda text: EDGES.sub("", text), {("T002", "error")}),
        (_renamed("edges", "edgs"), {("T003", "error")}),
        (_renamed("edge", "edg"), {("T003", "error")}),
        (lambda text: LAYERS.sub("<layers/>", text), {("T007", "warning")}),
        (lambda text: LAYERS.sub("", text), {("T007", "warning")}),
        (_renamed("layers", "layrs"), {("T003", "warning")}),
        (_renamed("layer", "layr"), {("T003", "error")}),
    ],
)
def test_only_the_root_is_reported(change: Callable[[str], str], expected: set[tuple[str, str]]) -> None:
    found = engine.lint(change(MODEL.read_text()), str(MODEL), path=MODEL).findings
    assert {(f.code, str(f.severity)) for f in found} == expected
