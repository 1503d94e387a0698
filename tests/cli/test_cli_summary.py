"""`irlint summary` of IRs: states, element types of weights, metadata, open shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from irlint.cli import main
from tests.formats.openvino import tiny
from tests.formats.openvino.tiny import call, const, parameter


def told(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["summary", str(path), *words]) == 0
    return capsys.readouterr().out


def data(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(told(path, capsys, "--output-format", "json", *words))
    return found


def cached(folder: Path) -> Path:
    """A cache of two heads of four numbers, that grows by what comes in."""
    path = tiny.write(
        folder / "cache.xml",
        parameter("x", "?,2,?,4"),
        parameter("none", "1,2,0,4"),
        call("past", "opset6.ReadValue", "none", variable_id="past.0", variable_type="f32", variable_shape="?,2,?,4"),
        call("all", "opset1.Concat", "past", "x", axis=2),
        call("keep", "opset6.Assign", "all", variable_id="past.0"),
        call("y", "opset1.MatMul", "x", "all", transpose_a="false", transpose_b="true"),
    )
    info = '</edges>\n<rt_info><Runtime_version value="2026.4"/><nncf><weight_compression><mode value="int4_sym"/>'
    text = path.read_text().replace("</edges>", f"{info}</weight_compression></nncf></rt_info>")
    path.write_text(text)
    return path


def test_states_and_the_bytes_of_a_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cached(tmp_path)
    assert "states: 1, KV cache: 1 state, 32 B per token as float32\n  past.0 float32 [?, 2, ?, 4]" in told(
        path, capsys
    )
    (state,) = data(path, capsys)["states"]
    assert (state["name"], state["bytes_per_token"]) == ("past.0", 2 * 4 * 4)


def test_metadata(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cached(tmp_path)
    assert "nncf: weight_compression.mode=int4_sym" in told(path, capsys)
    assert data(path, capsys)["metadata"]["nncf"] == {"weight_compression.mode": "int4_sym"}


def test_no_operations_where_most_are_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = cached(tmp_path)
    assert data(path, capsys)["flops"] is None
    assert "FLOPs       unknown: the shapes of 1 operator are open (1 MatMul); set those of inputs: --input x=" in told(
        path, capsys
    )
    assert data(path, capsys)["unknown_operators"] == {"MatMul": 1}
    assert data(path, capsys, "--input", "x=1,2,3,4")["flops"] == 2 * (2 * 3 * 3) * 4


def test_operators_of_unknown_cost_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.onnxtxt"
    nodes = "a = Relu (x) b = Relu (a) c = Relu (b) y = my.Own (c)"
    path.write_text(
        f'<ir_version: 8, opset_import: ["" : 17, "my" : 1]> g (float[2,3] x) => (float[2,3] y) {{ {nodes} }}'
    )
    assert "FLOPs       at least 18, without 1 operator of unknown cost (1 Own)\n" in told(path, capsys)


def test_an_input_that_the_model_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(cached(tmp_path)), "--input", "z=1"]) == 2
    assert "unknown input 'z'; the inputs are 'x', 'none'" in capsys.readouterr().err
    assert main(["summary", str(cached(tmp_path)), "--input", "non=1"]) == 2
    assert capsys.readouterr().err.endswith("unknown input 'non'; did you mean 'none'?\n")
    assert main(["summary", str(cached(tmp_path)), "--input", "1,2"]) == 2
    assert "expected NAME=VALUE with the name of an input" in capsys.readouterr().err


def test_the_mix_of_element_types(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tiny.write(
        tmp_path / "mix.xml",
        parameter("x", "8"),
        const("bytes", *range(6), shape="6", kind="u8"),
        const("floats", 1, 2, kind="f32"),
        call("wide", "opset1.Convert", "bytes", destination_type="f32"),
        call("both", "opset1.Concat", "wide", "floats", axis=0),
        call("y", "opset1.Add", "x", "both", auto_broadcast="numpy"),
    )
    assert "types       uint8 75.0 %, float32 25.0 %" in told(path, capsys)
    assert data(path, capsys)["parameter_types"]["uint8"] == {"tensors": 1, "unknown": 0, "total": 6}


def test_states_are_sorted_by_their_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layers = [tiny.parameter("x", "2")]
    last = "x"
    for number in (10, 2, 1):
        read = tiny.call(
            f"r{number}",
            "opset6.ReadValue",
            "x",
            variable_id=f"past.{number}.key",
            variable_type="f32",
            variable_shape="2",
        )
        layers += [read, tiny.call(f"a{number}", "opset1.Add", last, f"r{number}")]
        last = f"a{number}"
    layers.insert(-1, tiny.call("w", "opset6.Assign", "x", variable_id="past.1.key"))
    names = [state["name"] for state in data(tiny.write(tmp_path / "m.xml", *layers), capsys)["states"]]
    assert names == ["past.1.key", "past.2.key", "past.10.key"]
