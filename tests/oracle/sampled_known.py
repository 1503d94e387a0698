"""Differences between irlint and the runtimes that stay, each with its reason. Those of numbers are in docs/run.md, too."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any, NamedTuple


class Known(NamedTuple):
    """Kinds of difference of some operators (patterns), of samples with all of the traits, whose words hold one of `says`."""

    operators: str
    kinds: str
    reason: str
    traits: str = ""
    says: tuple[str, ...] = ("",)


ONNX = (  # onnxruntime 1.32
    Known("AveragePool MaxPool LpPool", "false error", "a window for which there is no place: onnxruntime outputs nothing, which nobody means", says=("D001",)),
    Known("AveragePool MaxPool LpPool", "type numbers missed", "docs/run.md: onnxruntime pads for the window without its dilation", "same dilated"),
    Known("MaxPool", "missed", "negative padding by SAME: its kernel for plain windows refuses it, the one for all others leaves elements out", "same", ("padding values must be",)),
    Known("*Max* *Min* Hardmax TopK", "numbers", "docs/run.md: the place of NaN depends on the order of comparisons", "nan"),
    Known("AveragePool MaxPool LpPool", "type", "the same where a length is open: irlint infers 1 window or more", "open"),
    Known("Reduce*", "numbers", "sums beyond 2^53 are rounded in another order", "large int64"),
    Known("RNN GRU LSTM", "numbers", "docs/run.md: its sigmoid and tanh make numbers of NaN", "nan"),
    Known("Resize", "numbers", "docs/run.md: align_corners with scales", "align_corners scales"),
    Known("Resize RoiAlign", "numbers", "docs/run.md: NaN and infinity times a weight of 0", "large"),
    Known("Resize RoiAlign", "numbers", "docs/run.md: NaN and infinity times a weight of 0", "nan"),
    Known("Squeeze", "missed", "an input named '' is left out, says onnx; onnxruntime fails when it runs", says=("Axes input is null",)),
    Known("GridSample", "numbers", "docs/run.md: weights of places beyond 2^24", "large"),
    Known("Resize", "numbers", "docs/run.md: integers", says=("by 1: ",)),
    Known("Resize", "missed", "cubic without antialias is computed for floats only: the kernel fails when it runs, whatever the file says", says=("Tensor type mismatch",)),
    Known("LRN", "numbers", "docs/run.md: sums that run along the channels keep NaN and infinity", "large"),
    Known("LRN", "numbers", "docs/run.md: sums that run along the channels keep NaN and infinity", "nan"),
    Known("LogSoftmax Softmax", "numbers", "docs/run.md: infinity in 64 bits", "inf float64"),
    Known("*Normalization", "numbers", "squares of numbers beyond 1e19 overflow in 32 bits, in another order", "large"),
)  # fmt: skip
ARITHMETIC = "*.Add *.Subtract *.Multiply *.Divide *.Mod *.FloorMod *.SquaredDifference *.Power *.Negative *.Abs *.Reduce* *.CumSum *.Maximum *.Minimum"
INTEGERS = "docs/run.md: arithmetic of integers"
OPENVINO = (  # 2026.4.1, CPU
    *(Known(ARITHMETIC, "numbers", INTEGERS, kind) for kind in ("uint8", "int8")),
    *(Known("*", "numbers", INTEGERS, f"large {kind}") for kind in ("int32", "int64")),
    Known("*Pool", "numbers", "docs/run.md: AvgPool with `exclude-pad` and `ceil`", "ceil"),
    Known("*.MaxPool", "numbers", "docs/run.md: NaN in MaxPool", "nan"),
    *(Known("*.Exp *.Gelu *Softmax *.Maximum *.Minimum *.Mish *.HSwish *.SoftPlus *.Tanh *.Sigmoid *.Elu *.HSigmoid *.Clamp *.Relu *.FakeQuantize *.PRelu *.Power *.Divide *.Erf *.Log *.SoftSign",
            "numbers", "docs/run.md: vectors of NaN and infinity", kind) for kind in ("nan", "inf")),
    *(Known("*.ROIAlign *.GridSample *.Interpolate", "numbers", "docs/run.md: NaN and infinity times a weight of 0", kind) for kind in ("nan", "inf", "large")),
    Known("*.Convert *.ConvertLike", "numbers", "docs/run.md: Convert with open shapes saturates", "open"),
    Known("*.Interpolate", "numbers", "docs/run.md: Interpolate of u8", says=("by 1: ",)),
    Known("opset12.Pad", "does", "padding by what is left of an axis where nothing is left", says=("empty axis",)),
    Known("opset1.Reshape", "does", "a 0 that stands for a length is not checked against the number of elements: the plug-in reads what is behind them", says=("cannot reshape",)),
    Known("*.Mod *.FloorMod", "numbers", "docs/run.md: vectors of NaN and infinity", "inf"),
    Known("opset1.StridedSlice", "false numbers", "an axis that is dropped is not checked where the steps or the beginnings are a parameter: the plug-in reads elsewhere", "int64"),
    Known("opset1.NormalizeL2", "numbers", "without axes every number is divided by its absolute value: the plug-in loses the sign"),
    Known("opset1.VariadicSplit", "missed", "a list of lengths of open length leaves the reader without outputs", "open", ("node index",)),
    Known("opset4.Range", "numbers", "a step away from the stop: the specification says nothing comes out; the plug-in takes the distance"),
    Known("*.SpaceToBatch", "numbers", "blocks of channels of several images: OpenVINO's own `evaluate` equals irlint, the plug-in does not"),
    Known("*.SpaceToBatch *.BatchToSpace *.ROIAlign *.GatherElements *.AdaptiveAvgPool *.AdaptiveMaxPool *.Pad *.Reshape *Convolution*", "numbers type missed does", "of tensors without elements the plug-in makes memory that nobody wrote, or other sizes", "empty"),
    Known("*.Broadcast *.Tile", "numbers", "with an empty list, of which nothing is written into the output", says=("",)),
    Known("*.AvgPool *.MaxPool", "type", "a window larger than data of open lengths: the plug-in outputs a tensor of zero lengths", "open"),
    Known("*.Split *.Pad", "does type", "what the reader checks of known lengths, the plug-in does not check of open ones", "open"),
    Known("*.Reduce*", "numbers", "no axes, given by a parameter: the output has no elements", says=("[0",)),
    Known("*.Negative", "missed", "the plug-in makes a constant -1 of the type, which u8 cannot hold", "uint8"),
    Known("*.ROIAlign", "missed", "the plug-in wants to know that a region has 4 numbers", "open", ("proposalsDims",)),
    Known("*.MatMul", "numbers", "a product of open shapes with both matrices transposed reads memory that nobody wrote", "open"),
)  # fmt: skip
MXNET = (  # 1.9.1
    Known("sort argsort topk", "missed", "its kernels do not sort halves; the symbol says nothing of the types that it is run with", "float16"),
    Known("amp_multicast", "missed", "mkldnn has no integers of 64 bits", "int64"),
    Known("_np_* _npi_* nansum nanprod", "numbers", "sums with a correction, which makes NaN of infinity", "inf"),
    *(Known("_npi_var _npi_std norm mean _npi_square _power *hypot* _npi_ldexp _contrib_quantize_v2", "numbers", "docs/run.md: integers", kind) for kind in ("int8", "uint8", "int32", "int64")),
    *(Known("moments LayerNorm InstanceNorm L2Normalization norm _linalg* softmax log_softmax", "numbers", "docs/run.md: NaN, infinity and overflow", kind) for kind in ("nan", "inf", "large")),
    Known("topk sort argsort", "numbers", "docs/run.md: NaN, infinity and overflow", "nan"),
    Known("slice slice_axis", "missed", "a tensor without elements, of which MXNet's classic operators cannot allocate memory", says=("delay_alloc",)),
    Known("LRN", "missed", "its kernel is for 32 bits; the symbol says nothing of the types that it is run with", "float64"),
    Known("_contrib_MultiBox* _contrib_box_* _contrib_ROIAlign ROIPooling BilinearSampler SpatialTransformer", "numbers", "which of two numbers is larger, where one is NaN", "nan"),
    Known("_mod broadcast_mod _npi_mod _rmod_scalar _mod_scalar", "numbers", "64-bit integers are divided as floating point", "large int64"),
    Known("_histogram", "does numbers", "the limits are cut to the type of the data", says=("",)),
    Known("_image_normalize", "numbers", "of integers: every step is cut to an integer"),
)  # fmt: skip
NCNN = (  # 1.0.20261020
    Known("Quantize", "type", "the Python package returns 8 bits as the floats that the judge reads", says=("int8",)),
    Known("*", "numbers", "docs/run.md: NaN, infinity and overflow", "nan"),
    Known("*", "numbers", "docs/run.md: NaN, infinity and overflow", "inf"),
    Known("*", "numbers", "docs/run.md: NaN, infinity and overflow", "large"),
    Known("*Detection* Proposal", "does not run", "irlint has no kernels for them"),
)  # fmt: skip
ROWS = {"onnx": ONNX, "openvino": OPENVINO, "mxnet": MXNET, "ncnn": NCNN}


def reason(format_: str, sample: Any, found: Any) -> str:
    """Why a difference stays; empty if nobody knows."""
    for row in ROWS[format_]:
        if (
            any(fnmatchcase(sample.operator, pattern) for pattern in row.operators.split())
            and any(found.kind.startswith(word) for word in row.kinds.split())
            and sample.traits.issuperset(row.traits.split())
            and any(words in found.what for words in row.says)
        ):
            return row.reason
    return ""
