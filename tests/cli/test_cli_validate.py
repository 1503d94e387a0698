"""irlint schema --validate: verdicts of jsonschema and lxml beside irlint's own."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from .helpers import ROOT, spawn

EXAMPLES = ROOT / "examples"


@pytest.mark.parametrize(
    ("file", "schema", "verdicts"),
    [
        ("nnvm/lenet-symbol.json", "mxnet-symbol.schema.json", ["irlint      valid", "jsonschema  valid"]),
        ("nnvm/mistakes-symbol.json", "mxnet-symbol.schema.json", ["irlint      invalid, 1 error", "jsonschema  invalid, 1 error"]),
        ("openvino/digits.xml", "openvino-ir-11.xsd", ["irlint  valid", "lxml    valid"]),
        ("glacier/mobilenetv2.events.jsonl", "glacier-events.schema.json", ["irlint      valid", "jsonschema  valid"]),
    ],
)  # fmt: skip
def test_the_schema_of_a_format(file: str, schema: str, verdicts: list[str]) -> None:
    done = spawn("schema", "--validate", str(EXAMPLES / file))
    lines = done.out.splitlines()
    assert lines[0] == f"{EXAMPLES / file} by {schema}"
    assert [line.strip() for line in lines[1:3]] == verdicts
    assert done.status == any("invalid" in line for line in verdicts)


def test_a_schema_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "a.schema.json").write_text('{"properties": {"nodes": {"maxItems": 2}}}')
    done = spawn(
        "schema", "--validate", str(EXAMPLES / "onnx/digits.onnx"), "--schema", str(tmp_path / "a.schema.json")
    )
    assert done.status == 1
    assert "jsonschema  invalid, 1 error" in done.out
    assert "expected at most 2 elements for `nodes`, got 6" in done.out


def test_a_configuration(tmp_path: Path) -> None:
    path = tmp_path / "irlint.yaml"
    for text, status, verdict in (("select: [A]\n", 0, "irlint  valid"), ("selct: [A]\n", 1, "irlint  invalid")):
        path.write_text(text)
        done = spawn("schema", "--validate", str(path))
        assert (done.status, done.out.splitlines()[1].strip()) == (status, verdict)
    assert f"{path}:1:1: unknown key `selct`; did you mean `select`?" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--validate", str(EXAMPLES / "onnx/digits.onnx")], "onnx has no schema; name one with --schema"),
        (["--validate", "other.yaml"], "expected JSON, XML, a model, or a configuration (irlint.yaml,"),
        (["--validate", str(EXAMPLES / "nnvm/lenet-symbol.json"), "--schema", "nope"], "unknown schema `nope`"),
        (["--schema", "nnvm"], "--schema requires --validate FILE"),
        (["nnvm", "--validate", "x"], "--validate takes the schema as --schema NAME"),
        (["--validate", "nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str) -> None:
    done = spawn("schema", *arguments)
    assert done.status == 2
    assert said in done.err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (gzip.compress(b"<net/>", mtime=0), "it is compressed with gzip; decompress it with `gzip -d`"),
        (b"< net", "it is markup, but not valid XML; name one with --schema"),
    ],
)
def test_a_refused_file_ends_with_what_to_do(data: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_bytes(data)
    lines = spawn("schema", "--validate", str(path)).err.splitlines()
    assert lines[0].endswith(said)
    assert lines[1:] == []  # nothing else is to be seen


def test_an_incomplete_check_is_not_a_verdict(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"properties": {"x": {"pattern": "^(a+)+$"}}}')
    (tmp_path / "d.json").write_text('{"x": "' + "a" * 45 + '!"}')
    done = spawn("schema", "--validate", str(tmp_path / "d.json"), "--schema", str(tmp_path / "s.json"))
    assert done.status == 1
    assert "jsonschema  incomplete" in done.out
    assert "takes too long and was left out" in done.out


def test_the_graph_of_a_model_in_json(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"properties": {"nodes": {"maxItems": 2}}}')
    model = str(EXAMPLES / "openvino/digits.xml")
    done = spawn("schema", "--validate", model, "--schema", str(tmp_path / "s.json"), "--of", "graph")
    assert done.status == 1
    assert "expected at most 2 elements for `nodes`" in done.out
