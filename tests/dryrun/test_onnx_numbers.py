"""What onnxruntime 1.32 computes at the edges of operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from irlint.api import lint, load, run

NAN, INF = float("nan"), float("inf")
NUMBERS = "float[?] x"


MICROSOFT = ', "com.microsoft" : 1'


def model(inputs: str, node: str, kind: str = "float[?]", imports: str = MICROSOFT) -> str:
    """A graph of one line, whose first output is y."""
    return f'<ir_version: 10, opset_import: ["" : 21{imports}]> g ({inputs}) => ({kind} y) {{ {node} }}'


def outputs(inputs: str, node: str, kind: str, **given: Any) -> Any:
    return run(model(inputs, node, kind), given)["y"]


CUT = [NAN, INF, -INF, 1e30, -1e30, 3e9, 300.75, -1.5, 70000]
FLOOR = -(1 << 63)


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [
        (3, "int8", [0, 0, 0, 0, 0, 0, 44, -1, 112]),
        (4, "uint16", [0, 0, 0, 0, 0, 0, 300, 65535, 4464]),
        (6, "int32", [-(1 << 31)] * 6 + [300, -1, 70000]),
        (7, "int64", [FLOOR] * 5 + [3000000000, 300, -1, 70000]),
        (12, "uint32", [0, 0, 0, 0, 0, 3000000000, 300, 4294967295, 70000]),
        (13, "uint64", [1 << 63, 0, 1 << 63, 0, 1 << 63, 3000000000, 300, (1 << 64) - 1, 70000]),
    ],
)
def test_casts_of_what_does_not_fit(number: int, kind: str, expected: list[int]) -> None:
    found = outputs(NUMBERS, f"y = Cast <to: int = {number}> (x)", f"{kind}[?]", x=np.array(CUT, np.float32))
    assert found.tolist() == expected


@pytest.mark.parametrize(("number", "expected"), [(3.0, [[0]]), (0.0, [[]])])
def test_non_zero_of_a_scalar(number: float, expected: list[list[int]]) -> None:
    assert outputs("float[] x", "y = NonZero (x)", "int64[?,?]", x=np.array(number, np.float32)).tolist() == expected


def test_log_sum_exp_of_integers() -> None:
    x = np.array([[1, 2, 3], [4, -5, 7]], np.int32)
    axes = "a = Constant <value_ints: ints = [1]> () y = ReduceLogSumExp <keepdims: int = 0> (x, a)"
    assert outputs("int32[2,3] x", axes, "int32[2]", x=x).tolist() == [3, 7]


def test_the_mean_of_nothing() -> None:
    axes = "a = Constant <value_ints: ints = [0]> () y = ReduceMean <keepdims: int = 0> (x, a)"
    assert outputs("float[0,2] x", axes, "float[2]", x=np.zeros((0, 2), np.float32)).tolist() == [0, 0]


@pytest.mark.parametrize("mode", ["zeros", "border", "reflection"])
def test_grids_without_a_place(mode: str) -> None:
    """NaN and infinity are the first edge."""
    data = np.arange(20, dtype=np.float32).reshape(1, 1, 4, 5)
    grid = np.array([[NAN, 0.0], [-1, 0], [0, INF], [0, -1]], np.float32).reshape(1, 1, 4, 2)
    node = f'y = GridSample <padding_mode: string = "{mode}"> (x, g)'
    found = outputs("float[1,1,4,5] x, float[1,1,4,2] g", node, "float[1,1,1,4]", x=data, g=grid).ravel()
    assert found[0] == found[1]
    assert found[2] == found[3]


def quantised(*numbers: float) -> list[Any]:
    found = run(
        '<ir_version: 10, opset_import: ["" : 21]> g (float[?] x) => (uint8[?] y, float[] s, uint8[] z) { y, s, z = DynamicQuantizeLinear (x) }',
        {"x": np.array(numbers, np.float32)},
    )
    return [array.tolist() for array in found.values()]


def test_own_ranges_of_nothing_and_of_nan() -> None:
    assert quantised(0, 0) == [[0, 0], 1, 0]
    assert quantised() == [[], 1, 0]
    assert quantised(1, NAN, 2)[0] == [127, 0, 255]


def test_regions_of_no_size() -> None:
    data, regions = (
        np.arange(64, dtype=np.float32).reshape(1, 1, 8, 8),
        np.array([[1, 1, 1, 1], [3, 3, 2, 2]], np.float32),
    )
    node = "y = RoiAlign <output_height: int = 1, output_width: int = 1> (x, r, b)"
    given = {"x": data, "r": regions, "b": np.zeros(2, np.int64)}
    assert not outputs("float[1,1,8,8] x, float[2,4] r, int64[2] b", node, "float[2,1,1,1]", **given).any()


@pytest.mark.parametrize("operator", ["MaxPool", "AveragePool", "LpPool"])
def test_pools_of_no_images(operator: str) -> None:
    node = f"y = {operator} <kernel_shape: ints = [2,2]> (x)"
    assert outputs("float[0,1,4,5] x", node, "float[?,?,?,?]", x=np.zeros((0, 1, 4, 5), np.float32)).shape == (
        0,
        1,
        3,
        4,
    )


def test_exclude_outside_needs_a_filter() -> None:
    """torch writes `exclude_outside` with `antialias` in linear mode, too."""

    def codes(attributes: str) -> list[str]:
        node = f"r, s = Constant <value_floats: ints = [1]> () y = Resize <exclude_outside: int = 1, {attributes}> (x, , s)"
        node = node.replace(
            "r, s = Constant <value_floats: ints = [1]> ()", "s = Constant <value_floats: floats = [0.5]> ()"
        )
        return [finding.code for finding in lint(model("float[8] x", node)) if finding.code == "T006"]

    assert codes('mode: string = "linear"') == ["T006"]
    assert codes('mode: string = "linear", antialias: int = 1') == []
    assert codes('mode: string = "nearest", antialias: int = 1') == ["T006"]


def test_a_zero_for_symbols_that_may_be_zero() -> None:
    target = "s = Constant <value_ints: ints = [3,0,2]> () y = Reshape <allowzero: int = 1> (x, s)"
    assert outputs("float[a,b,c] x", target, "float[3,0,2]", x=np.zeros((3, 0, 2), np.float32)).shape == (3, 0, 2)
    known = [finding.code for finding in lint(model("float[a,4,c] x", target)) if finding.code == "D008"]
    assert known == []
    assert "D008" in [finding.code for finding in lint(model("float[2,4,3] x", target))]


def test_what_a_loop_carries_is_given() -> None:
    body = "b (int64 i, bool c, float[2] v) => (bool d, float[2] w) { d = Identity (c) w = Identity (v) }"
    node = f"y = Loop <body: graph = {body}> (n, c, )"
    assert "O002" in [finding.code for finding in lint(model("int64 n, bool c", node))]


def test_distances() -> None:
    a, b = np.array([[0, 0], [3, 4]], np.float32), np.array([[0, 0], [0, 4], [3, 0]], np.float32)
    node = 'y = com.microsoft.CDist <metric: string = "euclidean"> (a, b)'
    found = outputs("float[2,2] a, float[3,2] b", node, "float[2,3]", a=a, b=b)
    assert found.tolist() == [[0, 4, 3], [5, 3, 4]]


WORDS = ["the quick, brown", "", "aa--bb a", "é bc"]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        (
            'tokenexp: string = "[a-zA-Z0-9_]+"',
            [["the", "quick", "brown"], ["#", "#", "#"], ["aa", "bb", "a"], ["bc", "#", "#"]],
        ),
        (
            'separators: strings = [" ","-"]',
            [["the", "quick,", "brown"], ["#", "#", "#"], ["aa", "bb", "a"], ["é", "bc", "#"]],
        ),
    ],
)
def test_tokens(attributes: str, expected: list[list[str]]) -> None:
    node = (
        f'y = com.microsoft.Tokenizer <mark: int = 0, mincharnum: int = 1, pad_value: string = "#", {attributes}> (x)'
    )
    found = outputs("string[4] x", node, "string[4,3]", x=np.array(WORDS, object))
    assert found.tolist() == expected


def test_marked_tokens() -> None:
    attributes = 'mark: int = 1, mincharnum: int = 2, pad_value: string = "#", tokenexp: string = "[a-z]+"'
    node = f"y = com.microsoft.Tokenizer <{attributes}> (x)"
    found = outputs("string[2] x", node, "string[2,4]", x=np.array(["ab c", "ab cd"], object))
    assert found.tolist() == [["\x02", "ab", "\x03", "#"], ["\x02", "ab", "cd", "\x03"]]


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|b)c", "a*a*b", "a+b", "[", "a{99999999999999999999}"])
def test_patterns_that_may_take_long(pattern: str) -> None:
    attributes = f'mark: int = 0, mincharnum: int = 1, pad_value: string = "#", tokenexp: string = "{pattern}"'
    text = np.array(["a" * 9_000], object)
    with pytest.raises(NotImplementedError):
        outputs("string[1] x", f"y = com.microsoft.Tokenizer <{attributes}> (x)", "string[?,?]", x=text)
    node = f'y = RegexFullMatch <pattern: string = "{pattern}$|(a+)+[">  (x)'
    with pytest.raises(NotImplementedError):
        outputs("string[1] x", node, "bool[1]", x=text)


def test_a_table_of_strings_that_is_too_large() -> None:
    attributes = 'mark: int = 0, mincharnum: int = 1, pad_value: string = "", separators: strings = [""]'
    text = np.array(["a" * 30_000, *[""] * 20_000], object)
    with pytest.raises(ValueError, match="too large"):
        outputs("string[20001] x", f"y = com.microsoft.Tokenizer <{attributes}> (x)", "string[?,?]", x=text)


def test_trees_whose_nodes_form_a_cycle() -> None:
    attributes = (
        "nodes_treeids: ints = [0, 0, 0], nodes_nodeids: ints = [0, 1, 2], nodes_featureids: ints = [0, 0, 0], "
        "nodes_values: floats = [0.5, 0.5, 0], nodes_truenodeids: ints = [1, 0, 0], nodes_falsenodeids: ints = [1, 0, 0], "
        'nodes_modes: strings = ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF"], n_targets: int = 1, target_treeids: ints = [0], '
        "target_nodeids: ints = [2], target_ids: ints = [0], target_weights: floats = [1]"
    )
    node = f"y = ai.onnx.ml.TreeEnsembleRegressor <{attributes}> (x)"
    text = model("float[1,1] x", node, "float[1,1]", ', "ai.onnx.ml" : 3')
    with pytest.raises(ValueError, match="cycle"):
        run(text, {"x": np.zeros((1, 1), np.float32)})


def test_sums_of_integers_wrap_around() -> None:
    size = 40_000
    a, b = np.full((1, size), 255, np.uint8), np.full((size, 1), 255, np.uint8)
    node = "y = MatMulInteger (a, b)"
    found = outputs(f"uint8[1,{size}] a, uint8[{size},1] b", node, "int32[1,1]", a=a, b=b)
    assert found.tolist() == [[-1693967296]]


def test_a_convolution_of_integers_without_zero_points_has_a_type() -> None:
    text = model("uint8[1,1,4,4] x, uint8[1,1,2,2] w", "y = ConvInteger (x, w)", "int32[1,1,9,9]")
    assert [finding.code for finding in lint(text)][:1] == ["D006"]


def test_a_scalar_of_16_bits_is_quantised() -> None:
    node = "y = QuantizeLinear (x, s, z)"
    given = {"x": np.array(3, np.float16), "s": np.array(0.5, np.float16), "z": np.array(1, np.uint8)}
    assert outputs("float16[] x, float16[] s, uint8[] z", node, "uint8[]", **given).tolist() == 7


def test_what_a_caller_writes_into_outputs_is_not_seen_by_the_next_run() -> None:
    text = "k = Constant <value_ints: ints = [1, 2]> () y = Add (x, k)"
    graph = f'<ir_version: 10, opset_import: ["" : 21]> g (int64[2] x) => (int64[2] y, int64[2] k, int64[2] z) {{ {text} z = Identity (x) }}'
    runner, x = run(load(graph)), np.array([3, 4])
    for _ in range(3):
        found = runner({"x": x})
        assert found["y"].tolist() == [4, 6]
        found["k"][...] = found["z"][...] = 99
    assert x.tolist() == [3, 4]


def test_dynamically_quantised_lstm() -> None:
    """The input and the state are quantised at every step by their own range."""
    weights = "[10,20,30,40,50,60,70,80,1,2,3,4,5,6,7,8]"
    node = (
        f"w0 = Constant <value: tensor = int8[1,2,8] {{{weights[1:-1]}}}> () "
        "s = Constant <value_floats: floats = [0.01]> () z = Constant <value: tensor = int8[1] {0}> () "
        "y, h1, c1 = com.microsoft.DynamicQuantizeLSTM <hidden_size: int = 2> (x, w0, w0, , , h, , , s, z, s, z)"
    )
    found = outputs(
        "float[1,1,2] x, float[1,1,2] h", node, "float[1,1,1,2]",
        x=np.array([[[1, -0.5]]], np.float32), h=np.array([[[0.3, -0.7]]], np.float32),
    )  # fmt: skip
    np.testing.assert_allclose(found.ravel(), [0.2021599, 0.23990402], atol=1e-6)


def test_maps_of_a_classifier() -> None:
    node = 'y = ai.onnx.ml.ZipMap <classlabels_strings: strings = ["no","yes"]> (x)'
    text = f'<ir_version: 10, opset_import: ["" : 21, "ai.onnx.ml" : 3]> g (float[2,2] x) => (seq(map(string,float)) y) {{ {node} }}'
    maps = run(text, {"x": np.array([[1, 2], [3, 4]], np.float32)})["y"].item()
    assert maps.keys == ("no", "yes")
    assert maps.values.tolist() == [[1, 2], [3, 4]]


def test_filters_of_no_channels() -> None:
    given = {"x": np.zeros((1, 0, 3, 3), np.float32), "w": np.zeros((2, 0, 2, 2), np.float32)}
    found = outputs("float[1,0,3,3] x, float[2,0,2,2] w", "y = Conv (x, w)", "float[1,2,2,2]", **given)
    assert found.shape == (1, 2, 2, 2)
    assert not found.any()


def test_filters_of_no_size() -> None:
    text = model("float[1,1,3,3] x, float[1,1,0,2] w", "y = ConvTranspose (x, w)", "float[?,?,?,?]")
    assert [finding.code for finding in lint(text)] == ["A006"]


def test_columns_do_not_count_from_the_end() -> None:
    """RadiusNeighbors of scikit-learn has -1 where nothing is near."""
    text = model(
        "float[2,3] x, int64[1] i", "y = ai.onnx.ml.ArrayFeatureExtractor (x, i)", "float[2,1]", ', "ai.onnx.ml" : 3'
    )
    with pytest.raises(ValueError, match="out of range"):
        run(text, {"x": np.zeros((2, 3), np.float32), "i": np.array([-1])})


def test_a_shape_that_is_declared_wrong_does_not_end_a_run() -> None:
    """onnx's full check refuses it; onnxruntime warns, as with OneVsOneClassifier and PLSRegression of scikit-learn."""
    node = "a = Relu (x) b = Transpose (a) y = Neg (b)"
    text = f'<ir_version: 10, opset_import: ["" : 21]> g (float[2,3] x) => (float[4] y) <float[3,2] a> {{ {node} }}'
    assert [(finding.code, str(finding.severity)) for finding in lint(text)] == [("D006", "error")]
    assert run(text, {"x": np.zeros((2, 3), np.float32)})["y"].shape == (3, 2)


