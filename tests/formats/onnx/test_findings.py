"""One slip in a model of ONNX each: the rule, the token and the message, and what the fix makes of it."""

from __future__ import annotations

import pytest
from rule_cases.texts import ONNX, changed

from irlint import engine, fixes, offers
from irlint.findings import Severity
from irlint.settings import Settings

from .build import BRANCHES, FUNCTIONS, TINY, graph

CONV = "[conv] features = Conv <kernel_shape: ints = [3, 3], pads: ints = [1, 1, 1, 1]> (image, kernel)"
CASES = [
    # (text, code, token, words of the message, text after all fixes or "" where there is none)
    (ONNX, [("ir_version: 8", "ir_version: 99")], "T006", "99", "unknown IR version 99", "ir_version: 8"),
    (ONNX, [("ir_version: 8", "ir_version: -1")], "T006", "-1", "expected a positive `ir_version`, got -1", "ir_version: 8"),
    (ONNX, [("   ir_version: 8,\n", "")], "T002", "", "missing required field `ir_version`", "ir_version: 8"),
    (ONNX, [('"" : 17', '"" : 99')], "T006", "99", "unknown opset 99 of ai.onnx", ""),
    (ONNX, [('["" : 17]', '["ai.onnx.ml" : 3]')], "T002", "", "missing opset import for ai.onnx", ""),
    (ONNX, [("Relu (features)", "ai.onnx.Relu (features)")], "T006", "ai.onnx", "expected an empty domain", "= Relu (features)"),
    (ONNX, [('"" : 17]', '"" : 17],\n   metadata_props: ["a": "1", "a": "2"]')], "R005", '"a"', "duplicate metadata key `a`", ""),
    (ONNX, [("Relu (features)", "Reluu (features)")], "O001", "Reluu", "did you mean `Relu`?", "Relu (features)"),
    (ONNX, [("Relu (features)", "Gelu (features)")], "O006", "Gelu", "`Gelu` needs opset 20; the model imports 17", ""),
    (ONNX, [("Relu (features)", "own.Relu (features)")], "O001", "own", "extensions", ""),
    (ONNX, [("Relu (features)", "Relu (features, kernel)")], "O002", "kernel", "expected 1 input (X)", ""),
    (ONNX, [("Relu (features)", 'Relu ("")')], "O002", '""', "missing required input `X`", ""),
    (ONNX, [("<axis: int = 1>", "<axis: int = 1, axes: int = 1>")], "A001", "axes", "unknown attribute `axes`", "<axis: int = 1>"),
    (ONNX, [("<axis: int = 1>", "<axsi: int = 1>")], "A001", "axsi", "did you mean `axis`?", "<axis: int = 1>"),
    (graph("y = ConstantOfShape <value: tensor = float[1] value {1.0}> (x)", "int64[2] x"), [("<value:", "<values:")], "A001", "values", "did you mean `value`?", "<value: tensor = float[1] value"),
    (ONNX, [("<axis: int = 1>", "<axis: int = 7>")], "D004", "7", "axis 7 is out of range", ""),
    (ONNX, [("<axis: int = 1>", "<axis: float = 1.0>")], "A003", "float", "expected type int for `axis`", ""),
    (ONNX, [(CONV, CONV.replace("pads", 'auto_pad: string = "SAME", pads'))], "A005", '"SAME"', "unknown value `SAME`", ""),
    (ONNX, [("pads: ints = [1, 1, 1, 1]", "pads: ints = [1, 1]")], "A007", "[1, 1]", "expected 4 values for `pads`", ""),
    (ONNX, [("(image, kernel)", "(image, kernal)")], "R001", "kernal", "did you mean 'kernel'?", "(image, kernel)"),
    (ONNX, [("positive = Relu", "features = Relu")], "R005", "features", "duplicate name 'features'", ""),
    (ONNX, [("[relu]", "[conv]")], "G003", "conv", "duplicate node name 'conv'", "[conv_2]"),
    (ONNX, [("float[4,1,3,3] kernel", "float[4] kernel")], "D003", "kernel", "expected rank 4 for `W`, got [4]", ""),
    (ONNX, [("int64[2] flat = {-1,256}", "int64[3] flat = {-1,256}")], "T004", "[3]", "expected 3 values", ""),
    (ONNX, [("float[1,10] scores", "int64[1,10] scores")], "D007", "int64[1,10]", "declared type int64", ""),
    (ONNX, [("kernel_shape: ints = [3, 3]", "kernel_shape: ints = [5, 5]")], "D001", "[5, 5]", "kernel", ""),
    (TINY, [("<alpha: float = 0.1>", "<alpha: float = @by>")], "R001", "by", "only nodes of functions can do that", ""),
    (BRANCHES, [("(float[2] b) <", "(float[2] b, float[2] k) <")], "O003", "float[2] k", "expected 1 output of `else_branch`", ""),
    (FUNCTIONS, [("=> (b) {", "=> (bb) {")], "R001", "bb", "undefined name 'bb' in the outputs", ""),
    (FUNCTIONS, [("<by: float = 2.0>", "<bye: float = 2.0>")], "A001", "bye", "did you mean `by`?", "<by: float = 2.0>"),
    (FUNCTIONS, [("own.Scale <by: float = 2.0>", "own.Scaled <by: float = 2.0>")], "O001", "Scaled", "no function `Scaled`", "own.Scale <"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "changes", "code", "token", "words", "after"), CASES, ids=[str(c[1])[:60] for c in CASES]
)
def test_a_slip(text: str, changes: list[tuple[str, str]], code: str, token: str, words: str, after: str) -> None:
    broken = changed(text, *changes)
    result = engine.lint(broken, "a.onnxtxt")
    found = [finding for finding in result.findings if finding.code == code]
    assert found, result.findings
    assert words in found[0].message
    if token:
        assert broken[found[0].span.start : found[0].span.end] == token
    bench = offers.TrialLinter(result)
    fixed = fixes.fix(broken, bench.lint, True, bench.search).text
    if after:
        assert after in fixed
    if after and fixed != broken and code not in ("A003",):
        left = [finding.message for finding in engine.lint(fixed, "a.onnxtxt").findings]
        assert not any(words in message for message in left)


