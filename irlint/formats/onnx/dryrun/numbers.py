"""The dry-run operators of ONNX's products, quantisation, transforms and losses."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.mapping import FromAttr
from irlint.dryrun.tensor import scalar
from irlint.formats.onnx.dryrun.calls import (
    FILTER,
    GEMM,
    WINDOW_KEYS,
    Make,
    NodeAttrs,
    Setting,
    always,
    dtype_of,
    from_opset,
    having,
    needed,
    of,
    taking,
)


def _output_dtype(a: NodeAttrs) -> str | None:
    return a.dtype("output_dtype") if a.get("output_dtype", 0) else None


_SCALE_KEYS = {"block": "block_size", "dtype": "output_dtype"}
_SCALING: dict[str, Any] = {"axis": 1, "block": of("block_size", 0), "dtype": Setting(_output_dtype)}
_SIDES: dict[str, Any] = {"inverse": False, "onesided": False}
_LOSS: dict[str, Any] = {"reduction": "mean", "ignore_index": None}
CALLS: dict[str, Make] = {
    "MatMul": having("shared/matrix.MatMul"),
    "MatMulInteger": having("onnx/scales.ProductOfIntegers"),
    "QLinearMatMul": having("onnx/scales.ScaledProduct"),
    "DynamicQuantizeLinear": having("onnx/scales.QuantizeOwnRange"),
    "Det": having("shared/linear.Determinant", scalar=True),
    "Gemm": taking("shared/dense.ProductPlus", **GEMM, beta=1.0),
    "Einsum": taking("shared/attention.Einsum", equation=needed("equation", str)),
    "QuantizeLinear": taking("onnx/scales.QuantizeBy", _SCALE_KEYS, **_SCALING, saturate=True),
    "DequantizeLinear": taking("onnx/scales.DequantizeBy", _SCALE_KEYS, **_SCALING),
    "QLinearConv": taking("onnx/scales.ScaledFilter", WINDOW_KEYS, **FILTER),
    "DFT": from_opset(
        20,
        taking("onnx/spectra.SpectrumTransform", **_SIDES),
        taking(
            "onnx/spectra.SpectrumTransform",
            inputs=lambda a: [0, a.at(1), FromAttr("axis", scalar(a.get("axis", 1)))],
            **_SIDES,
        ),
    ),
    "STFT": taking("onnx/spectra.ShortTransform", onesided=True),
    "MelWeightMatrix": taking("onnx/spectra.MelFilters", dtype=dtype_of("output_datatype", "float32")),
    "NegativeLogLikelihoodLoss": taking("onnx/training.ClassLoss", **_LOSS, scores=always(False)),
    "SoftmaxCrossEntropyLoss": taking("onnx/training.ClassLoss", **_LOSS, scores=always(True)),
}
for _name, _terms in {
    "HannWindow": (0.5, -0.5),
    "HammingWindow": (25 / 46, -21 / 46),
    "BlackmanWindow": (0.42, -0.5, 0.08),
}.items():
    CALLS[_name] = taking(
        "onnx/spectra.CosineWindow", terms=always(_terms), periodic=True, dtype=dtype_of("output_datatype", "float32")
    )
