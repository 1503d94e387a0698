"""Listings: names of operators alone, shapes as far as those of the variables tell."""

from __future__ import annotations

import numpy as np
import pytest

import irlint

LISTING = """0 nn.dense ['x', 'w']
1 add [0, 'b']
2 nn.relu [1]
3 nn.softmax [2]
4 multiply [3, 2]
"""


def test_shapes_follow_from_those_that_are_given() -> None:
    graph = irlint.load(LISTING.encode()).graph
    found = irlint.infer(graph, {"x": (2, 3), "w": (4, 3), "b": (4,)})
    assert [found[name][0].shape for name in "01234"] == [(2, 4)] * 5


def test_without_shapes_nothing_is_said() -> None:
    assert irlint.lint(LISTING.encode()) == []


def test_operands_that_do_not_go_together() -> None:
    with pytest.raises(ValueError, match=r"nn\.dense '0'.*\[2, 3\].*\[4, 5\]"):
        irlint.infer(irlint.load(LISTING.encode()), {"x": (2, 3), "w": (4, 5)})


def test_what_needs_no_attributes_runs() -> None:
    text = "\n".join(LISTING.split("\n")[:3]) + "\n"
    x, w, b = np.ones((2, 3), np.float32), np.full((4, 3), -1, np.float32), np.arange(4, dtype=np.float32) * 2
    (found,) = irlint.run(text.encode(), {"x": x, "w": w, "b": b}).values()
    np.testing.assert_array_equal(found, np.maximum(x @ w.T + b, 0))
    with pytest.raises(NotImplementedError, match=r"nn\.softmax"):
        irlint.run(b"0 nn.softmax ['x']\n", {"x": x})
