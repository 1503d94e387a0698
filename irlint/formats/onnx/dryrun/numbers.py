"""The dry-run operators of ONNX's products, quantisation, transforms and losses."""

from __future__ import annotations

from irlint.dryrun.mapping import Call, FromAttr
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import scalar
from irlint.formats.onnx.dryrun.calls import WINDOW_KEYS, Attrs, Make, having

CALLS: dict[str, Make] = {
    "MatMul": having("matrix.MatMul"),
    "MatMulInteger": having("scales.ProductOfIntegers"),
    "QLinearMatMul": having("scales.ScaledProduct"),
    "DynamicQuantizeLinear": having("scales.QuantizeOwnRange"),
    "Det": having("linear.Determinant", scalar=True),
}
CALLS["Gemm"] = lambda a: Call(
    operator("dense.ProductPlus"),
    {
        "transpose_a": a.get("transA", False),
        "transpose_b": a.get("transB", False),
        "alpha": a.get("alpha", 1.0),
        "beta": a.get("beta", 1.0),
    },
)
CALLS["Einsum"] = lambda a: Call(operator("attention.Einsum"), {"equation": a.need("equation", str)})


def _quantized(a: Attrs) -> Call:
    attrs = {
        "axis": a.get("axis", 1),
        "block": a.get("block_size", 0),
        "dtype": a.dtype("output_dtype") if a.get("output_dtype", 0) else None,
        "saturate": a.get("saturate", True),
    }
    return Call(operator("scales.QuantizeBy"), attrs, None, {"block": "block_size", "dtype": "output_dtype"})


def _dequantized(a: Attrs) -> Call:
    attrs = {
        "axis": a.get("axis", 1),
        "block": a.get("block_size", 0),
        "dtype": a.dtype("output_dtype") if a.get("output_dtype", 0) else None,
    }
    return Call(operator("scales.DequantizeBy"), attrs, None, {"block": "block_size", "dtype": "output_dtype"})


CALLS["QuantizeLinear"], CALLS["DequantizeLinear"] = _quantized, _dequantized
CALLS["QLinearConv"] = lambda a: Call(
    operator("scales.ScaledFilter"),
    {"kernel": a.get("kernel_shape", None), "groups": a.get("group", 1), **a.windows()},
    None,
    WINDOW_KEYS,
)


def _transform(a: Attrs) -> Call:
    attrs = {"inverse": a.get("inverse", False), "onesided": a.get("onesided", False)}
    if a.opset >= 20:
        return Call(operator("spectra.Transform"), attrs)
    return Call(operator("spectra.Transform"), attrs, [0, a.at(1), FromAttr("axis", scalar(a.get("axis", 1)))])


CALLS["DFT"] = _transform
CALLS["STFT"] = lambda a: Call(operator("spectra.ShortTransform"), {"onesided": a.get("onesided", True)})
_TERMS = {"HannWindow": (0.5, -0.5), "HammingWindow": (25 / 46, -21 / 46), "BlackmanWindow": (0.42, -0.5, 0.08)}
for _name, _terms in _TERMS.items():
    CALLS[_name] = lambda a, terms=_terms: Call(  # type: ignore[misc]
        operator("spectra.CosineWindow"),
        {"terms": terms, "periodic": a.get("periodic", True), "dtype": a.dtype("output_datatype", "float32")},
    )
CALLS["MelWeightMatrix"] = lambda a: Call(
    operator("spectra.MelFilters"), {"dtype": a.dtype("output_datatype", "float32")}
)


def _loss(scores: bool) -> Make:
    return lambda a: Call(
        operator("training.ClassLoss"),
        {
            "reduction": a.get("reduction", "mean"),
            "ignore_index": a.get("ignore_index", None),
            "scores": scores,
        },
    )


CALLS |= {"NegativeLogLikelihoodLoss": _loss(False), "SoftmaxCrossEntropyLoss": _loss(True)}
