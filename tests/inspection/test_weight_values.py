"""irlint weights, and the rules about values of weights."""

from __future__ import annotations

import csv
import io
import json
import re
import struct
import time
from hashlib import sha256
from pathlib import Path

import numpy
import pytest
from rule_cases.texts import OPENVINO

from irlint import engine
from irlint.cli.dispatch import guarded
from irlint.dryrun.running.weights import histogram, statistics
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.inspection.saved_weights import FileNames
from irlint.settings import Settings
from tests.formats.onnx.build import graph


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


def test_a_weight_with_a_harmful_value_is_one_finding() -> None:
    """ONNX reports it without being asked, too."""
    text = graph("y = MatMul (x, w)", "float[2,2] x", "float[2,2] y", "float[2,2] w = {1.0,nan,2.0,3.0}")
    result = engine.lint(text, "a.onnxtxt", Settings(select=("W006",)))
    assert [(finding.code, str(finding.severity)) for finding in result.findings] == [("W006", "warning")]


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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param(numpy.array([3, 2**63, 2**64 - 1], numpy.uint64), id="hashes"),
        pytest.param(numpy.array([-(2**63), 0, 2**63 - 1]), id="all-integers"),
        pytest.param(numpy.array([2**62, 2**62 + 1]), id="neighbours"),
        pytest.param(numpy.array([-3e38, 0, 3e38], numpy.float32), id="wide-floats"),
        pytest.param(numpy.array([1.6e308, 1.7e308, 1.7e308]), id="large-sum"),
        pytest.param(numpy.array([1.0, numpy.nextafter(1.0, 2.0)]), id="near-floats"),
        pytest.param(numpy.array([0.0, 5e-324]), id="denormal"),
    ],
)
def test_statistics_at_the_bounds_of_a_type(numbers: numpy.ndarray) -> None:
    found = statistics(numbers, None)
    counts = histogram(numbers, found)
    assert (sum(counts), counts[0]) == (len(numbers), 1)
    assert found.low <= found.mean <= found.high


ODD_TYPES = {
    "bfloat16": "float32",
    "float8_e4m3fn": "float32",
    "int4": "int8",
    "uint4": "uint8",
    "float16": "float16",
    "bool": "bool",
}
NUMBERS = {
    "bfloat16": 16,
    "float8_e4m3fn": 17,
    "int4": 22,
    "uint4": 21,
    "float16": 10,
    "bool": 9,
}  # of element types in ONNX
BITS = {"bfloat16": 0x3F80, "float8_e4m3fn": 0x38, "float16": 0x3C00}  # of 1


def initialized(*weights: dict[str, object]) -> bytes:
    """Return a model whose outputs are its initializers."""
    nodes = [{"op_type": "Identity", "input": [w["name"]], "output": [f"y{k}"]} for k, w in enumerate(weights)]
    kinds = [{"tensor_type": {"elem_type": w["data_type"]}} for w in weights]
    outputs = [{"name": f"y{k}", "type": kind} for k, kind in enumerate(kinds)]
    graph = {"name": "g", "node": nodes, "output": outputs, "initializer": list(weights)}
    return whole(MODEL, {"ir_version": 11, "opset_import": [{"domain": "", "version": 23}], "graph": graph})


def weight(name: str, data_type: int = 1, value: int = 0, **more: object) -> dict[str, object]:
    stored = {"float_data": [1.0, 2.0]} if data_type == 1 else {"int32_data": [value]}
    return {"name": name, "data_type": data_type, "dims": [2 if data_type == 1 else 1], **stored, **more}


def test_weights_are_saved_as_numpy_reads_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = tmp_path / "a.onnx", tmp_path / "new" / "weights"
    weights = [weight(dtype, NUMBERS[dtype], BITS.get(dtype, 1)) for dtype in ODD_TYPES]
    path.write_bytes(
        initialized(*weights, weight("f"), {"name": "s", "data_type": 8, "dims": [1], "string_data": [b"a"]})
    )
    assert guarded(["weights", str(path), "--save", str(folder), "--output-format", "json"]) == 0
    out, err = capsys.readouterr()
    files = {row["name"]: row["file"] for row in json.loads(out)["weights"]}
    assert files == {**{name: f"{name}.npy" for name in (*ODD_TYPES, "f")}, "s": None}
    for dtype, stored in ODD_TYPES.items():
        array = numpy.load(folder / f"{dtype}.npy", allow_pickle=False)
        assert (array.dtype.name, array.tolist()) == (stored, [1])
    assert numpy.load(folder / "f.npy").tolist() == [1.0, 2.0]
    assert f"Saved 7 weights in {folder}; 1 weight without numbers not saved\n" in err
    assert "NumPy has no bfloat16: 1 weight saved as float32 with the same values\n" in err
    assert guarded(["weights", str(path), "--save", str(folder / "some"), "--name", "f*"]) == 0
    assert sorted(each.name for each in (folder / "some").iterdir()) == ["f.npy", "float16.npy", "float8_e4m3fn.npy"]


HOSTILE_NAMES = [
    "../../out",
    "/etc/passwd",
    "a/b",
    "A/B",
    "a_b",
    "..",
    ".",
    "CON",
    "nul.x",
    "x" * 9000,
    "\u202e\n",
    "C:\\x",
    "~",
    "-rf",
    "$(x)",
    "same",
    "same",
]


def test_names_of_weights_lead_nowhere_else(tmp_path: Path) -> None:
    path, folder = tmp_path / "a.onnx", tmp_path / "deep" / "weights"
    path.write_bytes(initialized(*(weight(name) for name in HOSTILE_NAMES[:-1])))
    assert guarded(["weights", str(path), "--save", str(folder)]) == 0
    found = [each.name for each in folder.iterdir()]
    assert len(found) == len({name.lower() for name in found}) == len(HOSTILE_NAMES) - 1
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,120}\.npy", name) for name in found), found
    assert sorted(each.name for each in tmp_path.rglob("*.npy")) == sorted(found)
    names = FileNames()
    given = [names.of(name) for name in HOSTILE_NAMES]
    assert len({name.lower() for name in given}) == len(HOSTILE_NAMES)
    assert not {"con.npy", "nul.x.npy"} & {name.lower() for name in given}


def test_many_weights_of_one_name_have_names_in_linear_time() -> None:
    names = FileNames()
    began = time.process_time()
    assert len({names.of("same") for _ in range(50_000)}) == 50_000
    assert time.process_time() - began < 3


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder, outside = tmp_path / "a.onnx", tmp_path / "weights", tmp_path / "outside"
    path.write_bytes(initialized(weight("w")))
    folder.mkdir()
    outside.write_text("mine")
    (folder / "w.npy").symlink_to(outside)
    assert guarded(["weights", str(path), "--save", str(folder)]) == 2
    assert "w.npy is a link" in capsys.readouterr().err
    assert outside.read_text() == "mine"
    assert guarded(["weights", str(path), "--save", str(outside)]) == 2
