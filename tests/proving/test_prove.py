"""Two models on the same inputs: the same in several forms, and with one change, of which the operator is named."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from irlint import engine
from irlint.cli import main
from irlint.inspection.coarseness import roundings
from irlint.inspection.review.across import compare
from irlint.inspection.rounding import ROUNDING, Rounding
from irlint.inspection.types import mapping_of, type_lookup
from irlint.proving.nearness import apart, arranged, as_numbers
from irlint.proving.prove import Proof, prove
from irlint.proving.traces import Traces
from tests.inspection.test_forms import recurrent, recurrent_ir, recurrent_onnx
from tests.lsp.binaries import binary

from .models import CONV, DENSE, NODES, folded, onnx, side, tensor


def proof(a: bytes, b: bytes) -> Proof:
    return prove(side(a), side(b))


def unseen(found: Proof) -> str:
    """Return the operator that differs without an effect on the outputs."""
    assert (found.agrees, found.is_same) == (True, False)
    assert found.suspect is not None
    assert found.suspect.b is not None
    return found.suspect.b.name


def test_a_model_is_itself() -> None:
    found = proof(onnx(), onnx())
    assert found.is_same
    assert found.worst == 0
    assert found.layers == (2, 2, 2)


def test_inputs_have_the_types_that_the_model_declares() -> None:
    head = '<\n   ir_version: 8,\n   opset_import: ["" : 13]\n>\n'
    narrow = "w = Cast <to: int = 16> (dense)\n   [dense] d = MatMul (x, w)\n   [shown] y = Softmax <axis: int = 1> (d)"
    model = binary(
        f"{head}net (bfloat16[2,4] x) => (bfloat16[2,5] y) <\n   {tensor('dense', DENSE)}\n> {{\n   {narrow}\n}}\n"
    )
    found = proof(model, model)
    assert found.is_same
    assert found.layers == (1, 1, 1)


def test_a_folded_normalization_is_the_same_network() -> None:
    for a, b in ((onnx(), folded()), (folded(), onnx())):
        found = proof(a, b)
        assert found.is_same, found.suspect
        assert 0 < found.worst < 1e-5
        assert found.layers.all == found.layers.matched


SWAPPED = CONV[[1, 0, 2, 3]]
CHANGES = {
    "a weight scaled": (onnx(w=CONV * np.float32(1.05)), "conv"),
    "channels permuted": (onnx(w=SWAPPED), "conv"),
    "a column permuted": (onnx(dense=DENSE[:, [0, 1, 3, 2, 4]]), "dense"),
    "a bias dropped": (onnx(NODES.replace("(x, w, b)", "(x, w)")), "conv"),
    "another epsilon": (onnx(NODES.replace("0.00001", "0.001")), "norm"),
    "another axis": (onnx(NODES.replace("Softmax <axis: int = 1>", "Softmax <axis: int = 0>")), "probabilities"),
    "another pad": (onnx(NODES.replace("pads: ints = [1, 1, 1, 1]> (s)", "pads: ints = [0, 1, 2, 1]> (s)")), "pool"),
    "another residual": (onnx(NODES.replace("Add (a, n)", "Add (a, c)")), "sum"),
    "another activation": (onnx(NODES.replace("Relu", "Elu")), "act"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_changed_operator_is_named(change: str) -> None:
    changed, name = CHANGES[change]
    for a, b in ((onnx(), changed), (changed, onnx())):
        found = proof(a, b)
        assert not found.agrees
        assert found.suspect is not None
        assert {node.name for node in (found.suspect.a, found.suspect.b) if node} == {name}
        assert found.suspect.reads_same == (change != "another residual")


def test_an_operator_that_moves_what_it_reads_is_named() -> None:
    """What comes out has the same numbers in another order, so that it is found in the other model all the same."""
    head = '<ir_version: 8, opset_import: ["" : 13]>\ng (float[3,4,4] x, int64[1] end) => (float[{out}] y) <float[4,4] w = {{1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}}, int64[1] zero = {{0}}, int64[1] rows = {{{rows}}}> {{\n'
    nodes = """\
   [turn] t = Transpose <perm: ints = [{perm}]> (x)
   [cut] c = Slice (t, zero, rows)
   [act] a = Relu (c)
   [last] y = MatMul (a, w)
}}
"""
    plain = binary(head.format(out="3,4,4", rows=2) + nodes.format(perm="0,1,2"))
    for rows, perm, name in ((2, "0,2,1", "turn"), (3, "0,1,2", "cut")):
        found = proof(plain, binary(head.format(out="3,4,4", rows=rows) + nodes.format(perm=perm))).suspect
        assert found is not None
        assert [node and node.name for node in (found.a, found.b)] == [name, name]


def test_an_operator_that_moves_what_others_read_is_named_behind_an_optimizer() -> None:
    head = '<ir_version: 8, opset_import: ["" : 13]>\ng (float[3,4,4] x) => (float[24,2] y) <float[4,4] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}, int64[2] rows = {24,2}> {\n'
    nodes = """\
   [act] a = Relu ({read})
   [turn] t = Transpose <perm: ints = [{perm}]> (a)
   [shape] y = Reshape (t, rows)
}}
"""
    plain = binary(
        head + "   [first] i = MatMul (x, w)\n   [same] h = Max (i, i)\n" + nodes.format(read="h", perm="1,0,2")
    )
    found = proof(plain, binary(head + "   [first] i = MatMul (x, w)\n" + nodes.format(read="i", perm="1,2,0"))).suspect
    assert found is not None
    assert [node and node.name for node in (found.a, found.b)] == ["turn", "turn"]


def test_a_bias_in_the_function_behind_a_layer_is_the_layers_own() -> None:
    """As onnxruntime writes it; and as converters to float16 write masks."""
    head = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>\ng (float[2,4] x) => (float[2,4] y) <float[4,4] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}, float[4] b = {1,2,3,4}, float root = {1.4142135}, float one = {1}, float half = {0.5}> {\n'
    plain = """\
   m = MatMul (x, w)
   a = Add (m, b)
   r = Div (a, root)
   e = Erf (r)
   p = Add (e, one)
   q = Mul (a, p)
   y = Mul (q, half)
}
"""
    fused = "   m = MatMul (x, w)\n   y = com.microsoft.BiasGelu (m, b)\n}\n"
    assert proof(binary(head + plain), binary(head + fused)).is_same
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng ({0}[2,16] x, {0}[2,16] mask) => ({0}[2,16] y) <{0} one = {{{1}}}, {0} far = {{{2}}}> {{\n'
    masked = "   t = Ceil (mask)  s = Sub (one, t)  u = Mul (s, far)  a = Add (x, u)  y = Softmax (a)\n}\n"
    wide, narrow = (
        binary(head.format(*each) + masked) for each in (("float", 1, -3.4028234e38), ("float16", 0x3C00, 0xF0E2))
    )
    pairs = compare(side(wide).form, side(narrow).form).pairs
    assert not [change for pair in pairs for change in pair.changes if change.what == "weights"]


def test_a_bias_in_the_normalization_behind_a_sum_is_the_layers_own() -> None:
    """As onnxruntime writes transformers, whose linear layers end in a sum with what they read."""
    head = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>\ng (float[2,3,4] x) => (float[2,3,4] y) <float[4,4] w = {{1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7}}, float[4] b = {{1,{},3,4}}, float[4] scale = {{1,2,1,2}}, float[4] shift = {{1,2,3,4}}> {{\n   m = MatMul (x, w)\n'
    norm = "   y = LayerNormalization <axis: int = -1, epsilon: float = 0.00001> (s, scale, shift)\n}\n"
    plain = "   a = Add (m, b)   s = Add (x, a)\n" + norm
    fused = "   y = com.microsoft.SkipLayerNormalization <epsilon: float = 0.00001> (x, m, scale, shift, b)\n}\n"
    one, same, other = (binary(head.format(n) + nodes) for n, nodes in ((2, plain), (2, fused), (5, fused)))
    assert proof(one, same).is_same
    assert not [pair for pair in compare(side(one).form, side(same).form).pairs if pair.status == "changed"]
    assert not proof(one, other).agrees
    assert not proof(same, other).agrees


def test_images_are_smaller_where_all_pixels_are_multiplied_with_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irlint.dryrun.running.examples._MOST", 1 << 25)
    text = """<ir_version: 8, opset_import: ["" : 17]>
