"""Attributes of MXNet's operators that change what comes out, with the numbers that MXNet 1.9.1 computes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from irlint import engine
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.ops.mxnet.layout import ReshapeCodes, ReshapeNumpyCodes
from irlint.dryrun.tensor import Tensor

from .mxnet_cases import Case
from .mxnet_compare import difference, given, ours, symbol, visible
from .mxnet_oracle import Oracle

LOWEST = float(np.finfo(np.float32).min)
ROW = [-1, -2, 3, -4]
SCORES = [0.4, 0.7, 0.1, 0.2, 0.5, 0.6, 0.9, 0.3, 0.8]

MEASURED: list[tuple[str, dict[str, str], list[tuple[int, ...]], list[list[float]], list[list[float]]]] = [
    # padding follows from the length that is asked for; pad and adj are ignored
    ("Deconvolution", {"target_shape": "(5,)"}, [(1, 1, 3), (1, 1, 3)], [[1, 2, 3]] * 2, [[2, 5, 4, 9, 6]]),
    ("Deconvolution", {"target_shape": "(6,)"}, [(1, 1, 3), (1, 1, 3)], [[1, 2, 3]] * 2, [[2, 5, 4, 9, 6, 9]]),
    (
        "Deconvolution",
        {"target_shape": "(5,)", "pad": "(0,)", "adj": "(1,)"},
        [(1, 1, 3), (1, 1, 3)],
        [[1, 2, 3]] * 2,
        [[2, 5, 4, 9, 6]],
    ),
    # from right to left, the two parts of a split come before its -4
    ("Reshape", {"shape": "(0, 2, 1, -4)", "reverse": "True"}, [(2, 2)], [[1, 2, 3, 4]], [[1, 2, 3, 4]]),
    # odd powers keep their sign
    ("Pooling", {"kernel": "(2,)", "pool_type": "lp", "p_value": "1"}, [(1, 1, 4)], [ROW], [[-3, 1, -1]]),
    (
        "Pooling",
        {"kernel": "(2,)", "pool_type": "lp", "p_value": "3"},
        [(1, 1, 4)],
        [ROW],
        [[-2.0800838, 2.6684017, -3.3322217]],
    ),
    # a window on padding alone
    (
        "Pooling",
        {"kernel": "(2,)", "stride": "(3,)", "pad": "(1,)", "pooling_convention": "full"},
        [(1, 1, 4)],
        [ROW],
        [[-1, 3, LOWEST]],
    ),
    ("Pooling", {"kernel": "(2,)", "stride": "(2,9)"}, [(1, 1, 4)], [ROW], [[-1, 3]]),
    # the largest first
    ("clip", {"a_min": "0.5", "a_max": "-0.5"}, [(4,)], [[-1, -0.5, 0, 1]], [[0.5, 0.5, -0.5, -0.5]]),
    (
        "_contrib_quantize",
        {"out_type": "uint8"},
        [(1, 6), (1,), (1,)],
        [[-1, 0, 0.1, 0.3, 0.5, 0.9], [-0.8], [0.6]],
        [[0, 0, 32, 96, 159, 255], [-0.8], [0.6]],
    ),
    (
        "_contrib_quantize_v2",
        {"out_type": "uint8", "min_calib_range": "-0.5", "max_calib_range": "1"},
        [(1, 6)],
        [[-1, 0, 0.1, 0.3, 0.5, 0.9]],
        [[0, 0, 26, 77, 128, 230], [-0.5], [1]],
    ),
    # one match more than topk says, and all with 0
    (
        "_contrib_bipartite_matching",
        {"threshold": "0.05", "topk": "1"},
        [(3, 3)],
        [SCORES],
        [[1, -1, 0], [2, 0, -1]],
    ),
    (
        "_contrib_bipartite_matching",
        {"threshold": "0.05", "topk": "0"},
        [(3, 3)],
        [SCORES],
        [[1, 2, 0], [2, 0, 1]],
    ),
    (
        "_contrib_BilinearResize2D",
        {"mode": "to_odd_down", "align_corners": "False"},
        [(1, 1, 3, 2)],
        [[1, 2, 3, 4, 5, 6]],
        [[1, 3, 5]],
    ),
    ("_np_sum", {"dtype": "int32"}, [(3,)], [[0.7, 0.7, 0.7]], [[2]]),
    ("_np_sum", {"axis": "()"}, [(2,)], [[0.7, 0.7]], [[0.7, 0.7]]),
    ("_np_sum", {"dtype": "float64", "axis": "(0,)"}, [(2, 1)], [[1, 2]], [[3]]),
    (
        "_contrib_MultiBoxPrior",
        {"sizes": "(0.5,)", "ratios": "(1,)", "steps": "(0,1)"},
        [(1, 1, 1, 2)],
        [[0, 0]],
        [[0.125, 0.25, 0.375, 0.75, 0.625, 0.25, 0.875, 0.75]],
    ),
    ("_eye", {"N": "2", "M": "-1"}, [], [], [[1, 0, 0, 1]]),
    ("_npi_eye", {"N": "2", "M": "0"}, [], [], [[]]),
    ("_npi_flip", {"axis": "None"}, [(2, 2)], [[1, 2, 3, 4]], [[4, 3, 2, 1]]),
]

FIXED = {"Deconvolution": {"kernel": "(3,)", "num_filter": "1", "stride": "(2,)"}}


def case_of(op: str, attrs: dict[str, str], shapes: list[tuple[int, ...]], arrays: list[list[float]]) -> Case:
    return Case(op, shapes, {**FIXED.get(op, {}), **attrs}, dict(enumerate(arrays)))


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    """MXNet without oneDNN, which refuses a `target_shape` that needs other padding than `pad`."""
    python = os.environ.get("IRLINT_MXNET_PYTHON")
    if not python:
        pytest.skip("IRLINT_MXNET_PYTHON names no Python with mxnet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MXNET_MKLDNN_ENABLED", "0")
        found = Oracle(python)
        yield found
        found.close()


@pytest.mark.parametrize(("op", "attrs", "shapes", "arrays", "wanted"), MEASURED)
def test_as_measured(
    op: str, attrs: dict[str, str], shapes: list[tuple[int, ...]], arrays: list[list[float]], wanted: list[list[float]]
) -> None:
    case = case_of(op, attrs, shapes, arrays)
    found = ours(symbol(case, visible(case)), given(case), dict(case.fill))
    assert found.error is None
    for array, numbers in zip(found.values, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(array, float).ravel(), numbers, rtol=1e-5)


@pytest.mark.parametrize(("op", "attrs", "shapes", "arrays", "wanted"), MEASURED)
def test_as_mxnet_computes(
    op: str,
    attrs: dict[str, str],
    shapes: list[tuple[int, ...]],
    arrays: list[list[float]],
    wanted: Any,
    oracle: Oracle,
) -> None:
    assert difference(case_of(op, attrs, shapes, arrays), oracle) is None


@pytest.mark.parametrize("pad", ["(0, 0)", "(1, 1)"])
@pytest.mark.parametrize("target", ["(10, 12)", "(9, 12)", "(11, 13)", "(12, 14)", "(1, 2)"])
def test_target_shape(target: str, pad: str, oracle: Oracle) -> None:
    attrs = {"kernel": "(4, 4)", "num_filter": "6", "stride": "(2, 2)", "target_shape": target, "pad": pad}
    assert difference(Case("Deconvolution", [(2, 4, 5, 6), None], attrs), oracle) is None


@pytest.mark.parametrize(
    ("stride", "target", "said"),
    [
        (2, 13, "larger than the largest possible output"),  # MXNet: "too big target shape"
        (1, 7, "is not possible for size 8"),  # "adj(y) must be samller than stride[0]"
    ],
)
def test_a_target_shape_out_of_reach(stride: int, target: int, said: str) -> None:
    attrs = {"kernel": "(4, 4)", "num_filter": "6", "stride": f"({stride}, 2)", "target_shape": f"({target}, 14)"}
    case = Case("Deconvolution", [(2, 4, 5, 6), None], attrs)
    assert said in (ours(symbol(case, 1), given(case)).error or "")


@pytest.mark.parametrize(
    ("attrs", "label"),
    [
        ({}, (2, 5)),
        ({"preserve_shape": "True"}, (2, 5)),
        ({"multi_output": "True"}, (2, 4)),
    ],
)
def test_the_label_follows_from_the_data(attrs: dict[str, str], label: tuple[int, ...]) -> None:
    case = Case("SoftmaxOutput", [(2, 5, 4), None], attrs)
    found = ours(symbol(case, 1), given(case))
    assert found.args["in1"] == label
    for shape in [label, (2, 5, 4), *([(2, 1, 4)] if attrs.get("multi_output") else [])]:
        case = Case("SoftmaxOutput", [(2, 5, 4), shape], attrs)
        assert ours(symbol(case, 1), given(case)).error is None
    case = Case("SoftmaxOutput", [(2, 5, 4), (2,)], attrs)
    assert "expected shape" in (ours(symbol(case, 1), given(case)).error or "")


def test_the_mask_of_rrelu() -> None:
    case = Case("LeakyReLU", [(2, 3)], {"act_type": "rrelu"})
    assert ours(symbol(case, 2), given(case)).outs == [[2, 3], [2, 3]]


def test_a_deconvolution_with_channels_last() -> None:
    """MXNet 1.9.1 infers these shapes; its CPU kernels take channels first only."""
    attrs = {"kernel": "(4, 4)", "num_filter": "6", "stride": "(2, 2)", "layout": "NHWC"}
    case = Case("Deconvolution", [(2, 4, 5, 8), None], attrs)
    found = ours(symbol(case, 1), given(case))
    assert found.outs == [[2, 10, 12, 6]]
    assert found.args["in1"] == (8, 4, 4, 6)


@pytest.mark.parametrize(
    ("codes", "shape"),
    [
        ((0, 0, 2, 2, -4), (2, 3, 2, 2)),
        ((0, 3, 1, -4, 0), (2, 3, 1, 4)),
        ((0, 0, -1, 2, -4), (2, 3, 2, 2)),
        ((1, 2, -4, -3), (1, 2, 12)),
        ((-4, 1, 2, 0, 0), None),
        ((0, 0, -4, 2, 2), None),
    ],
)
def test_codes_from_right_to_left(codes: tuple[int, ...], shape: tuple[int, ...] | None) -> None:
    def turned() -> Any:
        return ReshapeCodes().shape(Tensor("float32", (2, 3, 4)), shape=codes, reverse=True).shape

    if shape is None:
        with pytest.raises(ShapeError):
            turned()
    else:
        assert turned() == shape


@pytest.mark.parametrize(
    ("codes", "reverse", "expected"),
    [
        ((6, 4), False, (6, 4)),
        ((-1, 4), False, (6, 4)),
        ((-2, 12), False, (2, 12)),
        ((-4,), False, (2, 3, 4)),
        ((-5, -2), False, (6, 4)),
        ((-2, -2, -6, 2, -1), False, (2, 3, 2, 2)),
        ((-4, -5), True, (2, 12)),
        ((-2, 0), False, None),
        ((3, 0), False, None),
        ((0,), False, None),
        ((-1, 0), False, None),
        ((-3, 12), False, None),
        ((-6, 1, -3, -4), False, None),
        ((-6, 2, -1, -1), False, None),
        ((-5, -5), False, None),
    ],
)
def test_codes_of_reshape_in_mxnet_np(codes: tuple[int, ...], reverse: bool, expected: tuple[int, ...] | None) -> None:
    """As MXNet 1.9.1 infers them for [2, 3, 4], or refuses them: None."""
    data = Tensor("float32", (2, 3, 4))
    if expected is not None:
        assert ReshapeNumpyCodes().shape(data, shape=codes, reverse=reverse).shape == expected
        return
    with pytest.raises(ShapeError):
        ReshapeNumpyCodes().shape(data, shape=codes, reverse=reverse)


@pytest.mark.parametrize("op", ["_np_reshape", "_npx_reshape"])
def test_reshape_to_nothing(op: str) -> None:
    nodes = [
        {"op": "null", "name": "a", "attrs": {"__shape__": "(2, 3)"}, "inputs": []},
        {"op": op, "name": "node", "attrs": {"newshape": "(3, 0)"}, "inputs": [[0, 0, 0]]},
    ]
    graph = {"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    messages = [f.message for f in engine.lint(json.dumps(graph), "a-symbol.json").findings]
    assert messages == [f"{op} 'node': [2, 3] has 6 elements, but `newshape` (3, 0) needs 0 for [3, 0]"]


@pytest.mark.parametrize(
    ("op", "shape", "attrs", "code"),
    [
        ("_np_cumsum", "(2, 3)", {"axis": "-1"}, "D004"),
        ("_np_cumsum", "(2, 3)", {"axis": "1"}, None),
        ("_npi_flip", "(2, 3)", {"axis": "(0, -1)"}, "D004"),
        ("_npi_flip", "(2, 3)", {"axis": "(0, 1)"}, None),
        ("tile", "(2, 2, 2)", {"reps": "(2, 2, 2)"}, "A"),
        ("tile", "(1, 2, 3, 2)", {"reps": "(2, 2, 1, 2)"}, None),
        ("tile", "(2, 2, 2, 2)", {"reps": "(1, 2, 2, 1)"}, None),
    ],
)
def test_what_mxnet_refuses_when_it_runs(op: str, shape: str, attrs: dict[str, str], code: str | None) -> None:
    nodes = [
        {"op": "null", "name": "a", "attrs": {"__shape__": shape}, "inputs": []},
        {"op": op, "name": "node", "attrs": attrs, "inputs": [[0, 0, 0]]},
    ]
    graph = {"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    found = [f.code for f in engine.lint(json.dumps(graph), "a-symbol.json").findings if f.severity.name == "ERROR"]
    assert [code in c for c in found] == ([] if code is None else [True]), found
