"""MXNet's quantized operators: which one of the dry run each is."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun.errors import Undecided, counted
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import Known, Make, SymbolAttrs, bare
from irlint.formats.nnvm.dryrun.mxnet import CALLS as PLAIN

_WORDS = {"Convolution": "mxnet/biased.ConvolutionBias", "FullyConnected": "shared/dense.Dense"}


def _ranges(first: int, count: int) -> Known:
    return dict.fromkeys(range(first, first + count), (1,))


def _kind(attrs: SymbolAttrs) -> str:
    """The integers asked for; "auto" goes by whether the range has numbers below zero."""
    kind, low = str(attrs["out_type"]), attrs["min_calib_range"]
    if kind != "auto":
        return kind
    return "int8" if low is None or low < 0 else "uint8"


def _told(word: str) -> Make:
    def make(attrs: SymbolAttrs) -> Call:
        given = {"kind": _kind(attrs), "told": (attrs["min_calib_range"], attrs["max_calib_range"])}
        return Call(operator(word), given, complete=lambda tensors: _ranges(1, len(tensors) - 1))

    return make


def _quantize(attrs: SymbolAttrs) -> Call:
    return Call(
        operator("mxnet/quantised.QuantizeBetween"), {"kind": attrs["out_type"]}, complete=lambda _: _ranges(1, 2)
    )


def _multiplied(name: str) -> Make:
    """A layer with weights: everything but the ranges is as without quantization."""

    def make(attrs: SymbolAttrs) -> Call:
        real = PLAIN[name](attrs)
        bias = not attrs["no_bias"]
        given = {**real.attrs, "inner": _WORDS[name], "bias": bias}

        def complete(tensors: Sequence[Tensor]) -> Known:
            known = real.complete(tensors[: 2 + bias]) if real.complete is not None else {}
            if (data := tensors[0].shape) is not None and len(data) > 3 and 1 in known:
                known[1] = known[1][: len(data)]  # of a longer kernel the first numbers count
            return {**known, **_ranges(2 + bias, 4 + 2 * bias)}

        return Call(operator("mxnet/quantised.Multiplied"), given, None, real.keys, complete=complete)

    return make


def _kept(inner: str, name: str | None = None) -> Make:
    def make(attrs: SymbolAttrs) -> Call:
        real = PLAIN[name](attrs).attrs if name is not None else {}
        return Call(
            operator("mxnet/quantised.QuantisedKept"), {**real, "inner": inner}, complete=lambda _: _ranges(1, 2)
        )

    return make


def _joined(attrs: SymbolAttrs) -> Call:
    count = counted(attrs["num_args"])
    given = {"count": count, "axis": attrs["dim"]}
    return Call(operator("mxnet/quantised.QuantisedConcat"), given, complete=lambda _: _ranges(count, 2 * count))


def _activation(attrs: SymbolAttrs) -> Call:
    if attrs["act_type"] != "relu":
        raise Undecided
    return _kept("shared/activation.Activation", "Activation")(attrs)


CALLS: dict[str, Make] = {
    "_contrib_quantize": _quantize,
    "_contrib_quantize_v2": _told("mxnet/quantised.Quantize"),
    "_contrib_requantize": _told("mxnet/quantised.Requantize"),
    "_contrib_dequantize": bare("mxnet/quantised.Dequantize"),
    "_contrib_quantized_conv": _multiplied("Convolution"),
    "_contrib_quantized_fully_connected": _multiplied("FullyConnected"),
    "_contrib_quantized_act": _activation,
    "_contrib_quantized_pooling": _kept("mxnet/pool_convention.PoolConvention", "Pooling"),
    "_contrib_quantized_flatten": _kept("mxnet/layout.Flatten"),
    "_contrib_quantized_concat": _joined,
}
