"""If, Loop and TensorIterator of OpenVINO against Python's own if and for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint.api import infer, load, run

Port = tuple[str, list[int]]
FLOAT: Port = ("FP32", [1, 1, 3])
KINDS = {"FP32": "f32", "I64": "i64", "BOOL": "boolean"}


def layer(
    number: int, kind: str, ins: list[Port], outs: list[Port], data: str = "", inside: str = "", opset: str = "opset1"
) -> str:
    def ports(tag: str, listed: list[Port], first: int) -> str:
        rows = "".join(
            f'<port id="{first + k}" precision="{precision}">{"".join(f"<dim>{n}</dim>" for n in shape)}</port>'
            for k, (precision, shape) in enumerate(listed)
        )
        return f"<{tag}>{rows}</{tag}>" if listed else ""

    data = f"<data {data}/>" if data else ""
    body = f"{data}{ports('input', ins, 0)}{ports('output', outs, len(ins))}{inside}"
    return f'<layer id="{number}" name="{kind.lower()}{number}" type="{kind}" version="{opset}">{body}</layer>\n'


def parameter(number: int, port: Port) -> str:
    shape = ",".join(map(str, port[1]))
    return layer(number, "Parameter", [], [port], f'shape="{shape}" element_type="{KINDS[port[0]]}"')


def graph(layers: list[str], edges: list[tuple[int, int, int, int]]) -> str:
    rows = "".join(f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges)
    return f"<layers>{''.join(layers)}</layers><edges>{rows}</edges>"


def written(folder: Path, ports: list[Port], node: str, count: int) -> Path:
    """A model of one node behind a Parameter for each of its inputs; each output is a Result."""
    own = len(ports)
    layers = [parameter(k, port) for k, port in enumerate(ports)] + [node]
    layers += [layer(own + 1 + k, "Result", [FLOAT], []) for k in range(count)]
    edges = [(k, 0, own, k) for k in range(own)] + [(own, own + k, own + 1 + k, 0) for k in range(count)]
    path = folder / "model.xml"
    path.write_text(f'<?xml version="1.0"?>\n<net name="nested" version="11">{graph(layers, edges)}<rt_info/></net>\n')
    return path


def shapes_of(path: Path, results: dict[str, Any]) -> None:
    """What shapes say beforehand is what came out."""
    read = load(path).graph
    types = infer(read)
    for array, (source, output) in zip(results.values(), read.outputs, strict=True):
        said = types[read.nodes[source].name][output].shape
        assert said is None or [n for n in said if isinstance(n, int)] == [
            n for n, dim in zip(array.shape, said, strict=True) if isinstance(dim, int)
        ]


def step(target: int) -> list[str]:
    """Layers 2 to 3: state (layer 1) times the input (layer 0), and the input added."""
    return [layer(target, "Multiply", [FLOAT, FLOAT], [FLOAT]), layer(target + 1, "Add", [FLOAT, FLOAT], [FLOAT])]


@pytest.mark.parametrize("back", [False, True])
def test_an_iterator_takes_a_piece_at_a_time(tmp_path: Path, back: bool) -> None:
    turns = 4
    cut = (
        'axis="1" start="-1" end="0" stride="-1" part_size="1"'
        if back
        else 'axis="1" start="0" end="-1" stride="1" part_size="1"'
    )
    body = graph(
        [
            parameter(0, FLOAT),
            parameter(1, FLOAT),
            *step(2),
            layer(4, "Result", [FLOAT], []),
            layer(5, "Result", [FLOAT], []),
        ],
        [(1, 0, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0), (0, 0, 3, 1), (3, 2, 4, 0), (3, 2, 5, 0)],
    )
    inside = (
        f'<port_map><input external_port_id="0" internal_layer_id="0" {cut}/><input external_port_id="1" internal_layer_id="1"/>'
        f'<output external_port_id="2" internal_layer_id="4" {cut}/><output external_port_id="3" internal_layer_id="5"/></port_map>'
        f'<back_edges><edge from-layer="5" to-layer="1"/></back_edges><body>{body}</body>'
    )
    whole: Port = ("FP32", [1, turns, 3])
    node = layer(2, "TensorIterator", [whole, FLOAT], [whole, FLOAT], inside=inside)
    path = written(tmp_path, [whole, FLOAT], node, 2)
    random = np.random.default_rng(0)
    x, state = random.standard_normal((1, turns, 3), np.float32), random.standard_normal((1, 1, 3), np.float32)
    found = run(path, {"parameter0": x, "parameter1": state})
    expected = np.zeros_like(x)
    for k in reversed(range(turns)) if back else range(turns):
        state = state * x[:, k : k + 1] + x[:, k : k + 1]
        expected[:, k : k + 1] = state
    for array, wanted in zip(found.values(), (expected, state), strict=True):
        np.testing.assert_allclose(array, wanted, 1e-5)
    shapes_of(path, found)


@pytest.mark.parametrize(
    ("trips", "going", "limit"), [(5, True, 1e9), (5, True, 2.0), (-1, True, 9.0), (5, False, 1e9), (0, True, 1e9)]
)
def test_a_loop_goes_on_as_long_as_it_is_told_to(tmp_path: Path, trips: int, going: bool, limit: float) -> None:
    """The state grows by the input each time, until it reaches the limit, or there were turns enough."""
    number, truth, one = ("I64", []), ("BOOL", []), ("FP32", [1])
    layers = [
        parameter(0, one),
        parameter(1, one),
        parameter(2, one),
        layer(3, "Add", [one, one], [one]),
        layer(4, "Less", [one, one], [("BOOL", [1])]),
    ]
    layers += [layer(5, "Result", [one], []), layer(6, "Result", [("BOOL", [1])], []), layer(7, "Result", [one], [])]
    body = graph(
        layers, [(0, 0, 3, 0), (1, 0, 3, 1), (3, 2, 4, 0), (2, 0, 4, 1), (3, 2, 5, 0), (4, 2, 6, 0), (3, 2, 7, 0)]
    )
    inside = (
        '<port_map><input external_port_id="2" internal_layer_id="0"/><input external_port_id="3" internal_layer_id="1"/>'
        '<input external_port_id="4" internal_layer_id="2"/><output external_port_id="5" internal_layer_id="5"/>'
        '<output external_port_id="6" internal_layer_id="7" axis="0"/>'
        '<output external_port_id="-1" internal_layer_id="6" purpose="execution_condition"/></port_map>'
        f'<back_edges><edge from-layer="5" to-layer="0"/></back_edges><body>{body}</body>'
    )
    node = layer(5, "Loop", [number, truth, one, one, one], [one, ("FP32", [-1])], inside=inside, opset="opset5")
    path = written(tmp_path, [number, truth, one, one, one], node, 2)
    values = [np.array(trips), np.array(going), *(np.array([x], np.float32) for x in (0.5, 0.75, limit))]
    found = run(path, {f"parameter{k}": value for k, value in enumerate(values)})
    state, states, turn = 0.5, [], 0
    while going and (trips < 0 or turn < trips):
        state, turn = state + 0.75, turn + 1
        states.append(state)
        going = state < limit
    last, all_of_them = found.values()
    np.testing.assert_allclose(last, [state])
    if states:
        np.testing.assert_allclose(all_of_them, states)
    shapes_of(path, {"last": last, "states": all_of_them})


@pytest.mark.parametrize("truth", [True, False])
def test_one_of_two_graphs_is_taken(tmp_path: Path, truth: bool) -> None:
    def branch(kind: str) -> str:
        layers = [parameter(0, FLOAT), layer(1, kind, [FLOAT], [FLOAT]), layer(2, "Result", [FLOAT], [])]
        return graph(layers, [(0, 0, 1, 0), (1, 1, 2, 0)])

    ways = '<input external_port_id="1" internal_layer_id="0"/><output external_port_id="2" internal_layer_id="2"/>'
    inside = (
        f"<then_port_map>{ways}</then_port_map><else_port_map>{ways}</else_port_map>"
        f"<then_body>{branch('Exp')}</then_body><else_body>{branch('Negative')}</else_body>"
    )
    node = layer(2, "If", [("BOOL", []), FLOAT], [FLOAT], inside=inside, opset="opset8")
    path = written(tmp_path, [("BOOL", []), FLOAT], node, 1)
    x = np.random.default_rng(0).standard_normal((1, 1, 3), np.float32)
    found = run(path, {"parameter0": np.array(truth), "parameter1": x})
    np.testing.assert_allclose(next(iter(found.values())), np.exp(x) if truth else -x, 1e-6)
    shapes_of(path, found)
