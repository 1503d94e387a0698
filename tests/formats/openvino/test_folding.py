"""Values that OpenVINO computes when it reads a model, so that shapes depend on them."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from irlint import engine

from .test_port_maps import ITERATOR, LOOP, graph, layer, net, parameter


def const(number: int, values: list[int], offset: int, shape: str = "") -> str:
    data = f'<data element_type="i64" shape="{shape or len(values)}" offset="{offset}" size="{8 * len(values)}"/>'
    return layer(number, "Const", data, "", f"I64:{shape or len(values)}")


def through(type_: str, data: str, operands: list[list[int]], wanted: list[int]) -> tuple[str, bytes]:
    """A Reshape whose target comes out of an operation on constants, and declares `wanted`."""
    layers, edges, weights = [parameter(0, "2,3")], [], b""
    for k, values in enumerate(operands):
        layers.append(const(1 + k, values, len(weights)))
        weights += struct.pack(f"<{len(values)}q", *values)
        edges.append(f"{1 + k} 0 7 {k}")
    dims, count = ",".join(map(str, wanted)), len(operands)
    sizes = " ".join(f"I64:{len(values)}" for values in operands)
    made = layer(7, type_, data, sizes, f"I64:{len(wanted)}")
    layers.append(
        made.replace(
            'version="opset1"', f'version="{"opset3" if "Scatter" in type_ or type_ == "CumSum" else "opset1"}"'
        )
    )
    layers.append(layer(8, "Reshape", '<data special_zero="false"/>', f"FP32:2,3 I64:{len(wanted)}", f"FP32:{dims}"))
    layers.append(layer(9, "Result", inputs=f"FP32:{dims}"))
    edges += ["0 0 8 0", f"7 {count} 8 1", "8 2 9 0"]
    return net(graph(layers, *edges)), weights


CASES = [
    ("ScatterElementsUpdate", "", [[9, 3], [0], [2], [0]], [2, 3]),
    ("ScatterElementsUpdate", "", [[2, 9], [-1], [3], [0]], [2, 3]),
    ("Reverse", '<data mode="index"/>', [[3, 2], [0]], [2, 3]),
    ("ReduceSum", '<data keep_dims="true"/>', [[2, 4], [0]], [6]),
    ("ReduceProd", '<data keep_dims="true"/>', [[2, 3], [0]], [6]),
]


@pytest.mark.parametrize(("type_", "data", "operands", "wanted"), CASES)
def test_a_shape_follows_from_a_computed_value(
    type_: str, data: str, operands: list[list[int]], wanted: list[int], tmp_path: Path
) -> None:
    """Right, there is no finding; with another constant the shape does not go with the data."""
    text, weights = through(type_, data, operands, wanted)
    path = tmp_path / "model.xml"
    path.write_text(text)

    def found(constants: bytes) -> list[str]:
        path.with_suffix(".bin").write_bytes(constants)
        return [f.code for f in engine.lint(text, path.name, path=path).findings if f.code.startswith("D")]

    assert found(weights) == []
    last = 8 * (len(operands[0]) - 1)
    if type_ == "ScatterElementsUpdate":
        last = 8 * (len(operands[0]) + 1)  # the update
    wrong = weights[:last] + struct.pack("<q", 7) + weights[last + 8 :]
    assert found(wrong) != []


def codes(text: str) -> list[str]:
    return [f.code for f in engine.lint(text, "model.xml").findings if f.severity.name == "ERROR" and f.code != "W001"]


@pytest.mark.parametrize("number", [0, 1])
def test_bodies_have_the_types_that_they_declare(number: int) -> None:
    """OpenVINO 2026.4.1 converts what feeds a Parameter of a body: sliced, carried or as it is."""
    shape = ("1,4,3", "1,1,3")[number]
    port = "".join(f"<dim>{n}</dim>" for n in shape.split(","))
    at = ITERATOR.index(f'<layer id="{number}" name="parameter{number}"')
    new = ITERATOR[:at] + ITERATOR[at:].replace('element_type="f32"', 'element_type="i32"', 1).replace(
        'precision="FP32"', 'precision="I32"', 1
    )
    new = new.replace(
        f'<port id="{number}" precision="FP32">{port}</port>\n', f'<port id="{number}" precision="I32">{port}</port>\n'
    )
    assert new.count("I32") >= 1
    assert codes(new) == []


def test_a_back_edge_to_a_sliced_parameter_is_a_warning() -> None:
    text = ITERATOR.replace('from-layer="4" to-layer="1"', 'from-layer="4" to-layer="0"')
    assert codes(text) == []
    assert codes(LOOP) == []
