"""Types as people are shown them."""

from __future__ import annotations

import pytest

from irlint.graph import Shape
from irlint.inspection.types import refined


@pytest.mark.parametrize(
    ("inferred", "declared", "expected"),
    [
        (None, (1, 2), (1, 2)),
        ((None, "n", 4), ("a", 8, 4), ("a", 8, 4)),
        (((1, None), 3), ((0, 6), 3), ((1, 6), 3)),
        (("n", 3), (None, None), ("n", 3)),
        ((2, None), (3, 4), (2, None)),  # what contradicts tells nothing
        ((2, None), (2, 4, 1), (2, None)),
    ],
)
def test_declared_dimensions(inferred: Shape | None, declared: Shape, expected: Shape) -> None:
    assert refined(inferred, declared) == expected
