"""Every edit of one thing in a model file shows in a comparison, and an edit that means nothing does not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from inspection.single_edits import judged

from irlint.formats.samples import samples

ROOT = Path(__file__).parents[2]
EXAMPLES = (
    *("nnvm/lenet-symbol.json", "nnvm/compiled.json", "ncnn/digits.param", "pnnx/digits.pnnx.param"),
    *("lightnet/digits.json", "glacier/mobilenetv2.txt", "onnx/digits.onnx", "openvino/digits.xml"),
)
SEED = int(os.environ.get("IRLINT_SEED", "1"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_edits_of_examples(name: str) -> None:
    path = ROOT / "examples" / name
    found = judged(path.name, path.read_bytes(), SEED, 40, path)
    assert found.wrong == []
    assert found.shown >= 30


@pytest.mark.parametrize("key", samples())
def test_edits_of_samples(key: str, tmp_path: Path) -> None:
    sample = samples()[key]
    for name, data in sample.side_files.items():
        (tmp_path / name).write_bytes(data)
    found = judged(sample.name, sample.data, SEED, 20, tmp_path / sample.name)
    assert found.wrong == []
    assert found.shown
