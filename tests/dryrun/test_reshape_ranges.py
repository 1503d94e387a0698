"""Reshape of a shape that is not all known: wrong only where no number of elements fits (the CPU plug-in 2026.4.1 refuses those)."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.openvino.tiny import call, const, errors, parameter, write

from irlint.dryrun.ops.moving.reshaping import reshape
from irlint.graph import Shape

CASES = [
    ("1..6,1", (9,), True),
    ("2..6,1", (1,), True),
    ("?,2", (3,), True),
    ("?,3", (7,), True),
    ("1..6,1", (1,), False),
    ("1..6,1", (5,), False),
    ("?,3", (9,), False),
    ("?,?", (9,), False),
    ("?,2", (-1, 3), False),
    ("0..6,2", (0, 2), False),
]


@pytest.mark.parametrize(("shape", "pattern", "wrong"), CASES)
def test_a_count_that_no_dimension_gives(tmp_path: Path, shape: str, pattern: tuple[int, ...], wrong: bool) -> None:
    reshape = call("y", "opset1.Reshape", "x", "p", special_zero="true")
    path = write(tmp_path / "model.xml", parameter("x", shape), const("p", *pattern), reshape)
    assert ("D008" in errors(path)) == wrong


@pytest.mark.parametrize(
    ("shape", "pattern", "expected"),
    [
        (("n", 4, 128), (-1, 8, 8, 8), ("n", 8, 8, 8)),
        (("n", 5, 8), (-1, 5, 4, 2), ("n", 5, 4, 2)),
        ((6, "n", 4), (3, -1, 8), (3, "n", 8)),
        (("n", "m", 6), ("m", -1, 2, 3), ("m", "n", 2, 3)),
        (("n", 4), (-1, 8), (None, 8)),
        (("n", 4), (-1, 2), (None, 2)),
        (((1, 5), 6), (-1, 2, 3), ((1, 5), 2, 3)),
    ],
)
def test_a_symbol_is_what_the_other_lengths_leave(shape: Shape, pattern: tuple[int, ...], expected: Shape) -> None:
    found = reshape(shape, pattern, special_zero=False)
    known = tuple(None if dim == (0, None) else dim for dim in found)
    assert known == expected
