"""Planes of brightness and colour as images: what OpenVINO's CPU plug-in makes of bytes, it rounds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from tests.formats.openvino.models import model

OPERATORS = ["NV12toRGB", "NV12toBGR", "I420toRGB", "I420toBGR"]
Y = np.array([[0, 100], [200, 16]], np.uint8).reshape(1, 2, 2, 1)
U, V = np.full((1, 1, 1, 1), 90, np.uint8), np.full((1, 1, 1, 1), 150, np.uint8)
# measured with OpenVINO 2026.4.1; brightness below 16 counts as negative
RGB = [[[16, 0, 0], [133, 95, 21]], [[249, 211, 137], [35, 0, 0]]]


def planes(name: str) -> list[Any]:
    return [Y, np.concatenate([U, V], -1)] if name.startswith("NV12") else [Y, U, V]


def text(name: str, dtype: str = "U8") -> str:
    """A model of one operator, with planes of the sizes above."""
    made = model("opset8.NV12toRGB").text
    layers, ports, edges = [], [], []
    arrays = planes(name)
    for k, array in enumerate(arrays):
        dims = "".join(f"<dim>{n}</dim>" for n in array.shape)
        shape = ",".join(map(str, array.shape))
        port = f'<port id="0" precision="{dtype}">{dims}</port>'
        kind = {"U8": "u8", "FP32": "f32"}[dtype]
        layers.append(
            f'<layer id="{k}" name="in{k}" type="Parameter" version="opset1"><data shape="{shape}" element_type="{kind}"/>'
            f"<output>{port}</output></layer>"
        )
        ports.append(port.replace('id="0"', f'id="{k}"'))
        edges.append(f'<edge from-layer="{k}" from-port="0" to-layer="9" to-port="{k}"/>')
    out = f'<port id="9" precision="{dtype}"><dim>1</dim><dim>2</dim><dim>2</dim><dim>3</dim></port>'
    layers.append(
        f'<layer id="9" name="op" type="{name}" version="opset8"><input>{"".join(ports)}</input><output>{out}</output></layer>'
        f'<layer id="10" name="out" type="Result" version="opset1"><input>{out.replace("9", "0", 1)}</input></layer>'
    )
    edges.append('<edge from-layer="9" from-port="9" to-layer="10" to-port="0"/>')
    head = made[: made.index("<layers>")]
    return f"{head}<layers>{''.join(layers)}</layers><edges>{''.join(edges)}</edges></net>"


def computed(name: str, dtype: str = "U8") -> Any:
    arrays = [a if dtype == "U8" else a.astype(np.float32) for a in planes(name)]
    (found,) = irlint.run(text(name, dtype).encode(), {f"in{k}": a for k, a in enumerate(arrays)}).values()
    return found


@pytest.mark.parametrize("name", OPERATORS)
def test_bytes_are_rounded(name: str) -> None:
    wanted = np.array(RGB)
    np.testing.assert_array_equal(computed(name)[0], wanted if name.endswith("RGB") else wanted[..., ::-1])


@pytest.mark.parametrize("dtype", ["U8", "FP32"])
@pytest.mark.parametrize("name", OPERATORS)
def test_as_openvino_computes(name: str, dtype: str, tmp_path: Path) -> None:
    python = os.environ.get("IRLINT_OPENVINO_PYTHON")
    if not python:
        pytest.skip("IRLINT_OPENVINO_PYTHON names no Python with openvino")
    (tmp_path / "0.xml").write_text(text(name, dtype))
    arrays = [a if dtype == "U8" else a.astype(np.float32) for a in planes(name)]
    np.savez(tmp_path / "0.npz", **{f"in{k}": a for k, a in enumerate(arrays)})
    worker = Path(__file__).with_name("openvino_worker.py")
    subprocess.run([python, str(worker), str(tmp_path)], check=True, timeout=120)
    (wanted,) = np.load(tmp_path / "0.out.npz").values()
    np.testing.assert_allclose(computed(name, dtype), wanted, atol=1e-3 if dtype == "FP32" else 0)
