"""irlint targets: releases that load a model, those that refuse it and why, and what repairs it; in a terminal, as JSON and as a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from irlint.cli.dispatch import guarded

ONE = '<ir_version: 8, opset_import: ["" : 20]>\nnet (float[2,3] x) => (float[2,3] y) { y = Relu (x) }\n'
DOUBLE = (
    '<ir_version: 8, opset_import: ["" : 17]>\n'
    "net (double[1,3,8,8] x, double[4,3,3,3] w) => (double[1,4,6,6] z) { [conv] y = Conv (x, w) z = Neg (y) }\n"
)


def lines(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    status = guarded(["targets", *words])
    return status, capsys.readouterr().out


def written(folder: Path, text: str, name: str = "net.onnxtxt") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_a_version_that_is_too_new_is_lowered_where_the_operators_are_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, ONE)
    status, text = lines(capsys, path, "--name", "onnxruntime")
    assert status == 0
    assert re.search(r"1\.15 to 1\.16 +refused +line 1: .*the model has opset 20 \(fixable\)", text)
    assert re.search(r"1\.17 to \S+ +loads", text)
    assert f"to repair what is fixable: irlint --fix --unsafe-fixes --target onnxruntime=1.16 {path}" in text
    assert guarded(["--fix", "--unsafe-fixes", "--target", "onnxruntime=1.16", path]) == 0
    assert '"" : 19' in Path(path).read_text()


def test_an_operator_that_the_older_opset_lacks_is_no_reason_to_lower_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, ONE.replace("Relu", "Gelu"))
    assert "fixable" not in lines(capsys, path, "--name", "onnxruntime")[1]


def test_a_node_is_computed_in_another_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, DOUBLE)
    text = lines(capsys, path, "--name", "onnxruntime")[1]
    assert "does not load Conv 'conv' with float64; it does with float32 (fixable)" in text
    assert guarded(["--fix", "--unsafe-fixes", "--target", "onnxruntime=1.20", path]) == 0
    assert re.search(r"1\.15 to \S+ +loads", lines(capsys, path, "--name", "onnxruntime")[1].split("Core ML")[0])


def test_json_has_each_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, text = lines(capsys, written(tmp_path, DOUBLE), "--json")
    rows = [one for one in json.loads(text)["targets"] if one["target"] == "onnxruntime" and "provider" not in one]
    assert status == 0
    assert len(rows) >= 18
    assert {one["verdict"] for one in rows} == {"refused"}
    assert rows[0]["known"] == "measured"
    assert rows[0]["reasons"][0]["line"] == 2


def test_a_page_needs_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.html"
    assert lines(capsys, written(tmp_path, ONE, "<b>.onnxtxt"), "--html", str(out))[0] == 0
    page = out.read_text()
    assert "<b>." not in page
    assert "http" not in page.replace("http-equiv", "")


def test_releases_of_other_formats_are_linted_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[2] / "examples/ncnn/digits.param"
    assert re.search(r"20190611 to \d+ +loads", lines(capsys, str(path))[1])


def test_a_format_without_releases_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[2] / "examples/glacier"
    file = next(one for one in sorted(path.iterdir()) if one.suffix == ".txt")
    assert guarded(["targets", str(file)]) != 0
    assert "no runtimes" in capsys.readouterr().err


def test_a_provider_is_chosen_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, ONE)
    text = lines(capsys, path, "--name", "onnxruntime,provider=cuda")[1]
    assert re.findall(r"^\w.*:$", text, re.MULTILINE) == ["onnxruntime CUDA (published):"]
    assert guarded(["targets", path, "--name", "tensorrt", "--name", "ort"]) == 2
    assert "unknown runtime `ort`; expected one of onnxruntime, opencv, openvino, tensorrt" in capsys.readouterr().err
    assert guarded(["targets", path, "--name", "onnxruntime=1.17"]) == 2
    assert "`--name onnxruntime` takes no release: all are shown" in capsys.readouterr().err


def test_what_nobody_was_asked_about_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, ONE.replace('"" : 20', '"" : 17, "acme" : 1').replace("Relu (x)", "acme.Foo (x)"))
    status, text = lines(capsys, path, "--name", "openvino")
    assert status == 1, "the model has an error of its own"
    assert re.search(r"unknown +line \d+: .*Foo", text)


def test_functions_are_refused_where_a_runtime_loads_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    function = '<domain: "my", opset_import: ["" : 17]>\nF (a) => (b) { b = Relu (a) }\n'
    path = written(tmp_path, ONE.replace('"" : 20', '"" : 17, "my" : 1').replace("Relu (x)", "my.F (x)") + function)
    assert "loads no functions of a model, such as F" in lines(capsys, path, "--name", "openvino")[1]
    assert re.search(r"1\.15 to \S+ +loads", lines(capsys, path, "--name", "onnxruntime")[1])


def test_a_model_with_an_error_of_its_own_is_not_said_to_load_and_no_untried_name_is_suggested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]>\nnet (float[2] x) => (float[2] y) <int64[2] weight = {1, 2}> { y = Add (x, wieght) }\n'
    status, shown = lines(capsys, written(tmp_path, text), "--name", "onnxruntime")
    assert status == 1
    assert re.search(r"1\.15 to \S+ +unknown +line 2: undefined name 'wieght'", shown)
    assert "did you mean" not in shown
    assert " loads" not in shown