def test_nodes_that_are_not_in_order_run() -> None:
    """onnx's check refuses them; onnxruntime sorts nodes, and its converter to float16 leaves them unsorted."""
    text = '<ir_version: 10, opset_import: ["" : 21]> g (float[2] x) => (float[2] y) { y = Abs (a) a = Neg (x) }'
    assert [finding.code for finding in lint(text)] == ["R002"]
    assert run(text, {"x": np.array([1, -2], np.float32)})["y"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [(3, "int8", [-128, 127, -128, 1]), (5, "int16", [-32768, 32767, -32768, 1]), (22, "int4", [-8, 7, -8, 1])],
)
@pytest.mark.parametrize("wide", [np.float32, np.float16])
def test_nan_becomes_the_lowest_code(wide: Any, number: int, kind: str, expected: list[int]) -> None:
    name = "float" if wide is np.float32 else "float16"
    node = f"y = QuantizeLinear <output_dtype: int = {number}> (x, s)"
    x, s = np.array([NAN, INF, -INF, 0.5], wide), np.array(0.5, wide)
    assert outputs(f"{name}[4] x, {name}[] s", node, f"{kind}[4]", x=x, s=s).tolist() == expected


@pytest.mark.parametrize(("scale", "expected"), [(1 / 255, [250, 4]), (1 / 256, [252, 4]), (0.003, [255, 5])])
def test_shares_of_codes_are_multiplied_by_the_whole_part(scale: float, expected: list[int]) -> None:
    node = "y = com.microsoft.QLinearSoftmax <axis: int = -1, opset: int = 13> (x, a, z, b, z)"
    given = {"x": np.array([[60, 19]], np.uint8), "a": np.array(0.1, np.float32), "b": np.array(scale, np.float32)}
    found = outputs("uint8[1,2] x, float[] a, uint8[] z, float[] b", node, "uint8[1,2]", z=np.uint8(0), **given)
    assert found.tolist() == [expected]


