"""One mistake in a model of ONNX is one finding, where the mistake is."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.findings import Finding, Severity

from .build import BRANCHES, HEADER, TINY, graph, shown_at

AT_5 = HEADER.replace("17", "5")
BIASED = "\n".join(f"b{k} = Add (b{k - 1}, bias)" for k in range(1, 9))


def listed(text: str) -> list[Finding]:
    """Return errors and warnings: what a report shows."""
    return [finding for finding in engine.lint(text, "a.onnxtxt").findings if finding.severity >= Severity.WARNING]


def one(text: str) -> Finding:
    found = listed(text)
    assert len(found) == 1, [finding.message for finding in found]
    return found[0]


OLD_IMPORTS = [
    # (nodes, opset that is imported, the one that is meant, words of the related notes)
    (f"b0 = Gelu (x)\ng = Gelu (b0)\n{BIASED}\ny = Add (b8, g)", 5, 20, ["`Gelu` needs opset 20"] * 2),
    ("\n".join(["q0 = Identity (x)", *(f"q{k} = DequantizeLinear <axis: int = 0> (w, s)" for k in range(1, 9))]), 12, 13, ["unknown attribute `axis`"] * 5),
    ("a = Squeeze <axes: ints = [0]> (x)\ny = Unsqueeze <axes: ints = [0]> (a)", 20, 12, ["`axes` of Squeeze 'a'", "Unsqueeze 'y'"]),
]  # fmt: skip


@pytest.mark.parametrize(("nodes", "imported", "meant", "notes"), OLD_IMPORTS)
def test_an_opset_that_does_not_fit_is_one_finding_at_its_import(
    nodes: str, imported: int, meant: int, notes: list[str]
) -> None:
    names = "float[4] bias, int8[4,4] w, float[4] s"
    text = graph(nodes, f"float[1,4] x, {names}", "float[] y", header=HEADER.replace("17", str(imported)))
    text = text.replace("float[] y", "float[1,4] y") if " y =" in text else text.replace("float[] y", "float[4,4] q8")
    result = engine.lint(text, "a.onnxtxt")
    (found,) = [finding for finding in result.findings if finding.severity == Severity.ERROR]
    assert shown_at(result, found) == str(imported)
    assert found.message.startswith(f"opset {imported} of ai.onnx does not have what")
    assert found.message.endswith(f"did you mean `{meant}`?")
    assert found.fix is not None
    assert found.fix.title == f"Import opset {meant} of ai.onnx"
    assert [word in note.message for word, note in zip(notes, found.related, strict=True)] == [True] * len(notes)


def test_one_node_of_another_opset_is_the_mistake_itself() -> None:
    assert one(graph("y = Gelu (x)", outputs="float[2,4] y")).message == "`Gelu` needs opset 20; the model imports 17"


def test_of_two_imports_the_last_counts() -> None:
    text = TINY.replace("LeakyRelu <alpha: float = 0.1> (m)", "Gelu (n)\n   n = Gelu (m)").replace("17", "20")
    text = text.replace("y = Gelu (n)\n   n = Gelu (m)", "n = Gelu (m)\n   y = Gelu (n)")
    assert listed(text) == []
    found = one(text.replace('["" : 20]', '["" : 20, "" : 17]'))
    assert found.message == "opset 17 of ai.onnx does not have what 2 nodes of the model use; did you mean `20`?"


SCAN = graph(
    "s, ys = Scan <num_scan_inputs: int = 1, body: graph = b (float[2] a, float[2] i) => (float[2] o, float[2] p) {\n"
    "o = Add (a, i)\np = Neg (i)\n}> (zero, x)",
    "float[2] zero, float[3,2] x",
    "float[2] s, float[3,2] ys",
)
MISTAKES = [
    # (sound model, changes, what the one finding says, words of its related notes)
    (TINY, [("MatMul (x, w)", "MatMul (x, v)")], "undefined name 'v'", ["unused initializer 'w'"]),
    (TINY, [("MatMul (x, w)", "MatMul (x)")], "expected 2 inputs", ["unused initializer 'w'"]),
    (TINY, [("m = MatMul", "y = MatMul")], "duplicate name 'y'; did you mean 'm'?", ["first defined here", "undefined name 'm'"]),
    (TINY, [("(m)\n}", "(m)\n   [mm] m = MatMul (x, w)\n}")], "duplicate name 'm'", ["first defined here"]),
    (TINY, [("LeakyRelu <alpha: float = 0.1> (m)", "LeakyRelu <alpha: float = 0.1> (y)")], "uses its own output", ["does not reach an output"]),
    (TINY, [("   float[2,3] m\n", "   float16[7] m\n")], "declared shape [7] does not match inferred shape [2, 3] for MatMul 'mm'; nor does its element type", ["computed here"]),
    (TINY, [("   float[2,3] y\n", "\n")], "the graph has no outputs", []),
    (TINY, [("LeakyRelu <alpha: float = 0.1> (m)", "BatchNormalization <alpha: float = 0.1> (m)")], "expected 5 inputs", ["unknown attribute `alpha`"]),
    (SCAN, [("(float[2] a, float[2] i)", "(float[2] a)")], "expected 2 inputs of `body`", ["undefined name 'i'"]),
    (SCAN, [("float[2] o, float[2] p)", "float[2] o)")], "expected 2 outputs of `body`", ["does not reach an output"]),
    (BRANCHES, [("Relu (x)", "Relu (z)"), ("Add (x, k)", "Add (z, k)")], "undefined name 'z'", ["undefined name 'z'"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes", "message", "notes"), MISTAKES, ids=[row[2] for row in MISTAKES])
def test_what_follows_from_a_mistake_is_a_note(
    text: str, changes: list[tuple[str, str]], message: str, notes: list[str]
) -> None:
    assert listed(text) == []
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    found = one(text)
    assert message in found.message
    assert [word in note.message for word, note in zip(notes, found.related, strict=True)] == [True] * len(notes)


def test_nodes_in_another_order_are_one_finding() -> None:
    nodes = [f"n{k} = Relu ({f'n{k - 1}' if k else 'x'})" for k in range(9)]
    found = one(graph("\n".join(reversed(nodes)), outputs="float[2,4] n8"))
    assert "uses 'n7' before it is defined; 7 other nodes do the same" in found.message
    assert found.fix is not None


def test_the_kernel_shape_is_wrong_where_all_other_lists_agree() -> None:
    conv = "y = MaxPool <kernel_shape: ints = [2, 2, 2], strides: ints = [1, 1], pads: ints = [0, 0, 0, 0]> (x)"
    found = one(graph(conv, "float[1,1,4,4] x", "float[1,1,3,3] y"))
    assert found.message.startswith("expected 2 values for `kernel_shape` of MaxPool 'y', got 3")
