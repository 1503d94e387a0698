"""The dry-run operators of ONNX's products, quantisation, transforms and losses."""

from __future__ import annotations

from irlint.dryrun.entries import Entry, Row, Spec, plain
from irlint.formats.onnx.dryrun.calls import FILTER, GEMM, element_type

_SCALING: dict[str, Spec] = {"axis": "axis", "block": "block_size", "dtype": element_type("output_dtype", nothing=0)}
_SPECTRUM = plain("onnx/spectra.SpectrumTransform", "inverse", "onesided")
_LOSS = plain("onnx/training.ClassLoss", "reduction", "ignore_index")
_WINDOW = Entry("onnx/spectra.CosineWindow", {"periodic": "periodic", "dtype": element_type("output_datatype")})
CALLS: dict[str, Row] = {
    "MatMul": plain("shared/matrix.MatMul"),
    "MatMulInteger": plain("onnx/scales.ProductOfIntegers"),
    "QLinearMatMul": plain("onnx/scales.ScaledProduct"),
    "DynamicQuantizeLinear": plain("onnx/scales.QuantizeOwnRange"),
    "Det": plain("shared/linear.Determinant", scalar=True),
    "Gemm": Entry("shared/dense.ProductPlus", {**GEMM, "beta": "beta"}),
    "Einsum": plain("shared/attention.Einsum", "equation"),
    "QuantizeLinear": Entry("onnx/scales.QuantizeBy", {**_SCALING, "saturate": "saturate"}),
    "DequantizeLinear": Entry("onnx/scales.DequantizeBy", _SCALING),
    "QLinearConv": Entry("onnx/scales.ScaledFilter", FILTER),
    "DFT": {20: _SPECTRUM, 1: _SPECTRUM._replace(operands=(0, 1, "axis"))},
    "STFT": plain("onnx/spectra.ShortTransform", "onesided"),
    "MelWeightMatrix": Entry("onnx/spectra.MelFilters", {"dtype": element_type("output_datatype")}),
    "NegativeLogLikelihoodLoss": _LOSS,
    "SoftmaxCrossEntropyLoss": _LOSS.having(scores=True),
    "HannWindow": _WINDOW.having(terms=(0.5, -0.5)),
    "HammingWindow": _WINDOW.having(terms=(25 / 46, -21 / 46)),
    "BlackmanWindow": _WINDOW.having(terms=(0.42, -0.5, 0.08)),
}
