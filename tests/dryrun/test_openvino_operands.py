"""Operands that one operation of an IR takes or refuses, as its reader and the CPU plug-in do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irlint import engine
from irlint.api import run
from irlint.findings import Severity
from tests.formats.openvino.models import model


def errors(folder: Path, key: str, place: int, shape: str | None, kind: str | None) -> set[str]:
    """Codes of the errors in an operation's model after an operand has become another."""
    made = model(key)
    start = made.text.index("<data", made.text.index(f'name="in{place}" type='))
    end = made.text.index("/>", start)
    data = made.text[start:end]
    if shape is not None:
        data = re.sub(r'shape="[^"]*"', f'shape="{shape}"', data)
    if kind is not None:
        data = re.sub(r'element_type="[^"]*"', f'element_type="{kind}"', data)
    path = folder / "model.xml"
    path.write_text(made.text[:start] + data + made.text[end:])
    path.with_suffix(".bin").write_bytes(made.weights)
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    return {f.code for f in found if f.severity == Severity.ERROR}


@pytest.mark.parametrize(
    ("key", "place", "shape", "kind"),
    [
        ("opset9.GenerateProposals", 0, None, "f16"),
        ("opset9.GenerateProposals", 2, None, "i32"),
        ("opset1.Proposal", 0, None, "f64"),
        ("opset16.SparseFillEmptyRows", 0, None, "i32"),
        ("opset14.ConvertPromoteTypes", 0, None, "boolean"),
        ("opset6.MVN", 1, "4", None),
        ("opset13.NMSRotated", 0, None, "f64"),
        ("opset13.ScaledDotProductAttention", 5, "1,1,1,1", None),
    ],
)
def test_taken(tmp_path: Path, key: str, place: int, shape: str | None, kind: str | None) -> None:
    assert not errors(tmp_path, key, place, shape, kind)


@pytest.mark.parametrize(
    ("key", "place", "shape", "kind", "code"),
    [
        ("opset1.Proposal", 0, None, "i32", "D002"),
        ("opset14.ConvertPromoteTypes", 1, None, "string", "D002"),
        ("opset6.MVN", 1, "5", None, "A007"),
        ("opset13.NMSRotated", 0, None, "i32", "D002"),
        ("opset13.ScaledDotProductAttention", 5, "2,1,1", None, "D003"),
        ("opset15.ScatterNDUpdate", 2, "", None, "D001"),
        ("opset3.NonMaxSuppression", 0, None, "f64", "D002"),
        ("opset1.Broadcast", 0, "", None, "A007"),
    ],
)
def test_refused(tmp_path: Path, key: str, place: int, shape: str | None, kind: str | None, code: str) -> None:
    assert errors(tmp_path, key, place, shape, kind) == {code}


EMPTY = (
    "opset1.Convolution", "opset1.ConvolutionBackpropData", "opset1.ShuffleChannels", "opset12.GroupNormalization",
    "opset8.AdaptiveMaxPool", "opset2.SpaceToBatch",
)  # fmt: skip


@pytest.mark.parametrize("key", EMPTY)
def test_batches_of_nothing_run(tmp_path: Path, key: str) -> None:
    made = model(key)
    path = tmp_path / "model.xml"
    path.write_text(re.sub(r'(<data shape=")\d+', r"\g<1>0", made.text, count=1))
    path.with_suffix(".bin").write_bytes(made.weights)
    assert all(0 in array.shape for array in run(path, {}).values())
