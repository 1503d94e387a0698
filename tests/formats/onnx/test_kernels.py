"""What a release has no kernel for: found for this target only, in bodies, too, and at what it is refused for."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.findings import Finding
from irlint.settings import Settings

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
CONV = HEAD + "net (double[1,3,8,8] x, double[4,3,3,3] w) => (double[1,4,6,6] y) { [conv] y = Conv (x, w) }\n"
BODY = (
    HEAD
    + "net (bool c, double[1,3,8,8] x, double[4,3,3,3] w) => (double[1,4,6,6] y) { [choice] y = If <then_branch: graph ="
    + " one () => (double[1,4,6,6] a) { [first] a = Conv (x, w) }, else_branch: graph = two () => (double[1,4,6,6] b) { [second] b = Conv (x, w) }> (c) }\n"
)


def lint(text: str, *targets: tuple[str, str]) -> list[Finding]:
    return list(engine.lint(text, "a.onnxtxt", Settings(targets=targets, select=("C", "I"))).findings)


def found(text: str, *targets: tuple[str, str]) -> list[tuple[str, str]]:
    return [(one.message, text[one.span.start : one.span.end]) for one in lint(text, *targets) if one.span is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONV, [("onnxruntime 1.17 does not load Conv 'conv' with float64; it does with float32", "x")]),
        (BODY, [(f"onnxruntime 1.17 does not load Conv '{name}' with float64; it does with float32", "x") for name in ("first", "second")]),
    ],
    ids=("type", "bodies"),
)  # fmt: skip
def test_what_has_no_kernel(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text, ("onnxruntime", "1.17")) == expected
    assert found(text) == []


def test_a_release_older_than_its_table_is_told_of() -> None:
    message = "irlint does not know which operators onnxruntime 1.14 lacks; its tables begin with 1.15"
    assert found(CONV, ("onnxruntime", "1.14")) == [(message, 'opset_import: ["" : 17]')]


FUNCTION = (
    '<ir_version: 8, opset_import: ["" : 17, "my" : 1]>\n'
    + "net (double[1,3,8,8] x, double[4,3,3,3] w) => (double[1,4,6,6] y) { y = my.F (x, w) }\n"
    + '<domain: "my", opset_import: ["" : 17]>\nF (a, b) => (c) { [inner] c = Conv (a, b) }\n'
)


def test_functions_of_a_model_are_asked_about_too() -> None:
    message = "onnxruntime 1.17 does not load Conv 'inner' with float64; it does with float32"
    assert found(FUNCTION, ("onnxruntime", "1.17")) == [(message, "a")]
    assert found(FUNCTION.replace("double", "float"), ("onnxruntime", "1.17")) == []
    assert found(FUNCTION, ("openvino", "2026.4"))[0][0].startswith("OpenVINO 2026.4 loads no functions of a model")


GROUPS = (
    HEAD.replace("17", "21")
    + "net (float[1,4,2,2] x, float[4] s, float[4] b) => (float[1,4,2,2] y) { [norm] y = GroupNormalization <num_groups: int = 4> (x, s, b) }\n"
)


def test_groups_of_several_channels() -> None:
    several, target = GROUPS.replace("= 4", "= 2"), ("openvino", "2025.4")
    message = "OpenVINO 2025.4 does not load GroupNormalization 'norm' with groups of several channels"
    assert found(several, target) == [(message, "2")]
    assert found(several, ("openvino", "2026.4")) == found(GROUPS, target) == []
    assert found(several.replace("[1,4,", "[1,C,"), target) == []


LOOP = (
    HEAD
    + "net (int64 n, bool c, float[2] x, float[2] k) => (float[2] y, float[2] z) { [loop] y, z = Loop <body: graph = body"
    + " (int64 i, bool go, float[2] sum, float[2] kept) => (bool went, float[2] sums, float[2] kept)"
    + " { went = Identity (go) sums = Add (sum, kept) }> (n, c, x, k) }\n"
)


def test_a_body_that_outputs_one_of_its_inputs() -> None:
    message = "OpenVINO 2026.4 does not load Loop 'loop' with a body that outputs one of its inputs as it is"
    assert [one for one, _ in found(LOOP, ("openvino", "2026.4"))] == [message]
    assert found(LOOP, ("openvino", "2025.4")) == []
    copied = LOOP.replace("float[2] kept) {", "float[2] copy) {").replace("kept) }>", "kept) copy = Identity (kept) }>")
    assert found(copied, ("openvino", "2026.4")) == []


SHAPELESS = HEAD + "net (float[2,3] x) => (float[] y) { y = Relu (x) }\n"


def test_opencv_reads_no_outputs_without_a_shape() -> None:
    assert found(SHAPELESS.replace("[]", "[2,3]"), ("opencv", "5.0")) == []
    message = "OpenCV 4.10 loads no outputs without a shape, such as 'y'"
    assert found(SHAPELESS, ("opencv", "4.10")) == [(message, "y")]


SHARED = (
    '<ir_version: 9, opset_import: ["" : 19]>\n'
    + "net (float[2] x) => (float[2] y) <float[2] w = {1,2}> { v = Identity (w) y = Add (x, v) }\n"
)


def test_what_changes_nothing_is_removed_before_its_kernel_is_looked_up() -> None:
    """onnxruntime 1.15 has none for Identity of opset 19."""
    assert found(SHARED, ("onnxruntime", "1.15")) == []
    alone = SHARED.replace("v = Identity (w) y = Add (x, v)", "y = Identity (x)")
    assert found(alone, ("onnxruntime", "1.15"))[0][0].startswith("onnxruntime 1.15 does not load Identity 'y'")


RESHAPE = (
    '<ir_version: 10, opset_import: ["" : 22]>\n'
    + "net (float[2,3] x) => (float[3,2] y) <int64[2] s = {3,2}> { y = Reshape <allowzero = 1> (x, s) }\n"
)


def test_versions_are_lowered_only_to_those_that_the_release_has_kernels_for() -> None:
    """onnxruntime 1.15 has none for Reshape of opset 19; before opset 14, it has no `allowzero`."""
    titles = [one.fix.title for one in lint(RESHAPE, ("onnxruntime", "1.15")) if one.fix is not None]
    assert titles == ["Lower to opset 18 and IR version 9"]
    assert [one.fix for one in lint(RESHAPE, ("tensorrt", "8.2"))] == [None]


@pytest.mark.parametrize("target", [("tensorrt", "8.6"), ("onnxruntime", "new")])
def test_nothing_is_said_of_runtimes_that_no_table_knows(target: tuple[str, str]) -> None:
    assert found(CONV, target) == []


def test_a_newer_release_is_taken_for_the_newest_one() -> None:
    assert found(CONV, ("onnxruntime", "1.36"))[0][0].startswith("onnxruntime 1.32 does not load")
