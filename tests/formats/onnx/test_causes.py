"""One mistake in a model of ONNX is one finding, where the mistake is."""

from __future__ import annotations

from struct import pack

import pytest

from irlint import engine, offers
from irlint.findings import Finding, Severity
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.text.base import apply

from .build import BRANCHES, HEADER, TINY, graph, shown_at, tree

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
    (f"b0 = Gelu (x)\ng = Gelu (b0)\n{BIASED}\ny = Add (b8, g)", 5, 20, ["`Gelu` needs opset 20; the model imports 5 (and 1 other node)"]),
    ("\n".join(["q0 = Identity (x)", *(f"q{k} = DequantizeLinear <axis: int = 0> (w, s)" for k in range(1, 9))]), 12, 13, ["(and 7 other nodes)"]),
    ("a = Squeeze <axes: ints = [0]> (x)\ny = Unsqueeze <axes: ints = [0]> (a)", 20, 12, ["`axes` of Squeeze 'a'", "Unsqueeze 'y'"]),
]  # fmt: skip


def changed(text: str, changes: list[tuple[str, str]]) -> tuple[str, Finding]:
    """Return a sound text with changes, and the one finding that they lead to."""
    assert listed(text) == []
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text, one(text)


def noted(found: Finding, notes: list[str]) -> bool:
    return all(word in note.message for word, note in zip(notes, found.related, strict=True))


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
    assert noted(found, notes)


def test_kinds_of_misfits_that_are_too_many_for_notes_are_counted() -> None:
    calls = ["Gelu (x)", "IsNaN (x)", "Shrink (x)", "Sign (x)", "Erf (x)", "Erf (x)", "Mish (x)"]
    nodes = "\n".join(f"v{k} = {call}" for k, call in enumerate(calls))
    text = graph(f"{nodes}\ny = Relu (x)", "float[4] x", "float[4] y", header=HEADER.replace("17", "7"))
    (found,) = [finding for finding in engine.lint(text, "a.onnxtxt").findings if finding.code == "O006"]
    assert "does not have what 7 nodes of the model use" in found.message
    assert len(found.related) == 4
    assert found.related[3].message == "4 other nodes that the opset does not support (Sign, Erf, Mish)"


def test_an_unknown_opset_names_the_other_one_that_fits() -> None:
    """Softmax flattens its input before opset 13: of two opsets that fit, neither is proven."""
    text = graph("y = Softmax <axis: int = 1> (x)", "float[2,4] x", "float[2,4] y", header=HEADER.replace("17", "99"))
    found = one(text)
    assert [note.message for note in found.related] == [
        "opset 12 also fits every node, but defines Softmax differently"
    ]
    assert found.fix is not None
    assert found.fix.safety == "unsafe"


def test_one_node_of_another_opset_is_the_mistake_itself() -> None:
    assert one(graph("y = Gelu (x)", outputs="float[2,4] y")).message == "`Gelu` needs opset 20; the model imports 17"


