"""Classic NNVM graphs run, held against other routes to the same numbers."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from irlint.formats.nnvm.dryrun_classic import CALLS
from irlint.operators import table

from .mxnet_nested import call, graph, variable


def run(op: str, *arrays: Any, **attrs: Any) -> Any:
    """What one operator makes of arrays."""
    nodes = [variable(f"in{k}") for k in range(len(arrays))]
    nodes.append(call(op, "it", *range(len(arrays)), **attrs))
    text = json.dumps(graph(nodes, [[len(arrays), 0, 0]]) | {"node_row_ptr": []})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "values.npz"
        np.savez(path, **{f"in{k}": np.asarray(array, np.float32) for k, array in enumerate(arrays)})
        (found,) = irlint.run(text.encode(), weights=path, as_format="nnvm:classic").values()
    return found


RNG = np.random.RandomState(0)
IMAGE = RNG.uniform(-1, 1, (2, 4, 6, 5)).astype(np.float32)


def windows(data: Any, size: int, step: int) -> Any:
    """Every window of every channel: (batch, channels, rows, columns, size, size)."""
    view = np.lib.stride_tricks.sliding_window_view(data, (size, size), (2, 3))
    return view[:, :, ::step, ::step]


def test_convolution() -> None:
    weight, bias = RNG.uniform(-1, 1, (3, 4, 3, 3)), RNG.uniform(-1, 1, 3)
    padded = np.pad(IMAGE, [(0, 0), (0, 0), (1, 1), (1, 1)])
    wanted = np.einsum("nchwij,ocij->nohw", windows(padded, 3, 2), weight) + bias[:, None, None]
    found = run("conv2d", IMAGE, weight, bias, channels=3, kernel_size="(3, 3)", strides="(2, 2)", padding="(1, 1)")
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    last = run(
        "conv2d", np.moveaxis(IMAGE, 1, -1), weight, bias, channels=3, kernel_size="(3, 3)", strides="(2, 2)",
        padding="(1, 1)", layout="NHWC",
    )  # fmt: skip
    np.testing.assert_allclose(np.moveaxis(last, -1, 1), wanted, rtol=1e-4, atol=1e-5)


def test_dense() -> None:
    data, weight, bias = RNG.uniform(-1, 1, (3, 4)), RNG.uniform(-1, 1, (5, 4)), RNG.uniform(-1, 1, 5)
    np.testing.assert_allclose(run("dense", data, weight, bias, units=5), data @ weight.T + bias, rtol=1e-4, atol=1e-5)


def test_batch_norm() -> None:
    gamma, beta, mean, var = (RNG.uniform(0.5, 1, 4) for _ in range(4))
    found = run("batch_norm", IMAGE, gamma, beta, mean, var, epsilon=1e-3)
    wide = [part[:, None, None] for part in (gamma, beta, mean, var)]
    wanted = (IMAGE - wide[2]) / np.sqrt(wide[3] + 1e-3) * wide[0] + wide[1]
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_pooling() -> None:
    given = {"pool_size": "(2, 2)", "strides": "(2, 2)"}
    np.testing.assert_array_equal(run("max_pool2d", IMAGE, **given), windows(IMAGE, 2, 2).max((4, 5)))
    np.testing.assert_allclose(
        run("avg_pool2d", IMAGE, **given), windows(IMAGE, 2, 2).mean((4, 5)), rtol=1e-4, atol=1e-6
    )
    np.testing.assert_allclose(run("global_avg_pool2d", IMAGE), IMAGE.mean((2, 3), keepdims=True), rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(run("global_max_pool2d", IMAGE), IMAGE.max((2, 3), keepdims=True))


def test_upsampling() -> None:
    np.testing.assert_array_equal(run("upsampling", IMAGE, scale=2), IMAGE.repeat(2, 2).repeat(2, 3))


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "prod"])
def test_reductions(name: str) -> None:
    for given, axes in (({"axis": "(1,)"}, (1,)), ({"axis": "(0, 2)", "exclude": "True"}, (1, 3)), ({}, None)):
        wanted = getattr(np, name)(IMAGE.astype(float), axes)
        np.testing.assert_allclose(run(name, IMAGE, **given), np.atleast_1d(wanted), rtol=1e-4, atol=1e-5)


def test_layouts_there_and_back() -> None:
    blocked = run("__layout_transform__", IMAGE, src_layout="NCHW", dst_layout="NCHW2c")
    assert blocked.shape == (2, 2, 6, 5, 2)
    np.testing.assert_array_equal(blocked[:, 1, :, :, 0], IMAGE[:, 2])
    np.testing.assert_array_equal(run("__layout_transform__", blocked, src_layout="NCHW2c", dst_layout="NCHW"), IMAGE)
    last = run("__layout_transform__", blocked, src_layout="NCHW2c", dst_layout="NHWC")
    np.testing.assert_array_equal(last, np.moveaxis(IMAGE, 1, -1))


def test_every_operator_is_mapped() -> None:
    assert set(table("nnvm").raw["operators"]) <= set(CALLS)
