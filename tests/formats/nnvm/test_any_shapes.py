"""Every operator of MXNet with shapes and attributes that nobody foresaw: something is said of them, or nothing."""

from __future__ import annotations

import json
import random

import pytest

from irlint import engine
from irlint.findings import Severity
from irlint.operators import Attribute, Operator, table

_TABLE = table("mxnet")
_NUMBERS = ("-3", "-1", "0", "1", "2", "5")


def _tuple(rng: random.Random, ranks: tuple[int, ...], numbers: tuple[str, ...]) -> str:
    dims = [rng.choice(numbers) for _ in range(rng.choice(ranks))]
    return f"({', '.join(dims)}{',' * (len(dims) == 1)})"


def _value(rng: random.Random, attribute: Attribute) -> str:
    if attribute.values:
        return rng.choice(attribute.values)
    if attribute.kind == "bool":
        return rng.choice(("True", "False"))
    if attribute.kind in ("shape", "int_tuple"):
        return _tuple(rng, (0, 1, 2, 4), _NUMBERS)
    return rng.choice(_NUMBERS)


def _model(rng: random.Random, operator: Operator) -> str:
    shape = _tuple(rng, (1, 2, 3, 4, 5), ("1", "2", "3", "4"))
    attrs = {a.name: _value(rng, a) for a in operator.attributes.values() if a.required or rng.random() < 0.3}
    nodes = []
    for k in range(len(operator.inputs)):
        own = shape if rng.random() < 0.7 else _tuple(rng, (0, 1, 2, 3), ("0", "1", "2"))
        nodes.append({"op": "null", "name": f"in{k}", "attrs": {"__shape__": own}, "inputs": []})
    count = len(nodes)
    nodes.append({"op": operator.name, "name": "op", "attrs": attrs, "inputs": [[k, 0, 0] for k in range(count)]})
    heads = {"arg_nodes": list(range(count)), "heads": [[count, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    return json.dumps({"nodes": nodes, **heads})


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_a_shape_function_does_not_foresee_ends_the_lint(seed: int) -> None:
    rng = random.Random(seed)
    for operator in filter(None, map(_TABLE.get, sorted(_TABLE.names))):
        engine.lint(_model(rng, operator), "model-symbol.json")


def _of(operator: str, shapes: tuple[str, ...], kinds: tuple[int, ...] = (), **attrs: str) -> str:
    """The severities and names of what is said of one operator."""
    given = [{"__shape__": shape} for shape in shapes]
    for k, kind in enumerate(kinds):
        given[k]["__dtype__"] = str(kind)
    nodes = [{"op": "null", "name": f"in{k}", "attrs": each, "inputs": []} for k, each in enumerate(given)]
    count = len(nodes)
    nodes.append({"op": operator, "name": "op", "attrs": attrs, "inputs": [[k, 0, 0] for k in range(count)]})
    heads = {"arg_nodes": list(range(count)), "heads": [[count, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    found = engine.lint(json.dumps({"nodes": nodes, **heads}), "model-symbol.json").findings
    return " ".join(f"{f.severity.name} {f.name}" for f in found if f.severity >= Severity.WARNING)


@pytest.mark.parametrize(
    ("operator", "kinds", "other"),
    [
        ("_npi_add", (0, 4), "(2, 3)"),
        ("_npi_add", (0, 2), "(3,)"),
        ("_npi_multiply", (4, 6), "(2, 3)"),
        ("_npi_power", (3, 7), "(2, 3)"),
        ("_npi_subtract", (5, 6), "(3,)"),
        ("_npi_true_divide", (0, 4), "(2, 3)"),
    ],
)
def test_types_that_mxnet_mixes(operator: str, kinds: tuple[int, int], other: str) -> None:
    assert not _of(operator, ("(2, 3)", other), kinds)


@pytest.mark.parametrize(
    ("operator", "kinds"),
    [
        ("_npi_add", (3, 5)),
        ("_npi_subtract", (5, 6)),
        ("_npi_true_divide", (0, 2)),
        ("_npi_hypot", (0, 2)),
        ("_npi_equal", (0, 4)),
        ("_npi_copysign", (0, 2)),
    ],
)
def test_types_that_mxnet_does_not_mix(operator: str, kinds: tuple[int, int]) -> None:
    assert _of(operator, ("(2, 3)", "(2, 3)"), kinds) == "ERROR dtype-mismatch"


def test_oddities_that_run() -> None:
    assert not _of("LRN", ("(4, 4)",), nsize="3")
    assert not _of("_split_v2", ("(4, 4)",), indices="()", axis="1", sections="3")
    assert _of("clip", ("(3,)",), a_min="2", a_max="1") == "WARNING value-out-of-range"
    assert _of("_slice_assign_scalar", ("(4, 4)",), begin="(2,)", end="(2,)") == "WARNING empty-output"


@pytest.mark.parametrize("operator", ["_image_flip_left_right", "_image_random_lighting"])
def test_pictures(operator: str) -> None:
    assert not _of(operator, ("(4, 5, 3)",))
    assert not _of(operator, ("(4, 5, 1)",))
    assert _of(operator, ("(4, 5, 4)",)) == "ERROR shape-mismatch"
    assert _of(operator, ("(2, 4, 5, 3)",)) == "ERROR wrong-rank"


def test_scales_of_layers() -> None:
    assert not _of("LayerNorm", ("(2, 3)", "(3,)", "(3,)"))
    assert _of("LayerNorm", ("(2, 3)", "(2,)", "(3,)")) == "ERROR shape-mismatch"
    assert _of("LayerNorm", ("(2, 3)", "(3,)", "(3, 1)")) == "ERROR wrong-rank"


def test_attributes_that_shapes_cannot_do_without() -> None:
    assert _of("_unravel_index", ("(3,)",)) == "ERROR value-out-of-range"
    assert _of("_ravel_multi_index", ("(2, 3)",), shape="()") == "ERROR value-out-of-range"
    assert _of("_split_v2", ("(4, 4)",), indices="()", axis="1") == "ERROR value-out-of-range"
    assert _of("_contrib_getnnz", ("(3, 4, 2)",)) == "ERROR wrong-rank"


def test_more_numbers_or_dimensions_than_are_read() -> None:
    kernel = {"kernel": "(3, 3)", "num_filter": "2", "pad": "(1, 1)"}
    assert not _of("Convolution_v1", ("(2, 3, 4, 4)", "(2, 3, 3, 3)", "(2,)"), **kernel, stride="(1, 1, 1)")
    offsets = ("(1, 2, 4, 4)", "(1, 18, 4, 4)", "(2, 2, 3, 3)", "(2,)")
    assert not _of("_contrib_DeformableConvolution", offsets, **kernel, dilate="(1, 1, 1, 1)")
    assert _of("Convolution_v1", ("(2, 3, 4, 4)", "(2, 3, 3, 3)", "(2,)"), **kernel, stride="(1,)")
    ranges = ("(1, 4, 6, 6)", "(4, 4, 3, 3)", "(1,)", "(1,)", "(1,)", "(1,)")
    longer = {"kernel": "(3, 3, 1)", "num_filter": "4", "no_bias": "True"}
    assert not _of("_contrib_quantized_conv", ranges, (3, 5), **longer)
    assert not _of("im2col", ("(2, 3, 4, 4, 1)",), kernel="(2, 2)")
    assert _of("im2col", ("(2, 3, 4)",), kernel="(2, 2)") == "ERROR wrong-rank"
    assert _of("im2col", ("(1, 2, 4, 1)",), kernel="(2, 2)") == "ERROR shape-mismatch"
    assert not _of("_contrib_box_decode", ("(2, 3, 4)", "(1, 1, 3, 4)"))
    assert _of("_contrib_box_decode", ("(2, 3, 4)", "(2, 3, 4)")) == "ERROR shape-mismatch"
    assert not _of("_linalg_potri", ("(1,)",))
    assert _of("_linalg_potri", ("(3,)",)) == "ERROR wrong-rank"
    assert not _of("_npi_arange", (), start="2", stop="1")
    assert _of("_arange", (), start="2", stop="1") == "ERROR empty-output"
    assert _of("_npi_weibull", ("(2,)",), a="1.0") == "WARNING wrong-input-count"


@pytest.mark.parametrize(
    ("condition", "fits"),
    [("(2,)", True), ("(3,)", False), ("(2, 1)", True), ("(1, 1)", True), ("(2, 1, 1)", True), ("(3, 3)", False)],
)
def test_conditions_that_are_counted_only(condition: str, fits: bool) -> None:
    assert _of("where", (condition, "(2, 3)", "(2, 3)")) == ("" if fits else "ERROR shape-mismatch")


@pytest.mark.parametrize(
    ("operator", "inputs", "good", "bad"),
    [
        ("_random_uniform", 0, {"low": "1", "high": "1"}, {"low": "2"}),
        ("_random_uniform", 0, {"low": "-3"}, {"high": "-1"}),
        ("_random_randint", 0, {"low": "1", "high": "2"}, {"low": "1", "high": "1"}),
        ("_np_sum", 1, {"initial": "None"}, {"initial": "1"}),
        ("log_softmax", 1, {"use_length": "0"}, {"use_length": "1"}),
        ("softmax", 1, {"use_length": "False"}, {"use_length": "None"}),
        ("Correlation", 2, {"kernel_size": "1"}, {"kernel_size": "2"}),
        ("_sample_uniform", 2, {"shape": "()"}, {"shape": "(0,)"}),
        ("_npi_arange", 0, {"start": "1", "infer_range": "1", "stop": "3"}, {"start": "1", "infer_range": "1"}),
        ("_npi_einsum", 1, {"num_args": "1", "subscripts": "abc->a"}, {"num_args": "1", "subscripts": "ab,c"}),
        ("_npi_einsum", 1, {"num_args": "1", "subscripts": "abc"}, {"num_args": "1", "subscripts": "a0c"}),
        ("_contrib_box_nms", 1, {"coord_start": "0", "score_index": "4"}, {"coord_start": "0"}),
        ("_contrib_box_nms", 1, {"id_index": "0"}, {"id_index": "1"}),
        (
            "_npi_tensordot",
            2,
            {"a_axes_summed": "(1,)", "b_axes_summed": "(0,)"},
            {"a_axes_summed": "(0,)", "b_axes_summed": "()"},
        ),
        ("Custom", 1, {"op_type": "mine", "anything": "3"}, {"anything": "3"}),
        ("_contrib_BilinearResize2D", 1, {"scale_width": "0.5"}, {"scale_height": "0.5"}),
        ("_np_roll", 1, {"shift": "(1,)"}, {}),
        ("_npi_hanning", 0, {"M": "3"}, {}),
        ("_npi_weibull", 0, {"a": "1.0", "size": "(2,)"}, {"a": "1.0", "size": "(-9,)"}),
        ("_cvimresize", 1, {"w": "2", "h": "2", "interp": "5"}, {"w": "2", "h": "2", "interp": "6"}),
    ],
)
def test_values_that_only_the_run_refuses(
    operator: str, inputs: int, good: dict[str, str], bad: dict[str, str]
) -> None:
    shapes = (
        {
            "Correlation": "(1, 3, 4, 4)",
            "_contrib_box_nms": "(1, 3, 8)",
            "_contrib_BilinearResize2D": "(1, 3, 4, 4)",
        }.get(operator, "(4, 4, 3)"),
    ) * inputs
    if operator.startswith("_random"):
        good, bad = {"shape": "(2,)", **good}, {"shape": "(2,)", **bad}
    assert not _of(operator, shapes, **good)
    assert _of(operator, shapes, **bad).startswith("ERROR")


@pytest.mark.parametrize(
    ("operator", "shapes", "bad", "why", "attrs"),
    [
        ("sgd_mom_update", ("(2, 3)",) * 3, {2: "(3, 2)"}, "shape-mismatch", {"lr": "0.1"}),
        ("multi_sgd_update", ("(2, 3)",) * 2, {1: "(2,)"}, "shape-mismatch", {"lrs": "(0.1,)", "wds": "(0,)"}),
        ("preloaded_multi_sgd_update", ("(2,)", "(2,)", "(1,)", "(1,)"), {3: "(2,)"}, "element-count-mismatch", {}),
        ("_npi_eigh", ("(4, 3, 3)",), {0: "(4, 3, 2)"}, "shape-mismatch", {}),
        ("_npi_svd", ("(2, 3)",), {0: "(3, 2)"}, "shape-mismatch", {}),
        ("_npi_pinv_scalar_rcond", ("(2, 3)",), {0: "(3,)"}, "wrong-rank", {}),
        ("_npi_tensorinv", ("(2, 3, 6)",), {0: "(2, 3, 5)"}, "shape-mismatch", {"ind": "2"}),
        ("_npi_solve", ("(2, 3, 3)", "(2, 3, 1)"), {1: "(1, 3, 1)"}, "shape-mismatch", {}),
        ("_npi_average", ("(2, 3)", "(2, 3)"), {1: "(3, 2)"}, "shape-mismatch", {}),
        ("_npi_percentile", ("(2, 3)", "(4,)"), {1: "(4, 1)"}, "wrong-rank", {}),
        ("_npi_insert_slice", ("(3, 4)", "(1, 4)"), {1: "(2, 3, 4)"}, "shape-mismatch", {"axis": "0", "step": "1"}),
        ("_npi_boolean_mask_assign_tensor", ("(2, 3)", "(2,)", "(1, 3)"), {1: "(3,)"}, "shape-mismatch", {}),
        ("_random_pdf_normal", ("(2, 3)", "(2,)", "(2,)"), {2: "(3,)"}, "shape-mismatch", {}),
        ("_random_pdf_dirichlet", ("(2, 3)", "(2, 3)"), {1: "(2, 4)"}, "shape-mismatch", {}),
        ("_contrib_hawkesll", ("(2, 3)", "(3,)", "(3,)", "(2, 3)", "(2, 4)", "(2, 4)", "(2,)", "(2,)"), {4: "(2, 5)"},
         "shape-mismatch", {}),
        ("_contrib_dequantize", ("(2, 3)", "(1,)", "(1,)"), {1: "(2,)"}, "shape-mismatch", {}),
        ("_contrib_count_sketch", ("(2, 3)", "(1, 3)", "(1, 3)"), {1: "(1, 4)"}, "shape-mismatch", {"out_dim": "2"}),
        ("_npx_reshape", ("(2, 3)",), {0: "(2, 4)"}, "element-count-mismatch", {"newshape": "(3, 2)"}),
    ],
)  # fmt: skip
def test_rare_operators(
    operator: str, shapes: tuple[str, ...], bad: dict[int, str], why: str, attrs: dict[str, str]
) -> None:
    assert not _of(operator, shapes, **attrs)
    changed = tuple(bad.get(k, shape) for k, shape in enumerate(shapes))
    assert _of(operator, changed, **attrs) == f"ERROR {why}"


@pytest.mark.parametrize(
    ("operator", "good", "bad"),
    [
        ("elemwise_mul", (1, 1), (1, 0)),
        ("FullyConnected", (2, 2, 2), (0, 0, 1)),
        ("Concat", (4, 4), (4, 0)),
        ("BatchNorm", (2, 0, 0, 0, 0), (4, 0, 0, 0, 0)),
        ("Embedding", (4, 0), (7, 0)),
        ("softmax", (2,), (4,)),
        ("sqrt", (5,), (7,)),
        ("_npi_bitwise_and", (4, 4), (0, 0)),
        ("_npx_constraint_check", (7,), (0,)),
        ("mp_sgd_update", (2, 2, 0), (2, 2, 2)),
    ],
)
def test_element_types(operator: str, good: tuple[int, ...], bad: tuple[int, ...]) -> None:
    shapes = {
        "FullyConnected": ("(2, 3)", "(4, 3)", "(4,)"),
        "BatchNorm": ("(2, 3)", *["(3,)"] * 4),
        "Embedding": ("(2,)", "(5, 6)"),
    }.get(operator, ("(2, 3)",) * len(good))
    attrs = {
        "FullyConnected": {"num_hidden": "4"},
        "Concat": {"num_args": "2"},
        "Embedding": {"input_dim": "5", "output_dim": "6"},
        "mp_sgd_update": {"lr": "0.1"},
    }.get(operator, {})
    assert not _of(operator, shapes, good, **attrs)
    assert _of(operator, shapes, bad, **attrs) == "ERROR dtype-mismatch"