def test_a_choice_of_codes() -> None:
    node = "y = com.microsoft.QLinearWhere (c, a, s, z, b, t, z, s, z)"
    inputs = "bool[2,1] c, uint8[2,2] a, float[] s, uint8[] z, uint8[2] b, float[] t"
    given = {
        "c": np.array([[True], [False]]),
        "a": np.array([[1, 2], [3, 4]], np.uint8),
        "b": np.array([5, 200], np.uint8),
    }
    found = outputs(
        inputs, node, "uint8[2,2]", s=np.array(0.5, np.float32), t=np.array(1, np.float32), z=np.uint8(1), **given
    )
    assert found.tolist() == [[1, 2], [9, 255]]


@pytest.mark.parametrize("rows", ["A", "B"])
def test_products_of_stacks_whose_rows_come_first(rows: str) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random((3, 4, 5), np.float32), rng.random((3, 5, 2), np.float32)
    expected = a @ b * 2
    given = {"a": np.moveaxis(a, 1, 0), "b": b} if rows == "A" else {"a": a, "b": np.moveaxis(b, 1, 0)}
    inputs = ", ".join(f"float{list(array.shape)} {name}" for name, array in given.items())
    node = f"y = com.microsoft.FusedMatMul <alpha: float = 2.0, transBatch{rows}: int = 1> (a, b)"
    np.testing.assert_allclose(outputs(inputs, node, "float[3,4,2]", **given), expected, 1e-6)


