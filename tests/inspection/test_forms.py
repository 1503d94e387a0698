"""Two forms of one network, in two formats: what they have in common, and what a change in one of them shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.cli import main
from irlint.inspection.review.layers.weight_marks import Marked, distance, mark, same_weights, scaled
from tests.formats.openvino.notation import Net
from tests.lsp.binaries import binary
from tests.proving.models import BIAS, CONV, DENSE, MEAN, NODES, SCALE, SHIFT, VARIANCE, folded, onnx, tensor

FACTOR = SCALE / np.sqrt(VARIANCE + np.float32(1e-5))
FUSED = CONV * FACTOR[:, None, None, None]
OFFSET = (BIAS - MEAN) * FACTOR + SHIFT
# As a converter writes it: the normalization is folded, the weights are float16, the bias is an Add.
IR = """\
x: f32[2,3,8,8]
w16: f16[4,3,3,3] = {w}
w: f32[4,3,3,3] = opset1.Convert(w16) destination_type=f32
plain: f32[2,4,8,8] = opset1.Convolution(x, w) strides=1,1 pads_begin=1,1 pads_end=1,1 dilations=1,1 auto_pad=explicit
b: f32[1,4,1,1] = {b}
norm: f32[2,4,8,8] = opset1.Add(plain, b)
act: f32[2,4,8,8] = opset1.ReLU(norm)
sum: f32[2,4,8,8] = opset1.Add(act, {residual})
pool: f32[2,4,8,8] = opset1.AvgPool(sum) strides=1,1 pads_begin=1,1 pads_end=1,1 kernel=3,3 exclude-pad=true auto_pad=explicit
axes: i64[2] = 2 3
mean: f32[2,4] = opset1.ReduceMean(pool, axes) keep_dims=false
d: f32[5,4] = {d}
dense: f32[2,5] = opset1.MatMul(mean, d) transpose_a=false transpose_b=true
y: f32[2,5] = opset8.Softmax(dense) axis={axis}
"""


def numbers(array: np.ndarray) -> str:
    return " ".join(repr(float(value)) for value in array.ravel())


def ir(text: str = IR, **given: Any) -> Net:
    values = {"w": FUSED, "b": OFFSET, "d": DENSE.T, "axis": 1, "residual": "norm", **given}
    return Net(text.format(**{k: numbers(v) if isinstance(v, np.ndarray) else v for k, v in values.items()}))


@pytest.fixture
def compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def compare(net: Net, model: bytes | None = None, *options: str) -> tuple[int, str]:
        (tmp_path / "a.onnx").write_bytes(onnx() if model is None else model)
        (tmp_path / "b.xml").write_text(net.text)
        (tmp_path / "b.bin").write_bytes(net.data)
        status = main(["diff", str(tmp_path / "a.onnx"), str(tmp_path / "b.xml"), *options])
        return status, capsys.readouterr().out

    return compare


SAME = "same layers: 1 of 1 convolution, 1 of 1 matrix product; weights equal as float16"


def test_two_forms_of_a_network_are_the_same(compared: Any) -> None:
    for model in (onnx(), folded()):
        status, text = compared(ir(), model)
        assert (status, text) == (0, f"{SAME}\n")


def test_data_says_how_many_layers_there_are(compared: Any) -> None:
    _, text = compared(ir(), None, "--output-format", "json")
    network = json.loads(text)["network"]
    assert network["same_layers"]
    assert network["rounding"] == "float16"
    assert {"operator": "nn.conv2d", "old": 1, "new": 1, "old_found": 1, "new_found": 1} in network["layers"]


SQUARE = np.random.default_rng(4).standard_normal((4, 4)).astype(np.float32)
CHANGES = {
    "a channel scaled": ({"w": FUSED * np.array([1, 1.1, 1, 1], np.float32)[:, None, None, None]}, "weights"),
    "channels permuted": ({"w": FUSED[[1, 0, 2, 3]]}, "weights"),
    "inputs permuted": ({"w": FUSED[:, [1, 0, 2]]}, "weights"),
    "another offset": ({"b": OFFSET + np.array([0, 0, 0.5, 0], np.float32)}, "weights"),
    "columns permuted": ({"d": DENSE.T[[1, 0, 2, 3, 4]]}, "weights"),
    "another axis": ({"axis": 0}, "attribute axis: 1 -> 0"),
    "another residual": ({"residual": "act"}, "input"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_one_form_shows(compared: Any, change: str) -> None:
    given, word = CHANGES[change]
    status, text = compared(ir(**given))
    assert status == 1
    verdict = "not the same layers" if word == "weights" else "another network of the same layers"
    assert text.startswith(f"{verdict}: ")
    assert word in text


def test_the_order_of_operands_and_of_axes_counts(compared: Any) -> None:
    head = '<ir_version: 8, opset_import: ["" : 13]>\ng (float[4,4] x, float[4,4] z) => (float[4,4] y) '
    model = binary(head + f"<{tensor('w', SQUARE)}> {{ m = MatMul (x, w) y = Sub (m, z) }}\n")
    ir = "x: f32[4,4]\nz: f32[4,4]\nw: f32[4,4] = {w}\nm: f32[4,4] = opset1.MatMul(x, w) transpose_a=false transpose_b={b}\n"
    for weights, flag, last, same in (
        (SQUARE, "false", "m, z", True),
        (SQUARE.T, "true", "m, z", True),
        (SQUARE, "true", "m, z", False),
        (SQUARE.T, "false", "m, z", False),
        (SQUARE, "false", "z, m", False),
    ):
        net = Net(ir.format(w=numbers(weights), b=flag) + f"y: f32[4,4] = opset1.Subtract({last})\n")
        status, text = compared(net, model)
        assert (status == 0) == same, (flag, last, text)


def test_the_outputs_of_one_node_are_told_apart(compared: Any) -> None:
    head = '<ir_version: 8, opset_import: ["" : 13]>\ng (float[4,4] x) => (float[4,4] y) '
    model = binary(head + "{ a, b = Split <axis: int = 1> (x) y = Concat <axis: int = 1> (a, b) }\n")
    ir = (
        "x: f32[4,4]\naxis: i64[] = 1\na: f32[4,2] | b: f32[4,2] = opset1.Split(x, axis) num_splits=2\n"
        "y: f32[4,4] = opset1.Concat({}) axis=1\n"
    )
    assert compared(Net(ir.format("a, b")), model)[0] == 0
    assert compared(Net(ir.format("b, a")), model)[0] == 1


def test_a_constant_that_a_file_makes_huge_is_not_computed(compared: Any) -> None:
    head = '<ir_version: 8, opset_import: ["" : 13]>\ng (float[4] x) => (float[4] y) '
    model = binary(
        head + "<float[1] one = {1.0}, int64[2] shape = {1000000, 1000000}> "
        "{ big = Expand (one, shape) m = ReduceMax <keepdims: int = 0> (big) y = Mul (x, m) }\n"
    )
    status, _ = compared(Net("x: f32[4]\ny: f32[4] = opset4.Swish(x)\n"), model)
    assert status == 1


def test_a_node_that_only_one_form_has_is_not_the_same_network(compared: Any) -> None:
    text = IR.replace("MatMul(mean,", "MatMul(more,").replace("d: f32", "more: f32[2,4] = opset1.Tanh(mean)\nd: f32")
    _, found = compared(ir(text))
    assert found.startswith("same layers: 1 of 1 convolution, 1 of 1 matrix product; ")
    assert "1 node only in the new one" in found.splitlines()[0]
    assert "+ more (tanh)" in found


def test_one_part_of_other_operators_is_one_line(compared: Any) -> None:
    nodes = NODES.replace("[act] a = Relu (n)", "[half] h = Sigmoid (n)\n   [act] a = Mul (n, h)")
    net = ir(IR.replace("opset1.ReLU", "opset4.Swish"))
    status, text = compared(net, onnx(nodes))
    assert text.splitlines() == [SAME, "= Sigmoid, Mul -> Swish (1 place), such as half"]
    assert status == 1  # nothing says that these compute the same


# Operators without weights, with settings that both formats write in their own way
SETTINGS = """\
<ir_version: 8, opset_import: ["" : 13]>
g (float[1,2,9,9] x) => (float[3] y, int64[3] i)
<float low = {-1}, float high = {HIGH}, float factor = {FACTOR}, int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}, float filled = {FILLED},
 float[4] scales = {1, 1, 2, 2}, int64[1] flat = {-1}, int64[1] three = {3}> {
   a = AveragePool <kernel_shape: ints = [3, 3], pads: ints = [1, 1, 1, 1], count_include_pad: int = INCLUDED> (x)
   m = MaxPool <kernel_shape: ints = [2, 2], strides: ints = [2, 2], ceil_mode: int = CEIL> (a)
   c = Clip (m, low, high)
   k = Mul (c, factor)
   h = Sigmoid (k)
   g = Mul (c, h)
   p = Pad (g, pads, filled)
   r = Resize <mode: string = "linear", coordinate_transformation_mode: string = "WAY"> (p, "", scales)
   f = Reshape (r, flat)
   y, i = TopK <largest: int = LARGEST> (f, three)
}
"""
SETTINGS_IR = """\
x: f32[1,2,9,9]
a: f32[1,2,9,9] = opset1.AvgPool(x) strides=1,1 pads_begin=1,1 pads_end=1,1 kernel=3,3 exclude-pad=true auto_pad=explicit
m: f32[1,2,4,4] = opset1.MaxPool(a) strides=2,2 pads_begin=0,0 pads_end=0,0 kernel=2,2 rounding_type=floor auto_pad=explicit
c: f32[1,2,4,4] = opset1.Clamp(m) min=-1 max=6
g: f32[1,2,4,4] = opset4.Swish(c)
begin: i64[4] = 0 0 1 1
filled: f32[] = 0.5
p: f32[1,2,6,6] = opset1.Pad(g, begin, begin, filled) pad_mode=constant
scales: f32[4] = 1 1 2 2
r: f32[1,2,12,12] = opset11.Interpolate(p, scales) mode=linear_onnx shape_calculation_mode=scales
flat: i64[1] = -1
f: f32[288] = opset1.Reshape(r, flat) special_zero=false
three: i64[] = 3
y: f32[3] | i: i64[3] = opset11.TopK(f, three) axis=0 mode=max sort=value index_element_type=i64
"""
AS_IN_IR = {"INCLUDED": 0, "CEIL": 0, "HIGH": 6, "FACTOR": 1, "FILLED": 0.5, "WAY": "half_pixel", "LARGEST": 1}
OTHERS = {
    "INCLUDED": (1, "~ a (nn.avg_pool2d)", "count_include_pad=1"),
    "CEIL": (1, "~ m (nn.max_pool2d)", "ceil_mode=1 -> "),
    "HIGH": (7, "~ c (clip)", "max=7.0 -> max=6"),
    "FACTOR": (1.7, "~ g (nn.swish)", "Mul -> Swish"),
    "FILLED": (0, "~ p (nn.pad)", ""),
    "WAY": ("align_corners", "~ r (image.resize2d)", "coordinate_transformation_mode=align_corners"),
    "LARGEST": (0, "~ y (topk)", "largest=0 -> mode=max"),
}


@pytest.mark.parametrize("word", ["", *OTHERS])
def test_settings_of_operators_without_weights_are_compared_by_what_these_compute(compared: Any, word: str) -> None:
    given, title, how = OTHERS.get(word, ("", "", ""))
    text = SETTINGS
    for key, value in {**AS_IN_IR, **({word: given} if word else {})}.items():
        text = text.replace(key, str(value))
    status, found = compared(Net(SETTINGS_IR), binary(text))
    lines = found.splitlines()
    if word:
        assert lines[0].startswith("not the same layers: ")
        assert lines[lines.index(title) + 1].strip().startswith("other results for the same input")
        assert how in lines[lines.index(title) + 1]
    assert sum(line.startswith("~") for line in lines) == bool(word)
    assert status == 1


UNITS, WIDTH = 3, 5
# Of each format: where the gates of OpenVINO (f i c o, z r h) are, and where those of ncnn are in the file
ORDERS = {"LSTM": ((1, 3, 0, 2), (1, 0, 3, 2)), "GRU": ((0, 1, 2), (1, 0, 2))}


def recurrent(kind: str, ways: int) -> list[np.ndarray]:
    """Return weights of inputs and of states, and two biases, by direction and gate, as OpenVINO orders gates."""
    random = np.random.default_rng(7)
    count = len(ORDERS[kind][0])
    shapes = ((ways, count, UNITS, WIDTH), (ways, count, UNITS, UNITS), (ways, count, UNITS), (ways, count, UNITS))
    return [random.standard_normal(shape).astype(np.float32) for shape in shapes]


def rows(array: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """Return gates in an order, as one axis."""
    found = array[:, list(order)]
    return found.reshape(len(found), -1, *found.shape[3:])


def recurrent_onnx(kind: str, weights: list[np.ndarray]) -> bytes:
    order, ways = ORDERS[kind][0], len(weights[0])
    w, r, b, b2 = (rows(array, order) for array in weights)
    held = ", ".join(tensor(name, array) for name, array in (("w", w), ("r", r), ("b", np.concatenate([b, b2], 1))))
    attrs = f'hidden_size: int = {UNITS}, direction: string = "{"bidirectional" if ways == 2 else "forward"}"'
    attrs += ", linear_before_reset: int = 1" if kind == "GRU" else ""
    head = f'<\n   ir_version: 8,\n   opset_import: ["" : 17]\n>\nnet (float[7,1,{WIDTH}] x) => (float[7,{ways},1,{UNITS}] y) <{held}> {{\n'
    return binary(f"{head}   [layer] y = {kind} <{attrs}> (x, w, r, b)\n}}\n")


def recurrent_ir(kind: str, weights: list[np.ndarray]) -> Net:
    order, ways = tuple(range(len(ORDERS[kind][0]))), len(weights[0])
    w, r, b, b2 = (rows(array, order) for array in weights)
    both = b + b2
    if kind == "GRU":
        both = np.concatenate([both[:, : 2 * UNITS], b[:, 2 * UNITS :], b2[:, 2 * UNITS :]], 1)
    state = f"f32[1,{ways},{UNITS}]"
    zeros = " ".join(["0"] * ways * UNITS)
    cell = kind == "LSTM"
    way = "bidirectional" if ways == 2 else "forward"
    more = " linear_before_reset=true" if kind == "GRU" else ""
    return Net(
        f"""
