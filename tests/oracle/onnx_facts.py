"""What the schemas of ONNX do not say, written by hand: purposes, values and ranges of attributes, runtimes, names from elsewhere.

Values and ranges are from the operators' documents in onnx (docs/Operators.md, Changelog.md); who refuses others is measured by onnx_refusals.py.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from oracle.onnx_refused import REFUSED

Facts = dict[str, Any]
ANY = 9999  # later than any opset
JUDGED = ("values", "min", "max", "above", "finite")  # facts of values of which onnx_refused.py says who refuses others

DOCS = {
    "Add": "Adds two tensors element by element", "And": "Logical and of two tensors", "ArgMax": "Indices of the largest elements along an axis",
    "Attention": "Scaled dot-product attention", "AveragePool": "Averages over windows", "BatchNormalization": "Normalizes channels with stored mean and variance",
    "Cast": "Converts the element type", "Clip": "Limits elements to a range", "Concat": "Joins tensors along an axis", "Constant": "A tensor written in the model",
    "ConstantOfShape": "A tensor of one value, of a shape that is an input", "Conv": "Convolution", "ConvTranspose": "Transposed convolution",
    "CumSum": "Running sum along an axis", "DepthToSpace": "Moves channels into blocks of pixels", "DequantizeLinear": "Integers to numbers by scale and zero point",
    "Div": "Divides two tensors element by element", "Dropout": "Drops elements in training; nothing at inference", "Einsum": "Einstein summation",
    "Elu": "Exponential linear unit", "Equal": "Compares two tensors for equality", "Erf": "Error function", "Exp": "Exponential function",
    "Expand": "Broadcasts to a shape", "Flatten": "Makes a matrix of a tensor", "GRU": "Gated recurrent unit", "Gather": "Picks slices by index along an axis",
    "GatherElements": "Picks elements by index along an axis", "GatherND": "Picks slices by index tuples", "Gelu": "Gaussian error linear unit",
    "Gemm": "Matrix product with optional addend", "GlobalAveragePool": "Averages over all pixels of a channel", "GlobalMaxPool": "Largest pixel of a channel",
    "GroupNormalization": "Normalizes groups of channels", "HardSigmoid": "Piecewise linear sigmoid", "HardSwish": "x * HardSigmoid(x)", "Identity": "Copies its input",
    "If": "Runs one of two graphs", "InstanceNormalization": "Normalizes each channel of each sample", "LRN": "Local response normalization",
    "LSTM": "Long short-term memory", "LayerNormalization": "Normalizes over the last axes", "LeakyRelu": "Rectified linear unit with a slope below zero",
    "Less": "Compares two tensors element by element", "Log": "Natural logarithm", "LogSoftmax": "Logarithm of softmax", "Loop": "Runs a graph repeatedly",
    "MatMul": "Matrix product", "Max": "Largest of tensors, element by element", "MaxPool": "Largest element of windows", "Min": "Smallest of tensors, element by element",
    "Mul": "Multiplies two tensors element by element", "Neg": "Changes the sign", "NonMaxSuppression": "Filters boxes that overlap", "NonZero": "Indices of elements that are not 0",
    "Not": "Logical not", "OneHot": "One-hot vectors of indices", "PRelu": "Leaky ReLU with slopes that are an input", "Pad": "Adds a border", "Pow": "Power, element by element",
    "QLinearConv": "Convolution of quantized tensors", "QLinearMatMul": "Matrix product of quantized tensors", "QuantizeLinear": "Numbers to integers by scale and zero point",
    "RNN": "Plain recurrent network", "Range": "Numbers from start to limit by a step", "ReduceMax": "Largest element over axes", "ReduceMean": "Mean over axes",
    "ReduceSum": "Sum over axes", "Relu": "Rectified linear unit", "Reshape": "Gives the elements another shape", "Resize": "Resizes by interpolation",
    "Scan": "Runs a graph over slices of its inputs", "ScatterElements": "Writes elements by index along an axis", "ScatterND": "Writes slices by index tuples",
    "Shape": "The shape of a tensor", "Sigmoid": "1 / (1 + exp(-x))", "Slice": "Cuts a part out of a tensor", "Softmax": "Softmax along an axis",
    "SpaceToDepth": "Moves blocks of pixels into channels", "Split": "Splits a tensor along an axis", "Sqrt": "Square root", "Squeeze": "Removes dimensions of size 1",
    "Sub": "Subtracts two tensors element by element", "Sum": "Sum of tensors", "Tanh": "Hyperbolic tangent", "Tile": "Repeats along axes",
    "TopK": "Largest or smallest elements along an axis", "Transpose": "Reorders axes", "Unsqueeze": "Inserts dimensions of size 1", "Upsample": "Enlarges by interpolation; Resize since opset 10",
    "Where": "Picks elements of two tensors by a condition",
    "com.microsoft.BiasGelu": "Gelu of a sum with a bias", "com.microsoft.FastGelu": "Gelu by its tanh approximation", "com.microsoft.FusedConv": "Convolution with an activation",
    "com.microsoft.FusedMatMul": "Matrix product with transpositions and a factor", "com.microsoft.GroupQueryAttention": "Attention with groups of query heads and a cache",
    "com.microsoft.MatMulNBits": "Matrix product with weights of a few bits in blocks", "com.microsoft.MultiHeadAttention": "Multi-head attention",
    "com.microsoft.RotaryEmbedding": "Rotary position embedding", "com.microsoft.SkipLayerNormalization": "Layer normalization of a sum",
}  # fmt: skip

POOLS = "AveragePool LpPool MaxPool"
CONVS = "Conv ConvInteger ConvTranspose QLinearConv"
MICROSOFT_WINDOWS = (
    "com.microsoft.FusedConv com.microsoft.MaxpoolWithMask com.microsoft.NhwcConv com.microsoft.NhwcFusedConv com.microsoft.NhwcMaxPool com.microsoft.QLinearAveragePool"
    " com.microsoft.QLinearConv com.microsoft.nchwc.AveragePool com.microsoft.nchwc.Conv com.microsoft.nchwc.MaxPool"
)
DYNAMIC_PADS = "com.microsoft.ConvTransposeWithDynamicPads"
WINDOWS = f"{POOLS} {CONVS} MaxUnpool DeformConv {DYNAMIC_PADS} {MICROSOFT_WINDOWS}"
REDUCE = (
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare"
)
LSTMS = "com.microsoft.DynamicQuantizeLSTM com.microsoft.AttnLSTM"
CLASSIFIERS = "SVMClassifier SVMRegressor LinearClassifier LinearRegressor TreeEnsembleClassifier TreeEnsembleRegressor"
TREES = "ai.onnx.ml.TreeEnsembleClassifier ai.onnx.ml.TreeEnsembleRegressor"
ML = " ".join(f"ai.onnx.ml.{name}" for name in CLASSIFIERS.split())
FLAG: Facts = {"min": 0, "max": 1}
INT32: Facts = {"min": -(1 << 31), "max": (1 << 31) - 1}  # onnx and onnxruntime read the lower 32 bits
POSITIVE: Facts = {"min": 1}
FUSED = "Relu Tanh Sigmoid LeakyRelu ThresholdedRelu ScaledTanh HardSigmoid Elu Selu Celu Softsign Softplus ParametricSoftplus"
ACTIVATIONS = "Relu Tanh Sigmoid Affine LeakyRelu ThresholdedRelu ScaledTanh HardSigmoid Elu Softsign Softplus"


def enum(words: str, taken: str = "") -> Facts:
    """Return what an operator takes, and words of other opsets that all runtimes take nevertheless."""
    return {"values": words.split(), **({"taken": taken.split()} if taken else {})}


# Operators, attribute, facts, first and last version of the operator that they are true of.
ROWS: tuple[tuple[Any, ...], ...] = (
    # Windows
    (WINDOWS, "auto_pad", {**enum("NOTSET SAME_UPPER SAME_LOWER VALID"), "taken": [""]}),  # for NOTSET: onnxruntime 1.32 and OpenVINO 2026.4.1
    (WINDOWS, "kernel_shape", {"min": 1, "per_axis": 1}),
    (WINDOWS, "strides", {"min": 1, "per_axis": 1, "each": 1}),
    (WINDOWS, "dilations", {"min": 1, "per_axis": 1, "each": 1}),
    (WINDOWS, "pads", {"min": 0, "per_axis": 2, "each": 0}),
    ("Col2Im", "dilations", {"min": 1, "per_axis": 1, "each": 1}),
    ("Col2Im", "strides", {"min": 1, "per_axis": 1, "each": 1}),
    ("Col2Im", "pads", {"min": 0, "per_axis": 2, "each": 0}),
    ("ConvTranspose " + DYNAMIC_PADS, "output_padding", {"min": 0, "per_axis": 1, "each": 0}),
    ("ConvTranspose", "output_shape", {"min": 1}),
    (f"{CONVS} DeformConv {DYNAMIC_PADS} {MICROSOFT_WINDOWS}", "group", POSITIVE),
    ("DeformConv", "offset_group", POSITIVE),
    (f"{POOLS} {MICROSOFT_WINDOWS}", "ceil_mode", FLAG),
    ("AveragePool com.microsoft.QLinearAveragePool com.microsoft.nchwc.AveragePool", "count_include_pad", FLAG),
    ("MaxPool", "storage_order", FLAG),
    ("LpPool GlobalLpPool", "p", POSITIVE),
    ("LpNormalization", "p", {"min": 1, "max": 2}),
    ("MaxRoiPool", "pooled_shape", {"min": 1, "length": 2}),
    ("RoiAlign", "mode", enum("avg max")),
    ("RoiAlign", "coordinate_transformation_mode", enum("half_pixel output_half_pixel")),
    ("RoiAlign", "output_height", POSITIVE),
    ("RoiAlign", "output_width", POSITIVE),
    ("RoiAlign", "sampling_ratio", {"min": 0}),
    ("LRN", "size", POSITIVE),
    ("LRN", "alpha beta", {"above": 0}),
    # Moving elements
    ("Upsample", "mode", enum("nearest bilinear"), 1, 1),
    ("Upsample", "mode", enum("nearest linear"), 7),
    ("Upsample", "scales", {"min": 1, "per_dim": 1}),
    ("Upsample", "height_scale", {"min": 1}),
    ("Upsample", "width_scale", {"min": 1}),
    ("Resize", "mode", enum("nearest linear"), 10, 10),
    ("Resize", "mode", enum("nearest linear cubic"), 11),
    ("Resize", "coordinate_transformation_mode", enum("half_pixel pytorch_half_pixel align_corners asymmetric tf_half_pixel_for_nn tf_crop_and_resize"), 11, 11),
    ("Resize", "coordinate_transformation_mode", enum("half_pixel pytorch_half_pixel align_corners asymmetric tf_crop_and_resize", taken="tf_half_pixel_for_nn"), 13, 13),
    ("Resize", "coordinate_transformation_mode", enum("half_pixel half_pixel_symmetric pytorch_half_pixel align_corners asymmetric tf_crop_and_resize", taken="tf_half_pixel_for_nn"), 18),
    ("Resize", "nearest_mode", {**enum("round_prefer_floor round_prefer_ceil floor ceil"), "when": "mode == 'nearest'"}),
    ("Resize", "keep_aspect_ratio_policy", enum("stretch not_larger not_smaller")),
    ("Resize", "exclude_outside", FLAG),
    ("Resize", "antialias", FLAG),
    ("Resize", "axes", {"axis_of": 0}),
    ("GridSample", "mode", enum("bilinear nearest bicubic"), 16, 16),
    ("GridSample", "mode", enum("linear nearest cubic"), 20),
    ("com.microsoft.GridSample", "mode", enum("bilinear nearest bicubic")),
    ("GridSample com.microsoft.GridSample", "padding_mode", enum("zeros border reflection")),
    ("GridSample AffineGrid com.microsoft.GridSample", "align_corners", FLAG),
    ("Pad", "mode", enum("constant reflect edge"), 1, 18),
    ("Pad", "mode", enum("constant reflect edge wrap"), 19),
    ("com.microsoft.Pad", "mode", enum("constant reflect edge")),
    ("Pad", "pads paddings", {"per_dim": 2}),
    ("DepthToSpace SpaceToDepth", "mode", enum("DCR CRD")),
    ("DepthToSpace SpaceToDepth", "blocksize", POSITIVE),
    ("ScatterElements ScatterND", "reduction", enum("none add mul", taken="max min"), 16, 16),
    ("ScatterElements ScatterND", "reduction", enum("none add mul min max"), 18),
    ("TensorScatter", "mode", enum("linear circular")),
    ("ImageDecoder", "pixel_format", enum("RGB BGR Grayscale")),
    ("com.microsoft.CropAndResize", "mode", enum("bilinear nearest")),
    ("Transpose", "perm", {"per_dim": 1, "min": 0}),
    ("ReverseSequence", "batch_axis", FLAG),
    ("ReverseSequence", "time_axis", FLAG),
    ("Split", "num_outputs", POSITIVE),
    ("Split", "split", {"min": 0}),
    ("TopK", "k", POSITIVE),
    ("TopK", "largest", FLAG),
    ("TopK Unique", "sorted", FLAG),
    ("Trilu com.microsoft.Trilu", "upper", FLAG),
    ("CumSum CumProd", "exclusive", FLAG),
    ("CumSum CumProd", "reverse", FLAG),
    ("GatherND", "batch_dims", {"min": 0}),
    ("Reshape", "allowzero", FLAG),
    ("NonMaxSuppression", "center_point_box", FLAG),
    ("Crop", "border", {"length": 4}),
    ("Crop", "scale", {"length": 2}),
    # Axes: of the input of that number; past: how many numbers behind the last axis are allowed
    ("ArgMax ArgMin Compress Gather GatherElements Scatter ScatterElements Split LpNormalization Hardmax LogSoftmax Softmax TopK Concat", "axis", {"axis_of": 0}),
    ("Hardmax LogSoftmax Softmax", "axis", INT32),
    ("Cast", "to", INT32, 6),
    ("EyeLike RandomNormalLike RandomUniformLike", "dtype", INT32),
    ("Flatten", "axis", {"axis_of": 0, "past": 1, "min": 0}, 1, 9),
    ("Flatten", "axis", {"axis_of": 0, "past": 1}, 11),
    ("OneHot", "axis", {"axis_of": 0, "past": 1}),
    ("LayerNormalization RMSNormalization Unique SplitToSequence QuantizeLinear DequantizeLinear com.microsoft.QuantizeLinear com.microsoft.DequantizeLinear", "axis", {"axis_of": 0}),
    (REDUCE, "axes", {"axis_of": 0}),
    ("Squeeze", "axes", {"axis_of": 0, "min": 0}, 1, 1),
    ("Squeeze MeanVarianceNormalization CenterCropPad", "axes", {"axis_of": 0}, 9),
    ("Unsqueeze", "axes", {"min": 0}, 1, 1),
    # Arithmetic
    ("BitShift", "direction", enum("LEFT RIGHT")),
    ("Gelu", "approximate", enum("none tanh")),
    ("LeakyRelu ThresholdedRelu HardSigmoid Selu", "alpha", {"finite": True}),
    ("HardSigmoid", "beta", {"finite": True}),
    ("Selu", "gamma", {"finite": True}),
    ("Gemm com.microsoft.FusedGemm com.microsoft.QGemm com.microsoft.FusedMatMul com.microsoft.TransposeMatMul", "transA", FLAG),
    ("Gemm com.microsoft.FusedGemm com.microsoft.QGemm com.microsoft.FusedMatMul com.microsoft.TransposeMatMul", "transB", FLAG),
    ("Mod", "fmod", FLAG),
    ("IsInf", "detect_negative", FLAG),
    ("IsInf", "detect_positive", FLAG),
    (f"{REDUCE} ArgMax ArgMin SplitToSequence", "keepdims", FLAG),
    (REDUCE, "noop_with_empty_axes", FLAG),
    ("ArgMax ArgMin", "select_last_index", FLAG),
    ("DFT STFT", "onesided", FLAG),
    ("DFT", "inverse", FLAG),
    ("BlackmanWindow HammingWindow HannWindow", "periodic", FLAG),
    ("Multinomial", "sample_size", POSITIVE),
    ("Multinomial", "dtype", {"values": [6, 7]}),
    ("NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", "reduction", enum("none sum mean")),
    # Types are numbers of TensorProto.DataType
    ("Cast", "round_mode", enum("up down nearest")),
    ("CastLike", "round_mode", enum("up down nearest")),
    ("Cast CastLike QuantizeLinear", "saturate", FLAG),
    ("QuantizeLinear DequantizeLinear", "block_size", {"min": 0}),
    ("GroupNormalization", "stash_type", {"values": [1, 10, 11, 16]}),
    # Normalization and attention
    ("BatchNormalization", "training_mode", FLAG),
    ("BatchNormalization", "spatial", FLAG),
    ("BatchNormalization Dropout", "is_test", FLAG),
    ("BatchNormalization GroupNormalization InstanceNormalization LayerNormalization RMSNormalization", "epsilon", {"min": 0}),
    ("BatchNormalization", "epsilon", {"finite": True}),
    ("Dropout", "ratio", {"min": 0, "max": 1}),
    ("GroupNormalization", "num_groups", POSITIVE),
    ("Attention", "is_causal", FLAG),
    ("Attention", "qk_matmul_output_mode", {"min": 0, "max": 3}),
    ("Attention LinearAttention com.microsoft.GroupQueryAttention", "kv_num_heads", POSITIVE),
    ("Attention LinearAttention", "q_num_heads", POSITIVE),
    ("RotaryEmbedding com.microsoft.RotaryEmbedding", "interleaved", FLAG),
    ("RotaryEmbedding com.microsoft.RotaryEmbedding", "rotary_embedding_dim", {"min": 0}),
    ("com.microsoft.Attention com.microsoft.MultiHeadAttention com.microsoft.GroupQueryAttention com.microsoft.QAttention com.microsoft.DecoderMaskedMultiHeadAttention", "num_heads", POSITIVE),
    ("com.microsoft.Attention com.microsoft.MultiHeadAttention com.microsoft.QAttention", "unidirectional", FLAG),
    ("LinearAttention com.microsoft.LinearAttention com.microsoft.GatedDeltaNet", "update_rule", enum("linear gated delta gated_delta")),
    ("CausalConvWithState com.microsoft.CausalConvWithState", "activation", enum("none silu swish")),
    ("com.microsoft.GatedRMSNorm", "activation", enum("silu swish sigmoid")),
    ("com.microsoft.GroupQueryAttention", "k_quant_type", enum("NONE PER_TENSOR PER_CHANNEL")),
    ("com.microsoft.GroupQueryAttention", "v_quant_type", enum("NONE PER_TENSOR PER_CHANNEL")),
    ("com.microsoft.MatMulNBits", "bits", {"values": [2, 4, 8]}),
    ("com.microsoft.MatMulNBits", "block_size", {"min": 16}),
    ("com.microsoft.MatMulNBits", "accuracy_level", {"min": 0, "max": 4}),
    ("com.microsoft.MatMulNBits com.microsoft.MatMulBnb4", "K", POSITIVE),
    ("com.microsoft.MatMulNBits com.microsoft.MatMulBnb4", "N", POSITIVE),
    ("com.microsoft.MatMulBnb4", "quant_type", FLAG),
    ("com.microsoft.CDist", "metric", enum("sqeuclidean euclidean")),
    ("com.microsoft.FusedConv com.microsoft.NhwcFusedConv com.microsoft.nchwc.Conv", "activation", enum("Relu Tanh Sigmoid LeakyRelu Clip HardSigmoid HardSwish")),
    # Recurrent networks
    ("GRU", "direction", enum("foward forward reverse bidirectional"), 1, 1),
    ("GRU", "direction", enum("forward reverse bidirectional"), 3),
    (f"LSTM RNN {LSTMS}", "direction", enum("forward reverse bidirectional")),
    (f"GRU LSTM RNN {LSTMS}", "activations", enum(ACTIVATIONS)),
    (f"GRU LSTM RNN {LSTMS}", "hidden_size", POSITIVE),
    # onnxruntime 1.32 and OpenVINO 2026.4 refuse them without it, although their schemas do not ask for it
    ("ai.onnx.ml.Scaler", "offset", {"required": True}),
    ("ai.onnx.ml.Scaler", "scale", {"required": True}),
    ("GRU LSTM RNN com.microsoft.DynamicQuantizeLSTM", "hidden_size", {"required": True}),
    ("RegexFullMatch", "pattern", {"required": True}),
    ("com.microsoft.MaxpoolWithMask com.microsoft.NhwcMaxPool", "kernel_shape", {"required": True}),
    ("com.microsoft.FusedGemm", "activation", {"required": True, **enum(FUSED)}),
    ("com.microsoft.MoE com.microsoft.QMoE", "k", POSITIVE),
    ("com.microsoft.MoE com.microsoft.QMoE", "activation_type", enum("relu gelu silu swiglu identity")),
    ("com.microsoft.NGramRepeatBlock", "ngram_size", POSITIVE),
    (f"GRU LSTM {LSTMS}", "clip", {"above": 0}),
    ("RNN", "clip", {"min": 0}),
    (f"LSTM {LSTMS}", "input_forget", FLAG),
    ("GRU", "linear_before_reset", FLAG),
    ("GRU LSTM RNN", "layout", FLAG),
    ("GRU LSTM RNN", "output_sequence", FLAG),
    # Control flow
    ("Scan", "num_scan_inputs", POSITIVE),
    ("Scan", "directions scan_input_directions scan_output_directions", FLAG),
    # Text
    ("StringNormalizer", "case_change_action", enum("NONE LOWER UPPER")),
    ("StringNormalizer", "is_case_sensitive", FLAG),
    ("TfIdfVectorizer", "mode", enum("TF IDF TFIDF")),
    ("TfIdfVectorizer", "min_gram_length", POSITIVE),
    ("TfIdfVectorizer", "max_gram_length", POSITIVE),
    ("TfIdfVectorizer", "max_skip_count", {"min": 0}),
    # ai.onnx.ml
    ("ai.onnx.ml.CastMap", "cast_to", enum("TO_FLOAT TO_STRING TO_INT64")),
    ("ai.onnx.ml.CastMap", "map_form", enum("DENSE SPARSE")),
    (ML, "post_transform", enum("NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT")),
    ("ai.onnx.ml.Normalizer", "norm", enum("MAX L1 L2")),
    ("ai.onnx.ml.SVMClassifier ai.onnx.ml.SVMRegressor", "kernel_type", enum("LINEAR POLY RBF SIGMOID")),
    (TREES, "nodes_modes", enum("BRANCH_LEQ BRANCH_LT BRANCH_GTE BRANCH_GT BRANCH_EQ BRANCH_NEQ LEAF")),
    (TREES, "aggregate_function", enum("AVERAGE SUM MIN MAX")),
    ("ai.onnx.ml.TreeEnsemble", "aggregate_function", {"min": 0, "max": 3}),
    ("ai.onnx.ml.TreeEnsemble", "post_transform", {"min": 0, "max": 4}),
    ("ai.onnx.ml.TreeEnsemble", "n_targets", {"min": 1, "required": True}),
    ("ai.onnx.ml.OneHotEncoder", "zeros", FLAG),
    ("ai.onnx.ml.TreeEnsembleRegressor", "n_targets", {"min": 1, "required": True}),
    ("ai.onnx.ml.LinearRegressor", "targets", POSITIVE),
    ("ai.onnx.ml.SVMClassifier ai.onnx.ml.SVMRegressor", "coefficients kernel_params rho", {"required": True}),
    ("ai.onnx.ml.LinearRegressor", "coefficients", {"required": True}),
    ("ai.onnx.ml.LinearClassifier", "intercepts", {"required": True}),
    ("ai.onnx.ml.FeatureVectorizer", "inputdimensions", {"required": True}),
    ("ai.onnx.ml.SVMRegressor", "one_class", FLAG),
    ("ai.onnx.preview.training.Momentum", "mode", enum("standard nesterov")),
)  # fmt: skip


# onnxruntime 1.32 refuses pads of convolutions that find their own, even zeros. Pooling ignores them.
PADS: Facts = {
    "demands": [{
        "id": "pads", "that": "not pads or auto_pad not in ('SAME_UPPER', 'SAME_LOWER', 'VALID')", "rule": "value_not_allowed", "part": "attr_key",
        "says": "`pads`", "joint": "of", "rest": " cannot be combined with `auto_pad` {auto_pad}", "change": "remove",
    }],
}  # fmt: skip


def lists(key: str, that: str, wanted: str, got: str = "{len(%s or ())}", **more: Any) -> Facts:
    """Return a demand on the length of a list, which is said of the first attribute that is there."""
    told = {"says": f"expected {wanted}", "joint": "of", "rest": f", got {got % key if '%' in got else got}"}
    return {"id": key, "that": that, "rule": "wrong_value_length", **told, **more}


def filled(*keys: str) -> list[Facts]:
    return [lists(key, f"{key} != ()", f"values for `{key}`", "none", last=True) for key in keys]


def either(*keys: str) -> Facts:
    return lists(" ".join(keys), " or ".join(keys), f"values for {' or '.join(f'`{key}`' for key in keys)}", "none")


def least(key: str, number: str, that: str = "") -> Facts:
    wanted = f"at least {{count({number}, 'value')}} for `{key}`"
    return lists(key, f"{that}len({key} or ()) >= ({number})", wanted)


def multiple(key: str, number: str) -> Facts:
    wanted = f"a multiple of {{{number}}} values for `{key}`"
    return lists(key, f"len({key}) < ({number}) or len({key}) % ({number}) == 0", wanted)


def ids(key: str, number: str, noun: str) -> Facts:
    rest = f" has {{outside({key}, {number})}}, which is not within the {{count({number}, '{noun}')}}"
    that = f"{number} <= 0 or outside({key}, {number}) is None"
    return {"id": key, "that": that, "rule": "wrong_value_length", "says": f"`{key}`", "joint": "of", "rest": rest}


def lengths(*words: str, key: str = "{}", tensors: Collection[str] = ()) -> list[str]:
    """Return lists of equal lengths, and what stands for some of them."""
    names = [key.format(word) for word in words]
    return [f"{name} {name}_as_tensor" if name in tensors else name for name in names]


def labels(*keys: str) -> Facts:
    return {"labels": " + ".join(f"len({key} or ())" for key in keys)}


NODES = lengths(
    "treeids",
    "nodeids",
    "featureids",
    "modes",
    "values",
    "truenodeids",
    "falsenodeids",
    key="nodes_{}",
    tensors=["nodes_values"],
)
LEAVES = "treeids", "nodeids", "ids", "weights"
BRANCHES = [
    "nodes_splits",
    "nodes_featureids",
    "nodes_modes",
    "nodes_truenodeids",
    "nodes_falsenodeids",
    "nodes_trueleafs",
    "nodes_falseleafs",
]
CLASSES, INTS = ("classlabels_ints", "classlabels_strings"), ("classlabels_int64s", "classlabels_strings")
KERNEL = lists("kernel_params", "len(kernel_params) in (0, 3)", "3 values for `kernel_params`")
PAIRS = "sum(vectors_per_class) if vectors_per_class is not None and len(vectors_per_class) == labels else 0"

# Parameters of activations that have no default where they are fused
FUSED_PARAMETERS = [
    lists(f"activation_params {words}", f"activation not in {tuple(words.split())} or len(activation_params or ()) >= {number}",
          f"at least {{count({number}, 'value')}} for `activation_params` with `activation` {{activation}}", "{len(activation_params or ())}")
    for words, number in (("LeakyRelu LeakyRelu", 1), ("Clip HardSigmoid", 2))
]  # fmt: skip
FUSED_ALPHA = [
    {"id": key, "that": f"activation not in {tuple(words.split())} or {key} is not None", "rule": "missing_attribute",
     "says": f"`activation` {{activation}} requires `{key}`", "joint": "of", "rest": ""}
    for key, words in (
        ("activation_alpha", "LeakyRelu ThresholdedRelu ScaledTanh HardSigmoid Elu Selu Celu ParametricSoftplus"),
        ("activation_beta", "ScaledTanh HardSigmoid ParametricSoftplus"),
        ("activation_gamma", "Selu"),
    )
]  # fmt: skip

# What onnxruntime 1.32 demands beyond schemas: its inference fails on empty names, or crashes without the fifth input; of ai.onnx.ml it refuses lists
# that are empty, too short or of different lengths.
OPERATORS: dict[str, Facts] = {
    "LayerNormalization": {"ignores_unknown": True},  # onnx.checker 1.23.2 and all runtimes
    "com.microsoft.QLinearAdd": {"named_inputs": True},
    "com.microsoft.QLinearMul": {"named_inputs": True},
    "com.microsoft.QLinearLeakyRelu": {"least_inputs": 5},
    "com.microsoft.QLinearSigmoid": {"least_inputs": 5},
    **dict.fromkeys(("Conv", "ConvInteger", "ConvTranspose", "QLinearConv", "com.microsoft.NhwcConv", "com.microsoft.QLinearConv"), PADS),
    **{key: {"demands": [*PADS["demands"], *FUSED_PARAMETERS]} for key in ("com.microsoft.FusedConv", "com.microsoft.NhwcFusedConv", "com.microsoft.nchwc.Conv")},
    "com.microsoft.FusedGemm": {"demands": FUSED_ALPHA},
    "com.microsoft.QLinearConcat": {"least_inputs": 5},
    "ai.onnx.ml.Imputer": {"demands": [either("imputed_value_floats", "imputed_value_int64s")]},
    "ai.onnx.ml.OneHotEncoder": {"demands": [either("cats_int64s", "cats_strings")]},
    "ai.onnx.ml.FeatureVectorizer": {"demands": filled("inputdimensions")},
    "ai.onnx.ml.LinearRegressor": {"demands": filled("coefficients")},
    "ai.onnx.ml.LinearClassifier": {
        "demands": [
            either(*CLASSES), *filled("coefficients", "intercepts"),
            *(least(key, "len(intercepts or ())", f"not {key} or ") for key in CLASSES),
            least("coefficients", "len(intercepts or ())"), multiple("coefficients", "len(intercepts)"),
        ],
    },
    "ai.onnx.ml.SVMRegressor": {
        "demands": [
            *filled("coefficients", "rho"), least("coefficients", "n_supports"), least("support_vectors", "n_supports"),
            multiple("support_vectors", "n_supports"), KERNEL,
        ],
    },
    "ai.onnx.ml.SVMClassifier": {
        "let": {**labels(*CLASSES), "vectors": PAIRS},
        "demands": [
            either(*CLASSES), *filled("coefficients", "rho"), least("coefficients", "(labels - 1) * vectors"), least("support_vectors", "vectors"),
            multiple("support_vectors", "vectors"),
            least("rho", "labels * (labels - 1) // 2", "vectors_per_class is None or len(vectors_per_class) != labels or "), KERNEL,
            {**lists("vectors_per_class", "not labels or not vectors_per_class or len(vectors_per_class) == labels",
                     "{count(labels, 'value')} for `vectors_per_class`"), "rest": ", one per class, got {len(vectors_per_class)}"},
        ],
    },
    "ai.onnx.ml.Scaler": {"equal": [["offset", "scale"]]},
    "ai.onnx.ml.TreeEnsemble": {
        "equal": [BRANCHES, ["leaf_weights", "leaf_targetids"]],
        "demands": [ids("leaf_targetids", "n_targets", "target")],
    },
    "ai.onnx.ml.TreeEnsembleClassifier": {
        "let": labels(*INTS), "equal": [NODES, lengths(*LEAVES, key="class_{}", tensors=["class_weights"])],
        "demands": [either(*INTS), ids("class_ids", "labels", "class label")],
    },
    "ai.onnx.ml.TreeEnsembleRegressor": {
        "equal": [NODES, lengths(*LEAVES, key="target_{}", tensors=["target_weights"])],
        "demands": [ids("target_ids", "n_targets", "target")],
    },
}  # fmt: skip


def facts_of(name: str, since: int, attribute: str) -> Facts:
    """Return what is known of an attribute of a version of an operator."""
    found: Facts = {}
    for operators, attributes, facts, *versions in ROWS:
        first, last = (*versions, *(0, ANY)[len(versions) :])
        if name in operators.split() and attribute in attributes.split() and first <= since <= last:
            found |= facts | measured(key_of(name, attribute, last), facts)
    return found


def measured(key: str, facts: Facts) -> Facts:
    """Return who refuses what is wrong by each fact; what is wrong in letter case only, if that makes a difference."""
    found = {
        f"refused_{fact}": REFUSED[f"{key}:{fact}"].split()
        for fact in JUDGED
        if f"{key}:{fact}" in REFUSED and fact in facts
    }
    if f"{key}~" in REFUSED and REFUSED[f"{key}~"] != REFUSED.get(f"{key}:values"):
        found["refused_case"] = REFUSED[f"{key}~"].split()
    if f"{key}#" in REFUSED:
        found["refused_length"] = REFUSED[f"{key}#"].split()
    return found


def key_of(name: str, attribute: str, last: int) -> str:
    return f"{name}.{attribute}" + (f"@{last}" if last < ANY else "")


# The newest opset of ai.onnx, the newest IR version and the newest opset of ai.onnx.ml that each release loads: up to 1.14 as the compatibility page of
# onnxruntime.ai and the release notes say, from 1.15 on as the wheels load them.
_ORT = (
    ("1.2", 11, 6), ("1.3", 12, 7), ("1.4", 12, 7), ("1.5", 12, 7), ("1.6", 13, 7), ("1.7", 13, 7), ("1.8", 14, 7), ("1.9", 15, 8), ("1.10", 15, 8),
    ("1.11", 16, 8), ("1.12", 17, 8), ("1.13", 17, 8), ("1.14", 18, 8), ("1.15", 19, 9, 3), ("1.16", 19, 9, 3), ("1.17", 20, 9, 4), ("1.18", 21, 10, 5),
    ("1.19", 21, 10, 5), ("1.20", 21, 10, 5), ("1.21", 22, 10, 5), ("1.22", 22, 10, 5), ("1.23", 23, 11, 5), ("1.24", 25, 13, 5), ("1.25", 26, 13, 5),
    ("1.26", 26, 13, 5), ("1.27", 26, 13, 5), ("1.28", 26, 13, 5), ("1.29", 26, 13, 5), ("1.30", 26, 13, 5), ("1.31", 26, 13, 5), ("1.32", 28, 14, 5),
)  # fmt: skip
# docs/operators.md in the branch of each release of onnx-tensorrt; 11.5: its release notes.
_TENSORRT = (
    ("5.1", 9), ("6.0", 10), ("7.0", 11), ("7.1", 11), ("7.2", 13), ("8.0", 13), ("8.2", 13), ("8.4", 17), ("8.5", 17), ("8.6", 17), ("9.0", 19), ("9.1", 19),
    ("9.2", 19), ("9.3", 19), ("10.0", 20), ("10.1", 20), ("10.15", 24), ("11.5", 25),
)  # fmt: skip
# OpenVINO is not in the list: 2023.0, 2024.0, 2024.6, 2025.4 and 2026.4 read a model of any opset and take the newest version of each operator that they know.
RUNTIMES: Facts = {
    # model.cc: "only *guarantees* support for models stamped with opset version 7 or above"
    "onnxruntime": {
        release: {**dict(zip(("opset", "ir", "ml"), numbers, strict=False)), "oldest": 7} for release, *numbers in _ORT
    },
    "tensorrt": {release: {"opset": opset} for release, opset in _TENSORRT},
}

# What attributes became where the names differ: the new name, and the number of the input.
RENAMED: dict[tuple[str, int, str], list[Any]] = {
    ("Pad", 11, "value"): ["constant_value", 2],
    ("Pad", 2, "paddings"): ["pads"],
    ("Upsample", 7, "height_scale"): ["scales"],
    ("Upsample", 7, "width_scale"): ["scales"],
    ("Scan", 9, "directions"): ["scan_input_directions"],
}

# Names of other frameworks, of older drafts and of exporters -> the operator of ai.onnx that does this.
ELSEWHERE = {
    "BatchNorm": "BatchNormalization", "BatchNorm1d": "BatchNormalization", "BatchNorm2d": "BatchNormalization", "BatchNorm3d": "BatchNormalization",
    "FusedBatchNorm": "BatchNormalization", "FusedBatchNormV3": "BatchNormalization", "SpatialBN": "BatchNormalization", "BN": "BatchNormalization",
    "Linear": "Gemm", "Dense": "Gemm", "FullyConnected": "Gemm", "FC": "Gemm", "InnerProduct": "Gemm", "Addmm": "Gemm", "BatchMatMul": "MatMul",
    "BatchMatMulV2": "MatMul", "Bmm": "MatMul", "Matmul": "MatMul", "Dot": "MatMul", "Convolution": "Conv", "Conv1d": "Conv", "Conv2d": "Conv", "Conv2D": "Conv",
    "Conv3d": "Conv", "Conv3D": "Conv", "DepthwiseConv2dNative": "Conv", "DepthwiseConv2D": "Conv", "ConvolutionDepthWise": "Conv", "GroupConvolution": "Conv",
    "Deconvolution": "ConvTranspose", "ConvTranspose2d": "ConvTranspose", "Conv2DTranspose": "ConvTranspose", "Conv2DBackpropInput": "ConvTranspose",
    "ConvolutionBackpropData": "ConvTranspose", "MaxPool2d": "MaxPool", "MaxPooling2D": "MaxPool", "MaxPooling": "MaxPool", "AvgPool": "AveragePool", "AvgPool2d": "AveragePool",
    "AveragePooling2D": "AveragePool", "AdaptiveAvgPool2d": "GlobalAveragePool", "GlobalAvgPool": "GlobalAveragePool", "GlobalAveragePooling2D": "GlobalAveragePool",
    "AdaptiveMaxPool2d": "GlobalMaxPool", "ReLU": "Relu", "LeakyReLU": "LeakyRelu", "PReLU": "PRelu", "ELU": "Elu", "SELU": "Selu", "CELU": "Celu", "GELU": "Gelu",
    "ReLU6": "Clip", "Relu6": "Clip", "Hardtanh": "Clip", "Clamp": "Clip", "ClipByValue": "Clip", "HSwish": "HardSwish", "Hardswish": "HardSwish", "HSigmoid": "HardSigmoid",
    "Hardsigmoid": "HardSigmoid", "SiLU": "Swish", "Silu": "Swish", "SoftPlus": "Softplus", "SoftSign": "Softsign", "SoftMax": "Softmax", "LogSoftMax": "LogSoftmax", "TanH": "Tanh",
    "Power": "Pow", "Multiply": "Mul", "Subtract": "Sub", "Minus": "Sub", "Divide": "Div", "RealDiv": "Div", "AddV2": "Add", "BiasAdd": "Add", "Plus": "Add",
    "Maximum": "Max", "Minimum": "Min", "Negative": "Neg", "Inv": "Reciprocal",
    "LogicalAnd": "And", "LogicalOr": "Or", "LogicalNot": "Not", "LogicalXor": "Xor", "GreaterEqual": "GreaterOrEqual", "LessEqual": "LessOrEqual", "Select": "Where", "SelectV2": "Where",
    "Permute": "Transpose", "View": "Reshape", "ConcatV2": "Concat", "Concatenate": "Concat", "Cat": "Concat", "SplitV": "Split", "Chunk": "Split",
    "ExpandDims": "Unsqueeze", "StridedSlice": "Slice", "DynamicSlice": "Slice", "BroadcastTo": "Expand", "Broadcast": "Expand", "Repeat": "Tile", "PadV2": "Pad", "MirrorPad": "Pad",
    "ZeroPad2d": "Pad", "ReflectionPad2d": "Pad", "Embedding": "Gather", "GatherV2": "Gather", "Take": "Gather", "IndexSelect": "Gather", "GatherNd": "GatherND", "ScatterNd": "ScatterND",
    "Interpolate": "Resize", "Interp": "Resize", "ResizeBilinear": "Resize", "ResizeNearestNeighbor": "Resize", "UpsampleBilinear2d": "Resize",
    "UpsampleNearest2d": "Resize", "PixelShuffle": "DepthToSpace", "PixelUnshuffle": "SpaceToDepth", "LayerNorm": "LayerNormalization", "GroupNorm": "GroupNormalization",
    "InstanceNorm": "InstanceNormalization", "RMSNorm": "RMSNormalization", "L2Normalize": "LpNormalization", "L2Normalization": "LpNormalization", "MVN": "MeanVarianceNormalization",
    "ReduceMeanV2": "ReduceMean", "LogSumExp": "ReduceLogSumExp", "TopKV2": "TopK", "NMS": "NonMaxSuppression",
    "NonMaxSuppressionV3": "NonMaxSuppression", "ScaledDotProductAttention": "Attention", "MultiheadAttention": "Attention", "FakeQuantize": "QuantizeLinear",
    "Upsample": "Resize", "Scatter": "ScatterElements", "Crop": "Slice", "ai.onnx.ml.TreeEnsembleClassifier": "ai.onnx.ml.TreeEnsemble",
    "ai.onnx.ml.TreeEnsembleRegressor": "ai.onnx.ml.TreeEnsemble", "Quantize": "QuantizeLinear", "Dequantize": "DequantizeLinear", "CumSumV2": "CumSum", "Cumsum": "CumSum", "ArgMaxV2": "ArgMax", "Const": "Constant", "Fill": "ConstantOfShape",
    "ConstantFill": "ConstantOfShape", "Arange": "Range", "Placeholder": "", "ATen": "", "PythonOp": "", "SimplifiedLayerNorm": "RMSNormalization", "ShapeOf": "Shape",
}  # fmt: skip

# Operators that libraries bring, by domain; none listed: any. Of onnxruntime-extensions (0.9 to 0.15.2, each name was asked for) and qonnx (0.1 to 1.0); FINN has other
# operators in every release, and brevitas writes those of qonnx under another domain.
_QONNX = (
    "BipolarQuant",
    "DebugMarker",
    "FloatQuant",
    "GenericPartition",
    "Im2Col",
    "IntQuant",
    "MaxPoolNHWC",
    "MultiThreshold",
    "Quant",
    "QuantAvgPool2d",
    "Trunc",
    "XnorPopcountMatMul",
)
LIBRARIES: dict[str, tuple[str, ...]] = {
    "ai.onnx.contrib": (
        "AudioDecoder", "BasicTokenizer", "BertTokenizer", "BertTokenizerDecoder", "BlingFireSentenceBreaker", "BpeDecoder", "CLIPTokenizer",
        "GPT2Tokenizer", "GaussianBlur", "HfBertTokenizer", "HfJsonTokenizer", "ImageDecoder", "ImageReader", "Inverse", "MaskedFill",
        "MergeSignalSegments", "NegPos", "RaggedTensorToSparse", "RobertaTokenizer", "STFT", "SegmentExtraction", "SegmentSum",
        "SentencepieceDecoder", "SentencepieceTokenizer", "SplitSignalSegments", "SpmTokenizer", "StftNorm", "StringConcat",
        "StringECMARegexReplace", "StringECMARegexSplitWithOffsets", "StringEqual", "StringJoin", "StringLength", "StringLower", "StringMapping",
        "StringRaggedTensorToDense", "StringRegexReplace", "StringRegexSplitWithOffsets", "StringSplit", "StringStrip", "StringToHashBucket",
        "StringToHashBucketFast", "StringToVector", "StringUpper", "TrieDetokenizer", "TrieTokenizer", "VectorToString", "WordpieceTokenizer",
    ),
    "com.microsoft.extensions": (
        "AzureAudioToText", "AzureTextToText", "AzureTritonInvoker", "BasicTokenizer", "BertTokenizer", "BertTokenizerDecoder",
        "BlingFireSentenceBreaker", "BpeDecoder", "CLIPTokenizer", "DecodeImage", "DrawBoundingBoxes", "EncodeImage", "GPT2Tokenizer",
        "HfBertTokenizer", "HfJsonTokenizer", "OpenAIAudioToText", "RobertaTokenizer", "SentencepieceDecoder", "SentencepieceTokenizer",
        "SpmTokenizer", "TrieDetokenizer", "TrieTokenizer", "WordpieceTokenizer",
    ),
    "qonnx.custom_op.general": _QONNX, "onnx.brevitas": _QONNX, "qonnx.custom_op.channels_last": ("BatchNormalization", "Conv", "MaxPool"),
    "finn.custom_op.general": (), "finn.custom_op.fpgadataflow": (), "finn.custom_op.fpgadataflow.hls": (), "finn.custom_op.fpgadataflow.rtl": (),
}  # fmt: skip
