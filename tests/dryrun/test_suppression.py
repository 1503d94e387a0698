"""Greedy suppression of many boxes in chunks and tiles: what comparing one box after the other keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irlint.dryrun.kernels.boxes.detection import non_max_suppression
from irlint.dryrun.kernels.boxes.suppression import parts, uncovered


def one_by_one(boxes: Any, limit: float, most: int) -> list[int]:
    kept: list[int] = []
    for k in range(len(boxes)):
        if len(kept) < most and not (parts(boxes[kept], boxes[k, None]) > limit).any():
            kept.append(k)
    return kept


def random_boxes(count: int, spread: float, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    corner = rng.random((count, 2)) * spread
    return np.concatenate([corner, corner + rng.random((count, 2)) * 2], 1).astype(np.float32)


@pytest.mark.parametrize("count", [0, 1, 30, 700, 2500])
@pytest.mark.parametrize("spread", [0.5, 20.0, 300.0])
@pytest.mark.parametrize("most", [10, 100000])
def test_chunks_and_tiles_keep_what_pairs_keep(count: int, spread: float, most: int) -> None:
    boxes = random_boxes(count, spread, count)
    for limit in (0.0, 0.5):
        found = uncovered(boxes, lambda a, b: parts(a, b) > limit, most)  # noqa: B023
        assert found.tolist() == one_by_one(boxes, limit, most)


def test_boxes_of_nan_cover_nothing_and_hide_nothing() -> None:
    boxes = random_boxes(1500, 20.0, 1)
    boxes[::7] = np.nan
    assert uncovered(boxes, lambda a, b: parts(a, b) > 0.3).tolist() == one_by_one(boxes, 0.3, 1500)


def test_a_box_far_away_is_covered_if_the_caller_says_so() -> None:
    boxes = random_boxes(1200, 1000.0, 2)
    assert uncovered(boxes, lambda a, b: parts(a, b) >= 0, far=None).tolist() == [0]


def test_of_equal_scores_the_first_box_is_kept_first() -> None:
    boxes = random_boxes(1000, 50.0, 3)[None]
    scores = np.full((1, 1, 1000), 0.5, np.float32)
    rows, _, count = non_max_suppression(boxes, scores, 5000, 0.5, 0.1)
    assert rows[:, 2].tolist() == sorted(rows[:, 2].tolist()) == one_by_one(boxes[0], 0.5, 5000)
    assert count.tolist() == [len(rows)]
