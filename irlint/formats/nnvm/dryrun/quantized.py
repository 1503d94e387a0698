"""MXNet's quantized operators: which one of the dry run each is."""

from __future__ import annotations

from collections.abc import Sequence
from operator import not_

from irlint.dryrun.entries import Entry, Of, Row, plain
from irlint.dryrun.errors import counted
from irlint.dryrun.mapping import Complete
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import Completion, Known, SymbolAttrs, dense
from irlint.formats.nnvm.dryrun.mxnet import CONVOLUTION, DENSE, POOLING, kernels


def _ranges(first: int, count: int) -> Known:
    return dict.fromkeys(range(first, first + count), (1,))


def _two_ranges(_: SymbolAttrs) -> Complete:
    return lambda _: _ranges(1, 2)


def _kind(attrs: SymbolAttrs) -> str:
    """The integers asked for; "auto" goes by whether the range has numbers below zero."""
    kind, low = str(attrs["out_type"]), attrs["min_calib_range"]
    if kind != "auto":
        return kind
    return "int8" if low is None or low < 0 else "uint8"


def _told(word: str) -> Entry:
    return Entry(
        f"mxnet/quantised.{word}",
        {"kind": _kind, "told": ("min_calib_range", "max_calib_range")},
        complete=lambda _: lambda tensors: _ranges(1, len(tensors) - 1),
    )


def _multiplied(real: Entry, weights: Completion) -> Entry:
    """A layer with weights: everything but the ranges is as without quantization."""

    def completion(attrs: SymbolAttrs) -> Complete:
        bias, inner = not attrs["no_bias"], weights(attrs)

        def complete(tensors: Sequence[Tensor]) -> Known:
            known = inner(tensors[: 2 + bias])
            if (data := tensors[0].shape) is not None and len(data) > 3 and 1 in known:
                known[1] = known[1][: len(data)]  # of a longer kernel the first numbers count
            return {**known, **_ranges(2 + bias, 4 + 2 * bias)}

        return complete

    return real.having({"bias": Of("no_bias", not_)}, inner=real.operator)._replace(
        operator="mxnet/quantised.Multiplied",
        complete=completion,
        apart=False,
    )


def _kept(real: Entry) -> Entry:
    return real.having(inner=real.operator)._replace(operator="mxnet/quantised.QuantisedKept", complete=_two_ranges)


def _joined(attrs: SymbolAttrs) -> Complete:
    count = counted(attrs["num_args"])
    return lambda _: _ranges(count, 2 * count)


CALLS: dict[str, Row] = {
    "_contrib_quantize": Entry("mxnet/quantised.QuantizeBetween", {"kind": "out_type"}, complete=_two_ranges),
    "_contrib_quantize_v2": _told("Quantize"),
    "_contrib_requantize": _told("Requantize"),
    "_contrib_dequantize": plain("mxnet/quantised.Dequantize"),
    "_contrib_quantized_conv": _multiplied(CONVOLUTION, kernels()),
    "_contrib_quantized_fully_connected": _multiplied(DENSE, dense("num_hidden")),
    "_contrib_quantized_act": _kept(Entry("shared/unary.Formula", {"function": "act_type"})),
    "_contrib_quantized_pooling": _kept(POOLING),
    "_contrib_quantized_flatten": _kept(plain("mxnet/layout.Flatten")),
    "_contrib_quantized_concat": Entry(
        "mxnet/quantised.QuantisedConcat",
        {"count": Of("num_args", counted), "axis": "dim"},
        complete=_joined,
    ),
}
