"""Runs of the command: which companions are checked, listed and changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from companions import huggingface, ovms, triton
from companions.planted import Files, write
from irlint import cli

FILES = ["config.json", "generation_config.json", "onnx/model.onnx"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {**huggingface.SMALL, "llm/config.json": huggingface.LLAMA.replace("38", "40")}
    write(files, tmp_path)
    monkeypatch.chdir(tmp_path / "llm")
    return tmp_path / "llm"


@pytest.mark.parametrize("path", [".", "onnx/model.onnx"])
def test_files_that_are_checked_are_listed(path: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "--show-files", path]) == 0
    assert capsys.readouterr().out.split() == FILES


def test_companions_of_a_named_model_are_reported_and_left_as_they_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (folder / "config.json").read_text()
    for options in ([], ["--fix", "--unsafe-fixes"], ["--diff", "--unsafe-fixes"]):
        cli.main(["check", *options, "onnx/model.onnx"])
        shown = capsys.readouterr()
        assert (folder / "config.json").read_text() == before
        assert ("config.json: not fixed: only files that you name are changed" in shown.err) == bool(options)
        assert ("F008" in shown.out) == ("--diff" not in options)
        assert "[*]" not in shown.out
        assert "+++" not in shown.out


def test_companions_that_are_named_are_fixed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only with --unsafe-fixes, as the model may be the wrong file of the two."""
    before = (folder / "config.json").read_text()
    assert cli.main(["check", "--fix", "onnx/model.onnx", "."]) == 0
    assert "1 fixable with --unsafe-fixes" in capsys.readouterr().out
    assert (folder / "config.json").read_text() == before
    assert cli.main(["check", "--fix", "--unsafe-fixes", "onnx/model.onnx", "."]) == 0
    assert "Fixed 1 finding" in capsys.readouterr().out
    assert (folder / "config.json").read_text() == huggingface.LLAMA


TRANSDUCER = {
    name: f"""<ir_version: 8, opset_import: ["" : 17]{meta}>
net (float[N,4] x) => (float[N,4] y) {{
   y = Relu (x)
}}
"""
    for name, meta in (
        ("encoder-1.onnx", ""),
        ("decoder-1.onnx", ', metadata_props: ["context_size": "2"]'),
        ("decoder-2.onnx", ""),
        ("tokens.txt", ""),
    )
} | {"tokens.txt": "<blk> 0\na 1\n"}


@pytest.mark.parametrize(
    ("files", "named", "also"),
    [
        (triton.COMPLETED, "net/1/model.onnx", "all/config.pbtxt"),
        (triton.COMPLETED, "net/config.pbtxt", "all/config.pbtxt"),
        (TRANSDUCER, "encoder-1.onnx", "decoder-1.onnx"),
        (TRANSDUCER, "tokens.txt", "decoder-1.onnx"),
        ({"config.json": ovms.CONFIG, "models/net/1/model.onnx": triton.NET}, "models/net/1/model.onnx", "config.json"),
    ],
)
def test_naming_a_file_checks_what_is_about_the_same_model(
    files: Files,
    named: str,
    also: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(files, tmp_path)
    monkeypatch.chdir(tmp_path)
    cli.main(["check", "--show-files", named])
    shown = capsys.readouterr().out.split()
    assert {named, also} <= {*shown}
    assert "decoder-2.onnx" not in shown or named == "tokens.txt"
    monkeypatch.chdir((tmp_path / named).parent)
    cli.main(["check", "--show-files", Path(named).name])
    assert len(capsys.readouterr().out.split()) == len(shown)
