"""What no signature of Keras says: arguments with which each layer can be built, how many inputs layers take, and what layers do."""

from __future__ import annotations

from typing import Any

# Arguments without a default, by name
REQUIRED: dict[str, Any] = {
    "units": 4, "filters": 4, "kernel_size": 3, "rate": 0.5, "num_heads": 2, "key_dim": 4, "input_dim": 16, "output_dim": 4, "n": 3, "dims": None, "target_shape": (-1,),
    "equation": "...x,xy->...y", "output_shape": 8, "stddev": 0.1, "factor": 0.1, "height": 8, "width": 8, "max_value": 6.0, "size": 2, "scale": 0.5, "offset": 0.0,
    "axes": 1, "num_tokens": 10, "num_bins": 10, "pool_size": 2, "upper": 1, "height_factor": 0.1, "width_factor": 0.1, "num_query_heads": 4, "num_key_value_heads": 2,
    "head_dim": 4, "value": 0.1, "value_range": (0, 255), "gain": 1.0, "bin_boundaries": [0.0, 1.0], "output_size": 4,
}  # fmt: skip
# Arguments of single layers that differ from these
BUILT: dict[str, dict[str, Any]] = {
    "Permute": {"dims": (2, 1)}, "Reshape": {"target_shape": (-1, 2)}, "GroupNormalization": {"groups": 4}, "EinsumDense": {"equation": "ab,bc->ac", "output_shape": 6},
    "Masking": {}, "Dot": {"axes": 1}, "UpSampling1D": {}, "InputLayer": {"batch_shape": (None, 8)}, "RandomCrop": {"height": 4, "width": 4},
}  # fmt: skip
ROWS = {
    3: (12, 8),
    4: (12, 12, 8),
    5: (12, 12, 12, 8),
    2: (8,),
}  # shapes of inputs by rank that are tried in this order
SHAPES: dict[str, tuple[int, ...]] = {
    "Dense": (8,), "Flatten": (4, 8), "Permute": (4, 8), "Reshape": (4, 8), "RepeatVector": (8,), "EinsumDense": (8,), "Embedding": (8,), "ConvLSTM1D": (4, 12, 8),
    "ConvLSTM2D": (4, 12, 12, 8), "ConvLSTM3D": (3, 8, 8, 8, 4), "Softmax": (8,),
}  # fmt: skip
MERGES = ("Add", "Average", "Concatenate", "Maximum", "Minimum", "Multiply")
PAIRS = ("Subtract", "Dot")
ATTENTIONS = ("Attention", "AdditiveAttention")
QUERIES = ("MultiHeadAttention", "GroupQueryAttention", "GroupedQueryAttention")
# Layers that hold another one, or need what is not in a configuration: nothing is measured of them
HOLDING = (
    "Bidirectional", "TimeDistributed", "Wrapper", "RNN", "StackedRNNCells", "SpectralNormalization", "Lambda", "TFSMLayer", "JaxLayer", "FlaxLayer", "NnxLayer", "TorchModuleWrapper",
    "TextVectorization", "StringLookup", "IntegerLookup", "Hashing", "Discretization", "CategoryEncoding", "HashedCrossing", "Normalization", "FeatureSpace", "MelSpectrogram",
    "RandAugment", "AugMix", "Pipeline", "STFTSpectrogram", "MaxNumBoundingBoxes",
)  # fmt: skip
# How many outputs layers have: an expression over their arguments; 1 for all others but those with another number of each
RETURNS = {
    **dict.fromkeys(("GRU", "SimpleRNN"), "1 + (return_state == True)"), **dict.fromkeys(("LSTM", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"), "1 + 2 * (return_state == True)"),
}  # fmt: skip
# Functions of keras.ops with one output
SINGLE = (
    "Abs", "Add", "Concatenate", "Divide", "Elu", "Erf", "Exp", "Gelu", "HardSigmoid", "HardSilu", "LeakyRelu", "Log", "Matmul", "Maximum", "Mean", "Minimum", "Multiply", "Negative",
    "Power", "Relu", "Relu6", "Reshape", "Selu", "Sigmoid", "Silu", "Softmax", "Softplus", "Sqrt", "Square", "Subtract", "Sum", "Tanh", "Transpose", "TrueDivide",
)  # fmt: skip
SEVERAL = (*ATTENTIONS, *QUERIES, *HOLDING)
DTYPES = [
    *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)), "float16", "float32", "float64", "bfloat16", "bool", "string", "complex64", "complex128",
    "mixed_float16", "mixed_bfloat16", "float8_e4m3fn", "float8_e5m2",
    *(f"{kind}_from_{policy}" for kind in ("int8", "int4", "float8") for policy in ("float32", "float16", "bfloat16", "mixed_float16", "mixed_bfloat16")),
]  # fmt: skip
# Words that mean an object, although its module does not have them: Keras 2 also finds functions of TensorFlow
MORE_WORDS = ("l1", "l2", "l1_l2", "linear", "zeros", "ones", "leaky_relu", "log_softmax", "relu6", "silu")
# Words that are tried besides those in the source of a layer
WORDS = (
    "valid",
    "same",
    "causal",
    "channels_last",
    "channels_first",
    "nearest",
    "bilinear",
    "bicubic",
    "lanczos3",
    "lanczos5",
    "area",
    "reflect",
    "constant",
    "wrap",
    "auto",
    "dot",
    "concat",
)
# Arguments and layers of Keras 2 that no signature has
OF_2 = {
    "InputLayer": ("batch_input_shape",), "Lambda": ("function_type", "module", "output_shape_type", "output_shape_module"), "Bidirectional": ("num_constants",),
    "RNN": ("num_constants", "units"), "TFOpLambda": ("name", "trainable", "dtype", "function"), "SlicingOpLambda": ("name", "trainable", "dtype", "function"),
    "ClassMethod": ("name", "trainable", "dtype", "function"), "InstanceMethod": ("name", "trainable", "dtype", "function"),
    "InstanceProperty": ("name", "trainable", "dtype", "function", "attr_name"), "TensorFlowOpLayer": ("name", "trainable", "dtype", "node_def", "constants"),
}  # fmt: skip
OF_POLICIES = ("name", "mode", "source_name", "amax_history_length", "default_policy", "policy_map", "block_size")
OF_MODELS = ("name", "trainable", "dtype", "layers", "input_layers", "output_layers", "build_input_shape")
# When the batch_shape of an InputLayer of Keras 3 is required
NO_SHAPE = "shape is None and input_shape is None and batch_input_shape is None and input_tensor is None"
# What loaders refuse of one layer: an expression over its attributes
DEMANDS: dict[str, list[dict[str, str]]] = {
    "InputLayer": [
        {"id": "shape input_shape", "that": "[shape or input_shape, batch_shape or batch_input_shape].count(None)", "says": "expected either a shape or one with the batch"},
    ],
}  # fmt: skip
DEMANDS_OF_2: dict[str, list[dict[str, str]]] = {
    "InputLayer": [{"id": "input_shape", "that": "[input_shape, batch_input_shape].count(None)", "says": "expected either `input_shape` or `batch_input_shape`"}],
}  # fmt: skip


# Arguments whose least value, or length, does not depend on other ones or on the input
SIZES = (
    "units", "filters", "kernel_size", "strides", "dilation_rate", "pool_size", "groups", "depth_multiplier", "num_heads", "key_dim", "input_dim", "output_dim", "n", "size", "height",
    "width", "rate",
)  # fmt: skip


def settled(row: dict[str, Any]) -> dict[str, Any]:
    """Return what was measured of an argument without what holds only for the layer that was asked."""
    kinds = row["kind"].split("|")
    found = (
        dict(row)
        if row["name"] in SIZES
        else {key: value for key, value in row.items() if key not in ("min", "length")}
    )
    if "ints" in kinds and "length" not in found and "list" not in kinds:
        kinds.append("list")
    return {**found, "kind": "any" if kinds == ["null"] else "|".join(kinds)}