def test_a_determinant_of_halves() -> None:
    found = outputs("float16[2,2] x", "y = Det (x)", "float16[]", x=np.array([[1, 2], [3, 5]], np.float16))
    assert (found.dtype, found.tolist()) == (np.float16, -1)


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("zeros", ["none", "codes", "numbers"])
@pytest.mark.parametrize("count", [1, 40])
def test_products_with_weights_of_few_bits(bits: int, zeros: str, count: int) -> None:
    """The second and the third run take what the first ones have made of the constants."""
    rng = np.random.default_rng(bits)
    depth, width, block = 40, 6, 16  # the last block is not full
    codes = rng.integers(0, 1 << bits, (width, 3, block), np.uint8)
    scales = rng.random((width, 3), np.float32)
    middles = rng.integers(0, 1 << bits, (width, 3), np.uint8)
    steps = np.arange(0, 8, bits)

    def short(numbers: Any) -> Any:
        padded = np.pad(numbers, [(0, 0)] * (numbers.ndim - 1) + [(0, -numbers.shape[-1] % len(steps))])
        parts = padded.reshape(*numbers.shape[:-1], -1, len(steps)).astype(np.int64) << steps
        return parts.sum(-1).astype(np.uint8)

    given = {"zeros": {"codes": short(middles), "numbers": middles.astype(np.float32)}.get(zeros)}
    middle = np.full_like(middles, 1 << (bits - 1)) if zeros == "none" else middles
    table = ((codes.astype(np.float32) - middle[..., None]) * scales[..., None]).reshape(width, -1)[:, :depth]
    x = rng.random((count, depth), np.float32)
    values = {"w": short(codes), "s": scales} | ({} if zeros == "none" else {"z": given["zeros"]})
    weights = ", ".join(
        f"{'uint8' if array.dtype == np.uint8 else 'float'}{list(array.shape)} {name} = {{{', '.join(map(str, array.ravel().tolist()))}}}"
        for name, array in values.items()
    )
    node = f"y = com.microsoft.MatMulNBits <K: int = {depth}, N: int = {width}, bits: int = {bits}, block_size: int = {block}>"
    text = (
        f'<ir_version: 10, opset_import: ["" : 21{MICROSOFT}]> g (float[?,{depth}] x) => (float[?,{width}] y) '
        f"<{weights}> {{ {node} ({', '.join(('x', *values))}) }}"
    )
    runner = run(load(text))
    for _ in range(3):
        np.testing.assert_allclose(runner({"x": x})["y"], x @ table.T, 1e-4, 1e-4)


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("ReduceSum", [2**31 - 1, -(2**31) + 5]),
        ("ReduceL1", [2**31 - 1, 2**31 - 1]),
        ("ReduceL2", [2**31 - 1, 2**31 - 1]),
        ("ReduceSumSquare", [2**31 - 1, 2**31 - 1]),
        ("ReduceProd", [2**31 - 1, -(2**31)]),
        ("ReduceMean", [2**30, -(2**30) + 3]),
        ("ReduceLogSum", [21, -(2**31)]),
    ],
)
def test_integers_are_reduced_as_fractions(operator: str, expected: list[int]) -> None:
    node = f"a = Constant <value_ints: ints = [1]> () y = {operator} <keepdims: int = 0> (x, a)"
    x = np.array([[2**31 - 1, 1], [-(2**31), 5]], np.int32)
    assert outputs("int32[2,2] x", node, "int32[2]", x=x).tolist() == expected


