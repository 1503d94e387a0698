"""Base models that between them use every abstract operator, and random ones."""

from __future__ import annotations

from typing import Any

Op = dict[str, Any]


def op(name: str, optype: str, inputs: dict[str, str], outputs: dict[str, str], **params: Any) -> Op:
    return {
        "name": name,
        "optype": optype,
        "tensors_in": [{"arg_name": arg, "name": tensor} for arg, tensor in inputs.items()],
        "tensors_out": [{"arg_name": arg, "name": tensor} for arg, tensor in outputs.items()],
        "params": [{"arg_name": arg, "value": value} for arg, value in params.items()],
    }


def create(tensor: str, dims: list[int], data: list[float] | None = None, dtype: str = "TL_FLOAT") -> Op:
    return op(
        f"make_{tensor}",
        "create",
        {},
        {"dst": tensor},
        dtype=dtype,
        dims=dims,
        data=data or [0],
        ran=[0, 0],
        from_file=False,
    )


def show(tensor: str) -> Op:
    return op(f"show_{tensor}", "print", {"src": tensor}, {}, msg=f"{tensor}:")


def window(size: int, stride: int = 1, padding: int = 0, autopad: str = "NOTSET") -> dict[str, Any]:
    return {"size": [size, size], "stride": [stride, stride], "padding": [padding] * 4, "autopad": autopad}


def small() -> list[Op]:
    return [
        create("whole", [2, 4], [1, 2, 3, 4, 5, 6, 7, 8]),
        op("cut", "slice", {"src": "whole"}, {"dst": "part"}, axis=1, start=1, len=3),
        show("part"),
    ]


def pairs() -> list[Op]:
    """Two tensors of one shape, and what can be done to them."""
    return [
        create("a", [2, 3], [1, 2, 3, 4, 5, 6]),
        create("b", [2, 3], [6, 5, 4, 3, 2, 1]),
        op("add", "elew", {"src1": "a", "src2": "b"}, {"dst": "sum"}, elew_op="TL_SUM"),
        op("join", "concat", {"src1": "a", "src2": "b"}, {"dst": "joined"}, axis=0),
        op("flip", "transpose", {"src": "sum"}, {"dst": "flipped"}, axes=[1, 0]),
        op("top", "maxreduce", {"src": "sum"}, {"dst": "best"}, axis=1),
        op("where", "maxreduce_arg", {"src": "flipped"}, {"dst": "most", "arg": "at"}, axis=0),
        op("grow", "upsample", {"src": "joined"}, {"dst": "grown"}, mode="TL_NEAREST", scales=[2, 1.5]),
        op("fit", "resize", {"src": "grown"}, {"dst": "fitted"}, mode="TL_NEAREST", dims=[3, 2]),
        op("same", "elew", {"src1": "fitted", "src2": "flipped"}, {"dst": "product"}, elew_op="TL_MUL"),
        op("leak", "lrelu", {"src": "product"}, {"dst": "leaked"}, negslope=0.1),
        op("flat", "reshape", {"src": "leaked"}, {"dst": "row"}, dims=[6]),
        op("alias", "forward", {"src": "row"}, {"dst": "line"}),
        show("line"),
        show("best"),
        show("at"),
        show("most"),
    ]


def network() -> list[Op]:
    """A small convolutional network."""
    statistics = {"scale": "gamma", "offset": "beta", "mean": "mu", "var": "sigma"}
    return [
        create("image", [1, 2, 8, 8]),
        create("kernel", [4, 2, 3, 3]),
        create("bias", [4]),
        op(
            "conv", "conv2d", {"src": "image", "weight": "kernel", "bias": "bias"}, {"dst": "maps"},
            group=1, size=[3, 3], stride=[1, 1], dilation=[1, 1], padding=[1, 1, 1, 1], autopad="NOTSET",
        ),
        *(create(tensor, [4]) for tensor in statistics.values()),
        op("norm", "batchnorm", {"src": "maps", **statistics}, {"dst": "normal"}, epsilon=1e-5),
        op("act", "relu", {"src": "normal"}, {"dst": "active"}),
        op("pool", "maxpool2d", {"src": "active"}, {"dst": "pooled"}, **window(2, 2)),
        create("kernel2", [4, 2, 3, 3]),
        create("bias2", [4]),
        op(
            "conv_2", "conv2d", {"src": "pooled", "weight": "kernel2", "bias": "bias2"}, {"dst": "maps2"},
            group=2, size=[3, 3], stride=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], autopad="SAME_UPPER",
        ),
        op("both", "elew", {"src1": "maps2", "src2": "pooled"}, {"dst": "mixed"}, elew_op="TL_SUM"),
        op("mean_pool", "avgpool2d", {"src": "mixed"}, {"dst": "averaged"}, **window(4)),
        op("squash", "sigmoid", {"src": "averaged"}, {"dst": "squashed"}),
        op("flatten", "reshape", {"src": "squashed"}, {"dst": "features"}, dims=[1, 4]),
        op("soft", "softmax", {"src": "features"}, {"dst": "probability"}, axis=1),
        show("probability"),
    ]  # fmt: skip