g (float[N,3,h,w] x) => (float[N,l,k] y) <int64[3] rows = {0,3,-1}> {
   r = Reshape (x, rows)
   t = Transpose <perm: ints = [0, 2, 1]> (r)
   m = MatMul (t, r)
   y = %s (m)
}
"""
    a, same, other = (binary(text % op) for op in ("Sigmoid", "Sigmoid", "Tanh"))
    found = proof(a, same)
    assert found.is_same
    assert [shape for _, shape in found.inputs.shapes] == [(1, 3, 32, 32)]
    assert not proof(a, other).agrees


def test_outputs_of_one_rank_have_one_shape() -> None:
    text = '<ir_version: 8, opset_import: ["" : 16]>\ng (float[n,1,4] x) => (float[{}] y) {{ r = Sin (x)  y = Transpose <perm: ints = [{}]> (r) }}\n'
    a, b = (binary(text.format(*each)) for each in (("n,1,4", "0,1,2"), ("1,n,4", "1,0,2")))
    assert proof(a, a).is_same
    assert not proof(a, b).agrees


def test_comparisons_that_differ_for_equal_numbers_are_a_difference() -> None:
    text = '<ir_version: 8, opset_import: ["" : 16]>\ng (float[4] x) => (float[4] y) <float zero = {{0}}> {{ [test] b = {} (x, zero)  y = Where (b, x, zero) }}\n'
    a, b, other = (binary(text.format(op)) for op in ("Greater", "GreaterOrEqual", "Less"))
    assert unseen(proof(a, b)) == "test"
    assert not proof(a, other).agrees


def test_a_loop_runs_some_rounds() -> None:
    text = """<ir_version: 8, opset_import: ["" : 16]>
