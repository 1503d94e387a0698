"""irlint run --as fp16 and --ranges; --target precision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rule_cases import precision as models

from irlint.cli import main

EXP = models.net(
    "float[1,4] x",
    "float[1,4] y",
    "float shift = {1.0}",
    "[grow] e = Exp (x)",
    "total = ReduceSum (e)",
    "[divide] y = Div (e, total)",
)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["run", *words])
    return code, capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, text = run(capsys, *words, "--output-format", "json")
    return code, json.loads(text)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnxtxt"
    path.write_text(EXP)
    np.savez(tmp_path / "large.npz", x=np.array([[1, 2, 3, 14]], np.float32))
    np.savez(tmp_path / "small.npz", x=np.array([[1, 2, 3, 4]], np.float32))
    return path


def test_a_run_in_float16_names_what_overflows(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = data(capsys, str(model), "--as", "fp16", "--input", str(tmp_path / "large.npz"))
    assert code == 1
    assert not found["outputs_agree"]
    assert found["comparison"]["first_divergence"] == "y"
    assert [(one["node"], round(one["largest"])) for one in found["overflows"]] == [("grow", 1202604)]
    code, found = data(capsys, str(model), "--as", "fp16", "--input", str(tmp_path / "small.npz"))
    assert (code, found["outputs_agree"], found["overflows"]) == (0, True, [])
    assert found["comparison"]["rtol"] == 0.01
    code, found = data(capsys, str(model), "--as", "bf16", "--input", str(tmp_path / "large.npz"))
    assert (code, found["outputs_agree"], found["comparison"]["rtol"]) == (0, True, 0.05)


def test_the_text_says_it_too(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, str(model), "--as", "fp16", "--input", str(tmp_path / "large.npz"))
    assert code == 1
    assert "against a run without rounding:" in text
    assert "Exp 'grow' overflows float16: up to 1.2e+06 without rounding" in text


def test_results_are_those_of_numpy_in_float16(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.onnxtxt"
    constants = "float k = {0.1}"
    path.write_text(models.net("float[4] x", "float[4] y", constants, "a = Mul (x, k)", "y = Add (a, x)"))
    x = np.array([0.1, 1 / 3, 1000.7, 1e-6], np.float32)
    np.savez(tmp_path / "x.npz", x=x)
    out = tmp_path / "out.npz"
    words = ("--input", str(tmp_path / "x.npz"), "--output", str(out))
    assert run(capsys, str(path), "--as", "fp16", "--rtol", "1", *words)[0] == 0
    half = x.astype(np.float16)
    np.testing.assert_array_equal(np.load(out)["y"], half * np.float16(0.1) + half)


@pytest.mark.parametrize(
    ("far", "agrees"), [(models.selected("-1e9"), True), (models.multiplied("-9.99e11"), False)], ids=["where", "mul"]
)
def test_a_mask_matters_where_it_becomes_nan(
    far: str, agrees: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnxtxt"
    path.write_text(far)
    np.savez(tmp_path / "x.npz", x=np.zeros((1, 4), np.float32), mask=np.array([[1, 1, 1, 0]]).astype("?f"[not agrees]))
    code, found = data(capsys, str(path), "--as", "fp16", "--input", str(tmp_path / "x.npz"))
    assert (code == 0, found["outputs_agree"]) == (agrees, agrees)


def test_ranges_over_samples(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = data(capsys, str(model), "--ranges", "--samples", str(tmp_path))
    values = {one["name"]: one for one in found["values"]}
    assert (code, found["runs"]) == (0, 2)
    assert (values["x"]["min"], values["x"]["max"], values["x"]["elements"]) == (1, 14, 8)
    assert (values["e"]["overflow_float16"], values["total"]["overflow_float16"]) == (1, 1)
    assert values["y"]["overflow_float16"] == 0
    _, text = run(capsys, str(model), "--ranges", "--input", str(tmp_path / "large.npz"))
    assert "2 of them overflow float16" in text
    assert "25.0 % beyond 65504: infinite in float16" in text


def test_saturated_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.onnxtxt"
    constants = "float s = {0.01}, int8 z = {0}"
    path.write_text(models.net("float[4] x", "int8[4] y", constants, "y = QuantizeLinear (x, s, z)"))
    np.savez(tmp_path / "x.npz", x=np.array([0, 1, 5, -5], np.float32))
    _, found = data(capsys, str(path), "--ranges", "--samples", str(tmp_path))
    assert [one["saturated"] for one in found["values"] if one["name"] == "y"] == [2]


def test_ranges_as_node_data_of_the_graph(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nodes, page = tmp_path / "ranges.json", tmp_path / "page.html"
    run(capsys, str(model), "--ranges", "--input", str(tmp_path / "large.npz"), "--node-data", str(nodes))
    ((graph, said),) = json.loads(nodes.read_text()).items()
    assert graph == "net"
    assert round(said["results"]["grow"]["value"]) == 1202604
    assert main(["graph", str(model), "--overlay", str(nodes), "-o", str(page)]) == 0
    assert "largest magnitude" in page.read_text()
    assert "does not show" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as", "fp16", "--ranges"), "--as cannot be used with --ranges"),
        (("--as", "fp16", "--steps", "2"), "--as cannot be used with --steps"),
        (("--samples", "."), "--samples has no effect without --ranges"),
        (("--ranges", "--samples", "nowhere"), "--samples nowhere: no such folder"),
    ],
)
def test_what_does_not_go_together(
    words: tuple[str, ...], said: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(model), *words]) == 2
    assert said in capsys.readouterr().err


def test_as_still_names_a_format(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = data(capsys, str(model), "--as", "onnx:text", "--as", "fp16", "--seed", "1")
    assert (code, found["dialect"], found["rounded_to"]) == (0, "text", "float16")


@pytest.mark.parametrize("version", ["fp15", "16"])
def test_unknown_precisions(version: str, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(model), "--target", f"precision={version}"]) == 2
    assert "expected one of fp16, bf16, int8" in capsys.readouterr().err


def test_the_precision_of_the_configuration(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "irlint.yaml").write_text("targets: {precision: fp16}\n")
    bad = tmp_path / "bad.onnxtxt"
    bad.write_text(models.multiplied("-1e9"))
    main(["check", str(bad), "--config", str(tmp_path / "irlint.yaml")])
    assert "C010[constant-overflows]" in capsys.readouterr().out


def test_an_ir_runs_in_float16(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.xml"
    path.write_text(models.layers("Multiply", "f32", "FP32", 4))
    (tmp_path / "m.bin").write_bytes(np.float32(1e6).tobytes())
    code, found = data(capsys, str(path), "--as", "fp16")
    assert (code, found["comparison"]["first_divergence"]) == (1, "changed")


def test_nested_graphs_are_rounded_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.onnxtxt"
    body = "then_branch = a () => (float[1] t) <float k = {1e6}> { t = Mul (x, k) }"
    other = "else_branch = b () => (float[1] f) { f = Identity (x) }"
    path.write_text(
        models.net("float[1] x, bool c", "float[1] y", "", f"y = If (c) <{body}, {other}>").replace(" <>", "")
    )
    np.savez(tmp_path / "x.npz", x=np.ones(1, np.float32), c=np.bool_(True))
    code, found = data(capsys, str(path), "--as", "fp16", "--input", str(tmp_path / "x.npz"))
    assert (code, found["outputs_agree"]) == (1, False)
