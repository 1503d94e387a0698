"""One contradiction is one finding, however many values of the file it touches."""

from __future__ import annotations

from pathlib import Path

import pytest

from companions import encoders, huggingface, sherpa, triton, ultralytics
from companions.planted import Files, write
from irlint import engine
from irlint.settings import Settings

SIZES = {**triton.PLAIN, "net/2/model.onnx": triton.PLAIN["net/1/model.onnx"]}
SIZES["net/config.pbtxt"] += "version_policy { all { } }\n"


@pytest.mark.parametrize(
    ("files", "at", "old", "new", "code", "token"),
    [
        (triton.ONNX, "net/config.pbtxt", "3, 8, 8 ] }", "3, 8, 9 ] }", "F004", "9"),
        (triton.ONNX, "net/config.pbtxt", "FORMAT_NCHW dims: [ 3, 8, 8 ]", "FORMAT_NCHW dims: [ 3, 8 ]", "F004", "["),
        (triton.PLAIN, "net/config.pbtxt", "batch_size: 8", "batch_size: 0", "F007", "0"),
        (triton.PLAIN, "net/config.pbtxt", "batch_size: 8", "batch_size: -8", "T006", "-8"),
        (triton.ONNX, "net/config.pbtxt", "shape: [ 1 ]", "shape: [ 2 ]", "F004", "2"),
        (SIZES, "net/config.pbtxt", "dims: 3", "dims: 4", "F004", "4"),
        (triton.PLAIN, "net/config.pbtxt", "dims: 3", "dims: 0", "T006", "0"),
        (huggingface.VIT, "vit/config.json", ', "2": "bird"', "", "F005", '"id2label"'),
        (ultralytics.DETECT, "yolo/metadata.yaml", "- 160\n", "- 192\n", "F004", "192"),
        (triton.STATES, "q/config.pbtxt", "[ 4 ]\n", "[ 5 ]\n", "F004", "5"),
        (triton.ENSEMBLE, "all/config.pbtxt", '"raw" value: "bytes"', '"raw" value: "answer"', "R004", '"answer"'),
        (encoders.BERT, "bert/tokenizer.json", '"id": 3, "content"', '"id": 9, "content"', "F008", "9"),
        (sherpa.FILES, "asr/paraformer.onnx", '"neg_mean" : "1,2,3,4"', '"neg_mean" : "1,2,3"', "F004", '"1,2,3"'),
        (sherpa.FILES, "asr/paraformer.onnx", '"inv_stddev" : "1,2,3,4"', '"inv_stddev" : "1,2,3"', "T004", '"1,2,3"'),
    ],
)
def test_one_contradiction_is_one_finding(
    files: Files, at: str, old: str, new: str, code: str, token: str, tmp_path: Path
) -> None:
    assert old in files[at]
    write({**files, at: files[at].replace(old, new, 1)}, tmp_path)
    path = tmp_path / at
    result = engine.lint_bytes(path.read_bytes(), str(path), Settings(), path=path)
    found = [(f.code, result.lines.text[f.span.start : f.span.end]) for f in result.findings]
    assert found == [(code, token)]


SERVED = """backend: "onnxruntime"
max_batch_size: 4
input { name: "image" data_type: TYPE_FP32 dims: [ 3, 8, 9 ] }
input { name: "size" data_type: TYPE_INT64 dims: [ 1 ] }
output { name: "scores" data_type: TYPE_FP32 dims: [ 3 ] }
"""


def test_a_model_that_is_declared_wrongly_is_not_reported_in_its_ensemble(tmp_path: Path) -> None:
    write({**triton.COMPLETED, "net/config.pbtxt": SERVED}, tmp_path)
    found = {}
    for name in ("all", "net"):
        path = tmp_path / name / "config.pbtxt"
        result = engine.lint_bytes(path.read_bytes(), str(path), Settings(), path=path)
        found[name] = [(f.code, result.lines.text[f.span.start : f.span.end]) for f in result.findings]
    assert found == {"all": [], "net": [("F004", "9")]}
