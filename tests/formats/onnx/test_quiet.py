"""What exporters write and every runtime handles is no warning, and an operator that a program registers is one finding."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from irlint import engine
from irlint.config.build import build
from irlint.config.read_yaml import read_yaml
from irlint.repairs import strict
from irlint.report.base import FileReport, Options, Totals, locate
from irlint.report.outputs.text import write_concise, write_full
from irlint.settings import Settings

HEAD = '<\n   ir_version: 9,\n   opset_import: ["" : 17%s]%s\n>\n'
ALL = strict(Settings())


def lint(graph: str, imports: str = "", more: str = "", settings: Settings = ALL) -> list[tuple[str, str]]:
    result = engine.lint(HEAD % (imports, more) + graph, "a.onnxtxt", settings, as_format="onnx")
    return [(f.code, str(f.severity)) for f in result.findings]


def numbers(count: int) -> str:
    return ",".join("1" * count)


@pytest.mark.parametrize(
    ("graph", "more", "expected"),
    [
        ("g (float[2] x) => (float[] y) { y = Relu (x) }", "", [("T002", "pedantic")]),
        ("g (float[-1,2] x) => (float[-1,2] y) { y = Relu (x) }", "", [("A006", "pedantic"), ("A006", "pedantic")]),
        ("g (float[n,2] x) => (float[-2,2] y) { y = Relu (x) }", "", [("A006", "warning")]),
        ("g (float[2] x) => (float[2] y) <int64 num_batches_tracked = {0}> { y = Relu (x) }", "", [("W004", "pedantic")]),
        (f"g (float[2] x) => (float[2] y) <float[255] w = {{{numbers(255)}}}> {{ y = Relu (x) }}", "", [("W004", "pedantic")]),
        (f"g (float[2] x) => (float[2] y) <float[256] w = {{{numbers(256)}}}> {{ y = Relu (x) }}", "", [("W004", "warning")]),
        ("g (float[2] x) => (float[2] y) { z = Constant <value_float: float = 1.0> () y = Relu (x) }", "", [("G001", "pedantic")]),
        ("g (float[2] x) => (float[2] y) { z = Neg (x) y = Relu (x) }", "", [("G001", "warning")]),
        ("g (float[2] x) => (float[2] y) { z = Shape (x) y = Relu (x) }", "", [("G001", "pedantic")]),
        ("g (float[2] x) => (float[2] y) { z = Neg (x) y = Relu (x) }", ',\n   producer_name: "skl2onnx"', [("G001", "pedantic")]),
    ],
)  # fmt: skip
def test_what_converters_write_is_pedantic(graph: str, more: str, expected: list[tuple[str, str]]) -> None:
    assert lint(graph, more=more) == expected


def test_inputs_without_a_shape_are_one_finding() -> None:
    text = HEAD % ("", "") + "g (float[] a, float[] b, float[] c) => (float[] y) { y = Sum (a, b, c) }"
    (found,) = engine.lint(text, "a.onnxtxt", as_format="onnx").findings
    assert (found.code, str(found.severity)) == ("T002", "warning")
    assert found.message.startswith("input 'a' has no shape, nor have 2 others")
    assert len(found.related) == 2


def test_libraries_that_many_use_are_known() -> None:
    graph = "g (float[2] x) => (float[2] y) { y = %s (x) }"
    for operator in ("ai.onnx.contrib.StringUpper", "onnx.brevitas.Quant", "finn.custom_op.general.Whatever"):
        domain = operator.rpartition(".")[0]
        codes = [code for code, _ in lint(graph % operator, f', "{domain}" : 1')]
        assert set(codes) <= {"D010"}, operator
    text = HEAD % (', "onnx.brevitas" : 1', "") + graph % "onnx.brevitas.Quantt"
    (found, *_) = engine.lint(text, "a.onnxtxt", as_format="onnx").findings
    assert found.code == "O001"
    assert "did you mean `Quant`?" in found.message


PLUGINS = "g (float[2] x) => (float[2] y) { a = MyPlugin_TRT (x) b = my.One (a) c = my.Two (b) d = MyPlugin_TRT (c) y = my.One (d) }"


def test_operators_that_a_program_registers_are_one_finding_each() -> None:
    result = engine.lint(HEAD % (', "my" : 1', "") + PLUGINS, "a.onnxtxt", as_format="onnx")
    messages = [f.message for f in result.findings]
    assert messages == [
        "unknown operator `MyPlugin_TRT`, which 2 nodes use; if your program registers it, set `extensions: {ai.onnx: {MyPlugin_TRT: {}}}` in irlint.yaml",
        "unknown domain `my` of operator `One` and 1 other; if your program registers them, set `extensions: {my: {One: {}, Two: {}}}` in irlint.yaml",
    ]
    lines = [message.partition("`extensions: {")[2].partition("}` in")[0] for message in messages]
    settings = build(read_yaml("irlint.yaml", f"extensions: {{{', '.join(lines)}}}".encode()), "/p").settings("/p/a")
    declared = engine.lint(HEAD % (', "my" : 1', "") + PLUGINS, "a.onnxtxt", settings, as_format="onnx")
    assert {f.code for f in declared.findings} <= {"D010"}


@pytest.mark.parametrize("write", [write_full, write_concise])
def test_a_report_of_many_files_shows_them_once(write: object) -> None:
    files = [_report(name) for name in ("a.onnxtxt", "b.onnxtxt", "c.onnxtxt")]
    assert _written(write, files).count("MyPlugin_TRT`,") == 1
    assert "4 findings of operators that are reported above are not shown (--show-all lists them)." in _written(
        write, files
    )
    assert _written(write, files, show_all=True).count("MyPlugin_TRT`,") == 3


def _report(name: str) -> FileReport:
    return locate(engine.lint(HEAD % (', "my" : 1', "") + PLUGINS, name, as_format="onnx"))


def _written(write: object, files: list[FileReport], show_all: bool = False) -> str:
    totals, stream = Totals(), io.StringIO()
    for file in files:
        totals.add(file)
    assert callable(write)
    write(files, stream, Options(False, False, Path(), totals, show_all=show_all))
    return stream.getvalue()


@pytest.mark.parametrize(("weights", "size"), [("uint8", 8), ("uint4", 4)])
def test_rows_of_packed_weights_have_shapes(weights: str, size: int) -> None:
    """Two numbers of 4 bits share a byte, as onnxruntime 1.32 unpacks them."""
    graph = (
        f"g (int64[2,3] i, {weights}[5,4] w, float[5,1] s) => (float[2,3,%s] y) "
        "{ y = com.microsoft.GatherBlockQuantized <bits: int = 4, block_size: int = 16> (w, i, s) }"
    )
    assert lint(graph % size, ', "com.microsoft" : 1') == []
    assert lint(graph % 5, ', "com.microsoft" : 1') == [("D006", "warning")]


def test_a_name_that_an_inner_graph_defines_is_not_one_of_the_graphs_around_it() -> None:
    """onnx.checker and onnxruntime take it: the branch of the inner If reads its own `y`, not the output of the If that it is in."""
    inner = "If <then_branch: graph = t () => (float[2] a) { y = Neg (x) a = Abs (y) }, else_branch: graph = e () => (float[2] b) { b = Abs (x) }> (c)"
    outer = f"If <then_branch: graph = T () => (float[2] p) {{ p = {inner} }}, else_branch: graph = E () => (float[2] q) {{ q = Abs (x) }}> (c)"
    assert lint(f"g (float[2] x, bool c) => (float[2] y) {{ y = {outer} }}") == []
