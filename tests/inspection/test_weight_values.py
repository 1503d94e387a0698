"""irlint weights, and the rules about values of weights."""

from __future__ import annotations

import csv
import io
import json
import struct
from hashlib import sha256
from pathlib import Path

import numpy
import pytest
from rule_cases.texts import OPENVINO

from irlint.cli.dispatch import guarded
from irlint.dryrun.running.weights import histogram, statistics


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "m.xml"
    path.write_text(OPENVINO, encoding="utf-8")
    path.with_suffix(".bin").write_bytes(struct.pack("<3f", 1, float("nan"), -3))
    return path


def test_weights_as_a_table_and_as_data(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(["weights", str(model)]) == 0
    text = capsys.readouterr().out
    assert "12 B   float32  [1, 3, 1, 1]  -3   1    -1    1 NaN  scale" in text
    assert text.endswith("1 weight, 12 B\n")
    assert guarded(["weights", str(model), "--output-format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["weights"]
    assert (row["nan"], row["min"], row["zeros"], row["shape"]) == (1, -3.0, 0, [1, 3, 1, 1])
    assert row["sha256"] == sha256(model.with_suffix(".bin").read_bytes()).hexdigest()
    assert guarded(["weights", str(model), "--output-format", "csv", "--name", "s*", "--sort", "bytes"]) == 0
    (line,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert line["shape"] == "1x3x1x1"
    assert guarded(["weights", str(model), "--name", "other"]) == 0
    assert capsys.readouterr().out == "0 weights, 0 B\n"


def test_weights_that_are_missing_are_named(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model.with_suffix(".bin").unlink()
    assert guarded(["weights", str(model)]) == 0
    assert capsys.readouterr().out.endswith("1 weight, 12 B, 1 of them without values\n")


@pytest.mark.parametrize(
    ("values", "code"), [((1, float("inf"), 2), "W006"), ((0, 0, 0), "W007"), ((1, 1e-41, 2), "W008"), ((1, 0, 2), "")]
)
def test_odd_values_are_found_if_asked(
    model: Path, values: tuple[float, ...], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model.with_suffix(".bin").write_bytes(struct.pack("<3f", *values))
    guarded([str(model), "--no-cache", "--output-format", "json"])
    assert json.loads(capsys.readouterr().out) == []
    guarded([str(model), "--no-cache", "--output-format", "json", "--select", "W006,W007,W008"])
    found = json.loads(capsys.readouterr().out)
    assert [finding["code"] for finding in found] == ([code] if code else [])


def test_statistics_of_every_kind() -> None:
    values = numpy.array([0, 1, 2, 250, 250], numpy.uint8)
    assert statistics(values, "uint8")[:3] == (0, 250, 100.6)
    assert statistics(values.view(numpy.int8), "int8")[:2] == (-6, 2)
    assert statistics(numpy.array([], numpy.float32), "float32").low is None
    assert statistics(numpy.array([1e-40, 1], numpy.float32), "float32").denormal == 1
    assert statistics(numpy.array([65504, 65504], numpy.float16), "float16").mean == 65504
    assert statistics(numpy.array([True, False]), "bool")[:3] == (0, 1, 0.5)
    assert statistics(numpy.array(["a"], object), "string").zeros == 0
    long = numpy.arange(3_000_000, dtype=numpy.float32)
    found = statistics(long, "float32")
    assert (found.low, found.high, found.zeros) == (0, 2_999_999, 1)
    assert sum(histogram(long, found)) == long.size