CHANNELS = "a = Constant <value_ints: ints = [0]> ()\n b = Constant <value_ints: ints = [2]> ()\n d = Unsqueeze (x, a)\n w = Unsqueeze (x, b)\n"
VECTOR = "s = Constant <value_ints: ints = [2]> ()\n"
REFUSED = [
    # (nodes, opset, code, token, words of the message): the one error of a model
    ("y = ai.onnx.Relu (x)", 17, "T006", "ai.onnx", "expected an empty domain for Relu 'y', got `ai.onnx`"),
    ('y = Relu (x, "")', 17, "O002", '""', "expected 1 input (X) for Relu 'y', got 2"),
    ('y, "" = Relu (x)', 17, "O003", '""', "expected 1 output (Y) for Relu 'y', got 2"),
    ('y = Clip (x, "", "", "")', 17, "O002", '""', "expected 1 to 3 inputs (input, min, max) for Clip 'y', got 4"),
    ('y = Sum (x, "")', 17, "O002", '""', "missing required input `data_0` for Sum 'y'"),
    ("y = Split (x)", 18, "A002", "Split", "expected `num_outputs` or the input `split`, got neither"),
    (VECTOR + "y = Split <num_outputs: int = 1> (x, s)", 18, "T006", "1", "expected either `num_outputs` or the input `split`, got both"),
    (VECTOR + "r = Range (s, s, s)\n y = Cast <to: int = 1> (r)", 17, "D003", "s", "expected a scalar for `start`, got [1]"),
    ("y = RandomNormalLike <dtype: int = 99> (x)", 17, "A005", "99", "expected the number of an element type for `dtype`, got 99"),
    ("s = Constant <value_ints: ints = [0, 4]> ()\n y = Reshape <allowzero: int = 1> (x, s)", 17, "D008", "s", "with this `allowzero`, 0 keeps no dimension"),
    ("y = LSTM (x, x, x)", 14, "A002", "LSTM", "missing required attribute `hidden_size` for LSTM 'y'"),
    ('y = Conv <auto_pad: string = "VALID", pads: ints = [0, 0]> (x, x)', 17, "T006", "pads", "cannot be combined with `auto_pad` VALID"),
    (CHANNELS + "y = ConvTranspose <output_shape: ints = [1, 1, 9]> (d, w)", 17, "A007", "[1, 1, 9]", "expected 1 number in `output_shape`"),
]  # fmt: skip

