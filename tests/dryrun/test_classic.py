"""Classic NNVM graphs run, held against other routes to the same numbers."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from irlint.formats.nnvm.dryrun.classic import CALLS
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


def test_batch_norm_without_scale_or_shift() -> None:
    """NNVM's simplify_inference multiplies by gamma only with `scale` and adds beta only with `center`."""
    gamma, beta, mean, var = (RNG.uniform(0.5, 1, 4) for _ in range(4))
    wide = [part[:, None, None] for part in (gamma, beta, mean, var)]
    for scale in (True, False):
        for center in (True, False):
            found = run("batch_norm", IMAGE, gamma, beta, mean, var, epsilon=1e-3, scale=scale, center=center)
            wanted = (IMAGE - wide[2]) / np.sqrt(wide[3] + 1e-3)
            wanted = wanted * (wide[0] if scale else 1) + (wide[1] if center else 0)
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


LAYOUTS = {"NHWC": (0, 2, 3, 1), "HWCN": (2, 3, 1, 0)}
KERNELS = {"OIHW": (0, 1, 2, 3), "HWIO": (2, 3, 1, 0), "HWOI": (2, 3, 0, 1), "OHWI": (0, 2, 3, 1)}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("op", ["conv2d", "conv2d_transpose"])
def test_convolution_in_any_layout(op: str, kernel: str, layout: str) -> None:
    """The layouts of data, weight and result are told one by one; groups are those of a plain convolution."""
    weight, bias = RNG.uniform(-1, 1, (4, 2, 3, 2)), RNG.uniform(-1, 1, 4)
    given = {"channels": 4, "kernel_size": "(3, 2)", "strides": "(2, 1)", "padding": "(1, 0)", "groups": 2}
    plain = run(op, IMAGE, weight, bias, **given)
    there = LAYOUTS[layout]
    moved = IMAGE.transpose(there), weight.transpose(KERNELS[kernel]), bias
    found = run(op, *moved, **given, layout=layout, kernel_layout=kernel)
    np.testing.assert_allclose(found, plain.transpose(there), rtol=1e-5, atol=1e-6)
    if op == "conv2d":
        found = run(op, *moved, **given, layout=layout, kernel_layout=kernel, out_layout="NCHW")
        np.testing.assert_allclose(found, plain, rtol=1e-5, atol=1e-6)


def test_the_weight_follows_from_the_layouts() -> None:
    nodes = [variable("data"), variable("weight"), variable("bias")]
    nodes.append(call("conv2d", "it", 0, 1, 2, channels=6, kernel_size="(3, 2)", layout="NHWC", kernel_layout="HWIO"))
    text = json.dumps(graph(nodes, [[3, 0, 0]]))
    found = irlint.infer(irlint.load(text.encode(), as_format="nnvm:classic"), {"data": (1, 8, 8, 4)})
    assert found["weight"][0].shape == (3, 2, 4, 6)
    assert found["it"][0].shape == (1, 6, 7, 6)


def test_a_convolution_of_bytes_adds_up_in_the_type_asked_for() -> None:
    data, weight = np.full((1, 2, 3, 3), 100), np.full((1, 2, 3, 3), 100)
    nodes = [variable("a"), variable("b")]
    nodes += [call("cast", name, k, dtype="int8") for k, name in enumerate(("c", "d"))]
    nodes.append(call("conv2d", "it", 2, 3, channels=1, kernel_size="(3, 3)", use_bias="False", out_dtype="int32"))
    text = json.dumps(graph(nodes, [[4, 0, 0]]) | {"node_row_ptr": []})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "values.npz"
        np.savez(path, a=data.astype(np.float32), b=weight.astype(np.float32))
        (found,) = irlint.run(text.encode(), weights=path, as_format="nnvm:classic").values()
    assert found.dtype == np.int32
    assert found.ravel().tolist() == [180000]


def test_output_padding_is_zeros() -> None:
    """TVM 0.6 pads what a transposed convolution has made, bias included."""
    weight, bias = RNG.uniform(-1, 1, (4, 3, 3, 3)), RNG.uniform(-1, 1, 3)
    given = {"channels": 3, "kernel_size": "(3, 3)", "strides": "(2, 2)", "padding": "(1, 1)"}
    plain = run("conv2d_transpose", IMAGE, weight, bias, **given)
    found = run("conv2d_transpose", IMAGE, weight, bias, **given, output_padding="(1, 1)")
    np.testing.assert_array_equal(found, np.pad(plain, [(0, 0), (0, 0), (0, 1), (0, 1)]))


@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d", "global_max_pool2d", "global_avg_pool2d", "upsampling"])
def test_windows_with_channels_elsewhere(name: str) -> None:
    given = {} if name.startswith("global") else {"pool_size": "(2, 2)"} if "pool" in name else {"scale": 2}
    plain = run(name, IMAGE, **given)
    for layout, there in LAYOUTS.items():
        found = run(name, IMAGE.transpose(there), layout=layout, **given)
        np.testing.assert_allclose(found, plain.transpose(there), rtol=1e-5)
    blocks = IMAGE.reshape(2, 2, 2, 6, 5).transpose(0, 1, 3, 4, 2)
    found = run(name, blocks, layout="NCHW2c", **given)
    np.testing.assert_allclose(found.transpose(0, 1, 4, 2, 3).reshape(plain.shape), plain, rtol=1e-5)


def test_resize_as_tvm_has_it() -> None:
    """Both ways start at the first pixel; the nearest pixel is the one before."""
    row = np.arange(4.0).reshape(1, 1, 1, 4)
    smooth = run("resize", row, size="(1, 8)")
    np.testing.assert_allclose(smooth.ravel(), [0, 0.5, 1, 1.5, 2, 2.5, 3, 3])
    np.testing.assert_allclose(run("upsampling", row, scale=2, method="BILINEAR")[0, 0, 0], smooth.ravel())
    nearest = run("resize", row, size="(1, 6)", method="NEAREST_NEIGHBOR")
    np.testing.assert_array_equal(nearest.ravel(), [0, 0, 1, 2, 2, 3])
    corners = run("resize", row, size="(1, 7)", align_corners="True")
    np.testing.assert_allclose(corners.ravel(), [0, 0.5, 1, 1.5, 2, 2.5, 3])


def test_slopes_along_an_axis() -> None:
    slopes = RNG.uniform(0, 1, 6)
    found = run("prelu", IMAGE, slopes, axis=2)
    np.testing.assert_allclose(found, np.where(IMAGE > 0, IMAGE, IMAGE * slopes[:, None]), rtol=1e-5)


@pytest.mark.parametrize("name", ["nms", "non_max_suppression", "yolo_region"])
def test_what_has_no_kernel_is_said_to_have_none(name: str) -> None:
    """These change numbers; the data as it came would be wrong."""
    boxes = RNG.uniform(0, 1, (1, 3, 6))
    with pytest.raises(Exception, match=f"{name}.*it"):
        run(name, boxes, *([np.array([3])] if name != "yolo_region" else []))


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
