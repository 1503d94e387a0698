"""What onnxruntime 1.32 computes in rare cases: classic machine learning, attention, sequences, loops, what is empty or not a number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irlint.api import infer, lint, load, run

from .test_onnx_numbers import INF, NAN, NUMBERS, model, outputs

TREES = (
    "nodes_treeids: ints = [0, 0, 0], nodes_nodeids: ints = [0, 1, 2], nodes_featureids: ints = [0, 0, 0], "
    'nodes_modes: strings = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values: floats = [0, 0, 0], '
    "nodes_truenodeids: ints = [1, 0, 0], nodes_falsenodeids: ints = [2, 0, 0]"
)
LEAVES = (
    "class_treeids: ints = [0, 0], class_nodeids: ints = [1, 2], class_ids: ints = [{}], class_weights: floats = [{}]"
)
VECTORS = "kernel_params: floats = [0, 0, 0], vectors_per_class: ints = [1, 1], support_vectors: floats = [1, 2], coefficients: floats = [-1, 1], rho: floats = [0]"


@pytest.mark.parametrize(
    ("operator", "attributes", "expected"),
    [
        (
            "LinearRegressor",
            'coefficients: floats = [2], targets: int = 1, post_transform: string = "SOFTMAX"',
            [-2, 4],
        ),
        (
            "SVMRegressor",
            'kernel_type: string = "LINEAR", kernel_params: floats = [0, 0, 0], coefficients: floats = [3], rho: floats = [1], post_transform: string = "LOGISTIC"',
            [-2, 7],
        ),
    ],
)
def test_one_score_is_no_probability(operator: str, attributes: str, expected: list[float]) -> None:
    node = f"y = ai.onnx.ml.{operator} <{attributes}> (x)"
    found = run(
        model("float[2,1] x", node, "float[2,1]", ', "ai.onnx.ml" : 1'), {"x": np.array([[-1], [2]], np.float32)}
    )
    assert found["y"].ravel().tolist() == expected


@pytest.mark.parametrize(
    ("operator", "attributes", "labels", "scores"),
    [
        (
            "LinearClassifier",
            "classlabels_ints: ints = [5, 3], coefficients: floats = [2], intercepts: floats = [0]",
            [5, 3],
            [3, -2, -3, 4],
        ),
        (
            "LinearClassifier",
            'classlabels_ints: ints = [5, 3], coefficients: floats = [2], intercepts: floats = [0], post_transform: string = "SOFTMAX"',
            [5, 3],
            [3, -2, -3, 4],
        ),
        (
            "SVMClassifier",
            f'classlabels_ints: ints = [5, 3], kernel_type: string = "LINEAR", post_transform: string = "SOFTMAX", {VECTORS}',
            [3, 5],
            [2, -1, -1, 2],
        ),
        (
            "SVMClassifier",
            "classlabels_ints: ints = [5, 3], kernel_params: floats = [0, 0, 0], coefficients: floats = [2, -1], rho: floats = [0.25]",
            [3, 3],
            [-1.75, 1.25, 4.25, -1.75],
        ),
        (
            "TreeEnsembleClassifier",
            f"classlabels_int64s: ints = [5, 3], base_values: floats = [0.5], {TREES}, {LEAVES.format('0, 1', '1, 2')}",
            [1, 1],
            [1.5, 0, 0, 2],
        ),
        (
            "TreeEnsembleClassifier",
            f"classlabels_int64s: ints = [5, 3, 9], {TREES}, {LEAVES.format('1, 1', '-1, 2')}",
            [3, 3],
            [0, -1, 0, 0, 2, 0],
        ),
    ],
)
def test_classes_and_scores(operator: str, attributes: str, labels: list[int], scores: list[float]) -> None:
    node = f"y, z = ai.onnx.ml.{operator} <{attributes}> (x)"
    text = model("float[2,1] x", node, "int64[2]", ', "ai.onnx.ml" : 1').replace("y)", "y, float[2,?] z)", 1)
    found = run(text, {"x": np.array([[-1], [2]], np.float32)})
    assert found["y"].tolist() == labels
    np.testing.assert_allclose(found["z"].ravel(), scores, atol=1e-6)


@pytest.mark.parametrize(("version", "expected"), [(2, [-1, 7]), (4, [3, 7])])
def test_labels_of_nan(version: int, expected: list[int]) -> None:
    attributes = "keys_floats: floats = [nan, 1], values_int64s: ints = [3, 7]"
    node = f"y = ai.onnx.ml.LabelEncoder <{attributes}> (x)"
    text = model(NUMBERS, node, "int64[?]", f', "ai.onnx.ml" : {version}')
    assert run(text, {"x": np.array([NAN, 1], np.float32)})["y"].tolist() == expected


def test_categories_of_fractions() -> None:
    node = "y = ai.onnx.ml.OneHotEncoder <cats_int64s: ints = [0, 1]> (x)"
    text = model("float[2] x", node, "float[2,2]", ', "ai.onnx.ml" : 1')
    assert run(text, {"x": np.array([1.7, 0.2], np.float32)})["y"].tolist() == [[0, 1], [1, 0]]


def test_features_have_the_widths_that_are_asked_for() -> None:
    node = "y = ai.onnx.ml.FeatureVectorizer <inputdimensions: ints = [3, 1]> (a, b)"
    text = model("float[1,2] a, float[1,2] b", node, "float[1,4]", ', "ai.onnx.ml" : 1')
    found = run(text, {"a": np.array([[1, 2]], np.float32), "b": np.array([[3, 4]], np.float32)})["y"]
    assert found.tolist() == [[1, 2, 0, 3]]


def test_a_mask_of_nothing_leaves_the_scores() -> None:
    """onnxruntime adds -10000 to all of them."""
    x = np.array([[[1, 2], [-1, 3]]], np.float32)
    given = {"q": x, "k": x, "v": x}
    inputs = "float[1,2,2] q, float[1,2,2] k, float[1,2,2] v"
    plain = outputs(
        inputs, "y = com.microsoft.MultiHeadAttention <num_heads: int = 1> (q, k, v)", "float[1,2,2]", **given
    )
    node = 'y = com.microsoft.MultiHeadAttention <num_heads: int = 1> (q, k, v, "", m)'
    found = outputs(f"{inputs}, int32[1,2] m", node, "float[1,2,2]", m=np.zeros((1, 2), np.int32), **given)
    np.testing.assert_allclose(found, plain, rtol=1e-3)


@pytest.mark.parametrize(
    ("attribute", "sink", "expected"), [(", smooth_softmax: int = 1", "", 3 / 4), ("", "s", 3 / 5)]
)
def test_a_key_without_value_takes_its_share(attribute: str, sink: str, expected: float) -> None:
    """One key with the score log(3), beside one with 0 or log(2)."""
    attributes = f"num_heads: int = 1, kv_num_heads: int = 1, scale: float = 1{attribute}"
    more = f', "", "", "", "", {sink}' if sink else ""
    node = f'y, pk, pv = com.microsoft.GroupQueryAttention <{attributes}> (q, k, v, "", "", n, t{more})'
    given = {
        "q": np.full((1, 1, 8), np.log(3) / 8, np.float32),
        "k": np.ones((1, 1, 8), np.float32),
        "v": np.ones((1, 1, 8), np.float32),
        "n": np.zeros(1, np.int32),
        "t": np.array(1, np.int32),
    }
    inputs = "float[1,1,8] q, float[1,1,8] k, float[1,1,8] v, int32[1] n, int32 t"
    if sink:
        inputs, given = f"{inputs}, float[1] s", {**given, "s": np.log([2]).astype(np.float32)}
    np.testing.assert_allclose(outputs(inputs, node, "float[1,1,8]", **given), expected, rtol=1e-5)


def test_one_query_behind_a_cache_sees_all_new_keys() -> None:
    """As in onnxruntime, which has finite scores for what is masked."""
    given = {name: np.ones((1, 1, 2, 1), np.float32) for name in "kv"}
    given |= {
        "q": np.ones((1, 1, 1, 1), np.float32),
        **{name: np.zeros((1, 1, 1, 1), np.float32) for name in ("a", "b")},
    }
    inputs = "float[1,1,1,1] q, float[1,1,2,1] k, float[1,1,2,1] v"
    node = "y, pk, pv, s = Attention <is_causal: int = 1, qk_matmul_output_mode: int = 2> (q, k, v{})"
    head = f'<ir_version: 10, opset_import: ["" : 23]> g ({inputs}{{}}) => (float[1,1,1,1] y, float[1,1,1,?] s) {{{{ {{}} }}}}'
    behind = run(head.format(", float[1,1,1,1] a, float[1,1,1,1] b", node.format(', "", a, b')), given)
    np.testing.assert_allclose(behind["y"], 2 * np.e / (1 + 2 * np.e), rtol=1e-5)
    first = run(head.format("", node.format("")), {name: given[name] for name in "qkv"})
    assert first["s"].ravel().tolist() == [1, np.finfo(np.float32).min]


@pytest.mark.parametrize(("size", "expected"), [("1,1,1,3", [[-1, 1], [0, 1], [1, 1]]), ("1,1,1,1", [[1, 1]])])
def test_a_line_of_one_place_has_its_end(size: str, expected: list[list[float]]) -> None:
    node = f"s = Constant <value_ints: ints = [{size}]> () y = AffineGrid <align_corners: int = 1> (x, s)"
    found = outputs("float[1,2,3] x", node, "float[?,?,?,?]", x=np.eye(2, 3, dtype=np.float32)[None])
    assert found.reshape(-1, 2).tolist() == expected


@pytest.mark.parametrize("operator", ["Gemm <", 'com.microsoft.FusedGemm <activation: string = "Relu", '])
def test_a_product_without_a_share_of_c_does_not_read_it(operator: str) -> None:
    one = np.ones((2, 2), np.float32)
    inputs = "float[2,2] a, float[2,2] b, float[2] c"
    given = {"a": one, "b": one, "c": np.array([NAN, 1], np.float32)}
    assert outputs(inputs, f"y = {operator}beta: float = 0> (a, b, c)", "float[2,2]", **given).tolist() == [
        [2, 2],
        [2, 2],
    ]


def test_losses_of_classes_that_do_not_count() -> None:
    attributes = 'ignore_index: int = 0, reduction: string = "none"'
    x = np.array([[-INF, 0], [0, -1]], np.float32)
    node = f"y = NegativeLogLikelihoodLoss <{attributes}> (x, t)"
    assert outputs("float[2,2] x, int64[2] t", node, "float[2]", x=x, t=np.array([0, 1])).tolist() == [0, 1]
    given = {"x": np.zeros((0, 2), np.float32), "t": np.zeros(0, np.int64)}
    assert outputs("float[0,2] x, int64[0] t", "y = NegativeLogLikelihoodLoss (x, t)", "float[]", **given).tolist() == 0


@pytest.mark.parametrize(
    ("x", "expected"),
    [([1e-45, 0], [[255, 0], 0, 255]), ([3e38, -3e38], [[0, 0], INF, 0]), ([-INF, INF], [[0, 0], INF, 255])],
)
def test_ranges_that_are_tiny_or_do_not_fit(x: list[float], expected: list[Any]) -> None:
    text = model("float[2] x", "y, s, z = DynamicQuantizeLinear (x)", "uint8[2]").replace(
        "y)", "y, float[] s, uint8[] z)", 1
    )
    assert [found.tolist() for found in run(text, {"x": np.array(x, np.float32)}).values()] == expected


def test_places_of_a_maximum_are_counted_in_the_shape_that_is_asked_for() -> None:
    attributes = "kernel_shape: ints = [2, 2], strides: ints = [2, 2]"
    node = f"s = Constant <value_ints: ints = [1, 1, 5, 5]> () y = MaxUnpool <{attributes}> (x, i, s)"
    x, i = np.arange(1, 5, dtype=np.float32).reshape(1, 1, 2, 2), np.array([[[[3, 6], [8, 24]]]])
    found = outputs("float[1,1,2,2] x, int64[1,1,2,2] i", node, "float[1,1,5,5]", x=x, i=i)
    assert [(place, found.ravel()[place]) for place in np.flatnonzero(found)] == [(3, 1), (6, 2), (8, 3), (24, 4)]


def test_half_the_spectrum_of_complex_frames() -> None:
    node = 'b = Constant <value_int: int = 4> () y = STFT (x, b, "", b)'
    x = np.array([[[0, 1], [2, 0], [0, 0], [0, -3]]], np.float32)
    found = outputs("float[1,4,2] x", node, "float[1,1,3,2]", x=x)
    np.testing.assert_allclose(found.reshape(3, 2), [[2, -2], [3, -1], [-2, 4]], atol=1e-6)


def test_the_inverse_of_a_singular_matrix() -> None:
    x = np.array([[1, 2], [2, 4]], np.float32)
    assert outputs("float[2,2] x", "y = com.microsoft.Inverse (x)", "float[2,2]", x=x).tolist() == [
        [-INF, INF],
        [INF, -INF],
    ]


@pytest.mark.parametrize("pads", ["int64[4] p", "int64[1,4] p"])
def test_padding_by_a_row(pads: str) -> None:
    amounts = np.array([0, 1, 1, 0]).reshape((4,) if "[4]" in pads else (1, 4))
    given = {"x": np.array([[1, 2]], np.float32), "p": amounts, "v": np.array(7, np.float32)}
    found = outputs(f"float[1,2] x, {pads}, float v", "y = com.microsoft.Pad (x, p, v)", "float[?,?]", **given)
    assert found.tolist() == [[7, 1, 2], [7, 7, 7]]


def test_a_grid_of_com_microsoft() -> None:
    given = {"x": np.array([[[[1, 2], [3, 4]]]], np.float32), "g": np.zeros((1, 1, 1, 2), np.float32)}
    node = "y = com.microsoft.GridSample (x, g)"
    assert outputs("float[1,1,2,2] x, float[1,1,1,2] g", node, "float[1,1,1,1]", **given).item() == 2.5


def test_a_range_without_a_step() -> None:
    given = {"a": np.array(1.5, np.float32), "b": np.array(4, np.float32)}
    found = outputs("float a, float b", "y = com.microsoft.Range (a, b)", "float[?]", **given)
    assert found.tolist() == [1.5, 2.5, 3.5]


def test_unique_elements_in_order() -> None:
    text = model("float[5] x", "y, i, n = com.microsoft.Unique (x)", "float[?]").replace(
        "y)", "y, int64[5] i, int64[?] n)", 1
    )
    found = run(text, {"x": np.array([3, 1, 3, 2, 1], np.float32)})
    assert [part.tolist() for part in found.values()] == [[3, 1, 2], [0, 1, 0, 2, 1], [2, 2, 1]]


@pytest.mark.parametrize(
    ("shape", "pattern", "expected"),
    [
        ((3, 0, 2), (0, 0), (3, 0)),
        ((3, 0, 2), (1, 0), (1, 0)),
        ((3, 0, 2), (0, 0, 3), (3, 0, 3)),
        ((0, 3), (0, 2), (0, 2)),
    ],
)
def test_a_copied_zero(shape: tuple[int, ...], pattern: tuple[int, ...], expected: tuple[int, ...]) -> None:
    node = f"p = Constant <value_ints: ints = {list(pattern)}> () y = Reshape (x, p)"
    kind = f"float[{','.join('?' * len(expected))}]"
    assert not [f for f in lint(model(f"float{list(shape)} x", node, kind)) if f.severity.name == "ERROR"]
    assert (
        outputs(f"float[{','.join('?' * len(shape))}] x", node, kind, x=np.zeros(shape, np.float32)).shape == expected
    )


@pytest.mark.parametrize(
    ("outputs_of", "attributes", "expected"),
    [
        ("y = AveragePool", "count_include_pad: int = 1", [0.25, 0.75, 1.5, 1.5, 1.25, 0.75]),
        ("y = AveragePool", "count_include_pad: int = 0", [1, 1.5, 2, 2, 2.5, 3]),
        ("y = AveragePool", "dilations: ints = [2]", [2, 2, 2]),
        ("y = MaxPool", "ceil_mode: int = 0", [1, 2, 3, 3, 3, 3]),
        ("y = MaxPool", "dilations: ints = [2]", [2, 3, 2]),
        ("x2, y = MaxPool", "ceil_mode: int = 0", [0, 1, 2, 2, 2, 2]),
        ("x2, y = MaxPool", "dilations: ints = [2]", [1, 2, 1]),
    ],
)
def test_windows_longer_than_the_data(outputs_of: str, attributes: str, expected: list[float]) -> None:
    node = f"{outputs_of} <kernel_shape: ints = [4], pads: ints = [3, 3], {attributes}> (x)"
    kind = "int64[?,?,?]" if "x2" in outputs_of else "float[?,?,?]"
    assert outputs("float[1,1,3] x", node, kind, x=np.array([[[1, 2, 3]]], np.float32)).ravel().tolist() == expected


def test_points_of_a_grid_are_sampled_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(0)
    x, g = chance.random((2, 3, 4, 5), np.float32), chance.random((2, 6, 7, 2), np.float32) * 2 - 1
    given = ("float[2,3,4,5] x, float[2,6,7,2] g", "y = GridSample (x, g)", "float[2,3,6,7]")
    whole = outputs(*given, x=x, g=g)
    monkeypatch.setattr("irlint.dryrun.kernels.resampling._BLOCK", 30)
    np.testing.assert_array_equal(outputs(*given, x=x, g=g), whole)


LOOP = """<ir_version: 10, opset_import: ["" : 21]> g (float[2,3] v0, bool going) => (float[2,3] y, float[?,?,?] z) <int64 m = {{{trips}}}> {{
    y, z = Loop (m, going, v0) <body: graph = s (int64 i, bool ci, {kind} v) => (bool co, {kind} vo, {kind} z0) {{
        co = Identity (ci) vo = Neg (v) z0 = Identity (vo) }}> }}"""


@pytest.mark.parametrize(
    ("kind", "expected"), [("float[2,3]", (0, 2, 3)), ("float[n,3]", (0, 0, 3)), ("float[?,?]", (0, 0, 0))]
)
def test_rows_of_a_loop_without_iterations(kind: str, expected: tuple[int, ...]) -> None:
    text = LOOP.format(trips=0, kind=kind)
    assert infer(load(text))["y"][1].shape == expected
    given = {"v0": np.ones((2, 3), np.float32), "going": np.array(True)}
    assert run(text, given)["z"].shape == expected


def test_a_loop_that_may_not_begin() -> None:
    assert infer(load(LOOP.format(trips=2, kind="float[2,3]")))["y"][1].shape == (None, 2, 3)


SPLIT = "s = Constant <value_int: int = {}> () p = SplitToSequence <axis: int = 1, keepdims: int = 0> (x, s) y = SequenceLength (p)"


def test_parts_of_a_sequence_without_their_axis() -> None:
    x = np.array([[1, 2], [3, 4]], np.float32)
    at = SPLIT.format(1).replace("y = SequenceLength (p)", "k = Constant <value_int: int = 1> () y = SequenceAt (p, k)")
    assert outputs("float[2,2] x", at, "float[?]", x=x).tolist() == [2, 4]
    assert outputs("float[2,?] x", SPLIT.format(1), "int64[]", x=np.zeros((2, 0), np.float32)) == 0
    assert [f.code for f in lint(model("float[2,2] x", SPLIT.format(2), "int64[]")) if f.severity.name == "ERROR"]


@pytest.mark.parametrize(("opset", "is_right"), [(7, False), (10, False), (11, True)])
@pytest.mark.parametrize("kind", ["float[3]", "float[2,1]"])
def test_branches_have_one_shape_before_opset_11(opset: int, is_right: bool, kind: str) -> None:
    text = f"""<ir_version: 9, opset_import: ["" : {opset}]> g (float[2] a, {kind} b, bool c) => (float[{"?,?" if "," in kind else "?"}] y) {{
        y = If (c) <then_branch: graph = t () => (float[2] p) {{ p = Neg (a) }}, else_branch: graph = e () => ({kind} q) {{ q = Neg (b) }}> }}"""
    codes = [f.code for f in lint(text) if f.severity.name == "ERROR"]
    assert ("D001" in codes) is not is_right


@pytest.mark.parametrize(("offset", "expected"), [(NAN, 11), (INF, 11), (-INF, 11), (-0.5, 11.5)])
def test_offsets_that_lead_nowhere(offset: float, expected: float) -> None:
    node, kinds = (
        "y = DeformConv <kernel_shape: ints = [2, 2]> (x, w, o)",
        "float[1,1,3,3] x, float[1,1,2,2] w, float[1,8,2,2] o",
    )
    o = np.zeros((1, 8, 2, 2), np.float32)
    o[0, 0, 0, 0] = offset
    given = {
        "x": np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3),
        "w": np.ones((1, 1, 2, 2), np.float32),
        "o": o,
    }
    assert outputs(kinds, node, "float[1,1,2,2]", **given).ravel().tolist() == [expected, 16, 24, 28]


def test_unique_rows_of_strings() -> None:
    node = "y, first, inverse, counts = Unique <axis: int = 0> (x)"
    x = np.array([["b", "a"], ["a", "b"], ["b", "a"]], object)
    assert outputs("string[3,2] x", node, "string[?,2]", x=x).tolist() == [["a", "b"], ["b", "a"]]


def test_a_symmetric_window_of_one_element() -> None:
    node = "y = HannWindow <periodic: int = 0> (n)"
    assert np.isnan(outputs("int64 n", node, "float[?]", n=np.array(1))).tolist() == [True]
    assert outputs("int64 n", node, "float[?]", n=np.array(3)).tolist() == [0, 1, 0]


@pytest.mark.parametrize(("position", "is_right"), [(0, True), (2, True), (-2, True), (3, False), (-3, False)])
def test_arrays_are_inserted_within_a_sequence(position: int, is_right: bool) -> None:
    node = "s = SequenceConstruct (x, x) n = SequenceInsert (s, x, p) y = SequenceLength (n)"
    text = model("float[1] x, int64 p", node, "int64")
    given = {"x": np.zeros(1, np.float32), "p": np.array(position)}
    if is_right:
        assert run(text, given)["y"] == 3
    else:
        with pytest.raises(ValueError, match="outside of a sequence of 2"):
            run(text, given)
