"""Operations that choose boxes and cut out regions, held against OpenVINO; set IRLINT_OPENVINO_PYTHON to a Python that has it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from irlint.api import run
from irlint.dryrun.kernels.boxes.regions import roi_align
from irlint.dryrun.kernels.boxes.rotated import overlaps_turned, roi_align_rotated
from irlint.dryrun.kernels.boxes.suppression import parts
from tests.formats.openvino import models

Random = np.random.Generator
TIMES = 6


def floats(*shape: int) -> Callable[[Random], Any]:
    return lambda random: random.standard_normal(shape).astype(np.float32)


def shares(*shape: int) -> Callable[[Random], Any]:
    return lambda random: random.random(shape).astype(np.float32)


def boxes(*shape: int) -> Callable[[Random], Any]:
    def draw(random: Random) -> Any:
        low = random.uniform(0, 30, (*shape, 2))
        return np.concatenate([low, low + random.uniform(1, 20, (*shape, 2))], -1).astype(np.float32)

    return draw


def turned(*shape: int) -> Callable[[Random], Any]:
    def draw(random: Random) -> Any:
        parts = (
            random.uniform(0, 10, (*shape, 2)),
            random.uniform(1, 8, (*shape, 2)),
            random.uniform(-3, 3, (*shape, 1)),
        )
        return np.concatenate(parts, -1).astype(np.float32)

    return draw


def listed(*shape: int) -> Callable[[Random], Any]:
    """Boxes, each behind the number of its image."""
    return lambda random: np.concatenate([random.integers(0, 2, (*shape, 1)), boxes(*shape)(random)], -1).astype(
        np.float32
    )


def fixed(values: Any, dtype: Any = np.float32) -> Callable[[Random], Any]:
    return lambda random: np.array(values, dtype)


class Case(NamedTuple):
    key: str
    data: dict[str, str]
    inputs: list[tuple[str, Callable[[Random], Any]]]
    outputs: list[tuple[str, list[int]]]


def cases() -> list[Case]:
    found = []
    for way in ("true", "false"):
        data = {
            "clockwise_mode": way,
            "pooled_h": "3",
            "pooled_w": "2",
            "sampling_ratio": "2" if way == "true" else "0",
            "spatial_scale": "0.5",
        }
        inputs = [
            ("FP32", floats(2, 3, 12, 10)),
            ("FP32", turned(5)),
            ("I32", lambda r: r.integers(0, 2, 5).astype(np.int32)),
        ]
        found.append(Case("opset15.ROIAlignRotated", data, inputs, [("FP32", [5, 3, 3, 2])]))
        inputs = [
            ("FP32", turned(2, 12)),
            ("FP32", shares(2, 3, 12)),
            ("I64", fixed(5, np.int64)),
            ("FP32", fixed(0.3)),
            ("FP32", fixed(0.2)),
        ]
        found.append(
            Case("opset13.NMSRotated", {"clockwise": way}, inputs, [("I32", [-1, 3]), ("FP32", [-1, 3]), ("I32", [1])])
        )
        data = {
            "pre_nms_count": "20",
            "post_nms_count": "9",
            "min_size": "3",
            "nms_threshold": "0.4",
            "normalized": way,
        }
        inputs = [
            ("FP32", fixed([[40, 50, 1], [35, 30, 2]])),
            ("FP32", boxes(4, 5, 3)),
            ("FP32", floats(2, 12, 4, 5)),
            ("FP32", shares(2, 3, 4, 5)),
        ]
        found.append(Case("opset9.GenerateProposals", data, inputs, [("FP32", [-1, 4]), ("FP32", [-1]), ("I32", [2])]))
        for sort in ("score", "classid", "none"):
            data = {
                "sort_result_type": sort,
                "sort_result_across_batch": way,
                "normalized": way,
                "background_class": "-1",
                "keep_top_k": "6",
            }
            inputs = [("FP32", boxes(3, 10)), ("FP32", shares(3, 10)), ("I32", fixed([4, 6], np.int32))]
            found.append(
                Case("opset9.MulticlassNms", data, inputs, [("FP32", [-1, 6]), ("I32", [-1, 1]), ("I32", [2])])
            )
        for framework in ("tensorflow", ""):
            data = {
                "framework": framework, "clip_before_nms": way, "clip_after_nms": way, "normalize": way, "pre_nms_topn": "40", "post_nms_topn": "12",
                "base_size": "8", "feat_stride": "8", "min_size": "6", "ratio": "0.5, 2", "scale": "1, 2", "nms_thresh": "0.5",
            }  # fmt: skip
            inputs = [("FP32", shares(2, 8, 5, 6)), ("FP32", floats(2, 16, 5, 6)), ("FP32", fixed([44, 52, 1, 1.5]))]
            found.append(Case("opset4.Proposal", data, inputs, [("FP32", [24, 5]), ("FP32", [24])]))
    data = {"pre_nms_count": "20", "post_nms_count": "9", "min_size": "1", "nms_threshold": "0.4"}
    inputs = [("FP32", fixed([50, 60, 2])), ("FP32", boxes(60)), ("FP32", floats(12, 4, 5)), ("FP32", shares(3, 4, 5))]
    found.append(
        Case(
            "opset6.ExperimentalDetectronGenerateProposalsSingleImage", data, inputs, [("FP32", [9, 4]), ("FP32", [9])]
        )
    )
    data = {"num_classes": "4", "post_nms_count": "6", "max_detections_per_image": "8", "score_threshold": "0.2"}
    inputs = [("FP32", boxes(15)), ("FP32", floats(15, 16)), ("FP32", shares(15, 4)), ("FP32", fixed([[50, 60, 1]]))]
    outputs: list[tuple[str, list[int]]] = [("FP32", [8, 4]), ("I32", [8]), ("FP32", [8])]
    found.append(Case("opset6.ExperimentalDetectronDetectionOutput", data, inputs, outputs))
    data = {
        "output_dim": "4",
        "group_size": "3",
        "spatial_scale": "0.25",
        "spatial_bins_x": "2",
        "spatial_bins_y": "3",
        "part_size": "2",
        "trans_std": "0.3",
    }
    inputs = [("FP32", floats(2, 36, 9, 11)), ("FP32", listed(6)), ("FP32", floats(6, 4, 2, 2))]
    found.append(Case("opset1.DeformablePSROIPooling", data, inputs, [("FP32", [6, 4, 3, 3])]))
    found.append(Case("opset1.DeformablePSROIPooling", data, inputs[:2], [("FP32", [6, 4, 3, 3])]))
    return found


def test_boxes_are_the_runtimes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = os.environ.get("IRLINT_OPENVINO_PYTHON")
    if not python:
        pytest.skip("IRLINT_OPENVINO_PYTHON names no Python with openvino")
    written = []
    for number, case in enumerate(cases()):
        for time in range(TIMES):
            random, path = np.random.default_rng(time), tmp_path / f"{number}_{time}.xml"
            values = {f"in{k}": draw(random) for k, (_, draw) in enumerate(case.inputs)}
            old = models.operations()[case.key]
            shapes = [[kind, list(value.shape)] for (kind, _), value in zip(case.inputs, values.values(), strict=True)]
            record = {**old, "data": {**old["data"], **case.data}, "inputs": shapes, "outputs": case.outputs}
            with monkeypatch.context() as patch:
                patch.setattr(models, "operations", lambda key=case.key, record=record: {key: record})
                made = models.model(case.key)
            path.write_text(made.text)
            path.with_suffix(".bin").write_bytes(made.weights)
            np.savez(path.with_suffix(".npz"), **values)
            written.append((case, path, values))
    worker = Path(__file__).with_name("openvino_worker.py")
    subprocess.run([python, str(worker), str(tmp_path)], check=True, timeout=170)
    wrong = []
    for case, path, values in written:
        theirs = np.load(path.with_suffix(".out.npz"))
        for k, ours in enumerate(run(path, values).values()):
            wanted = theirs[f"arr_{k}"]
            if ours.shape != wanted.shape or not np.allclose(ours, wanted, 1e-3, 1e-4):
                wrong.append((case.key, case.data, k))
    assert wrong == []


def test_what_is_not_turned_is_plain() -> None:
    random = np.random.default_rng(0)
    flat = turned(20)(random).astype(np.float64)
    flat[:, 4] = 0
    corners = np.concatenate([flat[:, :2] - flat[:, 2:4] / 2, flat[:, :2] + flat[:, 2:4] / 2], 1)
    data, image = floats(1, 3, 12, 10)(random), np.zeros(20, np.int64)
    size = {"pooled_h": 3, "pooled_w": 2, "spatial_scale": 1.0, "sampling_ratio": 2}
    np.testing.assert_allclose(overlaps_turned(flat[0], flat, True), parts(corners[:1], corners)[0], atol=1e-9)
    expected = roi_align(data, corners, image, **size, aligned_mode="half_pixel_for_nn")
    np.testing.assert_allclose(roi_align_rotated(data, flat, image, **size), expected, atol=1e-5)


def test_a_box_turned_by_a_quarter_has_its_sides_exchanged() -> None:
    some = turned(20)(np.random.default_rng(1)).astype(np.float64)
    other = some[:, [0, 1, 3, 2, 4]] + np.array([0, 0, 0, 0, np.pi / 2])
    np.testing.assert_allclose(overlaps_turned(some[0], other, True), overlaps_turned(some[0], some, True), atol=1e-9)
    np.testing.assert_allclose(overlaps_turned(some[0], some[:1], False), [1], atol=1e-9)
