"""Outputs of one model or both by the runtime of its format: a stand-in for onnxruntime that computes what the test says."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from irlint.cli import main
from tests.lsp.binaries import binary

MODEL = (
    '<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>\ng (float[3,4] x) => (float[3,4] y) { y = %s (x) }\n'
)


class Session:
    """A session that knows the input `x` and outputs `y`, by a function of the test."""

    compute: Any = None

    def __init__(self, path: str, options: Any, providers: list[str]) -> None:
        assert Path(path).is_file()
        assert providers == ["CPUExecutionProvider"]

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name="x")]

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name="y")]

    def run(self, names: list[str], fed: dict[str, Any]) -> list[Any]:
        return [type(self).compute(fed["x"])]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    stand_in = SimpleNamespace(InferenceSession=Session, SessionOptions=SimpleNamespace, __version__="1.0")
    monkeypatch.setitem(sys.modules, "onnxruntime", stand_in)
    paths = [tmp_path / "a.onnx", tmp_path / "b.onnx", tmp_path / "c.onnx"]
    for path, op in zip(paths, ("Sin", "Sin", "com.microsoft.SampleOp"), strict=True):
        path.write_bytes(binary(MODEL % op))
    return list(map(str, paths))


@pytest.mark.parametrize("which", ["a", "b", "both"])
def test_a_runtime_that_agrees(which: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Session.compute = np.sin
    assert main(["prove", *files[:2], "--runtime", which]) == 0
    out = capsys.readouterr().out
    assert out.startswith("same: ")
    letters = {"both": "A by onnxruntime 1.0 and of B"}.get(which, which.upper())
    assert f"  outputs of {letters} by onnxruntime 1.0 (limit 0.001); in NumPy they agree" in out


def test_rounding_adds_up_in_a_whole_run(files: list[str]) -> None:
    Session.compute = lambda x: np.sin(x) * np.float32(1.0005)
    assert main(["prove", *files[:2], "--runtime", "b"]) == 0


def test_a_runtime_that_computes_something_else(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Session.compute = np.cos
    assert main(["prove", *files[:2], "--runtime", "b", "--output-format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["same"], found["agree_in_numpy"], found["first"]) == (False, True, None)
    assert found["runtimes"] == {"B": "onnxruntime 1.0"}


def test_a_runtime_that_refuses_the_file(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(x: Any) -> Any:
        raise RuntimeError("no such provider\nmore")

    Session.compute = refuse
    assert main(["prove", *files[:2], "--runtime", "b"]) == 4
    assert capsys.readouterr().err.endswith("b.onnx: no such provider\n")


def test_a_runtime_that_is_not_installed(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert main(["prove", *files[:2], "--runtime", "a"]) == 2
    assert "pip install onnxruntime" in capsys.readouterr().err


def test_a_format_without_a_runtime(tmp_path: Path, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    param = tmp_path / "m.param"
    param.write_text("7767517\n2 2\nInput x 0 1 x 0=4 1=3\nUnaryOp y 1 1 x y 0=9\n")
    assert main(["prove", files[0], str(param), "--runtime", "b"]) == 2
    assert "knows no runtime of ncnn" in capsys.readouterr().err


def test_operators_that_only_the_runtime_knows(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Session.compute = np.sin
    assert main(["prove", files[0], files[2]]) == 4
    capsys.readouterr()
    assert main(["prove", files[0], files[2], "--runtime", "b"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "same: 1 output agrees",
        "  outputs of B by onnxruntime 1.0 (limit 0.001); irlint cannot run both, so only outputs are compared",
    ]
    assert main(["prove", files[2], files[0], "--runtime", "a"]) == 0
    Session.compute = np.cos
    assert main(["prove", files[0], files[2], "--runtime", "b"]) == 1
    Session.compute = lambda x: x * 0
    assert main(["prove", files[2], files[2], "--runtime", "both"]) == 1
    assert capsys.readouterr().out.splitlines()[-3].startswith("cannot tell: ")
