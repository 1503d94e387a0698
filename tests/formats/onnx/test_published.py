"""What documentation says of targets: warnings for this release only, at what it does not list; and one note of what a provider leaves to
the CPU."""

from __future__ import annotations

import json
import zlib

import pytest
from oracle.kernels.tensorrt_pages import Release

from irlint import engine
from irlint.codes import Severity
from irlint.formats.onnx.passes.targets import target_trouble
from irlint.settings import Settings
from irlint.targets.kernels import kernels
from irlint.tools.installed import schemas_folder

LONG = 9223372036854775807


def model(inputs: str, outputs: str, nodes: str, constants: str = "", opset: int = 13) -> str:
    return f'<ir_version: 7, opset_import: ["" : {opset}]>\nnet ({inputs}) => ({outputs}) {constants} {{ {nodes} }}\n'


NONZERO = model("float[4,4] x", "int64[2,n] y", "[where] y = NonZero (x)")
PIXELS = model("uint8[1,3,8,8] x, int64[2] k", "uint8[1,2,8,8] y", "[pick] y = Gather <axis = 1> (x, k)")
PIXELS_CAST = model("uint8[1,3,8,8] x", "float[1,3,8,8] y", "[cast] y = Cast <to = 1> (x)")
RESIZE = model("float[1,3,8,8] x, float[4] s", "float[1,3,h,w] y", "[zoom] y = Resize (x, , s)")
RESIZE_FIXED = model(
    "float[1,3,8,8] x", "float[1,3,16,16] y", "[zoom] y = Resize (x, , s)", "<float[4] s = {1., 1., 2., 2.}>"
)
ADDED = model("int64[1] x", "int64[1] y", "[add] y = Add (x, top)", f"<int64[1] top = {{{LONG}}}>")
SLICED = model(
    "float[8] x", "float[7] y", "[cut] y = Slice (x, one, top)", f"<int64[1] one = {{1}}, int64[1] top = {{{LONG}}}>"
)
SMALL = ADDED.replace(str(LONG), "2147483647")
QUANTIZED = model(
    "float[4] x",
    "int8[4] y",
    "[round] y = QuantizeLinear (x, s, z)",
    "<float s = {0.5}, int8 z = {3}>",
)
POOL = model(
    "float[1,3,8,8] x", "float[1,3,6,6] y", "[pool] y = MaxPool <kernel_shape = [3, 3], dilations = [1, 1]> (x)"
)
POOL_DILATED = POOL.replace("[1, 1]", "[2, 2]").replace("6,6]", "4,4]")
SHAPES = model(
    "float[n,4] x",
    "float[k] y",
    "s = Shape (x) p = ReduceProd <keepdims = 0> (s) [fill] y = ConstantOfShape (q) q = Unsqueeze (p, zero)",
    "<int64[1] zero = {0}>",
).replace("[fill] y = ConstantOfShape (q) q = Unsqueeze (p, zero)", "q = Unsqueeze (p, zero) [fill] y = ConstantOfShape (q)")  # fmt: skip


def findings(text: str, *targets: tuple[str, str]) -> list[tuple[Severity, str, str]]:
    result = engine.lint(text, "a.onnxtxt", Settings(targets=targets, select=("C001",)))
    return [(one.severity, one.message, text[one.span.start : one.span.end]) for one in result.findings if one.span]


def warned(text: str, release: str) -> list[tuple[str, str]]:
    return [
        (message.removeprefix(f"the documentation of TensorRT {release} does not list "), at)
        for severity, message, at in findings(text, ("tensorrt", release))
        if severity is Severity.WARNING
    ]