def vectors() -> list[Op]:
    """Vectors, ranges, sorting."""
    return [
        op("count", "arange", {}, {"dst": "order"}, dtype="TL_INT32", start=0, stop=6, step=1),
        create("keys", [6], [3, 1, 2, 6, 5, 4]),
        op(
            "sort", "sort1d_by_key", {"src_key": "keys", "src_val": "order"}, {"dst_key": "sorted", "dst_val": "rank"},
            dir="TL_SORT_DIR_ASCENDING",
        ),
        op("pick", "pick1d", {"src": "sorted", "src_index": "rank"}, {"dst": "picked"}, len=3, stride=2),
        op("square", "dot_product", {"src1": "picked", "src2": "sorted"}, {"dst": "norm"}),
        op("none", "zeros", {}, {"dst": "nothing"}, dtype="TL_FLOAT", dims=[6]),
        op("less", "elew", {"src1": "nothing", "src2": "picked"}, {"dst": "minus"}, elew_op="TL_SUB"),
        op("again", "rearange", {"src": "minus"}, {"dst": "renewed"}, start=0, stop=3, step=0.5),
        create("photo", [5, 6, 3], dtype="TL_UINT8"),
        op("centre", "submean", {"src": "photo"}, {"dst": "planes"}, mean=[1, 2, 3.5], dtype="TL_FLOAT"),
        show("renewed"),
        show("norm"),
        op("file", "fprint", {"src": "planes"}, {}, msg="planes:", file="planes.txt"),
    ]  # fmt: skip


def rarities() -> list[Op]:
    """Operators that load but that the cpu target cannot compile."""
    return [
        create("x", [2, 8], list(range(16))),
        create("y", [2, 8]),
        op("stack", "gather", {"src1": "x", "src2": "y"}, {"dst": "stacked"}),
        op("split", "scatter", {"src": "stacked"}, {"dst1": "first", "dst2": "second"}),
        op("save", "svmr", {"src": "first"}, {"dst": "saved"}),
        op("restore", "ldmr", {"src": "second"}, {"dst": "restored"}),
        op("flat", "reshape", {"src": "saved"}, {"dst": "row"}, dims=[16]),
        op("sorted", "sort1d", {"src_key": "row"}, {"dst_key": "ordered"}, dir="TL_SORT_DIR_DESCENDING"),
        create("small", [1, 4, 5, 5]),
        create("kernel", [4, 3, 3, 3]),
        create("bias", [6]),
        op(
            "unconv", "deconv2d", {"src": "small", "weight": "kernel", "bias": "bias"}, {"dst": "large"},
            group=2, size=[3, 3], stride=[2, 2], output_dims=[0, 0, 0, 0], padding=[1, 1, 0, 0], output_padding=[0, 0],
            dilation=[1, 1], autopad="NOTSET",
        ),
        create("feature", [1, 21, 4, 4]),
        create("anchors", [3, 2]),
        op(
            "detect", "detect_yolov3", {"feature": "feature", "anchors": "anchors"},
            {"box_centers": "centers", "box_sizes": "sizes", "boxes": "boxes", "confs": "confs", "probs": "probs"},
            img_width=64, img_height=64,
        ),
        create("delta", [1, 2, 3, 3, 4]),
        create("anchor", [1, 2, 3, 3, 4]),
        op(
            "decode", "transform_bboxSQD", {"src_delta": "delta", "src_anchor": "anchor"}, {"dst": "decoded"},
            width=3, height=3, img_width=64, img_height=48, x_shift=0, y_shift=-1,
        ),
        op("out", "relu", {"src": "decoded"}, {"dst": "positive"}),
    ]  # fmt: skip


MODELS = {"small": small, "pairs": pairs, "network": network, "vectors": vectors, "rarities": rarities}


def model(name: str) -> dict[str, Any]:
    return {"ops": MODELS[name]()}