x: f32[1,7,{WIDTH}]
h: {state} = {zeros}
{f"c: {state} = {zeros}" if cell else ""}
n: i64[1] = 7
w: f32[{",".join(map(str, w.shape))}] = {numbers(w)}
r: f32[{",".join(map(str, r.shape))}] = {numbers(r)}
b: f32[{",".join(map(str, both.shape))}] = {numbers(both)}
y: f32[1,{ways},7,{UNITS}] | last: {state}{f" | end: {state}" if cell else ""} = opset5.{kind}Sequence(x, h{", c" if cell else ""}, n, w, r, b) hidden_size={UNITS} direction={way}{more} activations={"sigmoid,tanh,tanh" if cell else "sigmoid,tanh"} activations_alpha= activations_beta= clip=0
""".replace("\n\n", "\n")
    )


@pytest.mark.parametrize("ways", [1, 2])
@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_gates_are_compared_whatever_their_order(compared: Any, kind: str, ways: int) -> None:
    weights = recurrent(kind, ways)
    model = recurrent_onnx(kind, weights)
    _, text = compared(recurrent_ir(kind, weights), model)
    assert f"1 of 1 {kind.lower()} layer; weights equal" in text.splitlines()[0]  # batch and time are in another order
    for k in range(4):  # one number, and two gates exchanged
        for change in (
            lambda array: array.__setitem__((0, 1, 2), array[0, 1, 2] + 0.5),
            lambda array: array.__setitem__((0, [0, 1]), array[0, [1, 0]]),
        ):
            other = [array.copy() for array in weights]
            change(other[k])
            status, text = compared(recurrent_ir(kind, other), model)
            assert (status, "the weights of 1 differ" in text.splitlines()[0]) == (1, True), (k, text)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_ncnn_has_the_gates_in_an_order_of_its_own(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    w, r, b, b2 = recurrent(kind, 1)
    places = ORDERS[kind][1]
    order = tuple(places.index(k) for k in range(len(places)))
    if kind == "LSTM":
        biases = (b + b2)[:, list(order)]
    else:  # r, z, and both of n
        both = b + b2
        biases = np.stack([both[:, 1], both[:, 0], b[:, 2], b2[:, 2]], 1)
    tag = bytes(4)
    data = b"".join((tag, rows(w, order).tobytes(), tag, biases.tobytes(), tag, rows(r, order).tobytes()))
    (tmp_path / "b.bin").write_bytes(data)
    (tmp_path / "b.param").write_text(f"7767517\n2 2\nInput in 0 1 x\n{kind} layer 1 1 x y 0={UNITS} 1={w.size}\n")
    (tmp_path / "a.onnx").write_bytes(recurrent_onnx(kind, [w, r, b, b2]))
    main(["diff", str(tmp_path / "a.onnx"), str(tmp_path / "b.param")])
    assert capsys.readouterr().out.splitlines()[0] == f"same layers: 1 of 1 {kind.lower()} layer; weights equal"
    (tmp_path / "b.bin").write_bytes(data[:8] + b"\0\0\x80\x3f" + data[12:])
    main(["diff", str(tmp_path / "a.onnx"), str(tmp_path / "b.param")])
    assert "the weights of 1 differ" in capsys.readouterr().out.splitlines()[0]


def test_weights_that_are_not_read_are_not_compared(compared: Any) -> None:
    _, text = compared(ir(w=FUSED * 2), None, "--no-weights")
    assert "weights" not in text.splitlines()[0]
    assert "1 of 1 convolution" in text


def test_optimized_models_of_one_format_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.onnx").write_bytes(onnx())
    (tmp_path / "b.onnx").write_bytes(folded())
    assert main(["diff", str(tmp_path / "a.onnx"), str(tmp_path / "b.onnx")]) == 1
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert first == "same layers: 1 of 1 convolution, 1 of 1 matrix product; weights equal"
    assert second.startswith("0 added, ")


def test_a_mark_knows_an_array_in_another_layout() -> None:
    random = np.random.default_rng(3)
    array = random.standard_normal((32, 16, 3, 3)).astype(np.float32)
    other = random.standard_normal((32, 16, 3, 3)).astype(np.float32)
    for form in (array.transpose(2, 3, 1, 0), array.reshape(2, 16, 16, 3, 3), array * 3, array.astype(np.float16)):
        found = same_weights(
            {0: Marked(mark(array)), 1: Marked(mark(other))}, {5: Marked(mark(other)), 6: Marked(mark(form))}
        )
        assert found == {0: 6, 1: 5}
    assert distance(scaled(array, 3.0)[0], mark(array * 3)) == pytest.approx(0, abs=1e-5)


def test_one_array_in_thousands_of_layers_is_not_quadratic() -> None:
    one = Marked(mark(np.random.default_rng(3).standard_normal((32, 16)).astype(np.float32)))
    many = dict.fromkeys(range(2000), one)
    assert same_weights(many, many) == {k: k for k in range(2000)}


def test_weights_that_another_branch_reads_too_are_not_scaled(compared: Any) -> None:
    branch = NODES.replace("Add (a, n)", "Add (a, c)")
    assert "the weights of 1 differ" in compared(ir(), onnx(branch))[1]


def test_scales_of_rows_are_not_those_of_columns(compared: Any) -> None:
    weights, factors = np.arange(1, 65, dtype=np.float32).reshape(8, 8) ** 0.5, np.arange(1, 9, dtype=np.float32)
    net = """\