def test_only_the_largest_integers_count_in_a_sum_of_exponentials() -> None:
    x = np.array([[0] + [-1] * 10, [-4] * 3 + [-5] * 8, [-7, -8, -8, *[-9] * 8]], np.int32)
    node = "a = Constant <value_ints: ints = [1]> () y = ReduceLogSumExp <keepdims: int = 0> (x, a)"
    assert outputs("int32[3,11] x", node, "int32[3]", x=x).tolist() == [0, -2, -7]


@pytest.mark.parametrize("node", ["y = Div (a, b)", "y = Mod (a, b)", "y = Mod <fmod: int = 1> (a, b)"])
def test_integers_divided_by_nothing(node: str) -> None:
    given = {"a": np.array([5, -7], np.int32), "b": np.array([2, 0], np.int32)}
    with pytest.raises(ValueError, match="integer division by 0"):
        outputs("int32[2] a, int32[2] b", node, "int32[2]", **given)
    given["b"][1] = 2
    assert outputs("int32[2] a, int32[2] b", node, "int32[2]", **given).shape == (2,)


@pytest.mark.parametrize(("kind", "least"), [("int32", -(1 << 31)), ("int64", FLOOR)])
def test_powers_beyond_the_type(kind: str, least: int) -> None:
    given = {"a": np.array([10, 0, -3, 2], kind), "b": np.array([40, -1, 2, -1], np.int64)}
    assert outputs(f"{kind}[4] a, int64[4] b", "y = Pow (a, b)", f"{kind}[4]", **given).tolist() == [least, least, 9, 0]


