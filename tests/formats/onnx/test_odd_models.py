"""Models that runtimes take although few people write them so, and broken ones of which irlint once made a crash or a hang."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from rule_cases.texts import ONNX

from irlint import api, engine, offers
from irlint.cli.model import load_model
from irlint.findings import Severity
from irlint.formats.base import by_name
from irlint.inspection.review.changes import differences
from irlint.inspection.summarized import summarized
from irlint.jobs import Job, JobOptions
from irlint.jobs.one_file import check
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
    offers.confirm(result)
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


def test_declared_shapes_that_contradict_bounds_only() -> None:
    """onnx's inference knows no bounds: a length of n + 2 may be 1 for all it knows."""
    text = f"{HEADER}g (\n   float[n] x\n) => (\n   float[1] y\n) <\n   int64[2] pads = {{1,1}}\n> {{\n   y = Pad (x, pads)\n}}\n"
    found = [finding for finding in engine.lint(text, "a.onnxtxt").findings if finding.code == "D006"]
    assert [finding.severity.name for finding in found] == ["WARNING"]


def repaired(text: str) -> list[tuple[str, str | None]]:
    """The messages of errors, and the titles of what is offered for them."""
    result = engine.lint(text, "a.onnxtxt", as_format="onnx")
    offers.confirm(result)
    errors = [finding for finding in result.findings if finding.severity == Severity.ERROR]
    return [(finding.message, finding.fix and finding.fix.title) for finding in errors]


def test_what_is_offered_is_what_fits() -> None:
    old = HEADER.replace("17", "6")
    add = f"{old}g (\n   float[2,3] x\n) => (\n   float[2,3] y\n) <\n   float[3] w = {{1.0,2.0,3.0}}\n> {{\n   y = Add (x, w)\n}}\n"
    assert [title for _, title in repaired(add)] == ["Insert `broadcast` with `1`"]
    quantized = (
        f"{HEADER}g (\n   float[4] x\n) => (\n   float[4] y\n) <\n   float s = {{0.1}},\n   uint8 z = {{128}},\n   int8 other = {{0}}\n> {{\n"
        "   q = QuantizeLinear (x, s, z)\n   y = DequantizeLinear (q, s, other)\n}\n"
    )
    ((_, title),) = repaired(quantized)
    assert title is None or "Cast" not in title
    named = ONNX.replace("(image, kernel)", "(image, weigth)").replace("kernel = {...}", "conv1_w = {...}")
    ((message, title),) = repaired(named)
    assert (message.endswith("of Conv 'conv'"), title) == (True, "Replace input 1 with 'conv1_w'")


def test_messages_have_the_names_of_onnx() -> None:
    text = ONNX.replace("float[4,1,3,3] kernel", "float[4,2,3,3] kernel")
    assert any("channels of `X` (1) and `W` (2) do not match" in message for message, _ in repaired(text))
    padding = ONNX.replace("pads: ints", "padding: ints")
    assert any("did you mean `pads`?" in message for message, _ in repaired(padding))


def test_a_file_in_a_folder_whose_name_says_that_it_is_a_model(tmp_path: Path) -> None:
    (tmp_path / "page.onnx").write_text("<!doctype html><html>")
    (tmp_path / "pointer.onnx").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
    (tmp_path / "other.json").write_text("{}")
    outcomes = [check(Job(str(path), Settings(), found=True), JobOptions()) for path in sorted(tmp_path.iterdir())]
    found = [[entry.finding.code for entry in one.report.entries] if one.report else None for one in outcomes]
    assert found == [None, ["S012"], None]
    assert [one.is_pointer for one in outcomes] == [False, False, True]


def test_summary_and_difference_know_the_opset(tmp_path: Path) -> None:
    for name, opset in (("old", "17"), ("new", "18")):
        (tmp_path / f"{name}.onnxtxt").write_text(ONNX.replace('"" : 17', f'"" : {opset}'))
    old, new = (load_model(str(tmp_path / f"{name}.onnxtxt"), "nodes", shapes=True) for name in ("old", "new"))
    assert [tuple(change)[:4] for change in differences(old, new).versions] == [("version", "opset", "17", "18")]
    mapping = by_name("onnx").dryrun(old)
    convolution = 2 * 4 * 64 * 9
    assert summarized(old, mapping, []).json()["flops"] > convolution