g (int64 times, float[4] x) => (float[4] y) <bool go = {{1}}> {{
   y = Loop <body: graph = b (int64 i, bool c, float[4] v) => (bool d, float[4] w) {{ d = Identity (c)  w = {} (v) }}> (times, go, x)
}}
"""
    a, b = (binary(text.format(op)) for op in ("Sin", "Cos"))
    assert proof(a, a).is_same
    assert not proof(a, b).agrees


def test_a_change_in_a_folded_model_is_named() -> None:
    found = proof(onnx(NODES.replace("AveragePool", "MaxPool")), folded())
    assert found.suspect is not None
    assert found.suspect.b is not None
    assert found.suspect.b.name == "pool"


def test_a_change_without_effect_is_a_difference() -> None:
    """The second convolution is computed from zeros, so its weights do not show."""
    nodes = NODES.replace(
        "[act] a = Relu (n)",
        "[null] q = Sub (n, n)\n   [dead] z = Conv <kernel_shape: ints = [1, 1]> (q, k)\n   [act] a = Relu (n)",
    )
    nodes = nodes.replace("Add (a, n)", "Add (z, n)").replace("   [act] a = Relu (n)\n", "")
    kernel = np.random.default_rng(2).standard_normal((4, 4, 1, 1)).astype(np.float32)
    found = proof(onnx(nodes, k=kernel), onnx(nodes, k=kernel[::-1]))
    assert found.agrees
    assert not found.is_same
    assert found.suspect is not None
    assert found.suspect.b is not None
    assert found.suspect.b.name == "dead"


def test_what_both_have_quantized_may_be_less_far_apart() -> None:
    def quantized(scale: float, first: int = -120) -> bytes:
        codes = ",".join(str(k % 25 * 10 - 120 if k else first) for k in range(0, 640, 2))
        held = f"int8[16,20] q = {{{codes}}}, float scale = {{{scale}}}"
        head = '<ir_version: 8, opset_import: ["" : 17]>\nnet (float[2,16] x) => (float[2,20] y) '
        return binary(
            f"{head}<{held}> {{ w = DequantizeLinear (q, scale)  [dense] d = MatMul (x, w)  y = Relu (d) }}\n"
        )

    assert proof(quantized(0.01), quantized(0.0102, -119)).is_same
    assert proof(quantized(0.01), quantized(0.0102)).is_same is False  # the same codes
    found = proof(quantized(0.01), quantized(0.0112, -119))
    assert found.is_same is False
    assert found.suspect is not None
    assert found.suspect.b.name == "dense"


def test_what_only_a_batch_of_one_hides() -> None:
    def net(nodes: str) -> bytes:
        held = f"{tensor('w', DENSE)}, int64[2] fixed = {{1,5}}, int64[2] any = {{-1,5}}, int64 zero = {{0}}"
        head = '<ir_version: 8, opset_import: ["" : 17]>\nnet (float[N,4] x) => (float[M,5] y) '
        return binary(f"{head}<{held}> {{ m = MatMul (x, w)  {nodes} }}\n")

    plain = net("y = Reshape (m, any)")
    assert proof(plain, net("y = Identity (m)")).is_same
    assert proof(plain, net("y = CumSum (m, zero)")).is_same is False
    assert proof(plain, net("y = Reshape (m, fixed)")).is_same is None
    assert proof(net("y = Reshape (m, fixed)"), plain).is_same


def test_inputs_that_do_not_correspond() -> None:
    found = proof(onnx(), onnx(shape="2,3,9,9"))
    assert not found.is_same
    assert str(found.incomparable) == "input 'x' of A is [2, 3, 8, 8], 'x' of B is [2, 3, 9, 9]"


def test_fixed_dimensions_that_do_not_correspond() -> None:
    found = proof(onnx(shape="N,3,8,8"), onnx(shape="2,3,9,9"))
    assert str(found.incomparable) == "input 'x' of A is [N, 3, 8, 8], 'x' of B is [2, 3, 9, 9]"


def test_open_dimensions_get_usual_lengths_or_those_of_the_other_model() -> None:
    assert proof(onnx(shape="2,3,H,W"), onnx()).is_same
    assert proof(onnx(shape="2,3,H,W"), onnx(shape="2,3,H,W")).is_same


def test_nearness_looks_at_slices() -> None:
    boxes = np.concatenate([np.full((1, 4, 50), 300.0), np.full((1, 2, 50), 0.5)], axis=1)
    other = boxes.copy()
    other[:, 5] *= 1.01  # a score, small next to the boxes
    assert np.linalg.norm(other - boxes) / np.linalg.norm(boxes) < 1e-4
    assert apart(other, boxes, Rounding(1e-4)) > 1e-3
    assert apart(boxes, boxes, Rounding(1e-4)) == 0
    masked = np.array([[0.1, -3.4e38], [np.inf, np.nan]], np.float32)
    assert apart(as_numbers(masked), as_numbers(masked), Rounding(1e-4)) == 0


def test_axes_in_another_order() -> None:
    array = np.arange(24).reshape(1, 2, 3, 4)
    assert any(np.array_equal(found, array.transpose(0, 2, 3, 1)) for found in arranged(array, (1, 3, 4, 2)))
    assert [found.shape for found in arranged(array, (6, 4))] == [(6, 4)]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "a.onnx", tmp_path / "b.onnx", tmp_path / "c.onnx"]
    for path, data in zip(paths, (onnx(), folded(), onnx(w=CONV * 2)), strict=True):
        path.write_bytes(data)
    return list(map(str, paths))


def test_text(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", *files[:2]]) == 0
    out = capsys.readouterr().out
    assert out.startswith("same: 2 of 2 layers with weights of A found in B; ")
    assert out.splitlines()[1].startswith("  output 'y': agrees (")
    assert main(["prove", files[0], files[2]]) == 1
    out = capsys.readouterr().out
    assert out.startswith("different: 1 of 1 output differs (limit 0.0001 for float32)")
    assert "A: Conv 'conv' (" in out
    assert "weights [4, 3, 3, 3] of B are 2 times those of A" in " ".join(out.split())


def test_data_and_statement(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "first.npz"
    assert main(["prove", files[0], files[2], "--output-format", "json", "--save", str(saved)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["same"] is False
    assert found["first"]["b"] == {"operator": "Conv", "name": "conv", "line": found["first"]["b"]["line"]}
    arrays = np.load(saved)
    assert sorted(arrays.files)[:2] == ["A/inputs/x", "B/inputs/x"]
    assert np.allclose(arrays["first/operand1"], CONV * 2)
    assert arrays["first/result in A"].shape == arrays["first/result in B"].shape
    assert main(["prove", files[0], files[1], "--output-format", "in-toto", "--seed", "3"]) == 0
    statement = json.loads(capsys.readouterr().out)
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    digests = {one["name"]: one["digest"]["sha256"] for one in statement["subject"]}
    assert digests == {name: sha256(Path(name).read_bytes()).hexdigest() for name in files[:2]}
    assert statement["predicate"]["given"] == {"inputs": [], "files": {}, "seed": 3}


def test_results_that_are_kept_are_limited(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", *files[:2], "--memory-limit", "9KiB"]) == 2
    assert "too much memory: " in capsys.readouterr().err


def test_many_axes_take_no_time() -> None:
    array = np.zeros((2, 3) * 7)
    assert [found.shape for found in arranged(array, (3, 2) * 7)] == []
    assert [found.shape for found in arranged(array, array.shape)] == [array.shape]


def test_given_inputs(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "x.npy", np.zeros((2, 3, 8, 8), np.float32))
    assert main(["prove", *files[:2], "--input", f"x={tmp_path / 'x.npy'}"]) == 0
    assert main(["prove", *files[:2], "--input", "z=1,2"]) == 2
    assert "the inputs are 'x'" in capsys.readouterr().err
    assert main(["prove", files[0], str(tmp_path / "none.onnx")]) == 2


def pair(nodes_a: str, nodes_b: str, ends: str) -> Proof:
    head = f'<ir_version: 8, opset_import: ["" : 17]>\ng {ends} '
    return proof(*(binary(f"{head}{{ {nodes} }}\n") for nodes in (nodes_a, nodes_b)))


def test_outputs_have_their_axes_in_one_order() -> None:
    ends = "(float[3,3] x) => (float[3,3] y)"
    assert not pair("y = Exp (x)", "e = Exp (x) y = Transpose (e)", ends).is_same


def test_integers_are_exact() -> None:
    ends = "(float[12,9] x) => (int64[12] y)"
    more = (
        "m = ArgMax <axis: int = 1, keepdims: int = 0> (x) k = Constant <value: tensor = int64 {%d}> () y = Add (m, k)"
    )
    assert pair(more % 50000, more % 50000, ends).is_same
    assert not pair(more % 50000, more % 50001, ends).is_same


def test_random_numbers_and_empty_outputs_tell_nothing() -> None:
    ends = "(float[3,300] x) => (float[3,300] y)"
    normal = "r = RandomNormalLike (x) y = Add (x, r)"
    other = "u = RandomUniformLike (x) l = Log (u) n = Neg (l) r = Sqrt (n) y = Add (x, r)"
    assert pair(normal, normal, ends).is_same is None
    assert pair(normal, other, ends).is_same is None
    # what else differs is no chance
    both = ends.replace("y)", "y, float[3,300] z)")
    assert pair(normal + " z = Relu (x)", other + " z = Abs (x)", both).is_same is False
    empty = "(float[3,300] x) => (float[0,300] y)"
    sliced = "s = Constant <value_ints = [%d]> () e = Constant <value_ints = [%d]> () a = %s (x) y = Slice (a, s, e)"
    assert pair(sliced % (1, 1, "Relu"), sliced % (2, 2, "Relu"), empty).is_same is None
    nothing = sliced % (1, 1, "Abs") + " t = Transpose (y) z = ReduceSum <keepdims = 0> (t)"
    assert pair("z = ReduceSum <keepdims = 0> (x)", nothing, "(float[3,300] x) => (float z)").is_same is False


def test_the_nearest_of_siblings_counts() -> None:
    """Operators that read the same may have results that are alike within the rounding of a narrow type."""
    numbers, narrow = np.random.default_rng(3).standard_normal((7, 300)).astype(np.float32), Rounding(1e-2)
    traces = Traces()
    for node, factor in enumerate((1.003, 1.001, 1.0001)):
        traces.add(node, 0, numbers * np.float32(factor), narrow)
    found = [traces.nearest(numbers, narrow, likely=likely) for likely in ((0, 1), (), (0,))]
    assert [partner and partner.trace.node for partner in found] == [1, 2, 0]


def test_many_equal_results_take_linear_time() -> None:
    def chain(op: str) -> str:
        return " ".join(f"v{k} = {op} ({'x' if k == 0 else f'v{k - 1}'})" for k in range(600)) + " y = Neg (v599)"

    assert not pair(chain("Sin"), chain("Cos"), "(float[4,4] x) => (float[4,4] y)").is_same


def test_a_coarse_weight_concerns_its_own_operators() -> None:
    """A scaled weight of float32 is a difference next to an int8 one."""
    ends = "(float[4,4] x) => (float[4,4] y, float[4,4] z)"
    random = np.random.default_rng(7)
    codes = ",".join(str(one) for one in random.integers(-9, 9, 16))
    exact = random.standard_normal(16)

    def nodes(factor: float) -> str:
        numbers = ",".join(repr(float(one)) for one in exact * factor)
        return (
            f"c = Constant <value: tensor = int8[4,4] {{{codes}}}> () s = Constant <value: tensor = float {{0.1}}> () "
            f"w = DequantizeLinear (c, s) y = MatMul (x, w) v = Constant <value: tensor = float[4,4] {{{numbers}}}> () z = MatMul (x, v)"
        )

    assert pair(nodes(1), nodes(1), ends).is_same
    found = pair(nodes(1), nodes(1.1), ends)
    assert [one.agrees for one in found.outputs] == [True, False]


ROW = "(float[1,16] x) => (float[1,16] y)"
FORTY = "c = Constant <value: tensor = float {%s}> () "


def test_dead_models_are_not_called_the_same() -> None:
    """Both output zeros for any input: they are not called the same."""
    found = pair("z = Sub (x, x) y = Relu (z)", "z = Sub (x, x) w = Mul (z, z) y = Relu (w)", ROW)
    assert found.agrees
    assert found.is_same is None
    assert found.draws == 4


def test_a_part_of_other_operators_has_to_compute_the_same() -> None:
    """The outputs agree: what is computed in another way is a thousandth of them."""
    nodes = "s = %s (x) p = Mul (x, s) c = Constant <value: tensor = float {1e-7}> () q = Mul (p, c) y = Add (x, q)"
    other = "p = HardSwish (x) c = Constant <value: tensor = float {1e-7}> () q = Mul (p, c) y = Add (x, q)"
    assert pair(nodes % "Sigmoid", nodes % "Sigmoid", ROW).is_same
    found = pair(nodes % "Sigmoid", other, ROW)
    assert found.agrees
    assert found.is_same is False


def test_weights_of_a_branch_that_does_not_run_are_compared() -> None:
    body = "b (%s) => (float[1,16] z) { z = MatMul (x, %s) }"
    weight = "float[16,16] %s = {" + ",".join(str(k % 7 - 3) for k in range(256)) + "}"
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (bool c, float[1,16] x) => (float[1,16] y) '

    def model(last: str) -> bytes:
        held = ", ".join([weight % "v", (weight % "w").replace("{-3", "{" + last)])
        return binary(
            f"{head}<{held}> {{ y = If (c) <then_branch: graph = {body % ('', 'v')}, "
            f"else_branch: graph = {body.replace('b (', 'e (') % ('', 'w')}> }}\n"
        )

    found = proof(model("-3"), model("9"))
    assert proof(model("-3"), model("-3")).is_same
    assert found.is_same is False


def test_infinite_outputs_tell_nothing() -> None:
    nodes = FORTY % "1e38" + "a = Abs (x) b = Add (a, c) d = Mul (b, b) "
    assert pair(nodes + "y = Mul (d, d)", nodes + "e = Mul (d, d) y = Mul (e, d)", ROW).is_same is None


def test_larger_inputs_wake_layers() -> None:
    dead = FORTY % 40 + "a = Sub (x, c) y = Relu (a)"
    other = FORTY % 40 + "p = Mul (x, x) q = Mul (p, x) a = Sub (q, c) y = Relu (a)"
    assert pair(dead, dead, ROW).is_same
    found = pair(dead, other, ROW)
    assert found.is_same is False
    assert found.draws > 1


def test_small_outputs_tell_if_they_depend_on_the_inputs() -> None:
    nodes = "w = Constant <value: tensor = float[3,2] {1.0, 2.0, 3.0, -1.0, 0.5, 2.0}> () y = MatMul (x, w)"
    assert pair(nodes, nodes, "(float[1,3] x) => (float[1,2] y)").is_same


def test_a_model_without_inputs_is_the_same() -> None:
    nodes = FORTY % 2 + "y = Exp (c)"
    assert pair(nodes, nodes, "() => (float y)").is_same


def test_undecided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / name) for name in ("a.onnx", "b.onnx")]
    for path, nodes in zip(paths, ("y = Relu (z)", "w = Mul (z, z) y = Relu (w)"), strict=True):
        Path(path).write_bytes(
            binary(f'<ir_version: 8, opset_import: ["" : 17]>\ng {ROW} {{ z = Sub (x, x) {nodes} }}\n')
        )
    assert main(["prove", *paths]) == 1
    assert capsys.readouterr().out.startswith(
        "cannot tell: all results that agree are nearly constant with 4 draws of inputs; "
    )
    assert main(["prove", *paths, "--output-format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["same"] is None
    np.save(tmp_path / "x.npy", np.ones((1, 16), np.float32))
    assert main(["prove", *paths, "--input", f"x={tmp_path / 'x.npy'}"]) == 1
    assert "with these inputs" in capsys.readouterr().out


def test_a_short_bias_of_a_coarse_type_rounds() -> None:
    """A converter to float16 rounds vectors of a few numbers, too."""
    exact = [1.001, 2.003, 3.007, 4.013]
    plain = f"c = Constant <value: tensor = float[4] {{{','.join(map(str, exact))}}}> () y = Add (x, c)"
    written = f"float16[4] {{{','.join(map(str, exact))}}}"
    half = f"h = Constant <value: tensor = {written}> () c = Cast <to: int = 1> (h) y = Add (x, c)"
    assert pair(plain, half, "(float[16,4] x) => (float[16,4] y)").is_same


def test_a_scaled_layer_whose_effect_no_output_has_is_named() -> None:
    """The next layer does not take the factor back, though nothing of it is in the output: its weights are zeros."""
    random = np.random.default_rng(3)
    first, second = (",".join(map(repr, random.standard_normal(64).tolist())) for _ in range(2))

    def nodes(factor: float) -> str:
        scaled = ",".join(repr(float(one) * factor) for one in first.split(","))
        return (
            f"[w] w = Constant <value: tensor = float[8,8] {{{scaled}}}> () [v] v = Constant <value: tensor = float[8,8] {{{second}}}> () "
            "[one] a = MatMul (x, w) [two] b = MatMul (a, v) [none] z = Sub (b, b) [sum] y = Add (x, z)"
        )

    ends = "(float[8,8] x) => (float[8,8] y)"
    assert pair(nodes(1), nodes(1), ends).is_same
    found = pair(nodes(1), nodes(1.5), ends)
    assert unseen(found) == "one"


def test_shapes_of_the_other_model_that_do_not_fit() -> None:
    nodes = "k = Constant <value: tensor = int64[1] {9}> () y, i = TopK <axis: int = 1> (x, k)"
    a = binary(f'<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,N] x) => (float[2,9] y) {{ {nodes} }}\n')
    b = binary('<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,4] x) => (float[2,4] y) { y = Sin (x) }\n')
    assert str(proof(a, b).incomparable).startswith("A cannot be run on inputs of the shapes of B: TopK ")
    assert str(proof(b, a).incomparable).startswith("B cannot be run on the inputs of A: TopK ")


def test_of_near_values_the_one_of_the_same_name_is_meant() -> None:
    """Layers of one initial state output nearly the same: float16 rounds each of them to something between."""
    array = np.random.default_rng(4).standard_normal((8, 8)).astype(np.float32)
    traces = Traces({"first": 0, "second": 1})
    half = Rounding(1e-2, 1e-4)
    for node, factor in enumerate((1.0, 1.002)):
        traces.add(node, 0, array * np.float32(factor), half)
    for name, node in (("first", 0), ("second", 1), ("", 0)):
        partner = traces.nearest(array * np.float32(1.001), half, name)
        assert partner is not None
        assert partner.trace.node == node


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_weights_of_gates_are_compared_in_one_order(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = recurrent(kind, 2)
    other = [array.copy() for array in weights]
    other[1][0, 1, 2] += 0.5
    (tmp_path / "a.onnx").write_bytes(recurrent_onnx(kind, weights))
    net = recurrent_ir(kind, other)
    (tmp_path / "b.xml").write_text(net.text)
    (tmp_path / "b.bin").write_bytes(net.data)
    assert main(["prove", str(tmp_path / "a.onnx"), str(tmp_path / "b.xml")]) == 1
    text = capsys.readouterr().out
    assert "0 of 1 layer with weights of A found in B" in text.splitlines()[0]
    assert "they read the same values" in text  # and the IR the lengths of its sequences
    said = [line for line in text.splitlines() if "weights [" in line or "biases" in line]
    size = (3 if kind == "GRU" else 4) * 3
    assert said == [f"  recurrent weights [2, {size}, 3]: 3 of {2 * size * 3} numbers differ, by up to 0.5"]


def test_operators_in_two_layouts_read_the_same_values() -> None:
    head = '<ir_version: 8, opset_import: ["" : 13]>\ng (float[4,5] x) => (float[5,4] y) '
    first = binary(head + "{ [turn] t = Transpose (x) [act] y = Elu (t) }\n")
    second = binary(head + "{ [act] a = Selu (x) [turn] y = Transpose (a) }\n")
    for a, b in ((first, second), (second, first)):
        found = proof(a, b).suspect
        assert found is not None
        assert found.reads_same
        assert [node and node.name for node in (found.a, found.b)] == ["act", "act"]


def test_layers_behind_a_difference_have_the_same_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, data in (("a", onnx()), ("b", onnx(NODES.replace("Relu", "Elu"))), ("c", onnx(w=CONV * 2))):
        (tmp_path / f"{name}.onnx").write_bytes(data)
    for name, ends in (
        ("b", "; 2 of 2 layers of A have their weights in B, 1 their results"),
        ("c", "; 1 of 2 layers of A have their weights in B, 0 their results"),
    ):
        assert main(["prove", str(tmp_path / "a.onnx"), str(tmp_path / f"{name}.onnx")]) == 1
        assert capsys.readouterr().out.splitlines()[0].endswith(ends)


def test_weights_that_are_packed_have_the_bits_that_their_node_says() -> None:
    codes = ",".join(str(k * 7 % 256) for k in range(32))
    model = engine.lint(
        '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>\nnet (float[2,16] x) => (float[2,4] y) '
        f"<uint8[4,1,8] w = {{{codes}}}, float[4] s = {{1, 1, 1, 1}}> "
        "{ y = com.microsoft.MatMulNBits <K: int = 16, N: int = 4, bits: int = 4, block_size: int = 16> (x, w, s) }\n",
        "a.onnxtxt",
    ).model
    assert model is not None
    mapping = mapping_of(model)
    assert mapping is not None
    assert roundings(model.graph, mapping, type_lookup(model))[-1] == ROUNDING["int4"]


def of_few_bits(scale: float, output: str = "") -> tuple[bytes, bytes]:
    """Return a model with a product of fractions, and one with a product of the codes of 4 bits that these are, times a scale."""
    random = np.random.default_rng(0)
    codes = random.integers(0, 16, (8, 16))
    weights = ",".join(str(float(one)) for one in ((codes - 8) / 8).T.reshape(-1))
    packed = ",".join(str(one) for one in (codes[:, ::2] | codes[:, 1::2] << 4).reshape(-1))
    head = '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>\nnet (float[2,16] x) => (float[2,8] y) '
    shifted = "{ p = $ y = Tanh (p) }" if output else "{ y = $ }"
    whole = shifted.replace("$", "MatMul (x, w)")
    few = shifted.replace(
        "$", "com.microsoft.MatMulNBits <K: int = 16, N: int = 8, bits: int = 4, block_size: int = 16> (x, w, s)"
    )
    scales = ",".join([str(scale / 8)] * 8)
    return (
        binary(f"{head}<float[16,8] w = {{{weights}}}> {whole}\n"),
        binary(f"{head}<uint8[8,1,8] w = {{{packed}}}, float[8] s = {{{scales}}}> {few}\n"),
    )


def test_packed_weights_are_compared_as_the_numbers_that_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, scale, says, status in (
        ("same", 1, "same layers: 1 of 1 matrix product; weights equal as int4", 0),
        ("other", 2.2, "not the same layers: 1 of 1 matrix product; the weights of 1 differ", 1),
    ):
        a, b = (tmp_path / f"{name}-{letter}.onnx" for letter in "ab")
        for path, data in zip((a, b), of_few_bits(scale), strict=True):
            path.write_bytes(data)
        main(["diff", str(a), str(b)])
        assert capsys.readouterr().out.splitlines()[0] == says
        assert main(["prove", str(a), str(b)]) == status
        capsys.readouterr()


def test_other_weights_of_few_bits_are_named_where_outputs_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / "a.onnx", tmp_path / "b.onnx"]
    for path, data in zip(paths, of_few_bits(1.5, "tanh"), strict=True):
        path.write_bytes(data)
    assert main(["prove", *map(str, paths)]) == 0
    assert "  weights of 1 layer of B differ by more than their few bits explain" in capsys.readouterr().out


BOUND = '<ir_version: 8, opset_import: ["" : 17]>\nnet (float[4,3] x) => (float[4,2] y) <float[3,2] w = {1, 2, 3, 4, 5, 6}, float low = {-900}, float high = {%s}> '
BOUND += "{ [dense] d = MatMul (x, w)  [bound] y = Clip (d, low, high) }\n"
CALL = '<ir_version: 8, opset_import: ["" : 17, "my" : 1]>\nnet (float[4,3] x) => (float[4,2] y) <float[3,2] w = {1, 2, 3, 4, 5, 6}> '
CALLED = 'CALL{ [block] y = my.block <by: float = 0.5> (x, w) }\n<domain: "my", opset_import: ["" : 17]>\nblock <by> (x, w) => (y) '
CALLED += "{ e = Constant <value_float: float = @by> ()  h = MatMul (x, w)  s = Add (h, e)  y = Sigmoid (s) }\n"
INLINED = (
    "CALL{ e = Constant <value_float: float = 0.5> ()  [h] h = MatMul (x, w)  [s] s = Add (h, e)  y = Sigmoid (s) }\n"
)


def test_a_bound_that_nothing_reaches_is_a_difference() -> None:
    found = proof(binary(BOUND % "900"), binary(BOUND % "800"))
    assert unseen(found) == "bound"


def test_a_function_that_was_inlined_is_none() -> None:
    called, inlined = (binary(text.replace("CALL", CALL)) for text in (CALLED, INLINED))
    assert proof(called, inlined).is_same
    assert proof(called, binary(INLINED.replace("CALL", CALL).replace("0.5", "0.25"))).is_same is False