@pytest.mark.parametrize(
    ("operator", "attributes", "expected"),
    [
        ("AveragePool", "kernel_shape: ints = [4], strides: ints = [3]", [1]),  # a window of 4 on 3 elements
        ("AveragePool", 'kernel_shape: ints = [1], strides: ints = [3], auto_pad: string = "SAME_UPPER"', [1]),
        ("AveragePool", 'kernel_shape: ints = [1], strides: ints = [3], auto_pad: string = "SAME_LOWER"', [0]),
        ("MaxPool", "kernel_shape: ints = [5], strides: ints = [3]", [2]),
    ],
)
def test_windows_and_steps_larger_than_the_data(operator: str, attributes: str, expected: list[float]) -> None:
    text = model("float[1,1,3] x", f"y = {operator} <{attributes}> (x)", "float[?,?,?]")
    assert not [finding for finding in lint(text) if finding.severity.name == "ERROR"]
    assert run(text, {"x": np.arange(3, dtype=np.float32).reshape(1, 1, 3)})["y"].ravel().tolist() == expected


def test_places_of_padding() -> None:
    node = "y, i = MaxPool <kernel_shape: ints = [2], dilations: ints = [4], pads: ints = [1,1]> (x)"
    found = run(model("float[1,2,3] x", node, "float[?,?,?]"), {"x": np.zeros((1, 2, 3), np.float32)})
    assert found["y"].ravel().tolist() == [np.finfo(np.float32).min] * 2