LOOP = graph(
    """n = Constant <value_int: int = 2> ()
    y = Loop <body: graph = b (int64 i, bool c, float[2,4] v) => (bool d, float[2,4] w) {
    d = Identity (c)
    w = Relu (v)
    }> (n, "", x)""",
    outputs="float[2,4] y",
)
SCAN = graph(
    """y = Scan <num_scan_inputs: int = 1, scan_input_directions: ints = [0], body: graph = b (float[4] v) => (float[4] w) {
    w = Relu (v)
    }> (x)""",
    outputs="float[2,4] y",
)
BODIES = [
    # (text, changes, code, token, words of the message): the one error of a model with a body
    (LOOP, [("int64 i", "int32 i")], "D007", "int32", "declared type int32 does not match inferred type int64"),
    (LOOP, [("int64 i", "int64[] i")], "T002", "int64[] i", "input 'i' of `body` for Loop 'y' has no shape"),
    (LOOP, [("bool c,", "c,")], "T002", "c", "input 'c' of `body` for Loop 'y' has no type"),
    (LOOP, [("w = Relu (v)", "k = Relu (v)"), ("float[2,4] w)", "float[2,4] x)")], "R001", "x", "output 'x' is defined outside graph 'b'"),
    (LOOP, [("<value_int: int = 2> ()", "<value: tensor = int32 {2}> ()")], "D002", "n", "expected int64 for `M`, got int32"),
    (SCAN, [("num_scan_inputs: int = 1", "num_scan_inputs: int = 2")], "A006", "2", "expected at most 1 for `num_scan_inputs` of Scan 'y' with 1 input, got 2"),
    (SCAN, [("(float[4] v)", "(float[2,4] v)"), ("float[4] w", "float[2,4] w")], "D001", "x", "shape [4] from input 0 does not match [2, 4] of body input 'v'"),
    (SCAN, [("(float[4] v)", "(float[3] v)")], "D001", "x", "shape [4] from input 0 does not match [3] of body input 'v'"),
    (SCAN, [("[0]", "[0, 1]")], "A007", "[0, 1]", "expected 1 value for `scan_input_directions` of Scan 'y' with 1 scan input, got 2"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes", "code", "token", "words"), BODIES, ids=[case[1][0][1] for case in BODIES])
def test_what_runtimes_refuse_of_bodies(
    text: str, changes: list[tuple[str, str]], code: str, token: str, words: str
) -> None:
    assert engine.lint(text, "a.onnxtxt").findings == []
    broken = changed(text, *changes)
    found = [finding for finding in engine.lint(broken, "a.onnxtxt").findings if finding.severity.name == "ERROR"]
    assert [(finding.code, broken[finding.span.start : finding.span.end]) for finding in found] == [(code, token)]
    assert words in found[0].message


FUNCTION = (
    FUNCTIONS.replace("Scale <by> (a)", "Scale <by> (a, c)")
    .replace("Mul (a, f)", "Mul (a, c)")
    .replace("(x)", "(x, x)")
)
CALLS = [
    # (changes, code, token, words of the message): the one error of a model with a function
    ([("f = Constant <value_float: float = @by> ()\n   b = Mul (a, c)", "b = Mul (a, f)\n   f = Neg (c)")], "R002", "f", "Mul 'b' uses 'f'"),
    ([('opset_import: ["" : 17]\n>\nScale', 'opset_import: ["" : 12]\n>\nScale')], "T006", "12", "imports opset 12 of ai.onnx, the model 17"),
    ([("(x, x)", "(x)")], "O002", "Scale", "missing required input `c` for Scale 'y'"),
    ([("(x, x)", '("", x)')], "O002", '""', "missing required input `a` for Scale 'y'"),
    ([("=> (b) {", "=> (b, f) {")], "O003", "Scale", "expected 2 outputs (b, f) for Scale 'y', got 1"),
    ([("=> (b) {", "=> (a) {")], "R001", "a", "output 'a' is an input of function 'Scale'"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "code", "token", "words"), CALLS, ids=[case[0][0][1][:40] for case in CALLS])
def test_what_runtimes_refuse_of_functions(changes: list[tuple[str, str]], code: str, token: str, words: str) -> None:
    text = changed(FUNCTION, *changes)
    found = [finding for finding in engine.lint(text, "a.onnxtxt").findings if finding.severity.name == "ERROR"]
    assert [(finding.code, text[finding.span.start : finding.span.end]) for finding in found] == [(code, token)]
    assert words in found[0].message


def test_functions_may_leave_out_what_nothing_in_them_needs() -> None:
    text = changed(FUNCTION, ("Mul (a, c)", "Clip (a, c)"), ("(x, x)", "(x)"))
    assert engine.lint(text, "a.onnxtxt").findings == []


@pytest.mark.parametrize(("nodes", "opset", "code", "token", "words"), REFUSED, ids=[case[0][:60] for case in REFUSED])
def test_what_runtimes_refuse(nodes: str, opset: int, code: str, token: str, words: str) -> None:
    text = graph(nodes).replace('"" : 17', f'"" : {opset}')
    found = [finding for finding in engine.lint(text, "a.onnxtxt").findings if finding.severity.name == "ERROR"]
    assert [(finding.code, text[finding.span.start : finding.span.end]) for finding in found] == [(code, token)]
    assert words in found[0].message


@pytest.mark.parametrize("text", [ONNX, TINY, BRANCHES, FUNCTIONS])
def test_nothing_is_wrong_with_the_samples(text: str) -> None:
    assert engine.lint(text, "a.onnxtxt").findings == []


def test_reversed_nodes_are_sorted_by_one_fix() -> None:
    calls = [f"v{k + 1} = Relu (v{k})" for k in range(40)]
    text = graph("\n".join(reversed(calls)), "float[2] v0", "float[2] v40")
    result = engine.lint(text, "a.onnxtxt")
    assert {finding.code for finding in result.findings} == {"R002"}
    fixed = fixes.fix(text, offers.TrialLinter(result).lint)
    assert fixed.text == graph("\n".join(calls), "float[2] v0", "float[2] v40")


def test_what_is_idle_is_a_warning_and_can_be_removed() -> None:
    idle = ONNX.replace("   [relu]", "   [idle] spare = Neg (features)\n   [relu]").replace(
        "weight = {...}", "weight = {...},\n   float[256] more = {...}"
    )
    result = engine.lint(idle, "a.onnxtxt")
    assert [(f.code, f.severity.name, idle[f.span.start : f.span.end]) for f in result.findings] == [
        ("W004", "WARNING", "more"),
        ("G001", "WARNING", "Neg"),
    ]
    assert fixes.fix(idle, offers.TrialLinter(result).lint, True).text == ONNX


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (TINY.replace("LeakyRelu <alpha: float = 0.1>", "own.Leaky"), ["O001"]),
        (TINY.replace("   y = L", "   [mm_2] m = MatMul (x, w)\n   y = L"), ["R005"]),
        (graph("y = Unsqueeze (x, a)", rest="int64[1] a = {0}").replace("17", "11"), ["O002"]),
    ],
)
def test_one_mistake_is_one_finding(text: str, codes: list[str]) -> None:
    found = engine.lint(text, "a.onnxtxt").findings
    assert [f.code for f in found if f.severity >= Severity.WARNING and "no shape" not in f.message] == codes


