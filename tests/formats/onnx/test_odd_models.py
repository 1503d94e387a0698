"""Models that runtimes take although few people write them so, and broken ones of which irlint once made a crash or a hang."""

from __future__ import annotations

import time

import pytest

from irlint import api, engine, offers
from irlint.findings import Severity
from irlint.settings import Settings

from .build import HEADER

TWICE = """<
   ir_version: 9,
   opset_import: ["" : 17, "own" : 1]
>
g (
   float[3] x,
   int64[3] n
) => (
   float[3] y,
   int64[3] m
) {
   y = own.Same (x)
   m = own.Same (n)
}

<
   domain: "own",
   opset_import: ["" : 17]
>
Same (a) => (b) {
   b = Identity (a)
}
"""
SHADOWS = {
    "an initializer of a branch": "y = If <then_branch: graph = t () => (float[2] a) <\n float[2] w = {3.0,4.0}\n> { a = Add (x, w) }, "
    "else_branch: graph = e () => (float[2] b) { b = Identity (w) }> (c)",
    "an input of a loop": "y = Loop <body: graph = l (int64 i, bool k, float[2] w) => (bool o, float[2] a) { o = Identity (k) a = Add (w, x) }> (n, c, w)",
    "a condition of rank 1 and a size that changes": "y = Loop <body: graph = l (int64 i, bool[1] k, float[7] v) => (bool[1] o, float[2] a) "
    "{ o = Identity (k) a = Relu (v) }> (n, c, w)",
}


def errors(text: str) -> list[str]:
    result = engine.lint(text, "a.onnxtxt", as_format="onnx")
    offers.confirm(result, Settings(), "onnx", None)
    return [f"{finding.code} {finding.message}" for finding in result.findings if finding.severity >= Severity.INFO]


@pytest.mark.parametrize("node", SHADOWS.values(), ids=SHADOWS)
def test_what_nested_graphs_may_hide(node: str) -> None:
    text = f"{HEADER}g (\n   float[2] x,\n   bool c\n) => (\n   float[2] y\n) <\n   float[2] w = {{1.0,2.0}},\n   int64 n = {{2}}\n> {{\n   {node}\n}}\n"
    assert [error for error in errors(text) if not error.startswith("W004")] == []


def test_an_output_must_not_hide_a_name() -> None:
    node = (
        "y = If <then_branch: graph = t () => (float[2] a) { w = Relu (x) a = Relu (w) }, "
        "else_branch: graph = e () => (float[2] b) { b = Relu (w) }> (c)"
    )
    text = f"{HEADER}g (\n   float[2] x,\n   bool c\n) => (\n   float[2] y\n) <\n   float[2] w = {{1.0,2.0}}\n> {{\n   {node}\n}}\n"
    assert [error[:4] for error in errors(text)] == ["R005"]


def test_a_function_has_types_of_its_own_for_each_call(tmp_path) -> None:
    numpy = pytest.importorskip("numpy")
    path = tmp_path / "a.onnxtxt"
    path.write_text(TWICE)
    given = {"x": numpy.array([1.5, -2.5, 0.25], "float32"), "n": numpy.array([1, 2, 3])}
    outputs = api.run(path, given)
    assert outputs["y"].tolist() == [1.5, -2.5, 0.25]
    assert outputs["m"].tolist() == [1, 2, 3]


def test_functions_that_call_functions_twice() -> None:
    """30 of them would be a billion calls."""
    functions = "".join(
        f'\n<\n   domain: "own",\n   opset_import: ["" : 17, "own" : 1]\n>\nF{k} (a) => (c) {{\n   b = own.F{k - 1} (a)\n   c = own.F{k - 1} (b)\n}}\n'
        if k
        else '\n<\n   domain: "own",\n   opset_import: ["" : 17]\n>\nF0 (a) => (b) {\n   b = Relu (a)\n}\n'
        for k in range(31)
    )
    head = '<\n   ir_version: 9,\n   opset_import: ["" : 17, "own" : 1]\n>\n'
    started = time.process_time()
    for size in ("float[3]", "int64[1]"):  # the elements of small integers are followed
        assert errors(f"{head}g (\n   {size} x\n) => (\n   {size} y\n) {{\n   y = own.F30 (x)\n}}\n{functions}") == []
    assert time.process_time() - started < 10


def test_numbers_beyond_half_precision() -> None:
    """A cast to float16 of what no float16 holds; the search for repairs tries one beside each Slice."""
    text = (
        f"{HEADER}g (\n   float[3] x\n) => (\n   float[?] y\n) <\n   int64[1] b = {{0}},\n   int64[1] s = {{9223372036854775807}}\n> {{\n"
        "   t = Cast <to: int = 10> (s)\n   r = Cast <to: int = 7> (t)\n   y = Slice (x, b, r)\n}\n"
    )
    assert errors(text) == []


def test_an_error_in_a_function_and_one_without_a_name() -> None:
    wrong = TWICE.replace("b = Identity (a)", "c = Constant <value: tensor = float[2] {1.0,2.0}> ()\n   b = Add (a, c)")
    assert {error[:4] for error in errors(wrong)} <= {"D001", "D002"}
    assert errors(wrong)
    assert errors(TWICE.replace("Same (a) => (b)", '"" (a) => (b)'))


def test_attributes_of_functions_that_their_nodes_can_do_without() -> None:
    """onnxruntime leaves out the attribute that refers to a missing one, and ignores one that nothing refers to."""
    text = TWICE.replace("Same (a) => (b)", "Same <keep> (a) => (b)").replace(
        "b = Identity (a)", "b = Transpose <perm: ints = @keep> (a)"
    )
    found = engine.lint(
        text.replace("own.Same (n)", "own.Same <other: int = 1> (n)"), "a.onnxtxt", as_format="onnx"
    ).findings
    assert sorted((finding.code, finding.severity.name) for finding in found) == [
        *[("A001", "WARNING")],
        *[("A002", "WARNING")] * 2,
    ]


def test_integers_of_json_beyond_doubles() -> None:
    text = (
        '{"irVersion": "8", "opsetImport": [{"version": "17"}], "graph": {"name": "g", "node": [{"output": ["y"], "opType": "Constant", '
        '"attribute": [{"name": "value_int", "i": "9223372036854775807", "type": "INT"}]}], '
        '"output": [{"name": "y", "type": {"tensorType": {"elemType": 7, "shape": {}}}}]}}'
    )
    assert engine.lint(text, "a.json", as_format="onnx").findings == []