def test_states_after_no_step_are_zero() -> None:
    inputs = "float[3,2,2] x, float[1,8,2] w, float[1,8,2] r, int32[2] n, float[1,2,2] h, float[1,2,2] c"
    node = "a, y, b = LSTM <hidden_size: int = 2> (x, w, r, , n, h, c)"
    state = np.ones((1, 2, 2), np.float32)
    given = {"x": np.ones((3, 2, 2)), "w": np.ones((1, 8, 2)), "r": np.ones((1, 8, 2)), "h": state, "c": state}
    arrays = {name: np.asarray(array, np.float32) for name, array in given.items()}
    found = outputs(inputs, node, "float[1,2,2]", n=np.array([0, 3], np.int32), **arrays)
    assert not found[0, 0].any()
    assert found[0, 1].all()


@pytest.mark.parametrize(("pads", "is_right"), [([2, 0], True), ([2, -1], False), ([1, -1], True), ([-2, 1], False)])
def test_elements_are_reflected_after_cropping(pads: list[int], is_right: bool) -> None:
    node = f'p = Constant <value_ints: ints = {pads}> () y = Pad <mode: string = "reflect"> (x, p)'
    codes = [finding.code for finding in lint(model("float[3] x", node)) if finding.severity.name == "ERROR"]
    assert (codes == []) is is_right


