"""If of OpenVINO with a scalar in one branch and a list in the other: a list, as OpenVINO 2026.4.1 has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from irlint.api import load, run

PORT = '<port id="{}" precision="FP32">{}</port>'


def branch(shape: str) -> str:
    """A graph that outputs its only input."""
    dims = "".join(f"<dim>{n}</dim>" for n in shape.split(",") if n)
    return (
        f'<layers><layer id="0" name="p" type="Parameter" version="opset1"><data shape="{shape}" element_type="f32"/>'
        f"<output>{PORT.format(0, dims)}</output></layer>"
        f'<layer id="1" name="q" type="Result" version="opset1"><input>{PORT.format(0, dims)}</input></layer></layers>'
        '<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>'
    )


def net() -> str:
    given = [("c", "", "boolean", "BOOL"), ("p", "", "f32", "FP32"), ("q", "3", "f32", "FP32")]
    layers = "".join(
        f'<layer id="{k}" name="{name}" type="Parameter" version="opset1"><data shape="{shape}" element_type="{kind}"/>'
        f'<output><port id="0" precision="{word}" names="{name}">{"<dim>3</dim>" if shape else ""}</port></output></layer>'
        for k, (name, shape, kind, word) in enumerate(given)
    )
    maps = (
        '<{0}_port_map><input external_port_id="{1}" internal_layer_id="0"/>'
        '<output external_port_id="3" internal_layer_id="1"/></{0}_port_map>'
    )
    open_port = PORT.format(3, "<dim>-1</dim>")
    layers += (
        '<layer id="3" name="y" type="If" version="opset8"><input><port id="0" precision="BOOL"/>'
        f"{PORT.format(1, '')}{PORT.format(2, '<dim>3</dim>')}</input><output>{open_port}</output>"
        f"{maps.format('then', 1)}{maps.format('else', 2)}"
        f"<then_body>{branch('')}</then_body><else_body>{branch('3')}</else_body></layer>"
        f'<layer id="4" name="r" type="Result" version="opset1"><input>{PORT.format(0, "<dim>-1</dim>")}</input></layer>'
    )
    edges = "".join(f'<edge from-layer="{k}" from-port="0" to-layer="3" to-port="{k}"/>' for k in range(3))
    edges += '<edge from-layer="3" from-port="3" to-layer="4" to-port="0"/>'
    return f'<?xml version="1.0"?><net name="m" version="11"><layers>{layers}</layers><edges>{edges}</edges></net>'


@pytest.mark.parametrize(("condition", "expected"), [(True, [2.0]), (False, [1.0, -2.0, 3.0])])
def test_a_scalar_or_a_list(tmp_path: Path, condition: bool, expected: list[float]) -> None:
    path = tmp_path / "m.xml"
    path.write_text(net())
    assert not [finding for finding in load(path).findings if finding.code.startswith("D")]
    given = {"c": np.array(condition), "p": np.array(2, np.float32), "q": np.array([1, -2, 3], np.float32)}
    (found,) = run(path, given).values()
    assert found.tolist() == expected
