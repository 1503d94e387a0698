"""FLOPs and memory, by models whose figures can be worked out by hand."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from irlint import load
from irlint.dryrun.costs import costs
from irlint.dryrun.counts import RULES, flops
from irlint.dryrun.infer import infer
from irlint.dryrun.mapping import Call
from irlint.dryrun.operator import operator
from irlint.dryrun.running.memory import TooMuch, check, plan
from irlint.dryrun.tensor import Tensor
from tests.cli.test_cli_run import layer, net

CONV = net(
    [
        layer(0, "x", "Parameter", 'element_type="f32" shape="1,3,8,8"', [], "1,3,8,8"),
        layer(1, "w", "Const", 'element_type="f32" shape="4,3,3,3" offset="0" size="432"', [], "4,3,3,3"),
        layer(
            2, "conv", "Convolution", 'strides="1,1" dilations="1,1" pads_begin="1,1" pads_end="1,1" auto_pad="explicit"',
            ["1,3,8,8", "4,3,3,3"], "1,4,8,8",
        ),
        layer(3, "relu", "ReLU", "", ["1,4,8,8"], "1,4,8,8"),
        layer(4, "sum", "Add", "", ["1,4,8,8", "1,4,8,8"], "1,4,8,8"),
        layer(5, "result", "Result", "", ["1,4,8,8"], None),
    ],
    [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 2, 4, 0), (3, 1, 4, 1), (4, 2, 5, 0)],
)  # fmt: skip


def test_figures_of_a_small_model(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(CONV)
    graph = load(tmp_path / "m.xml").graph
    types = infer(graph, graph.mapping)
    space = 4 * 8 * 8
    found = costs(graph, graph.mapping, types)
    assert (found.flops, found.unknown) == (space * 3 * 9 * 2 + space + space, 0)
    assert found.peak_bytes == 3 * space * 4  # what Add reads, and what it gives
    memory = plan(graph, graph.mapping, types)
    assert memory.weights == 432
    assert memory.node is not None
    assert memory.node.name == "sum"


def test_a_value_too_large_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(CONV)
    graph = load(tmp_path / "m.xml").graph
    with pytest.raises(TooMuch, match="Convolution 'conv' needs 1,024 bytes"):
        check(graph, graph.mapping, infer(graph, graph.mapping), 1000)


COUNTED = {
    "y = LSTM <hidden_size=16, direction='bidirectional'> (a, b, c)": (
        "float[2,5,8] a, float[2,64,8] b, float[2,64,16] c", "float[2,2,5,16] y", 2 * 10 * 2 * 64 * (8 + 16),
    ),
    "y = GRU <hidden_size=4> (a, b, c)": (
        "float[6,3,5] a, float[1,12,5] b, float[1,12,4] c", "float[6,1,3,4] y", 2 * 18 * 12 * (5 + 4),
    ),
    "y = Einsum <equation='bij,bjk->bik'> (a, b)": ("float[2,5,8] a, float[2,8,7] b", "float[2,5,7] y", 2 * 2 * 5 * 8 * 7),
    "y = ConvTranspose (a, b)": ("float[1,3,4,4] a, float[3,6,3,3] b", "float[1,6,6,6] y", 2 * 48 * 54),
    "y = ConvInteger (a, b)": ("uint8[1,3,8,8] a, uint8[4,3,3,3] b", "int32[1,4,6,6] y", 2 * 144 * 27),
    "y = MatMulInteger (a, b)": ("uint8[5,8] a, uint8[8,7] b", "int32[5,7] y", 2 * 35 * 8),
    "y = Gemm <transA=1, transB=1> (a, b)": ("float[8,5] a, float[7,8] b", "float[5,7] y", 2 * 35 * 8),
    "y = MatMul (a, b)": ("float[8] a, float[8,7] b", "float[7] y", 2 * 7 * 8),
    "y = Attention (a, b, c)": (
        "float[2,4,5,8] a, float[2,2,9,8] b, float[2,2,9,6] c", "float[2,4,5,6] y", 2 * 9 * (2 * 4 * 5 * 8 + 2 * 4 * 5 * 6),
    ),
    "y = com.microsoft.MatMulNBits <K=20, N=7, bits=4, block_size=16> (a, b, c)": (
        "float[1,8,20] a, uint8[7,2,8] b, float[14] c", "float[1,8,7] y", 2 * 56 * 20,
    ),
    "y = com.microsoft.MultiHeadAttention <num_heads=2> (a, b, c)": (
        "float[1,3,8] a, float[1,6,8] b, float[1,6,8] c", "float[1,3,8] y", 2 * 6 * (24 + 24),
    ),
    "y = com.microsoft.Attention <num_heads=2> (a, b, c)": (
        "float[1,3,8] a, float[8,24] b, float[24] c", "float[1,3,8] y", 2 * 3 * 8 * 24 + 2 * 3 * (24 + 24),
    ),
    "y = Gather (a, b)": ("float[50,8] a, int64[5] b", "float[5,8] y", 0),
}  # fmt: skip


@pytest.mark.parametrize("call", COUNTED)
def test_products_are_counted_by_their_inner_lengths(call: str, tmp_path: Path) -> None:
    inputs, outputs, wanted = COUNTED[call]
    head = '<ir_version: 11, opset_import: ["" : 23, "com.microsoft" : 1]>'
    text = call.replace("'", '"')
    (tmp_path / "m.onnxtxt").write_text(f"{head}\ng ({inputs}) => ({outputs}) {{ {text} }}\n")
    graph = load(tmp_path / "m.onnxtxt").graph
    assert costs(graph, graph.mapping, infer(graph, graph.mapping)).flops == wanted


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("MatMul ()", None),
        ("com.microsoft.MatMulNBits <K: int = 20, N: int = 7, bits: int = 4, block_size: int = 16> ()", None),
        ('Einsum <equation: string = "ij,j->->k"> (a, a)', None),
        ('Einsum <equation: string = "ij,jk->ik"> (a)', 16),
    ],
)
def test_calls_that_are_wrong_may_be_counted(call: str, wanted: int | None, tmp_path: Path) -> None:
    head = '<ir_version: 11, opset_import: ["" : 23, "com.microsoft" : 1]>'
    (tmp_path / "m.onnxtxt").write_text(f"{head}\ng (float[2,8] a) => (float[2,4] y) {{ y = {call} }}\n")
    graph = load(tmp_path / "m.onnxtxt").graph
    assert costs(graph, graph.mapping, infer(graph, graph.mapping)).flops == wanted


@pytest.mark.parametrize("name", RULES)
def test_rules_are_of_modules_or_operators(name: str) -> None:
    family, _, kind = name.rpartition(".")
    known = (kind, name) if kind[0].islower() else (operator(f"{family.replace('.', '/', 1)}.{kind}").family, family)
    assert find_spec(f"irlint.dryrun.ops.{known[1]}") is not None
    assert kind[0].islower() or known[0] == family


def test_weights_in_one_vector_are_used_once_per_step() -> None:
    call = Call(operator("mxnet/fused_rnn.FusedRNN"), {"mode": "lstm"})
    assert flops(call, [Tensor(None, (5, 2, 8)), Tensor(None, (900,))], [Tensor(None, (5, 2, 16))]) == 2 * 10 * 900
