"""Configurations of MXNet's operators that the dry run is held against MXNet with.

A shape of None: MXNet works it out, and so has the dry run to. `fill` says what an input holds where it is not numbers
between -1 and 1: a pair gives other bounds, an integer n means indices below n.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

Shape = tuple[int, ...]
Fill = dict[int, Any]


class Case(NamedTuple):
    op: str
    shapes: Sequence[Shape | None]
    attrs: dict[str, str]
    fill: Fill = {}
    values: bool = True  # False: what comes out is random, or not meant to be read
    graphs: Sequence[Any] = ()


CASES: list[Case] = []


def c(op: str, shapes: Sequence[Shape | None], fill: Fill | None = None, values: bool = True, **attrs: Any) -> None:
    CASES.append(Case(op, shapes, {key: str(value) for key, value in attrs.items()}, fill or {}, values))


U = [
    "abs",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "degrees",
    "exp",
    "expm1",
    "fix",
    "floor",
    "log",
    "log10",
    "log1p",
    "log2",
    "negative",
    "radians",
    "reciprocal",
    "rint",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
    "erf",
    "erfinv",
    "gamma",
    "gammaln",
    "hard_sigmoid",
    "logical_not",
    "relu",
    "rcbrt",
    "rsqrt",
    "sigmoid",
    "smooth_l1",
    "softsign",
    "round",
    "_contrib_div_sqrt_dim",
    "_copy",
    "BlockGrad",
    "make_loss",
    "MakeLoss",
    "Dropout",
    "zeros_like",
    "ones_like",
]
for u in U:
    c(u, [(2, 3, 4)])
for b in [
    "add",
    "sub",
    "mul",
    "div",
    "mod",
    "power",
    "maximum",
    "minimum",
    "hypot",
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "lesser",
    "lesser_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
]:
    c("broadcast_" + b, [(2, 3, 4), (1, 3, 1)])
    c(("elemwise_" if b in ("add", "sub", "mul", "div") else "_") + b, [(2, 3), (2, 3)])
    if b not in ("add", "sub"):
        c("_" + b + "_scalar", [(2, 3)], scalar=2)
for s in ["_plus_scalar", "_minus_scalar", "_rminus_scalar", "_rdiv_scalar", "_rmod_scalar", "_rpower_scalar"]:
    c(s, [(2, 3)], scalar=2.5)
c("Cast", [(2, 3)], dtype="float16")
c("clip", [(2, 3)], a_min=0, a_max=1)
c("add_n", [(2, 3), (2, 3), (2, 3)], num_args=3)
for r in ["sum", "mean", "prod", "max", "min", "nansum", "nanprod"]:
    c(r, [(2, 3, 4)], axis="(0,2)", keepdims=True)
    c(r, [(2, 3, 4)])
    c(r, [(2, 3, 4)], axis=1, exclude=True)
c("norm", [(2, 3, 4)], axis=1, ord=2)
c("norm", [(2, 3, 4)])
c("moments", [(2, 3, 4)], axes="(0,2)")
c("argmax", [(2, 3, 4)], axis=1)
c("argmin", [(2, 3, 4)], axis=-1, keepdims=True)
c("argmax", [(2, 3, 4)])
c("argmax_channel", [(2, 3)])
c("Reshape", [(2, 3, 4)], shape="(0,-1)")
c("Reshape", [(2, 3, 4)], shape="(-3,0)")
c("Reshape", [(2, 3, 4)], shape="(-4,1,-1,-2)")
c("Reshape", [(2, 3, 4)], shape="(-1,0)", reverse=True)
c("Reshape", [(2, 3, 4)], shape="(6,4)")
c("Flatten", [(2, 3, 4)])
c("reshape_like", [(2, 3, 4), (6, 4)])
c("reshape_like", [(6, 4), (2, 3, 5)], lhs_begin=0, lhs_end=1, rhs_begin=0, rhs_end=2)
c("transpose", [(2, 3, 4)], axes="(1,0,2)")
c("transpose", [(2, 3, 4)])
c("SwapAxis", [(2, 3, 4)], dim1=0, dim2=2)
c("expand_dims", [(2, 3)], axis=1)
c("squeeze", [(2, 1, 3, 1)])
c("squeeze", [(2, 1, 3, 1)], axis="(1,)")
c("slice", [(4, 5, 6)], begin="(1,None)", end="(3,4)", step="(1,2)")
c("slice_axis", [(4, 5)], axis=1, begin=1, end=-1)
c("slice_like", [(4, 5), (2, 3)])
c("slice_like", [(4, 5, 6), (2, 3)], axes="(0,1)")
c("SliceChannel", [(2, 6, 4)], num_outputs=3, axis=1)
c("SliceChannel", [(2, 3, 4)], num_outputs=3, axis=1, squeeze_axis=True)
c("_split_v2", [(6, 4)], indices="(0,2,5)", axis=0)
c("_split_v2", [(6, 4)], indices="()", axis=0, sections=3)
c("Concat", [(2, 3), (2, 5)], num_args=2, dim=1)
c("stack", [(2, 3), (2, 3)], num_args=2, axis=1)
c("tile", [(2, 3)], reps="(2,1,2)")
c("repeat", [(2, 3)], repeats=2, axis=1)
c("repeat", [(2, 3)], repeats=2)
c("Pad", [(2, 3, 4, 5)], mode="constant", pad_width="(0,0,0,0,1,2,3,4)", constant_value=1)
c("Pad", [(2, 3, 4, 5)], mode="reflect", pad_width="(0,0,0,0,1,2,1,1)")
c("Pad", [(2, 3, 4, 5)], mode="edge", pad_width="(0,0,0,0,1,2,3,4)")
c("reverse", [(2, 3, 4)], axis="(1,)")
c("broadcast_to", [(2, 1, 4)], shape="(0,3,4)")
c("broadcast_axis", [(2, 1, 4)], axis="(1,)", size="(3,)")
c("broadcast_like", [(2, 1, 4), (2, 3, 4)])
c("diag", [(3, 4)], k=1)
c("diag", [(3,)], k=-1)
c("depth_to_space", [(2, 8, 3, 4)], block_size=2)
c("space_to_depth", [(2, 2, 4, 6)], block_size=2)
c("shape_array", [(2, 3)])
c("take", [(4, 5), (2, 3)], {1: 5}, axis=1)
c("batch_take", [(4, 5), (4,)], {1: "int32:5"})
c("pick", [(4, 5), (4,)], {1: 5}, axis=1)
c("gather_nd", [(4, 5, 6), (2, 3)], {1: 4})
c("scatter_nd", [(3, 6), (2, 3)], {1: [0, 1, 3, 4, 2, 0]}, shape="(4,5,6)")
c("one_hot", [(2, 3)], {0: 5}, depth=5)
c("where", [(2, 3), (2, 3), (2, 3)], {0: 2})
c("topk", [(2, 6)], k=3, ret_typ="both")
c("topk", [(2, 6)], k=3)
c("topk", [(2, 6)], k=2, ret_typ="mask", axis=0)
c("sort", [(2, 6)])
c("argsort", [(2, 6)], axis=0)
c("dot", [(2, 3), (3, 4)])
c("dot", [(3, 2), (4, 3)], transpose_a=True, transpose_b=True)
c("batch_dot", [(2, 3, 4), (2, 4, 5)])
c("batch_dot", [(2, 4, 3), (2, 5, 4)], transpose_a=True, transpose_b=True)
c("khatri_rao", [(2, 3), (4, 3)], num_args=2)
c("_linalg_gemm2", [(2, 3, 4), (2, 4, 5)], alpha=2)
c("_linalg_gemm", [(2, 3, 4), (2, 4, 5), (2, 3, 5)], alpha=2)
c("_linalg_gemm2", [(3, 2, 4), (4, 2, 5)], axis=0)
c("_linalg_gemm2", [(2, 4, 2, 3), (2, 4, 2, 5)], axis=-3, transpose_a=True)
c("_linalg_gemm", [(2, 3, 2, 4), (2, 4, 2, 5), (2, 3, 2, 5)], axis=1, beta=2)
for a in ["relu", "sigmoid", "tanh", "softrelu", "softsign"]:
    c("Activation", [(2, 3)], act_type=a)
for a in ["softmax", "log_softmax", "softmin"]:
    c(a, [(2, 3, 4)], axis=1)
    c(a, [(2, 3, 4)], temperature=2)
c("SoftmaxActivation", [(2, 3, 4)])
c("SoftmaxActivation", [(2, 3, 4)], mode="channel")
for m in ["instance", "channel", "spatial"]:
    c("L2Normalization", [(2, 3, 4, 5)], mode=m)
c("LRN", [(2, 5, 4, 4)], nsize=3)
c("SequenceMask", [(4, 2, 3), (2,)], {1: [2, 3]}, use_sequence_length=True, value=-1)
c("SequenceLast", [(4, 2, 3), (2,)], {1: [2, 3]}, use_sequence_length=True)
c("SequenceReverse", [(4, 2, 3), (2,)], {1: [2, 3]}, use_sequence_length=True)
c("SequenceLast", [(4, 2, 3)])
c("FullyConnected", [(2, 3, 4), None, None], num_hidden=5)
c("FullyConnected", [(2, 3, 4), None], num_hidden=5, no_bias=True, flatten=False)
c("Embedding", [(2, 3), None], {0: 10}, input_dim=10, output_dim=4)
c(
    "Convolution",
    [(2, 4, 9, 8), None, None],
    kernel="(3,2)",
    num_filter=6,
    stride="(2,1)",
    pad="(1,0)",
    dilate="(1,2)",
    num_group=2,
)
c("Convolution", [(2, 4, 9), None], kernel="(3,)", num_filter=6, no_bias=True)
c("Convolution", [(2, 4, 5, 6, 7), None, None], kernel="(2,2,2)", num_filter=3)
c("Deconvolution", [(2, 4, 5, 6), None], kernel="(3,3)", num_filter=6, stride="(2,2)", pad="(1,1)", adj="(1,1)")
c(
    "Deconvolution",
    [(2, 4, 5, 6), None, None],
    values=False,
    kernel="(4,4)",
    num_filter=6,
    stride="(2,2)",
    target_shape="(10,12)",
    no_bias=False,
    num_group=2,
)
for p in ["max", "avg", "sum"]:
    for cv in ["valid", "full"]:
        c("Pooling", [(2, 3, 9, 8)], kernel="(3,2)", stride="(2,3)", pad="(1,0)", pool_type=p, pooling_convention=cv)
c("Pooling", [(2, 3, 9, 8)], global_pool=True, pool_type="avg", kernel="(1,1)")
c("Pooling", [(2, 3, 9)], kernel="(3,)", pool_type="avg", count_include_pad=False, pad="(1,)")
c("Pooling", [(2, 3, 4, 5, 6)], kernel="(2,2,2)", pool_type="lp", p_value=2)
c("BatchNorm", [(2, 3, 4, 5)] + [None] * 4, fix_gamma=False)
c("BatchNorm", [(2, 4, 5, 3)] + [None] * 4, axis=3, use_global_stats=True)
c("LayerNorm", [(2, 3, 4), None, None])
c("InstanceNorm", [(2, 3, 4, 5), None, None])
c("GroupNorm", [(2, 6, 4, 5), None, None], num_groups=3)
for a in ["leaky", "elu", "selu", "gelu"]:
    c("LeakyReLU", [(2, 3, 4)], act_type=a)
c("LeakyReLU", [(2, 3, 4), None], act_type="prelu")
c("SoftmaxOutput", [(2, 5), None])
c("SoftmaxOutput", [(2, 5, 4), None], multi_output=True)
c("SoftmaxOutput", [(2, 5, 4), None], preserve_shape=True)
c("LinearRegressionOutput", [(2, 5), None])
c("LogisticRegressionOutput", [(2, 5), None])
c("MAERegressionOutput", [(2, 5), None])
c("SVMOutput", [(2, 5), None])
for m in ["rnn_relu", "rnn_tanh", "gru"]:
    c("RNN", [(5, 2, 3), None, None], state_size=4, num_layers=2, mode=m)
c("RNN", [(5, 2, 3), None, None, None], state_size=4, num_layers=2, mode="lstm", bidirectional=True, state_outputs=True)
c("RNN", [(5, 2, 3), None, None, None], state_size=4, num_layers=1, mode="lstm")
for z in ["_zeros", "_ones"]:
    c(z, [], shape="(2,3)")
c("_full", [], shape="(2,3)", value=4)
c("_arange", [], start=1, stop=7, step=2, repeat=2)
c("_linspace", [], start=1, stop=7, num=5)
c("_eye", [], N=3, M=4, k=1)
c("_random_uniform", [], values=False, shape="(2,3)")
c("_sample_uniform", [(3,), (3,)], values=False, shape="(2,)")
c("_contrib_arange_like", [(2, 3)], axis=1)
c("UpSampling", [(2, 3, 4, 5)], scale=2, sample_type="nearest", num_args=1)
c("UpSampling", [(2, 3, 4, 4), (2, 2, 8, 8)], scale=2, sample_type="nearest", num_args=2)
c("Crop", [(2, 3, 8, 8)], num_args=1, offset="(1,2)", h_w="(4,4)")
c("Crop", [(2, 3, 8, 8), (2, 3, 4, 5)], num_args=2)
c("BilinearSampler", [(2, 3, 4, 5), (2, 2, 6, 7)])
c("GridGenerator", [(2, 6)], transform_type="affine", target_shape="(4,5)")
c("GridGenerator", [(2, 2, 4, 5)], transform_type="warp")
c("SpatialTransformer", [(2, 3, 4, 5), (2, 6)], target_shape="(6,7)", transform_type="affine", sampler_type="bilinear")
c(
    "ROIPooling",
    [(2, 3, 8, 8), (4, 5)],
    {1: [0, 1, 2, 9, 12, 1, 4, 4, 6, 15, 0, 0, 0, 15, 15, 1, 3, 3, 3, 3]},
    pooled_size="(3,2)",
    spatial_scale=0.5,
)
c(
    "_contrib_ROIAlign",
    [(2, 3, 8, 8), (4, 5)],
    {1: [0, 1, 2, 9, 12, 1, 4, 4, 6, 15, 0, 0, 0, 15, 15, 1, 3, 3, 3, 3]},
    pooled_size="(3,2)",
    spatial_scale=0.5,
    sample_ratio=2,
)
c("_contrib_BilinearResize2D", [(2, 3, 4, 5)], height=8, width=9)
c("_contrib_AdaptiveAvgPooling2D", [(2, 3, 8, 9)], output_size="(3,2)")
c("_contrib_MultiBoxPrior", [(2, 3, 4, 5)], sizes="(0.5,0.3)", ratios="(1,2)")
c("Correlation", [(2, 3, 8, 8), (2, 3, 8, 8)], kernel_size=1, max_displacement=2, stride1=1, stride2=1, pad_size=2)
c("im2col", [(2, 3, 6, 7)], kernel="(3,2)", stride="(2,1)")
c("_contrib_box_iou", [(4, 4), (5, 4)], {0: (0, 1), 1: (0, 1)})


def add(op: str, *shapes: Shape | None, fill: Fill | None = None, values: bool = True, **attrs: Any) -> None:
    c(op, shapes, fill, values, **attrs)


_M = (2, 4, 4)
for name in (
    "_linalg_potrf",
    "_linalg_sumlogdiag",
    "_linalg_inverse",
    "_linalg_det",
    "_linalg_slogdet",
    "_linalg_potri",
    "_npi_cholesky",
):
    add(name, _M, fill={0: "spd"})
add("_linalg_potrf", _M, fill={0: "spd"}, lower=False)
add("_linalg_syevd", (3, 3), fill={0: "spd"}, values=False)
add("_linalg_gelqf", (2, 3, 5))
add("_linalg_syrk", (2, 3, 5), alpha=2)
add("_linalg_syrk", (2, 3, 5), transpose=True)
for name in ("_linalg_trmm", "_linalg_trsm"):
    add(name, _M, (2, 4, 3), fill={0: "spd"}, alpha=0.5)
    add(name, _M, (2, 3, 4), fill={0: "spd"}, rightside=True, transpose=True, lower=False)
for name in ("_linalg_extractdiag", "_linalg_extracttrian"):
    add(name, _M)
    add(name, _M, offset=-1)
    add(name, _M, offset=1)
for name in ("_linalg_makediag", "_linalg_maketrian"):
    add(name, (2, 6))
    add(name, (2, 6), offset=-1)
    add(name, (2, 6), offset=2)
add("_npi_solve", (4, 4), (4, 3), fill={0: "spd"})

add("_contrib_quadratic", (2, 3), a=1, b=2, c=3)
add("_contrib_interleaved_matmul_selfatt_qk", (5, 2, 24), heads=2)
add("_contrib_interleaved_matmul_selfatt_valatt", (5, 2, 24), (4, 5, 5), heads=2)
add("_contrib_interleaved_matmul_encdec_qk", (5, 2, 8), (6, 2, 16), heads=2)
add("_contrib_interleaved_matmul_encdec_valatt", (6, 2, 16), (4, 5, 6), heads=2)
add("_contrib_index_array", (2, 3))
add("_contrib_index_array", (2, 3, 4), axes="(1,)")
add("_contrib_index_copy", (4, 3), (2,), (2, 3), fill={1: [3, 0]})
add("_contrib_allclose", (2, 3), (2, 3))
add("_contrib_count_sketch", (2, 6), (1, 6), (1, 6), fill={1: 4, 2: [1, -1, 1, 1, -1, 1]}, values=False, out_dim=4)
add("_contrib_BatchNormWithReLU", (2, 3, 4, 5), None, None, None, None, fix_gamma=False, fill={4: (0.5, 2)})
add("_contrib_SparseEmbedding", (2, 3), None, fill={0: 10}, input_dim=10, output_dim=4)
add("_contrib_SyncBatchNorm", (2, 3, 4, 5), None, None, None, None, fix_gamma=False, key="a", fill={4: (0.5, 2)})
add("Convolution_v1", (2, 4, 9, 8), None, None, kernel="(3,2)", num_filter=6, stride="(2,1)", values=False)
add("softmax_cross_entropy", (3, 5), (3,), fill={1: 5})
add("CTCLoss", (8, 2, 5), (2, 3), fill={1: [1, 2, 2, 3, 1, 0]})
add("CTCLoss", (8, 2, 5), (2, 3), fill={1: [1, 2, 2, 3, 1, -1]}, blank_label="last")
add(
    "CTCLoss", (8, 2, 5), (2, 3), (2,), (2,), fill={1: [1, 2, 2, 3, 1, 0], 2: [8, 6], 3: [3, 2]},
    use_data_lengths=True, use_label_lengths=True,
)  # fmt: skip
add("_histogram", (20,), bin_cnt=5, range="(-1, 1)")
add("_histogram", (20,), (4,), fill={1: [-1, -0.5, 0, 1]})
add("_ravel_multi_index", (2, 5), fill={0: 3}, shape="(4, 5)")
add("_unravel_index", (5,), fill={0: 20}, shape="(4, 5)")
add("size_array", (2, 3))
add("all_finite", (2, 3))
add("multi_all_finite", (2, 3), (4,), num_arrays=2)
add("multi_sum_sq", (2, 3), (4,), num_arrays=2)
add("amp_multicast", (2, 3), (4,), num_outputs=2)
add("_slice_assign", (4, 5), (2, 2), begin="(1, 0)", end="(3, 4)", step="(1, 2)")
add("_slice_assign_scalar", (4, 5), begin="(1, None)", end="(3, 4)", scalar=7)
add("_scatter_set_nd", (4, 5), (3,), (2, 3), fill={2: [0, 1, 3, 4, 2, 0]}, values=False, shape="(4, 5)")
add("_square_sum", (2, 3, 4), axis="(1,)", values=False)
add("cast_storage", (2, 3), stype="default")
add("_identity_with_attr_like_rhs", (2, 3), (2, 3))
add("_shuffle", (2, 3), values=False)
add("_sample_multinomial", (2, 3), shape="(4,)", values=False)
for name in ("uniform", "normal", "gamma", "exponential", "poisson"):
    add(f"_random_{name}_like", (2, 3), values=False)
for name in ("uniform", "normal", "gamma"):
    add(f"_random_pdf_{name}", (2, 5), (2,), (2,), fill={0: (1, 2), 1: (0.5, 1), 2: (2, 3)})
    add(f"_random_pdf_{name}", (2, 5), (2,), (2,), fill={0: (1, 2), 1: (0.5, 1), 2: (2, 3)}, is_log=True)
for name in ("exponential", "poisson"):
    add(f"_random_pdf_{name}", (2, 5), (2,), fill={0: 5, 1: (1, 3)})
add("_image_to_tensor", (4, 5, 3), fill={0: (0, 255)})
add("_image_to_tensor", (2, 4, 5, 3), fill={0: "uint8"})
add("_image_normalize", (3, 4, 5), mean="(0.1, 0.2, 0.3)", std="(1, 2, 3)")
add("_image_crop", (6, 7, 3), x=1, y=2, width=4, height=3)
add("_image_flip_left_right", (4, 5, 3), values=False)
add("_image_flip_top_bottom", (4, 5, 3), values=False)
add("_image_resize", (4, 5, 3), size="(8, 6)", values=False)
add("_image_adjust_lighting", (4, 5, 3), alpha="(0.1, 0.2, 0.3)")
add("col2im", (2, 18, 16), output_size="(6, 5)", kernel="(3, 2)", stride="(1, 1)", values=True)
add("im2col", (2, 3, 6, 7), kernel="(3,2)", stride="(2,1)", dilate="(1,2)", pad="(1,0)")
add(
    "_contrib_DeformableConvolution",
    (2, 4, 9, 8),
    (2, 12, 7, 7),
    None,
    None,
    kernel="(3,2)",
    num_filter=6,
    values=False,
)
add("_contrib_box_decode", (2, 5, 4), (1, 5, 4), fill={1: (0, 1)}, format="center")
add("_contrib_box_decode", (2, 5, 4), (1, 5, 4), fill={1: [0, 0, 1, 1] * 5}, format="corner", clip=0.5, std0=0.1)
_ROWS = [
    0,
    0.5,
    0.1,
    0.1,
    0.2,
    0.2,
    1,
    0.4,
    0.1,
    0.1,
    0.2,
    0.2,
    0,
    0.3,
    0.1,
    0.1,
    0.14,
    0.14,
    2,
    0.6,
    0.5,
    0.5,
    0.7,
    0.8,
]
add("_contrib_box_nms", (4, 6), fill={0: _ROWS}, overlap_thresh=0.1, force_suppress=True)
add("_contrib_box_nms", (4, 6), fill={0: _ROWS}, overlap_thresh=0.1, id_index=0)
add(
    "_contrib_box_nms",
    (4, 6),
    fill={0: _ROWS},
    overlap_thresh=0.1,
    id_index=0,
    background_id=2,
    topk=2,
    valid_thresh=0.35,
)
add("_contrib_box_nms", (4, 6), fill={0: _ROWS}, in_format="center", out_format="corner")
add("_contrib_bipartite_matching", (3, 2), fill={0: [0.5, 0.6, 0.1, 0.2, 0.3, 0.4]}, threshold=1e-12)
add("_contrib_MultiBoxTarget", (1, 6, 4), (2, 3, 5), (2, 4, 6), values=False)
_CORNERS = [0.1, 0.1, 0.4, 0.5, 0.2, 0.1, 0.5, 0.5, 0.6, 0.6, 0.9, 0.9, 0.1, 0.6, 0.3, 0.9]
add("_contrib_MultiBoxDetection", (2, 3, 4), (2, 16), (1, 4, 4), fill={0: (0, 1), 2: _CORNERS})
add(
    "_contrib_MultiBoxDetection",
    (2, 3, 4),
    (2, 16),
    (1, 4, 4),
    fill={0: (0, 1), 2: _CORNERS},
    force_suppress=True,
    threshold=0.5,
    nms_threshold=0.2,
)
add("_contrib_box_iou", (4, 4), (5, 4), fill={0: (0, 1), 1: (0, 1)}, format="center")
add("_contrib_Proposal", (1, 24, 4, 5), (1, 48, 4, 5), (1, 3), values=False)
add("_contrib_MultiProposal", (2, 24, 4, 5), (2, 48, 4, 5), (2, 3), values=False)
add("_contrib_PSROIPooling", (2, 18, 8, 8), (4, 5), spatial_scale=1, output_dim=2, pooled_size=3, values=False)
add("_contrib_RROIAlign", (2, 3, 8, 8), (4, 6), pooled_size="(3, 2)", spatial_scale=1, values=False)
add(
    "Correlation",
    (2, 3, 8, 8),
    (2, 3, 8, 8),
    kernel_size=3,
    max_displacement=2,
    stride1=2,
    stride2=2,
    pad_size=3,
    is_multiply=False,
)
for mode in ("gru", "lstm"):
    add(
        "RNN",
        (5, 2, 3),
        None,
        None,
        *([None] if mode == "lstm" else []),
        state_size=4,
        num_layers=2,
        mode=mode,
        bidirectional=True,
        state_outputs=True,
    )

add("_contrib_quantize_v2", (2, 3), min_calib_range=-1, max_calib_range=1)
add("_contrib_quantize_v2", (2, 3))
add("_contrib_quantize_v2", (2, 3), out_type="uint8", min_calib_range=0, max_calib_range=1, fill={0: (0, 1)})
add("_contrib_quantize", (2, 3), (1,), (1,), fill={1: [-1], 2: [1]}, out_type="int8")
add("_contrib_dequantize", (2, 3), (1,), (1,), fill={0: "int8", 1: [-1], 2: [1]})
add("_contrib_dequantize", (2, 3), (1,), (1,), fill={0: "uint8", 1: [0], 2: [2]})
add("_contrib_requantize", (2, 3), (1,), (1,), fill={0: "int32", 1: [-1e8], 2: [1e8]})
add("_contrib_quantized_flatten", (2, 3, 4), (1,), (1,), fill={0: "int8", 1: [-1], 2: [1]})
add("_contrib_quantized_act", (2, 3, 4, 4), (1,), (1,), fill={0: "int8", 1: [-1], 2: [1]}, act_type="relu")
add(
    "_contrib_quantized_pooling",
    (2, 3, 4, 4),
    (1,),
    (1,),
    fill={0: "int8", 1: [-1], 2: [1]},
    kernel="(2, 2)",
    stride="(2, 2)",
    pool_type="max",
)
add(
    "_contrib_quantized_fully_connected", (2, 3), None, None, (1,), (1,), (1,), (1,), (1,), (1,),
    fill={0: "int8", 1: "int8", 2: "int8", 3: [-1], 4: [1], 5: [-0.5], 6: [0.5], 7: [-2], 8: [2]}, num_hidden=4,
)  # fmt: skip
add(
    "_contrib_quantized_conv", (2, 3, 5, 5), None, (1,), (1,), (1,), (1,),
    fill={0: "uint8", 1: "int8", 2: [0], 3: [1], 4: [-0.5], 5: [0.5]}, num_filter=4, kernel="(3, 3)", no_bias=True,
)  # fmt: skip

_UNARY = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh degrees exp expm1 fix floor log log10 "
    "log1p log2 negative radians reciprocal rint sign sin sinh sqrt square tan tanh trunc isfinite isinf isnan "
    "isneginf isposinf logical_not"
)
for name in _UNARY.split():
    add(f"_npi_{name}", (2, 3))
for name in [
    "add",
    "subtract",
    "multiply",
    "power",
    "mod",
    "hypot",
    "true_divide",
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
    "arctan2",
    "copysign",
    "ldexp",
]:
    add(f"_npi_{name}", (2, 3, 4), (3, 1))
    if name not in ("hypot",):
        add(f"_npi_{name}_scalar", (2, 3), scalar=1.5, is_int=False)
for name in ["subtract", "power", "mod", "true_divide", "arctan2", "copysign", "ldexp"]:
    add(f"_npi_r{name}_scalar", (2, 3), scalar=1.5, is_int=False)
for name in ["bitwise_and", "bitwise_or", "bitwise_xor", "lcm"]:
    add(f"_npi_{name}", (2, 3), (2, 3), fill={0: "int32", 1: "int32"})
add("_npi_bitwise_not", (2, 3), fill={0: "int32"})
for name in ("_np_sum", "_np_prod", "_np_max", "_np_min", "_npi_mean", "_npi_std", "_npi_var"):
    add(name, (2, 3, 4), axis="(0, 2)")
    add(name, (2, 3, 4), axis="(1,)", keepdims=True)
for name in ("_np_any", "_np_all"):
    add(name, (2, 3, 4), axis="(0, 2)")
add("_npi_argmax", (2, 3, 4), axis=1)
add("_npi_argmin", (2, 3, 4), axis=-1, keepdims=True)
for name in ("zeros", "ones"):
    add(f"_npi_{name}", shape="(2, 3)")
add("_npi_arange", start=1, stop=7, step=2)
add("_npi_logspace", start=0, stop=2, num=5)
add("_npi_eye", N=3, M=4, k=1)
add("_npi_identity", shape="(3, 3)")
add("_npi_indices", dimensions="(2, 3)")
add("_npi_full_like", (2, 3), fill_value=3)
for name in ("hanning", "hamming", "blackman"):
    add(f"_npi_{name}", M=7)
add("_npi_around", (2, 3), decimals=1)
add("_npi_nan_to_num", (2, 3), nan=1)
add("_np_copy", (2, 3))
add("_np_cumsum", (2, 3), axis=1)
add("_np_cumsum", (2, 3))
add("_np_atleast_2d", (3,), (2, 3), num_args=2)
add("_np_atleast_3d", (3,), (2, 3), num_args=2)
add("_np_moveaxis", (2, 3, 4), source="(0,)", destination="(2,)")
add("_np_roll", (2, 3), shift="(1,)", axis="(1,)")
add("_np_roll", (2, 3), shift="(2,)")
add("_npi_rot90", (2, 3, 4), k=1, axes="(0, 2)")
add("_np_diag", (3, 4), k=1)
add("_np_diagonal", (2, 3, 4), offset=1, axis1=0, axis2=2)
add("_np_trace", (2, 3, 4), offset=1, axis1=1, axis2=2)
add("_np_diagflat", (2, 3), k=-1)
add("_npi_tril", (3, 4), k=1)
add("_npi_diff", (2, 5), n=2)
add("_npi_matmul", (2, 3, 4), (4, 5))
add("_npi_matmul", (5, 2, 3, 4), (2, 4, 5))
add("_np_dot", (2, 3), (3, 4))
add("_npi_tensordot_int_axes", (2, 3, 4), (3, 4, 5), axes=2)
add("_npi_tensordot", (2, 3, 4), (4, 3, 5), a_axes_summed="(1, 2)", b_axes_summed="(1, 0)")
add("_npi_einsum", (2, 3), (3, 4), num_args=2, subscripts="ij,jk->ik")
add("_npi_polyval", (3,), (2, 4))
add("_npi_pad", (2, 3), pad_width="((1, 1), (0, 2))", mode="constant", constant_value=2)
add("_npi_flip", (2, 3), axis="(1,)")
add("_npi_concatenate", (2, 3), (2, 4), num_args=2, axis=1)
add("_npi_stack", (2, 3), (2, 3), num_args=2, axis=1)
add("_npi_vstack", (2, 3), (1, 3), num_args=2)
add("_npi_column_stack", (3, 1), (3, 2), num_args=2)
add("_npi_hsplit", (2, 6), indices="(0, 2, 5)", axis=1)
add("_npi_hsplit", (2, 6), indices="()", sections=3)
add("_np_transpose", (2, 3, 4), axes="(1, 0, 2)")
add("_np_squeeze", (2, 1, 3), axis="(1,)")
add("_np_reshape", (2, 6), newshape="(3, -1)")
add("_npi_broadcast_to", (3, 1), shape="(2, 3, 4)")
add("_npi_where", (2, 3), (2, 3), (3,), fill={0: 2})
add("_npi_where_lscalar", (2, 3), (2, 3), fill={0: 2}, scalar=2)
add("_npi_where_rscalar", (2, 3), (2, 3), fill={0: 2}, scalar=2)
add("_npi_where_scalar2", (2, 3), fill={0: 2}, x=1, y=2)
add("_npx_relu", (2, 3))
add("_npx_sigmoid", (2, 3))