@pytest.mark.parametrize(
    ("kind", "attributes", "is_right"),
    [
        ("float[1,1,4]", 'mode: string = "cubic"', False),  # images only
        ("float[2,4]", 'mode: string = "cubic"', True),
        ("float[1,1,4]", 'mode: string = "linear", antialias: int = 1', True),
        ("float[2,4]", 'mode: string = "nearest", antialias: int = 1', False),
    ],
)
def test_ways_to_resize(kind: str, attributes: str, is_right: bool) -> None:
    scales = "1.0," * (kind.count(",")) + "2.0"
    node = f"s = Constant <value_floats: floats = [{scales}]> () y = Resize <{attributes}> (x, , s)"
    found = [
        finding
        for finding in lint(model(f"{kind} x", node, "float[" + ",".join("?" * len(scales.split(","))) + "]"))
        if finding.severity.name == "ERROR"
    ]
    assert (found == []) is is_right


def test_integers_are_rounded_if_they_are_filtered() -> None:
    node = 's = Constant <value_floats: floats = [1.0, 0.5]> () y = Resize <mode: string = "linear", antialias: int = {}> (x, , s)'
    x = np.array([[0, 1, 2, 3, 5, 8, 9, 10]], np.int32)
    assert outputs("int32[1,8] x", node.format(1), "int32[1,4]", x=x).tolist() == [[1, 3, 6, 9]]


def test_a_product_with_a_scale_or_a_zero_point_alone() -> None:
    """The zero point decides whether integers come out."""
    a, b = np.array([[1, 2, 3], [4, 5, 6]], np.uint8), np.array([[1, 2], [3, 4], [5, 6]], np.uint8)
    given = {"a": a, "b": b, "s": np.array(0.5, np.float32), "z": np.array(1, np.uint8)}
    inputs = "uint8[2,3] a, uint8[3,2] b, float s, uint8 z"
    scaled = outputs(inputs, "y = com.microsoft.QGemm (a, s, z, b, s, z, , s)", "float[2,2]", **given)
    assert scaled.tolist() == [[5, 6.5], [14, 20]]
    moved = outputs(inputs, "y = com.microsoft.QGemm (a, s, z, b, s, z, , , z)", "uint8[2,2]", **given)
    assert moved.tolist() == [[3, 4], [8, 11]]


@pytest.mark.parametrize("mode", ["linear", "cubic"])
@pytest.mark.parametrize(
    ("scales", "is_right"),
    [("1, 1, 2, 2", True), ("1, 2, 2, 1", True), ("1, 2, 2, 2", False), ("2, 1, 1, 1", False), ("1, 2, 1, 2", False)],
)
def test_axes_that_are_resized_together(mode: str, scales: str, is_right: bool) -> None:
    sizes = ",".join(str(int(4 * float(each))) for each in scales.split(", "))
    for values, inputs in (
        (f"value_floats: floats = [{scales.replace(',', '.0,')}.0]", "x, , s"),
        (f"value_ints: ints = [{sizes}]", "x, , , s"),
    ):
        node = f's = Constant <{values}> () y = Resize <mode: string = "{mode}"> ({inputs})'
        codes = [finding.code for finding in lint(model("float[4,4,4,4] x", node, f"float[{sizes}]"))]
        assert codes == ([] if is_right else ["D001"])


@pytest.mark.parametrize(("kind", "codes"), [("float[N,3,4]", ["D008"]), ("float[N,M,4]", []), ("float[0,3,4]", [])])
def test_a_zero_that_was_to_keep_a_dimension(kind: str, codes: list[str]) -> None:
    """A model that takes an empty batch alone is loaded, but hardly what was meant."""
    node = "s = Constant <value_ints: ints = [0, 12]> () y = Reshape <allowzero: int = 1> (x, s)"
    found = lint(model(f"{kind} x", node, "float[0,12]"))
    assert [(each.code, each.severity.name) for each in found] == [(code, "WARNING") for code in codes]
