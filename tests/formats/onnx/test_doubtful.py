"""What is not certain enough for `--fix`: where a node may be lost, an attribute be of another version, an operator be one of two."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from irlint import api, engine
from irlint.findings import Severity

HEAD = "<\n   ir_version: 8,\n   opset_import: [%s]\n>\n"


def text(graph: str, opset: int = 13, imports: str = "") -> str:
    return HEAD % (imports or f'"" : {opset}') + graph + "\n"


def errors(model: str) -> list[str]:
    found = engine.lint(model, "a.onnxtxt", as_format="onnx").findings
    return [one.code for one in found if one.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("opset", "graph"),
    [
        pytest.param(13, "g (float[2,4] q, float[4,2] k, float[2,2] mask) => (float[2,2] y) { qk = MatMul (q, k) y = Softmax (qkm) }", id="a lost addition of a mask"),
        pytest.param(13, "g (float[2,4] x) => (float[2,4] y) { h = Relu (x) y = Tanh (sum) }", id="a lost node"),
        pytest.param(13, "g (float[2,4] x, float[2,4] s) => (float[2,4] y) { a = Add (x, b) b = Mul (a, s) y = Relu (b) }", id="a cycle"),
        pytest.param(15, 'g (float[2,3] x, int64[2,3] i, float[2,3] u) => (float[2,3] y) { y = ScatterElements <axis: int = 1, reduction: string = "add"> (x, i, u) }', id="an attribute of another version"),
        pytest.param(12, "g (uint8[4,4] x, float[4] s, uint8[4] z) => (float[4,4] y) { y = DequantizeLinear <axis: int = 0> (x, s, z) }", id="an axis of another version"),
        pytest.param(13, "g (float[2,3] x) => (float[2,3] y) { y = ReLU6 (x) }", id="an operator that needs attributes"),
        pytest.param(13, "g (float[2,3] x) => (float[2,3] y) { y = SiLU (x) }", id="an operator from elsewhere"),
        pytest.param(13, "g (float[2,3] x) => (float[2,3] y) { y = Tann (x) }", id="Tan or Tanh"),
        pytest.param(13, "g (float[2,3] x) => (float[1,1] y) { y = ReduceMeax (x) }", id="mean or max"),
        pytest.param(13, "g (float[2,3] x, float[2,3] h) => (float[2,3] y) { y = Softmax (h, x) }", id="too many inputs"),
    ],
)  # fmt: skip
def test_no_flag_no_guess(opset: int, graph: str) -> None:
    model = text(graph, opset)
    assert errors(model)
    assert api.fix(model, as_format="onnx") == model


def test_a_slip_is_mended() -> None:
    model = text("g (float[2,3] x) => (float[2,3] y) { hidden = Relu (x) y = Tanh (hiden) }")
    assert api.fix(model, as_format="onnx") == model.replace("hiden", "hidden")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        pytest.param("y = Relu <data_format: string = \"NCHW\"> (x)", "y = Relu (x)", id="an attribute where there is none of its kind"),
        pytest.param("a = Relu (x) b = Tanh (c) c = Add (b, b) y = Neg (c)", "a = Relu (x) b = Tanh (a) c = Add (b, b) y = Neg (c)", id="a cycle that leaves one value unused"),
        pytest.param("a = Relu (x) a = Tanh (a) y = Add (a, b)", "a = Relu (x) b = Tanh (a) y = Add (a, b)", id="a duplicate name and one that is undefined"),
        pytest.param("y = Softmax <keepdims: int = 1> (x)", "", id="an attribute that may be another one"),
    ],
)  # fmt: skip
def test_what_the_file_speaks_for_is_mended(written: str, meant: str) -> None:
    graph = "g (float[2,3] x) => (float[2,3] y) { %s }"
    goal = engine.lint(text(graph % meant), "a.onnxtxt", as_format="onnx").document if meant else None
    fixed = api.fix(text(graph % written), as_format="onnx")
    if not meant:
        assert fixed == text(graph % written)
        return
    assert not errors(fixed)
    assert goal is not None
    again = engine.lint(fixed, "a.onnxtxt", as_format="onnx").document
    assert again is not None
    assert again.tree == goal.tree


@pytest.mark.parametrize(
    ("graph", "imports", "codes"),
    [
        ("g (float[2,3] x) => (float[2,3] y) <float[-1,3] y> { y = Relu (x) }", "", []),
        ("g (float[2,3] x) => (float[2,3] y) <float[-1,3] x> { y = Relu (x) }", "", []),
        ("g (float[-2,3] x) => (float[m,3] y) { y = Relu (x) }", "", []),
        ("g (float[2,3] x, float[3] w) => (float[2,3] y) { y = LayerNormalization (x, w) }", '"" : 17, "ai.onnx" : 9', []),
        ("g (float[2,3] x) => (float[2,3] y, float[2,6] q) { y = Relu (x) y = Neg (x) q = Concat <axis: int = 5> (x, x) }", "", ["R005", "D004"]),
        ("g (float[2,3] x) => (float[2,3] y, float[2,6] q) { y = Relu (x) y = Neg (x) q = Concat <axis: int = 5> (y, y) }", "", ["R005"]),
    ],
)  # fmt: skip
def test_errors(graph: str, imports: str, codes: list[str]) -> None:
    assert errors(text(graph, imports=imports)) == codes


def test_negative_sizes_of_many_values_take_linear_time() -> None:
    def seconds(count: int) -> float:
        values = ", ".join(f"float[-1,3] v{k}" for k in range(1, count))
        calls = " ".join(f"v{k + 1} = Relu (v{k})" for k in range(count))
        model = text(f"g (float[2,3] v0) => (float[n,3] v{count}) <{values}> {{ {calls} }}")
        start = time.process_time()
        engine.lint(model, "a.onnxtxt", as_format="onnx")
        return time.process_time() - start

    assert seconds(2000) < 6 * seconds(500) + 0.5


@pytest.mark.parametrize(
    "written",
    [
        lambda n: text("g (float[2] x) => (float[2] y) { y = Relu (x) }", imports=", ".join(f'"" : {9 + k % 9}' for k in range(n))),
        lambda n: text(f"g (float[2] v0) => (float[2] v{n}) {{ {' '.join(f'v{k + 1} = d{k}.Op{k} (v{k})' for k in range(n))} }}"),
        lambda n: text(f"g (float[2] x) => (float[2] y) {{ y = Relu <{', '.join(f'a{k}: int = 1' for k in range(n))}> (x) }}"),
    ],
    ids=["imports", "domains", "attributes"],
)  # fmt: skip
def test_many_take_linear_time(written: Callable[[int], str]) -> None:
    def seconds(count: int) -> float:
        start = time.process_time()
        engine.lint(written(count), "a.onnxtxt", as_format="onnx")
        return time.process_time() - start

    assert seconds(6000) < 8 * seconds(1500) + 0.3
