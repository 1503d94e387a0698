"""What MXNet 1.9.1 computes at the edges of operators."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from irlint.api import run


@pytest.mark.parametrize(
    ("op", "attrs", "inputs", "expected"),
    [
        ("rint", {}, [[0.5, 1.5, 2.5, 3.5, -0.5, -1.5, 2.4]], [0, 1, 2, 3, -1, -2, 2]),
        ("broadcast_mod", {}, [[3, -3, 5.5, -5.5], [0, -2, -2, 2]], [0, -1, -0.5, 0.5]),
        ("_mod_scalar", {"scalar": "0"}, [[3, -3]], [0, 0]),
        ("_rmod_scalar", {"scalar": "0"}, [[0, 3]], [0, 0]),
        ("reverse", {"axis": "(0, 0)"}, [[[1, 2], [3, 4]]], [[1, 2], [3, 4]]),
        ("reverse", {"axis": "(0, 1, 0)"}, [[[1, 2], [3, 4]]], [[2, 1], [4, 3]]),
        ("_contrib_boolean_mask", {"axis": "0"}, [[[1, 2], [3, 4], [5, 6]], [1, 0, 1]], [[1, 2], [5, 6]]),
        ("_contrib_count_sketch", {"out_dim": "2"}, [[[1, 2, 3]], [[0, 1, 0]], [[1, -1, 1]]], [[4, -2]]),
        ("LeakyReLU", {"act_type": "rrelu", "lower_bound": "0.25", "upper_bound": "0.75"}, [[-1, 2]], [-0.5, 2]),
        ("add_n", {"num_args": "3"}, [[1, 2], [3, 4], [5, 6]], [9, 12]),
        ("_contrib_fft", {}, [[[1, 2, 3, 4]]], [[10, 0, -2, 2, -2, 0, -2, -2]]),
        ("_contrib_ifft", {}, [[[10, 0, -2, 2, -2, 0, -2, -2]]], [[4, 8, 12, 16]]),
        ("repeat", {"repeats": "2", "axis": "1"}, [[[1, 2]]], [[1, 1, 2, 2]]),
        ("hard_sigmoid", {}, [[-9, 0, 9]], [0, 0.5, 1]),
        (
            "UpSampling",
            {"scale": "2", "sample_type": "nearest", "num_args": "1"},
            [[[[[1, 2]]]]],
            [[[[1, 1, 2, 2], [1, 1, 2, 2]]]],
        ),
        ("where", {}, [[1, 0], [[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[1, 2], [7, 8]]),
    ],
)
def test_values(op: str, attrs: dict[str, str], inputs: list[Any], expected: list[Any]) -> None:
    places = range(len(inputs))
    nodes: list[dict[str, Any]] = [{"op": "null", "name": f"x{k}", "inputs": []} for k in places]
    nodes.append({"op": op, "name": "y", "attrs": attrs, "inputs": [[k, 0, 0] for k in places]})
    graph = {"nodes": nodes, "arg_nodes": list(places), "heads": [[len(inputs), 0, 0]]}
    text = json.dumps({**graph, "attrs": {"mxnet_version": ["int", 10901]}}, indent=1)
    (found,) = run(text, {f"x{k}": np.array(x, np.float32) for k, x in enumerate(inputs)}).values()
    assert found.tolist() == expected


@pytest.mark.parametrize(
    ("op", "attrs", "types", "inputs", "expected"),
    [
        ("elemwise_div", {}, ["int32"] * 2, [[7, -7, 7, -7], [2, 2, -2, -2]], [3, -3, -3, 3]),
        ("broadcast_div", {}, ["uint8"] * 2, [[7, 249], [2, 2]], [3, 124]),
        ("broadcast_mod", {}, ["int32"] * 2, [[7, -7, 7, -7], [2, 2, -2, -2]], [1, 1, -1, -1]),
        ("_div_scalar", {"scalar": "2.5"}, ["int32"], [[7, -7]], [3, -3]),
        ("_rdiv_scalar", {"scalar": "-7.5"}, ["int32"], [[2, -2]], [-3, 3]),
        ("_plus_scalar", {"scalar": "2.5"}, ["int32"], [[7, -7]], [9, -5]),
        ("_plus_scalar", {"scalar": "-2.5"}, ["uint8"], [[7, 1]], [5, 255]),
        ("_mul_scalar", {"scalar": "1.7"}, ["int64"], [[7, -7]], [7, -7]),
        ("_equal_scalar", {"scalar": "2.5"}, ["int32"], [[2, 3]], [1, 0]),
        ("_power_scalar", {"scalar": "-2.5"}, ["int32"], [[7, 1]], [0, 1]),
        ("Cast", {"dtype": "int32"}, ["float32"], [[1e10, -1e10, float("nan"), 300.7]], [-(1 << 31)] * 3 + [300]),
        ("Cast", {"dtype": "uint8"}, ["float32"], [[1e10, 300.7, -1.5]], [0, 44, 255]),
        ("_rdiv_scalar", {"scalar": "7"}, ["int32"], [[2, 0]], [3, -(1 << 31)]),
        ("_npi_rmod_scalar", {"scalar": "0"}, ["float32"], [[7, 0]], [0, 0]),
        ("_hypot", {}, ["int32"] * 2, [[3, -(1 << 31)], [4, 1]], [5, -(1 << 31)]),
        ("smooth_l1", {"scalar": "0.5"}, ["int32"], [[7, -2]], [0, 0]),
        ("smooth_l1", {"scalar": "2.5"}, ["int32"], [[7, -2]], [6, 1]),
        ("clip", {"a_min": "2.5", "a_max": "9"}, ["int32"], [[1, 7]], [2, 7]),
        ("sigmoid", {}, ["uint8"], [[0, 250]], [0, 1]),
        ("expm1", {}, ["uint8"], [[5, 8]], [147, 163]),
        ("erfinv", {}, ["int32"], [[0, 1]], [0, -(1 << 31)]),
        ("gammaln", {}, ["int32"], [[4, -5]], [1, -(1 << 31)]),
        ("topk", {"k": "1", "ret_typ": "mask"}, ["uint8"], [[5, 0]], [1, 0]),
        ("argsort", {"is_ascend": "False"}, ["uint8"], [[5, 0, 7]], [2, 0, 1]),
        ("pick", {}, ["float32", "int32"], [[5, 6], [1]], [6]),
        ("_npi_rpower_scalar", {"scalar": "2"}, ["float32"], [[3]], [8]),
    ],
)
def test_integers(op: str, attrs: dict[str, str], types: list[str], inputs: list[Any], expected: list[int]) -> None:
    numbers = {"float32": "0", "uint8": "3", "int32": "4", "int64": "6"}
    nodes: list[dict[str, Any]] = [
        {"op": "null", "name": f"x{k}", "attrs": {"__dtype__": numbers[kind]}, "inputs": []}
        for k, kind in enumerate(types)
    ]
    nodes.append({"op": op, "name": "y", "attrs": attrs, "inputs": [[k, 0, 0] for k in range(len(inputs))]})
    graph = {"nodes": nodes, "arg_nodes": list(range(len(inputs))), "heads": [[len(inputs), 0, 0]]}
    text = json.dumps({**graph, "attrs": {"mxnet_version": ["int", 10901]}}, indent=1)
    given = {f"x{k}": np.array(x, kind) for k, (x, kind) in enumerate(zip(inputs, types, strict=True))}
    (found,) = run(text, given).values()
    assert found.tolist() == expected


def test_a_range_of_integers_has_an_integer_as_step() -> None:
    nodes: list[dict[str, Any]] = [
        {"op": "null", "name": "x", "attrs": {"__dtype__": "4"}, "inputs": []},
        {"op": "_contrib_arange_like", "name": "y", "attrs": {"start": "2.7", "step": "1.5"}, "inputs": [[0, 0, 0]]},
    ]
    graph = {"nodes": nodes, "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    (found,) = run(json.dumps(graph, indent=1), {"x": np.zeros(3, np.int32)}).values()
    assert found.tolist() == [2, 3, 4]