@pytest.mark.parametrize(
    ("text", "release", "expected"),
    [
        (NONZERO, "8.4", [("NonZero 'where' as supported", "NonZero")]),
        (NONZERO.replace("float[4,4]", "uint8[4,4]"), "8.6", [("NonZero 'where' with uint8 as supported", "x")]),
        (PIXELS, "8.6", [("Gather 'pick' with uint8 as supported", "x")]),
        (PIXELS, "10.1", [("Gather 'pick' with uint8 as supported", "x")]),
        (RESIZE, "8.2", [("Resize 'zoom' with an input 2 that is not constant and no input 3 as supported", "s")]),
        (ADDED, "8.6", [(f"TensorRT 8.6 clamps INT64 to INT32: 'top' has {LONG}", "top")]),
        (ADDED, "7.2", [(f"TensorRT 7.2 fails to convert INT64 to INT32: 'top' has {LONG}", "top")]),
        (QUANTIZED, "8.6", [("QuantizeLinear 'round' with an input 2 other than zero as supported", "z")]),
        (POOL_DILATED, "10.1", [("MaxPool 'pool' with `dilations` [2, 2] as supported", "[2, 2]")]),
    ],
)  # fmt: skip
def test_what_tensorrt_does_not_list(text: str, release: str, expected: list[tuple[str, str]]) -> None:
    assert warned(text, release) == expected


@pytest.mark.parametrize(
    ("text", "release"),
    [
        (NONZERO, "8.6"),
        (PIXELS_CAST, "8.6"),
        (PIXELS.replace("uint8", "float"), "8.6"),
        (RESIZE, "8.6"),
        (RESIZE_FIXED, "8.2"),
        (ADDED, "10.1"),
        (SMALL, "8.6"),
        (SLICED, "8.6"),
        (QUANTIZED.replace("{3}", "{0}"), "8.6"),
        (SHAPES, "8.6"),
        (POOL, "10.1"),
    ],
)
def test_what_tensorrt_lists(text: str, release: str) -> None:
    assert warned(text, release) == []
    assert findings(text) == []


def test_a_newer_release_is_taken_for_the_newest_page() -> None:
    assert warned(PIXELS, "11.5")[0][0].startswith("the documentation of TensorRT 10.15 does not list Gather")


def test_open_lengths_need_a_profile() -> None:
    text = model("float[n,3,h,8] x, float[?,2] k", "float[n,3,h,8] y", "[relu] y = Relu (x)")
    result = engine.lint(text, "a.onnxtxt", Settings(targets=(("tensorrt", "8.6"),), select=("C001",)))
    (found,) = result.findings
    assert (found.severity, found.message) == (
        Severity.INFO,
        "TensorRT 8.6 needs an optimization profile for the open lengths of 'x' and 'k'",
    )
    assert [one.message for one in found.related] == [
        "give it to trtexec: '--minShapes=x:1x3x<h>x8,k:1x2' '--optShapes=x:8x3x<h>x8,k:8x2'"
        " '--maxShapes=x:32x3x<h>x8,k:32x2'"
    ]


def test_what_a_provider_leaves_to_the_cpu_is_one_note() -> None:
    text = model(
        "float[4] x, float[4] k",
        "float[4] y",
        "[a] b = Relu (x) [one] c, d, e, f = Unique (b) [two] g, h, i, j = Unique (k) [add] y = Add (c, g)",
    )
    for provider, title in (("cuda", "CUDA"), ("qnn", "QNN")):
        assert findings(text, ("onnxruntime", f"1.17,provider={provider}")) == [
            (
                Severity.INFO,
                f"onnxruntime 1.17 with provider {title} runs 2 of 4 nodes on the CPU: Unique (2)",
                "Unique",
            )
        ]
    assert findings(text, ("onnxruntime", "1.17,provider=cpu")) == []
    assert [told[1] for told in findings(text, ("onnxruntime", "1.10,provider=cuda"))] == [
        "irlint does not know which operators onnxruntime 1.10 lacks; its tables begin with 1.15"
    ]


