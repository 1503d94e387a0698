"""What attacks on the checks found: a model each, and the findings that it has."""

from __future__ import annotations

import json
import time

import pytest

from irlint import engine, offers
from irlint.settings import Settings

INTERPOLATE = """<net name="m" version="11"><layers>
<layer id="0" name="p" type="Parameter" version="opset1"><data shape="1,3,8,8" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output></layer>
<layer id="1" name="s" type="Parameter" version="opset1"><data shape="2" element_type="i64"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="2" name="i" type="Interpolate" version="opset1"><data axes="2,3" mode="nearest"/>
<input><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port>
<port id="1" precision="I64"><dim>2</dim></port></input>
<output><port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>-1</dim><dim>-1</dim></port></output></layer>
<layer id="3" name="r" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>-1</dim><dim>-1</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>
"""
LSTM = "7767517\n3 3\nInput a 0 1 a 0=8 1=4\nInput b 0 1 b 0=8 1=4\nLSTM l 2 1 a b y 0=3 1=96 2=0\n"
POOL = """<ir_version: 8, opset_import: ["" : 17]>
m (float[1,2,8] x) => (float[1,2,8] y) { y = MaxPool <kernel_shape = [1], pads = float[1] {1.0}> (x) }
"""
SCAN = """<ir_version: 10, opset_import: ["" : 20]>
m (float[3,4] x) => (float[3,4] y) {
   y = Scan <num_scan_inputs = 1, %s = 1, body = b (float[4] a) => (float[4] c) { c = Identity (a) }> (x)
}
"""
SAMPLED = """7767517
5 7
Input a 0 1 a 0=4 1=4 2=2
Input b 0 1 b 0=4 1=4 2=2
GridSample g 2 1 a b c 0=2147483647
MultiHeadAttention h 1 1 c d
GridSample l 2 1 a b e 12=1
"""
VARIABLE = json.dumps(
    {
        "nodes": [
            {"op": "null", "name": "a", "inputs": [[9, 0, 0]]},
            {"op": "sin", "name": "lost", "inputs": [[0, 0, 0]]},
            {"op": "null", "name": "b", "inputs": []},
            {"op": "cos", "name": "y", "inputs": [[2, 0, 0]]},
        ],
        "arg_nodes": [0, 2], "node_row_ptr": [0, 1, 2, 3, 4], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]},
    }
)  # fmt: skip


CONVOLUTION = """<net name="m" version="11"><layers>
<layer id="0" name="p" type="Parameter" version="opset1"><data shape="1,2,4,4" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim><dim>4</dim></port></output></layer>
<layer id="1" name="a" type="AvgPool" version="opset16"><data kernel="1,1" exclude-pad="true" %s/>
<input><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>4</dim><dim>4</dim></port></input>
<output><port id="1" precision="FP32"><dim>1</dim><dim>2</dim><dim>5</dim><dim>5</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>1</dim><dim>2</dim><dim>5</dim><dim>5</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
"""
UNFINISHED = '{"nodes": [{"op": "null", "name": "x", "inputs":}], "arg_nodes": [0], "heads": [[0, 0, 0]], "node_row_ptr": [0, 1]}'


@pytest.mark.parametrize(
    ("name", "text", "findings"),
    [
        ("net.xml", INTERPOLATE, []),  # `pads_begin` and `pads_end` default to no padding
        ("net.param", LSTM, ["O002 warning"]),  # ncnn ignores the second input
        ("net.onnxtxt", POOL, ["A003 error"]),  # one mistake, not two
        ("net-symbol.json", VARIABLE, ["T202 warning", "G001 warning"]),  # the loader drops the inputs of variables
        *(
            ("net.onnxtxt", SCAN % f"scan_{side}_{what}", ["A003 error"])
            for side in ("input", "output")
            for what in ("axes", "directions")
        ),
    ],
)
def test_the_findings(name: str, text: str, findings: list[str]) -> None:
    found = engine.lint(text, name).findings
    assert [f"{one.code} {one.severity}" for one in found if one.code not in ("W001", "D001")] == findings


def test_layers_whose_parameters_make_no_sense() -> None:
    found = engine.lint(SAMPLED, "net.param", Settings(select=("ALL", "PEDANTIC"))).findings
    assert {one.code for one in found} >= {"A005", "A002"}


def proven(text: str, name: str) -> list[str]:
    result = engine.lint(text, name)
    offers.confirm(result)
    return [one.fix.title for one in result.findings if one.fix is not None and one.fix.safety != "unsafe"]


def test_an_operator_that_only_fits_is_no_proven_repair() -> None:
    assert proven("7767517\n2 2\nInput i 0 1 a 0=8 1=4\nMultiHeadAttention l 1 1 a b 2=0 5=-1\n", "net.param") == []


def test_a_long_number_is_not_cut_into_two() -> None:
    node = {"op": "max_pool2d", "name": "y", "inputs": [[0, 0, 0]], "attrs": {"pool_size": f"({2**63 - 1})"}}
    graph = {"nodes": [{"op": "null", "name": "x", "inputs": []}, node], "arg_nodes": [0], "node_row_ptr": [0, 1, 2]}
    assert proven(json.dumps({**graph, "heads": [[1, 0, 0]]}), "net.json") == []


@pytest.mark.parametrize(
    "lists",
    [
        f'strides="{",".join(["1"] * 24)}" pads_begin="0,0" pads_end="1,1"',
        f'strides="1,1" pads_begin="0,0" pads_end="{",".join(["1"] * 3000)}"',
    ],
)
def test_values_of_a_missing_list_are_few(lists: str) -> None:
    result = engine.lint(CONVOLUTION % lists, "net.xml")
    start = time.process_time()
    offers.confirm(result)
    assert "A002" in {one.code for one in result.findings}
    assert time.process_time() - start < 5  # it was a minute and more


def test_nothing_is_no_list_of_ones() -> None:
    from irlint.formats.openvino.passes.refusals import is_same

    assert [is_same("", other) for other in ("0", "0,0", "1.0", "")] == [True, True, False, True]
    assert is_same("1,1", "1")
    assert not is_same("1,2", "1")


def test_a_key_without_a_value_gets_an_empty_one() -> None:
    result = engine.lint(UNFINISHED, "net-symbol.json")
    assert [one.fix.title for one in result.findings if one.fix is not None] == ["Insert `[]`"]