def test_another_number_is_a_hint_only_if_nothing_uses_that_name() -> None:
    """Layers and weights are numbered: one that is gone is not a typo of the next."""
    text = graph("[n] v1 = Relu (x)\n[m] v2 = Relu (v1)\ny = Add (v2, v3)")
    assert "did you mean" not in next(m.message for m in engine.lint(text, "a.onnxtxt").findings if m.code == "R001")
    idle = text.replace("   y =", "   [o] v33 = Relu (v2)\n   y =")
    assert "did you mean 'v33'?" in next(m.message for m in engine.lint(idle, "a.onnxtxt").findings if m.code == "R001")


def test_sizes_that_the_data_contradicts_are_one_finding() -> None:
    """The users of a tensor do not fit a size that its data does not have: that follows."""
    data = ",".join(["0.5"] * 12)
    text = graph("y = MatMul (x, w)", outputs="float[2,3] y", rest=f"float[8,3] w = {{{data}}}")
    result = engine.lint(text, "a.onnxtxt")
    offers.confirm(result)
    assert [(finding.code, finding.fix and finding.fix.title) for finding in result.findings] == [
        ("T004", "Set the shape to [4, 3]")
    ]


@pytest.mark.parametrize(
    ("name", "version", "words"),
    [
        ("onnxruntime", "1.11", "onnxruntime 1.11 loads opsets up to 16; the model has opset 17"),
        ("onnxruntime", "1.12", ""),
        ("opset", "16", "expected opset 16 or older, got 17"),
        ("tensorrt", "8.2", "TensorRT 8.2 loads opsets up to 13; the model has opset 17"),
        (
            "onnx",
            "1.8",
            "onnx 1.8 loads opsets up to 13 and IR versions up to 7; the model has opset 17 and IR version 8",
        ),
    ],
)
def test_targets(name: str, version: str, words: str) -> None:
    found = engine.lint(ONNX, "a.onnxtxt", Settings(targets=((name, version),), select=("C002",))).findings
    assert [finding.message for finding in found] == ([words] if words else [])