def test_of_two_imports_the_last_counts() -> None:
    text = TINY.replace("LeakyRelu <alpha: float = 0.1> (m)", "Gelu (n)\n   n = Gelu (m)").replace("17", "20")
    text = text.replace("y = Gelu (n)\n   n = Gelu (m)", "n = Gelu (m)\n   y = Gelu (n)")
    assert listed(text) == []
    same = '; `""` and `ai.onnx` are the same domain'
    for domain, words in (("", ""), ("ai.onnx", same)):
        found = one(text.replace('["" : 20]', f'["" : 20, "{domain}" : 17]'))
        assert found.message == "opset 17 of ai.onnx does not have what 2 nodes of the model use; did you mean `20`?"
        assert found.related[0].message == f"opset 20 is imported here, but onnxruntime uses the last import{words}"
    (warned,) = engine.lint(text.replace('["" : 20]', '["" : 17, "ai.onnx" : 20]'), "a.onnxtxt").findings
    assert warned.message == "opset of ai.onnx is imported twice, as 17 and 20; onnxruntime uses the last import"


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
    (graph("i = Identity (h)\na = Add (x, h)\nb = Mul (x, i)\ny = Sub (a, b)", "float[2] x", "float[2] y", "float[2] h = {1,2}"), [("float[2] h = {1,2}", "int64[2] h = {1,2}")],
     "Add 'a': element types of `A` (float32) and `B` (int64) do not match", ["Input 'x' has type", "Initializer 'h' has type int64", "Mul 'b' fails for the same reason"]),
    (graph("y = ai.onnx.ml.LabelEncoder <keys_strings: strings = [\"a\"], values_floats: floats = [1.0]> (x)", "string[2] x", "float[2] y", header=HEADER.replace("17]", '17, "ai.onnx.ml" : 3]')),
     [("keys_strings", "keys_stringss")], "did you mean `keys_strings`?", []),
    (BRANCHES.replace("Relu (x)", "Mul (x, h)").replace("Add (x, k)", "Sub (k, h)").replace(") {\n   y = If", ") <\n   float[2] h = {1.0,2.0}\n> {\n   y = If"), [("float[2] h = {1.0,2.0}", "float[3] h = {1.0,2.0,3.0}")],
     "do not broadcast", ["Outer 'x' has shape", "value of 'x' comes", "Outer 'h'", "value of 'h' comes", "fails for the same reason"]),
    (BRANCHES, [("Relu (x)", "Relu (z)"), ("Add (x, k)", "Add (z, k)")], "undefined name 'z'", ["undefined name 'z'"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes", "message", "notes"), MISTAKES, ids=[row[2] for row in MISTAKES])
def test_what_follows_from_a_mistake_is_a_note(
    text: str, changes: list[tuple[str, str]], message: str, notes: list[str]
) -> None:
    text, found = changed(text, changes)
    assert message in found.message
    assert noted(found, notes)


def test_nodes_in_another_order_are_one_finding() -> None:
    nodes = [f"n{k} = Relu ({f'n{k - 1}' if k else 'x'})" for k in range(9)]
    found = one(graph("\n".join(reversed(nodes)), outputs="float[2,4] n8"))
    assert "uses 'n7' before it is defined; 7 other nodes do the same" in found.message
    assert found.fix is not None


def test_the_kernel_shape_is_wrong_where_all_other_lists_agree() -> None:
    conv = "y = MaxPool <kernel_shape: ints = [2, 2, 2], strides: ints = [1, 1], pads: ints = [0, 0, 0, 0]> (x)"
    found = one(graph(conv, "float[1,1,4,4] x", "float[1,1,3,3] y"))
    assert found.message.startswith("expected 2 values for `kernel_shape` of MaxPool 'y', got 3")


ATTENTION = graph(
    """qr = Reshape (q, heads)
    kr = Reshape (k, heads)
    vr = Reshape (v, heads)
    qt = Transpose <perm: ints = [0, 2, 1, 3]> (qr)
    kt = Transpose <perm: ints = [0, 2, 3, 1]> (kr)
    s = MatMul (qt, kt)
    vt = Transpose <perm: ints = [0, 2, 1, 3]> (vr)
    y = MatMul (s, vt)""",
    "float[1,16,32] q, float[1,16,32] k, float[1,16,32] v",
    "float[1,4,16,8] y",
    "int64[4] heads = {0,0,4,8}, float[1,16,4,8] qr, float[1,16,4,8] kr, float[1,16,4,8] vr, float[1,4,16,16] s",
)
SLICED = graph(
    "c = Conv (x, k)\ns = Slice (c, start, end, axis)\nr = Sigmoid (s)\nf = Flatten (r)\ny = Gemm (f, w)",
    "float[1,2,1,1] x",
    "float[1,3] y",
    "int64[1] start = {0}, int64[1] end = {4}, int64[1] axis = {1}, float[4,3] w = {1,2,3,4,5,6,7,8,9,10,11,12}, float[6,2,1,1] k = {1,2,3,4,5,6,7,8,9,10,11,12}",
)
FILLED = graph(
    "b = ConstantOfShape <value: tensor = float[1] value {1.0}> (size)\nu = Unsqueeze (b, axes)\ny = Mul (x, u)",
    "float[1,8,4,4] x",
    "float[1,8,4,4] y",
    "int64[1] size = {8}, int64[2] axes = {1,2}",
)
DECLARED = [
    # (sound model, changes, code, token, message, words of the related notes)
    (ATTENTION, [("{0,0,4,8}", "{0,0,8,4}")], "D001", "int64[4] heads = {0,0,8,4}", "expected [0, 0, 4, 8] for initializer 'heads', got [0, 0, 8, 4]",
     ["used here by Reshape 'qr'", "Reshape 'qr' is declared float32[1, 16, 4, 8]", "Reshape 'kr' is declared", "Reshape 'vr' is declared"]),
    (FILLED, [("size = {8}", "size = {7}")], "D001", "int64[1] size = {7}", "expected [8] for initializer 'size', got [7]",
     ["used here by ConstantOfShape 'b'", "Mul 'y': `A` [1, 8, 4, 4] and `B` [7, 1, 1] do not broadcast"]),
    (SLICED, [("end = {4}", "end = {5}")], "D001", "w", "Gemm 'y': expected 5 as dimension 0 of `B` (as in `A`), got [4, 3]",
     ["Flatten 'f' outputs [1, 5]", "Initializer 'w' has shape [4, 3]", "[4] for initializer 'end' would match", "[1] for initializer 'start' would match"]),
    (SLICED, [("end = {4}", "end = {5}"), ("int64[1] axis", "float[1,4,1,1] s,\n   int64[1] axis")], "D006", "float[1,4,1,1]", "declared shape [1, 4, 1, 1] does not match inferred shape [1, 5, 1, 1] for Slice 's'",
     ["computed here", "Gemm 'y': expected 5", "[4] for initializer 'end' would match", "[1] for initializer 'start' would match"]),
    (graph("r = Relu (x)\na = Add (r, h)\nb = Mul (r, h)\ny = Sub (a, b)", "float[4] x, float[4] h", "float[4] y"), [("float[4] x", "int32[4] x")], "D002", "int32[4]", "expected float32 for input 'x', got int32",
     ["used here by Relu 'r'", "Add 'a': element types", "Mul 'b': element types"]),
    (graph("r = Relu (x)\na = Add (r, h)\nb = Mul (r, h)\ny = Sub (a, b)", "float[4,3] x, float[4,3] h", "float[4,3] y"), [("float[4,3] x", "float[4,5] x")], "D001", "float[4,5]", "expected shape [4, 3] for input 'x', got [4, 5]",
     ["used here by Relu 'r'", "Add 'a': `A` [4, 5] and `B` [4, 3] do not broadcast", "Mul 'b': `A` [4, 5]"]),
    (graph("a = Add (x, h)\nb = Mul (x, h)\ny = Sub (a, b)", "float[4] x, float[4] h", "float[4] y"), [("float[4] x", "bool[4] x")], "D002", "x", "Add 'a': `A` cannot be bool",
     ["Input 'x' has type bool", "Mul 'b' fails for the same reason", "float32 for input 'x' would match"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "changes", "code", "token", "message", "notes"), DECLARED, ids=[row[4] for row in DECLARED]
)
def test_what_explains_all_errors_is_the_finding(
    text: str, changes: list[tuple[str, str]], code: str, token: str, message: str, notes: list[str]
) -> None:
    text, found = changed(text, changes)
    assert (found.code, text[found.span.start : found.span.end], found.message) == (code, token, message)
    assert noted(found, notes)


QDQ = graph(
    "q = QuantizeLinear (x, s, z)\nd = DequantizeLinear (q, s, z)\nv = DequantizeLinear <axis: int = 0> (w, ws, wz)\ny = Conv (d, v)",
    "float[1,2,4,4] x",
    "float[1,3,4,4] y",
    "float s = {0.1}, uint8 z = {3}, int8[3,2,1,1] w = {1,2,3,4,5,6}, float[3] ws = {0.1,0.2,0.3}, int8[3] wz = {0,0,0}",
)
TURNED = graph(
    "t = Transpose <perm: ints = [0, 2, 1]> (x)\nf = Cast <to: int = 1> (t)\ny = MatMul (f, w)",
    "int64[1,3,4] x, float[3,5] w",
    "float[1,4,5] y",
    "int64[1,4,3] t, float[1,4,3] f",
)
MASKED = graph(
    "e = Gather (table, ids)\nu = Unsqueeze (mask, axis)\nm = Cast <to: int = 1> (u)\ny = Mul (e, m)",
    "float[9,4] table, int64[1,16] ids, int64[1,16] types, int64[1,16] mask",
    "float[1,16,4] y, int64[1,16] sums",
    "int64[1] axis = {2}",
).replace("   y = Mul", "   sums = Add (ids, types)\n   y = Mul")
LOST = [
    # (sound model, changes, title of the fix, what it writes)
    (QDQ, [("   d = DequantizeLinear (q, s, z)\n", ""), ("Conv (d,", "Conv (q,")], "Insert DequantizeLinear of 'q'", "= DequantizeLinear (q, s, z)"),
    (QDQ, [("   q = QuantizeLinear (x, s, z)\n", ""), ("(q, s, z)", "(x, s, z)")], "Insert QuantizeLinear of 'x'", "= QuantizeLinear (x, s, z)"),
    (QDQ, [("   v = DequantizeLinear <axis: int = 0> (w, ws, wz)\n", ""), ("Conv (d, v)", "Conv (d, w)")], "Insert DequantizeLinear of 'w'", "= DequantizeLinear <axis: int = 0> (w, ws, wz)"),
    (QDQ, [("int8[3,2,1,1] w", "float[3,2,1,1] w")], "Cast 'w' to int8", "= Cast <to: int = 3> (w)"),
    (TURNED, [("   t = Transpose <perm: ints = [0, 2, 1]> (x)\n", "")], "Insert Transpose of 'x'", "t = Transpose <perm: ints = [0, 2, 1]> (x)"),
    (TURNED, [("   f = Cast <to: int = 1> (t)\n", "")], "Insert Cast of 't'", "f = Cast <to: int = 1> (t)"),
    (MASKED, [(", int64[1,16] mask", "")], "Declare input 'mask'", "int64[1,16] mask"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes", "title", "written"), LOST, ids=[row[2] for row in LOST])
def test_what_is_lost_is_put_back(text: str, changes: list[tuple[str, str]], title: str, written: str) -> None:
    assert listed(text) == []
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    result = engine.lint(text, "a.onnxtxt")
    offers.confirm(result)
    (found,) = [finding for finding in result.findings if finding.severity >= Severity.WARNING]
    assert found.fix is not None
    assert found.fix.title == title
    assert written in apply(text, found.fix.edits)


def test_a_name_that_is_declared_is_not_a_slip() -> None:
    text = TURNED.replace("   t = Transpose <perm: ints = [0, 2, 1]> (x)\n", "").replace("] x,", "] tt,")
    found = one(text)
    assert found.message == "undefined name 't' in the inputs of Cast 'f'"
    assert found.related[0].message == "declared here, but no node outputs it; its node may be missing"
    named = text.replace("   f = Cast", "   tt_ = Transpose <perm: ints = [0, 2, 1]> (tt)\n   f = Cast").replace(
        "'t'", "'tt'"
    )
    assert one(named.replace("(t)", "(tt_2)").replace("4,3] t,", "4,3] tt_2,")).message.endswith("did you mean 'tt_'?")


def test_a_name_that_would_not_fit_is_not_suggested() -> None:
    text = graph(
        "relu1 = Relu (x)\nflat = Flatten (relu)\ny = MatMul (flat, w)", "float[2,4] x, float[6,3] w", "float[2,3] y"
    )
    assert one(text).message.endswith("did you mean 'relu1'?")
    result = engine.lint(text, "a.onnxtxt")
    offers.confirm(result)
    (found,) = [finding for finding in result.findings if finding.severity >= Severity.WARNING]
    assert found.message == "undefined name 'relu' in the inputs of Flatten 'flat'"
    assert found.related[0].message == "Relu 'relu1' does not reach an output"


def test_bytes_that_are_numbers_of_another_type() -> None:
    model = tree(TINY)
    (weights,) = model["graph"]["initializer"]
    numbers = [0.25 * k for k in range(12)]
    weights.clear()
    weights.update(name="w", dims=[4, 3], data_type=6, raw_data=pack("<12f", *numbers))
    result = engine.lint_bytes(whole(MODEL, model), "a.onnx")
    offers.confirm(result)
    (found,) = [finding for finding in result.findings if finding.severity >= Severity.WARNING]
    assert found.code == "D002"
    assert found.fix is not None
    assert found.fix.title == "Set the element type to float32"


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("float[4,2] w", "expected 8 values for shape [4, 2] of float initializer 'w', got 12"),
        (
            "float[5,3] w",
            "expected 15 values for shape [5, 3] of float initializer 'w', got 12; shape [4, 3] would fit",
        ),
        ("float[2,3] w", "expected 6 values for shape [2, 3] of float initializer 'w', got 12"),
    ],
)
def test_the_shape_that_data_would_fit(declared: str, message: str) -> None:
    assert one(TINY.replace("float[4,3] w", declared)).message == message


EMPTY = [
    # (nodes, inputs, outputs, severity, words of the related notes): what onnxruntime takes as it is meant is no finding
    ("y = Relu (x)", "float[0,3] x", "float[n,3] y", "warning", []),
    ("y = Relu (x)", "float[0,3] x", "float[0,3] y", None, []),
    ("y = Concat <axis: int = 1> (past, x)", "float[1,3,4] x, float[1,0,4] past", "float[1,n,4] y", None, []),
    ("m = Relu (x)\ny = Relu (m)", "float[0,3] x", "float[n,3] y> <float[1,3] m", "error", ["declared shape [1, 3]"]),
]


@pytest.mark.parametrize(("nodes", "inputs", "outputs", "severity", "notes"), EMPTY)
def test_a_size_of_0_is_one_finding_at_the_input(
    nodes: str, inputs: str, outputs: str, severity: str | None, notes: list[str]
) -> None:
    outputs, _, values = outputs.partition("> <")
    text = graph(nodes, inputs, outputs, values)
    found = [finding for finding in engine.lint(text, "a.onnxtxt").findings if finding.severity > Severity.INFO]
    if severity is None:
        assert found == []
        return
    (finding,) = found
    assert finding.message.startswith("input 'x' declares size 0 for dimension 0; runtimes take only empty tensors")
    assert str(finding.severity) == severity
    assert noted(finding, notes)