x: f32[2,8]
w: f32[8,8] = {w}
h: f32[2,8] = opset1.MatMul(x, w) transpose_a=false transpose_b={transposed}
y: f32[2,8] = opset1.ReLU(h)
"""
    held = f"{tensor('w', weights)}, {tensor('f', factors)}"
    nodes = "h = MatMul (x, w)  k = Mul (h, f)  y = Relu (k)"
    head = '<ir_version: 8, opset_import: ["" : 13]>\n'
    model = binary(f"{head}net (float[2,8] x) => (float[2,8] y) <{held}> {{ {nodes} }}\n")
    for w, transposed in ((weights * factors, "false"), ((weights * factors).T, "true")):
        assert "weights equal" in compared(ir(net, w=w, transposed=transposed), model)[1]
    for w, transposed in ((weights * factors[:, None], "false"), ((weights * factors[:, None]).T, "true")):
        assert "the weights of 1 differ" in compared(ir(net, w=w, transposed=transposed), model)[1]


def test_channels_with_small_weights_count_by_themselves() -> None:
    array = np.arange(1, 65, dtype=np.float32).reshape(8, 8) ** 0.5
    array[2] *= 1e-4
    other = array.copy()
    other[2] *= -1
    assert (distance(mark(array), mark(other), is_coarse=False) or 0) > 1e-3


ENDS = """\
x: f32[?,4]
z: f32[?,4]
m: f32[?,4] = opset1.Subtract(x, z)
a: f32[?,4] = opset1.ReLU(m)
b: f32[?,4] = opset1.Sigmoid(m)
"""
ENDS_ONNX = """\
<ir_version: 8, opset_import: ["" : 13]>
g (float[N,4] x, float[N,4] z) => (float[N,4] a, float[N,4] b) { m = Sub (x, z) a = Relu (m) b = Sigmoid (m) }
"""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ((), []),
        ([("[?,4]", "[1,4]")], ["    type: float32 [N, 4] -> float32 [1, 4]"] * 2),
        ([("x: f32[?,4]", "x: f32[?,5]")], ["    type: float32 [N, 4] -> float32 [?, 5]"]),
        ([("x: f32", "x: f16")], ["    type: float32 [N, 4] -> float16 [?, 4]"]),
        ([("x: f32", "pixels: f32"), ("(x, z)", "(pixels, z)")], ["    name: x -> pixels"]),
        ([("a: f32", "first: f32")], ["~ output name: a -> first"]),
        ([("x: f32[?,4]\nz: f32[?,4]", "z: f32[?,4]\nx: f32[?,4]")], ["~ order of inputs: x, z -> z, x"]),
    ],
)
def test_inputs_and_outputs_of_two_forms_are_compared(
    compared: Any, changes: list[tuple[str, str]], said: list[str]
) -> None:
    text = ENDS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    net = Net(text)
    net.text = re.sub(  # tensors have the names of their layers
        r'(name="(\w+)" type="(?!Result)[^>]*>.*?<output><port id="\d" )', r'\1names="\2" ', net.text, flags=re.DOTALL
    )
    status, out = compared(net, binary(ENDS_ONNX))
    assert [
        line for line in out.splitlines()[1:] if line.startswith("    ") or "output name" in line or "order" in line
    ] == said
    assert (status, "; inputs or outputs differ" in out) == (int(bool(said)), bool(said)), out


def test_layers_with_other_weights_in_a_quantized_model_have_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,8] x) => (float[2,8] y) '
    scale, codes = 0.01, np.arange(64, dtype=np.int8).reshape(8, 8) - 32
    plain = binary(
        head + f"<{tensor('w', codes.astype(np.float32) * np.float32(scale))}> {{ [layer] y = MatMul (x, w) }}\n"
    )
    for name, values, is_same in (("same", codes, True), ("other", codes[::-1], False)):
        listed = ",".join(map(str, values.ravel()))
        held = f"int8[8,8] q = {{{listed}}}, float s = {{{scale}}}"
        (tmp_path / "old.onnx").write_bytes(plain)
        (tmp_path / f"{name}.onnx").write_bytes(
            binary(head + f"<{held}> {{ w = DequantizeLinear (q, s) [layer] y = MatMul (x, w) }}\n")
        )
        files = [str(tmp_path / "old.onnx"), str(tmp_path / f"{name}.onnx")]
        main(["diff", *files])
        out = capsys.readouterr().out
        assert out.startswith("same layers: 1 of 1 matrix product") is is_same, out
        assert ("~ layer (MatMul): other weights\n" in out) is not is_same, out
        main(["breaking", *files, "--output-format", "json"])
        done = capsys.readouterr()
        assert ('"B021"' in done.out) is not is_same
        assert ("same layers: 1 of 1 matrix product; weights equal as int8" in done.err) is is_same


def test_a_scale_in_front_of_a_layer_may_become_a_part_of_its_weights(compared: Any) -> None:
    weights = np.arange(1, 65, dtype=np.float32).reshape(8, 8) ** 0.5
    net = """\
x: f32[2,8]
m: f32[1] = {m}
s: f32[2,8] = opset1.Subtract(x, m)
w: f32[8,8] = {w}
h: f32[2,8] = opset1.MatMul(s, w) transpose_a=false transpose_b=false
y: f32[2,8] = opset1.ReLU(h)
"""
    held = f"{tensor('w', weights)}, {tensor('m', np.float32([3]))}, {tensor('d', np.float32([2]))}"
    nodes = "s = Sub (x, m)  k = Div (s, d)  h = MatMul (k, w)  y = Relu (h)"
    head = '<ir_version: 8, opset_import: ["" : 13]>\n'
    model = binary(f"{head}net (float[2,8] x) => (float[2,8] y) <{held}> {{ {nodes} }}\n")
    verdict = compared(ir(net, w=weights / 2, m=np.float32([3])), model)[1].splitlines()[0]
    assert verdict == "same layers: 1 of 1 matrix product; weights not compared"
