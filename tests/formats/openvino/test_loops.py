"""What a loop carries from one iteration to the next, as OpenVINO 2026.4.1 takes and refuses it (all of it measured)."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import engine

from .notation import Net
from .tiny import errors

LOOP = """
n: i64[] = TRIPS
go: boolean[] = 1
x: f32[SHAPE]
r: f32[MADE] = opset5.Loop(n, go, x) {
  s: f32[SHAPE]
  k: i64[LENGTH] = NUMBERS
  true: boolean[] = 1
  y: f32[INSIDE] = OPERATION
  in 2 s
  cond true
  out r yWAY
  back y s
}"""
ITERATOR = """
x: f32[SHAPE]
h: f32[TRIPS,2]
all: f32[TRIPS,2] | r: f32[MADE] = opset1.TensorIterator(x, h) {
  s: f32[SHAPE]
  part: f32[1,2]
  k: i64[LENGTH] = NUMBERS
  p: f32[1,2] = opset1.ReLU(part)
  y: f32[INSIDE] = OPERATION
  in 0 s
  in 1 part axis=0 start=0 end=-1 stride=1 part_size=1
  out all p axis=0 start=0 end=-1 stride=1 part_size=1
  out r yWAY
  back y s
}"""
JOINED = " axis=0 start=0 end=-1 stride=1 part_size=1"
DEEPER = "opset1.Unsqueeze(s, k)", "1", "0"  # the numbers are its axes, or the like
FLATTER = "opset1.Squeeze(s, k)", "1", "0"
LONGER = "opset1.Tile(s, k)", "2", "2 1"
SAME = "opset1.Tile(s, k)", "2", "1 1"


def found(
    path: Path, text: str, operation: tuple[str, str, str], trips: int, shape: str = "1,2", way: str = ""
) -> set[str]:
    """Codes of errors; the notation declares the shape of the first iteration, which is not looked at."""
    what, length, numbers = operation
    for old, new in (
        ("OPERATION", what),
        ("LENGTH", length),
        ("NUMBERS", numbers),
        ("TRIPS", str(trips)),
        ("SHAPE", shape),
    ):
        text = text.replace(old, new)
    net = Net(text.replace("WAY", way).replace("MADE", shape).replace("INSIDE", shape))
    path.write_text(net.text)
    path.with_suffix(".bin").write_bytes(net.data)
    return errors(path)


@pytest.mark.parametrize("shape", ["1,2", "?,2"])
@pytest.mark.parametrize("operation", [DEEPER, FLATTER])
def test_a_loop_cannot_output_a_value_whose_rank_changes(
    tmp_path: Path, operation: tuple[str, str, str], shape: str
) -> None:
    for trips in (1, 3):
        assert found(tmp_path / "a.xml", LOOP, operation, trips, shape) == {"D003"}


@pytest.mark.parametrize("operation", [DEEPER, FLATTER])
def test_a_rank_that_changes_is_seen_without_weights(tmp_path: Path, operation: tuple[str, str, str]) -> None:
    path = tmp_path / "a.xml"
    found(path, LOOP, operation, 3)
    path.with_suffix(".bin").unlink()
    assert "D003" in errors(path)


@pytest.mark.parametrize("operation", [LONGER, SAME])
def test_a_loop_outputs_dimensions_that_grow(tmp_path: Path, operation: tuple[str, str, str]) -> None:
    assert found(tmp_path / "a.xml", LOOP, operation, 3) == set()


@pytest.mark.parametrize("operation", [DEEPER, FLATTER, LONGER])
def test_an_iterator_carries_one_shape(tmp_path: Path, operation: tuple[str, str, str]) -> None:
    assert found(tmp_path / "a.xml", ITERATOR, operation, 1) == set()
    assert found(tmp_path / "a.xml", ITERATOR, operation, 3) == {"D001"}
    assert found(tmp_path / "a.xml", ITERATOR, SAME, 3) == set()


def test_what_is_joined_has_the_size_of_a_part(tmp_path: Path) -> None:
    assert found(tmp_path / "a.xml", LOOP, LONGER, 1, way=JOINED) == {"R304"}
    assert found(tmp_path / "a.xml", LOOP, DEEPER, 1, way=JOINED) == set()
    assert found(tmp_path / "a.xml", LOOP, DEEPER, 2, way=JOINED) == {"D001"}
    assert found(tmp_path / "a.xml", LOOP, SAME, 2, way=JOINED) == set()


@pytest.mark.parametrize(
    "inside",
    ["<body/>", "<body><layers/></body>", '<then_body><layers><layer id="0" type="Relux"/></layers></then_body>'],
)
def test_bodies_of_operations_that_take_none_are_not_looked_at(tmp_path: Path, inside: str) -> None:
    net = Net("x: f32[2]\ny: f32[2] = opset1.ReLU(x)")
    path = tmp_path / "a.xml"
    path.write_text(net.text.replace("</layer>", f"{inside}</layer>", 2))
    assert engine.lint_bytes(path.read_bytes(), path.name, path=path).findings == []