def test_types_decide_which_provider_runs_a_node() -> None:
    text = model("double[1,3,8,8] x, double[4,3,3,3] w", "double[1,4,6,6] y", "[conv] y = Conv (x, w)")
    assert [severity for severity, _, _ in findings(text, ("onnxruntime", "1.17"))] == [Severity.ERROR]
    assert findings(text, ("onnxruntime", "1.17,provider=cuda")) == []  # which has a kernel for it
    assert [message for _, message, _ in findings(text, ("onnxruntime", "1.17,provider=directml"))] == [
        "neither DirectML nor the CPU of onnxruntime 1.17 has a kernel for Conv 'conv' with float64",
    ]


def test_open_lengths_are_not_taken() -> None:
    text = model("float[n,4] x", "float[n,4] y", "[relu] y = Relu (x)")
    assert [message for _, message, _ in findings(text, ("onnxruntime", "1.17,provider=qnn"))] == [
        "QNN of onnxruntime 1.17 takes fixed lengths only; those of 'x' are open"
    ]


def test_providers_are_known() -> None:
    assert target_trouble("onnxruntime", "1.17,provider=cuda") is None
    assert "unknown provider `gpu`; expected cpu, coreml, cuda" in str(
        target_trouble("onnxruntime", "1.17,provider=gpu")
    )
    assert "expected a release" in str(target_trouble("tensorrt", "8.6,provider=cuda"))


def test_tables_are_small_and_name_their_pages() -> None:
    folder = schemas_folder() / "kernels"
    assert sum(len(zlib.compress(one.read_bytes())) for one in folder.iterdir()) < 100_000, "in the wheel"
    for path in folder.glob("*.json"):
        table, raw = kernels(path.stem), json.loads(path.read_text())
        assert table.releases == sorted(table.releases, key=lambda one: tuple(map(int, one.split("."))))
        assert not table.is_published or [*raw["urls"]] == table.releases
        assert all(
            (number or 0) < len(raw["rules"]) for rules in raw["operators"].values() for number in rules.values()
        )


PAGE = """
TensorRT 8.9 supports operators up to Opset 17.
TensorRT supports the following ONNX data types: DOUBLE, FLOAT32, FLOAT16, INT8, and BOOL
> Note: TensorRT will attempt to cast down INT64 to INT32, clamping values if necessary.
| Operator | Supported | Supported Types | Restrictions |
|----------|-----------|-----------------|--------------|
| Add | Y | FP32, INT32 |
| Det | N |
| Unique | N |
| Pool | Y | FP32 | `Indices` output tensor unsupported. Only on Sundays
| TopK | Y | FP32 | `K` input must be an initializer
| Resize | Y | FP32 | Supported resize modes: `nearest`, `linear`
"""
SOURCE = """
DEFINE_BUILTIN_OP_IMPORTER(Unique)
{
}
DEFINE_BUILTIN_OP_IMPORTER(Add)
{
    CHECK(notInvalidType(inputs.at(0), {"BOOL"}));
}
DEFINE_BUILTIN_OP_IMPORTER(Resize)
{
    if (mode == "cubic")
}
"""


def test_a_page_is_read_against_the_parser() -> None:
    release = Release("8.9", PAGE, SOURCE, {"TopK": ["X", "K"]}, {"Add": 1, "Missing": 9, "Later": 18})
    rules = dict(release.rules())
    floats = {"type in 0": {"not": ["float32", "float64"]}}
    assert rules == {
        "Missing": None,
        "Det": None,
        "Add": [{"type in 0": {"not": ["float16", "float32", "float64", "int32", "int64", "int8"]}}],
        "Pool": [floats, {"outputs": ["11", "01"]}],
        "TopK": [floats, {"input 1": ["given"]}],
        "Resize": [floats],
        "Resize-10": [floats],
    }
    assert dict(release.unread) == {"Pool: Only on Sundays": 1}
    assert release.contradicted == ["Unique: not supported", "Resize: Supported resize modes: `nearest`, `linear`"]
    assert release.clamps
