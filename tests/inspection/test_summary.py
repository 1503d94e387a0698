"""Figures of a model against plain counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irlint import engine
from irlint.cli import main
from irlint.graph import Graph, Node, Source, Type, Value
from irlint.inspection.summary import Costs, summarize
from irlint.order import post_order
from irlint.rules.base import Model
from irlint.text.listing.document import ListingDocument


def model_of(graph: Graph) -> Model:
    return Model(ListingDocument(""), "glacier", "listing", graph)


def node(index: int, op: str, inputs: list[int], kind: str = "call", type_: Type = Type()) -> Node:
    return Node(index, f"n{index}", op, (index,), [Source(i) for i in inputs], [Value(None, type_)], kind=kind)


def test_parameters_are_constants_and_variables_that_are_no_inputs() -> None:
    body = Graph(
        [node(0, "const", [], "const", Type("float16", (4,))), node(1, "x", [], "var", Type("float32", (1, 3)))]
    )
    nodes = [
        node(0, "x", [], "var", Type("float32", (1, 3))),
        node(1, "w", [], "var", Type("float32", (3, 5))),
        node(2, "k", [], "const", Type("int4", (3,))),
        node(3, "u", [], "const", Type("float32", (None, 2))),
        node(4, "dense", [0, 1, 2, 3], type_=Type("float32", (1, 5))),
    ]
    nodes[4].graphs, body.parent = [body], nodes[4]  # its variable is the x around it
    found = summarize(model_of(Graph(nodes, [0], [Source(4)])), Costs(flops=30))
    assert found.parameters == (4, 1, 15 + 3 + 4)
    assert found.parameter_bytes == (4, 1, 60 + 2 + 8)
    assert found.nested_graphs == 1
    assert [(p.name, p.type.shape) for p in found.inputs + found.outputs] == [("n0", (1, 3)), ("n4", (1, 5))]
    assert (found.costs.flops, found.costs.peak_bytes) == (30, None)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 9))
    nodes = [node(k, "op", draw(st.lists(st.integers(0, k - 1), max_size=3)) if k else []) for k in range(count)]
    return Graph(nodes, [], [Source(o) for o in draw(st.lists(st.integers(0, count - 1), max_size=2))])


@given(graphs())
def test_depth_and_widest_cut(graph: Graph) -> None:
    found = summarize(model_of(graph))

    def depth(index: int) -> int:
        return 1 + max((depth(s.node) for s in graph.nodes[index].inputs), default=0)

    assert found.depth == max(map(depth, range(len(graph.nodes))))
    order = post_order(graph)
    place = {index: at for at, index in enumerate(order)}
    outputs = {source.node for source in graph.outputs}
    widths = []
    for now in range(len(order)):
        alive = [
            index
            for index in order[: now + 1]
            if index == order[now]
            or index in outputs
            or any(place[n.index] >= now for n in graph.nodes for s in n.inputs if s.node == index)
        ]
        widths.append(len(alive))
    assert found.cut.width == max(widths)


def test_variables_read_as_weights_are_parameters() -> None:
    text = "0 nn.conv2d ['x', 'w']\n1 nn.bias_add [0, 'b']\n2 add [1, 'y']\n3 nn.conv2d [2, 'y']\n"
    model = engine.lint(text, "model.txt").model
    assert model is not None
    shapes = {"w": (8, 3, 3, 3), "b": (8,), "x": (1, 3, 9, 9)}
    for each in model.graph.nodes:
        if each.name in shapes:
            each.outputs = [Value(None, Type("float32", shapes[each.name]))]
    found = summarize(model)
    assert [port.name for port in found.inputs] == ["x", "y"]  # y is data, too
    assert found.parameters == (2, 0, 8 * 27 + 8)
    assert found.parameter_bytes == (2, 0, 4 * (8 * 27 + 8))
    assert found.inputs[0].type.shape == (1, 3, 9, 9)


def test_packed_weights_are_counted_as_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Two of 4 bits share a byte; their scales and zero points are no further weights."""
    path = tmp_path / "packed.onnxtxt"
    path.write_text(
        """<ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
g (float[n,32] x) => (float[n,3] y) <uint8[3,1,16] q = {...}, float[3,1] s = {1,1,1}, uint8[3,1] z = {...}> {
   y = com.microsoft.MatMulNBits <K = 32, N = 3, bits = 4, block_size = 32> (x, q, s, z)
}
"""
    )
    assert main(["summary", str(path), "--output-format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parameters"]["total"] == 96
    assert found["parameter_bytes"]["total"] == 3 * 16 + 12 + 3