@pytest.mark.parametrize(("opset", "found"), [(6, 1), (7, 0), (17, 0)])
def test_an_opset_that_a_target_does_not_guarantee(opset: int, found: int) -> None:
    text = ONNX.replace('["" : 17]', f'["" : {opset}]').replace('["":17]', f'["":{opset}]')
    settings = Settings(targets=(("onnxruntime", "1.16"),), select=("C002",))
    words = "onnxruntime 1.16 guarantees opsets from 7 on; the model has opset 6"
    told = [(one.severity, one.message) for one in engine.lint(text, "a.onnxtxt", settings).findings]
    assert told == [(Severity.WARNING, words)] * found


@pytest.mark.parametrize(
    ("tensor", "user", "words"),
    [
        ("float s = {0.0}", "QuantizeLinear (x, s)", "expected scales above 0"),
        ("float s = {inf}", "QuantizeLinear (x, s)", "1 infinite of 1 value"),
        ("float[4,3] s = {nan,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0}", "MatMul (x, s)", "1 NaN of 12 values"),
    ],
)
def test_constants_that_no_network_means(tensor: str, user: str, words: str) -> None:
    kind = "uint8" if "Quantize" in user else "float"
    found = engine.lint(graph(f"y = {user}", outputs=f"{kind}[] y", rest=tensor), "a.onnxtxt").findings
    assert any(words in finding.message for finding in found), found


def test_suppressions_of_a_text_and_of_a_binary() -> None:
    broken = ONNX.replace("Relu (features)", "Reluu (features)  # irlint: ignore[O001]")
    assert engine.lint(broken, "a.onnxtxt").findings == []
    listed = ONNX.replace("Relu (f", "Reluu (f").replace(
        '"" : 17]', '"" : 17],\n   metadata_props: ["irlint": "ignore[O001]"]'
    )
    assert engine.lint(listed, "a.onnxtxt").findings == []


@pytest.mark.parametrize(
    ("opset", "target", "severity"), [(13, "flat", "ERROR"), (13, "read", "WARNING"), (14, "read", "ERROR")]
)
def test_declared_ranks_behind_computed_targets(opset: int, target: str, severity: str) -> None:
    """Before opset 14, onnx's inference does not know the rank of a Reshape whose target nodes compute: nothing refuses a rank that contradicts."""
    text = changed(
        ONNX,
        ('"" : 17', f'"" : {opset}'),
        ("float[1,10] scores", "float[10] scores"),
        (
            "[flatten] flattened = Reshape (positive, flat)",
            f"read = Identity (flat)\n   flattened = Reshape (positive, {target})",
        ),
        ("[dense] logits = Gemm <transB: int = 1> (flattened, weight)", "logits = Relu (flattened)"),
    )
    found = [finding for finding in engine.lint(text, "a.onnxtxt").findings if finding.code == "D006"]
    assert [finding.severity.name for finding in found] == [severity]
