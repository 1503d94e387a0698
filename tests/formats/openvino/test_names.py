"""Names that meet: version 10 makes tensor names of layer names and refuses two of a kind; version 11 does not."""

from __future__ import annotations

import pytest

from irlint import engine

Layer = tuple[str, str, str, int]  # name, type, tensor names, how many inputs
A: Layer = ("a", "Parameter", "", 0)
B: Layer = ("b", "Parameter", "", 0)
CHAIN = [(0, 0, 1, 0), (1, 1, 2, 0)]
FORK = [*CHAIN, (1, 1, 3, 0)]
PAIR = [(0, 0, 2, 0), (1, 0, 3, 0), (2, 1, 4, 0), (3, 1, 5, 0)]


def relu(name: str, names: str = "") -> Layer:
    return name, "ReLU", names, 1


def result(name: str) -> Layer:
    return name, "Result", "", 1


def net(layers: list[Layer], edges: list[tuple[int, int, int, int]], version: int) -> str:
    lines = [f'<net name="m" version="{version}">', "<layers>"]
    for k, (name, type_, names, inputs) in enumerate(layers):
        data = '<data shape="1" element_type="f32"/>' if type_ == "Parameter" else ""
        taken = f"<input>{''.join(_port(i) for i in range(inputs))}</input>" if inputs else ""
        given = f"<output>{_port(inputs, names)}</output>" if type_ != "Result" else ""
        lines.append(f'<layer id="{k}" name="{name}" type="{type_}" version="opset1">{data}{taken}{given}</layer>')
    lines += ["</layers>", "<edges>"]
    lines += [f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges]
    return "\n".join([*lines, "</edges>", "</net>"])


def _port(number: int, names: str = "") -> str:
    return f'<port id="{number}" precision="FP32"' + (f' names="{names}"' if names else "") + "><dim>1</dim></port>"


# What OpenVINO 2026.4.1 refuses, and what it takes.
@pytest.mark.parametrize(
    ("layers", "edges", "refused"),
    [
        ([A, relu("u"), result("r"), result("s")], FORK, False),
        ([A, relu("u", "x"), result("r"), result("s")], FORK, True),
        ([A, relu("u", "x"), result("r")], CHAIN, False),
        ([A, relu("u", "u"), result("r")], CHAIN, False),
        ([("a", "Parameter", "x", 0), result("r")], [(0, 0, 1, 0)], True),
        ([A, result("r")], [(0, 0, 1, 0)], False),
        ([A, relu("u", "a"), result("r")], CHAIN, True),
        ([("a", "Parameter", "u", 0), relu("u"), result("r")], CHAIN, True),
        ([A, A, relu("u"), relu("w"), result("r"), result("s")], PAIR, True),
        ([A, B, relu("u"), relu("u"), result("r"), result("s")], PAIR, True),
        ([A, B, relu("u"), relu("w", "u"), result("r"), result("s")], PAIR, True),
        ([A, B, relu("u", "x"), relu("w", "x"), result("r"), result("s")], PAIR, False),
        ([A, B, relu("u"), relu("w"), result("a"), result("a")], PAIR, False),
    ],
)
def test_names_of_version_10(layers: list[Layer], edges: list[tuple[int, int, int, int]], refused: bool) -> None:
    errors = {
        v: [f.code for f in engine.lint(net(layers, edges, v), "m.xml").findings if str(f.severity) == "error"]
        for v in (10, 11)
    }
    assert errors == {10: ["G003"] if refused else [], 11: []}
