"""Tensors: their data against their sizes, in every field and type, and in other files."""

from __future__ import annotations

import os
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import irlint
from irlint.files.side_files import Disk
from irlint.findings import Severity
from irlint.formats.onnx import external as external_module
from irlint.formats.onnx.tensors import TensorData, bits
from irlint.formats.onnx.wire import DTYPES, ELEMENT_NAMES
from irlint.jobs import Job, JobOptions
from irlint.jobs.one_file import check
from irlint.settings import Settings
from tests.formats.onnx.build import HEADER, errors, lint, message

_FIELDS = {
    1: "float_data",
    14: "float_data",
    7: "int64_data",
    11: "double_data",
    15: "double_data",
    13: "uint64_data",
    12: "uint64_data",
}


def model(path: Path | None = None, **tensor: Any) -> bytes:
    value = {"name": "w", "type": {"tensor_type": {"elem_type": tensor.get("data_type", 1), "shape": {}}}}
    dims = tensor.get("dims", [])
    value["type"]["tensor_type"]["shape"] = {"dim": [{"dim_value": max(dim, 0)} for dim in dims]}  # type: ignore[index]
    graph = {"name": "g", "initializer": [{"name": "w", **tensor}], "output": [value]}
    data = message("Model", ir_version=13, opset_import=[{"version": 25}], graph=graph)
    if path is not None:
        path.write_bytes(data)
    return data


@pytest.mark.parametrize("number", [n for n in ELEMENT_NAMES if n != 8])
def test_raw_data_of_every_type(number: int) -> None:
    size = (6 * bits(DTYPES[number]) + 7) // 8
    assert errors(model(data_type=number, dims=[2, 3], raw_data=bytes(size))) == []
    (found,) = errors(model(data_type=number, dims=[2, 3], raw_data=bytes(size + 1)))
    assert f"for shape [2, 3] of {ELEMENT_NAMES[number]} initializer 'w', got {size + 1}" in found


@pytest.mark.parametrize("number", [n for n in ELEMENT_NAMES if n != 8])
def test_numbers_of_every_type(number: int) -> None:
    dtype = DTYPES[number]
    count = {4: 3, 2: 2}.get(bits(dtype), 6) * (2 if dtype.startswith("complex") else 1)
    field = _FIELDS.get(number, "int32_data")
    zeros: list[float] = [0.0 if field in ("float_data", "double_data") else 0] * count
    assert errors(model(data_type=number, dims=[2, 3], **{field: zeros})) == []
    (found,) = errors(model(data_type=number, dims=[2, 3], **{field: zeros[:-1]}))
    assert "expected" in found
    (found,) = errors(model(data_type=number, dims=[2, 3], **{"int64_data" if number != 7 else "int32_data": [0] * 6}))
    assert f"in `{field}`, got" in found


@pytest.mark.parametrize(
    ("tensor", "words"),
    [
        ({"data_type": 8, "dims": [2], "string_data": [b"a"]}, "expected 2 values"),
        ({"data_type": 99, "dims": [2]}, "unknown element type 99"),
        ({"dims": [2]}, "no element type"),
        ({"data_type": 1, "dims": [2]}, "got none"),
        ({"data_type": 1, "dims": [-2]}, "at least 0"),
        ({"data_type": 1, "dims": [0], "float_data": [1.0]}, "no elements"),
        ({"data_type": 1, "dims": [1], "float_data": [1.0], "raw_data": bytes(4)}, "data twice"),
        (
            {"data_type": 1, "dims": [1], "float_data": [1.0], "raw_data": b""},
            "has an empty `raw_data` and `float_data`",
        ),
        ({"data_type": 1, "dims": [1 << 62, 4]}, "at least 2^63 elements"),
        ({"data_type": 1, "dims": [(1 << 62)] * 20_000}, "at least 2^63 elements"),
        ({"data_type": 1, "dims": [1 << 40], "raw_data": b"abcd"}, "got 4"),
        ({"data_type": 1, "dims": [1], "data_location": 1, "raw_data": bytes(4)}, "external data and `raw_data`"),
    ],
)
def test_data_that_does_not_fit(tensor: dict[str, Any], words: str) -> None:
    assert any(words in found for found in errors(model(**tensor))), errors(model(**tensor))


@pytest.mark.parametrize("dims", [[1 << 40], [1 << 31, 1 << 31], [0, 1 << 62, 1 << 62], [1] * 50_000])
def test_declared_sizes_cost_nothing(dims: list[int]) -> None:
    data = model(data_type=1, dims=dims, raw_data=b"abcd")
    lint(data)
    tracemalloc.start()
    began = time.process_time()
    lint(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < (4 << 20) + 2000 * len(dims)
    assert time.process_time() - began < 5


def test_values_of_tensors() -> None:
    assert TensorData({"data_type": 13, "dims": [1], "uint64_data": [(1 << 64) - 1]}).entries() == ((1 << 64) - 1,)
    assert TensorData({"data_type": 10, "dims": [1], "int32_data": [0x3C00]}).entries() == (1.0,)
    assert TensorData({"data_type": 9, "dims": [2], "raw_data": b"\0\1"}).entries() == (False, True)
    assert TensorData({"data_type": 22, "dims": [2], "raw_data": b"\x2f"}).entries() == (-1, 2)
    assert TensorData({"data_type": 8, "dims": [1], "string_data": [b"a"]}).entries() == ("a",)
    assert TensorData({"data_type": 1, "dims": [2], "raw_data": b"abcd"}).entries() is None
    assert TensorData({"data_type": 1, "dims": [-1]}).entries() is None


# other files


def external(folder: Path, location: str | None = "w.data", dims: tuple[int, ...] = (2,), **entries: str) -> list[str]:
    rows = [{"key": "location", "value": location}] if location is not None else []
    rows += [{"key": key, "value": value} for key, value in entries.items()]
    path = folder / "a.onnx"
    data = model(path, data_type=1, dims=list(dims), data_location=1, external_data=rows)
    return errors(data, path)


def test_external_data_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "w.data").write_bytes(bytes(16))
    assert external(tmp_path) == []
    assert external(tmp_path, offset="8", length="8") == []
    assert external(tmp_path, offset="8", length="0") == []
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "w").write_bytes(bytes(8))
    assert external(tmp_path, "sub/w") == []
    assert external(tmp_path, "./sub/../w.data") == []


@pytest.mark.parametrize(("key", "meant"), [("len", "length"), ("lenght", "length"), ("size", None)])
def test_an_unknown_key_of_external_data(key: str, meant: str | None, tmp_path: Path) -> None:
    (tmp_path / "w.data").write_bytes(bytes(16))
    said = f"; did you mean `{meant}`?" if meant else ""
    message = f"unknown key `{key}` in the external data of initializer 'w'; onnxruntime refuses it{said}"
    assert external(tmp_path, **{key: "8"}) == [message]


def stored(*tensors: tuple[str, str], **more: Any) -> bytes:
    """A model with tensors of two floats, given by their files and offsets."""
    rows = [
        {
            "name": f"w{k}",
            "data_type": 1,
            "dims": [2],
            "data_location": 1,
            "external_data": [{"key": "location", "value": location}, {"key": "offset", "value": offset}],
            **(more if k == 0 else {}),
        }
        for k, (location, offset) in enumerate(tensors)
    ]
    value = {"name": "s", "type": {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_value": 2}]}}}}
    node = {"op_type": "Sum", "input": [row["name"] for row in rows], "output": ["s"]}
    graph = {"name": "g", "initializer": rows, "node": [node], "output": [value]}
    return message("Model", ir_version=13, opset_import=[{"version": 25}], graph=graph)


@pytest.mark.parametrize("is_there", [True, False])
def test_many_tensors_are_each_looked_at_once(is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[None] = []
    entries_of = external_module.entries_of
    monkeypatch.setattr(external_module, "entries_of", lambda tensor: looked.append(None) or entries_of(tensor))
    if is_there:
        (tmp_path / "w.data").write_bytes(bytes(1600))
    data = stored(*[("w.data" if is_there else f"w{k}.data", str(8 * k)) for k in range(200)])
    found = lint(data, tmp_path / "a.onnx").findings
    assert len([one for one in found if one.code == "W001"]) == (0 if is_there else 200)
    assert len(looked) < 2000


def test_of_many_missing_files_the_first_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[None] = []
    names = Disk.names
    monkeypatch.setattr(Disk, "names", lambda *given: listed.append(None) or names(*given))
    (tmp_path / "other.data").write_bytes(bytes(8))
    found = lint(stored(*[(f"w{k}.data", "0") for k in range(200)]), tmp_path / "a.onnx").findings
    missing = [one for one in found if one.code == "W001"]
    assert [len(one.related) for one in missing] == [1] * 8 + [0] * 192
    assert len(listed) < 100


def test_a_missing_file_is_reported_though_its_first_tensor_has_data_twice(tmp_path: Path) -> None:
    data = stored(("w.data", "0"), ("w.data", "8"), raw_data=bytes(8))
    path = tmp_path / "a.onnx"
    path.write_bytes(data)
    assert [one.code for one in irlint.lint(path) if one.severity == Severity.ERROR] == ["T004", "W001"]
    (tmp_path / "w.data").write_bytes(bytes(16))
    (found,) = (one for one in irlint.lint(path) if one.code == "T004")
    assert found.severity == Severity.ERROR


def test_the_only_file_that_fits_is_offered_for_one_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "w.data").write_bytes(bytes(8))
    external(tmp_path, "v.data", length="8")
    (finding,) = [found for found in irlint.lint(tmp_path / "a.onnx") if found.code == "W001"]
    assert finding.fix is not None
    assert finding.fix.title == "Read 8 bytes at 0 of 'w.data'"


@pytest.mark.parametrize(
    ("name", "size", "grade"),
    [("a.onnx.data", 16, "proven"), ("other.data", 16, "unsafe"), ("a.onnx.data", 17, None), ("b.onnx.data", 16, None)],
)
def test_a_file_of_just_the_size_is_offered_for_all_tensors(
    name: str, size: int, grade: str | None, tmp_path: Path
) -> None:
    """One of another model's name belongs to that; only one of the model's own name is proven."""
    (tmp_path / name).write_bytes(bytes(size))
    (tmp_path / "b.onnx").write_bytes(b"")
    data = stored(("lost.data", "0"), ("lost.data", "8"))
    (tmp_path / "a.onnx").write_bytes(data)
    (finding,) = [found for found in irlint.lint(tmp_path / "a.onnx") if found.code == "W001"]
    notes = [f"{name!r} is next to the model and has exactly the 16 bytes that the model reads"] if grade else []
    assert [note.message for note in finding.related] == notes
    fix = finding.fix if finding.fix is not None and finding.fix.title == f"Read the data from {name!r}" else None
    assert (fix and fix.safety) == grade


@pytest.mark.parametrize("location", ["C:\\export\\w.data", "/export/w.data", "../export/w.data", "lost/w.data"])
def test_data_at_another_machines_path_is_read_from_next_to_the_model(location: str, tmp_path: Path) -> None:
    (tmp_path / "w.data").write_bytes(bytes(16))
    (tmp_path / "a.onnx").write_bytes(stored((location, "0"), (location, "8")))
    (finding,) = [found for found in irlint.lint(tmp_path / "a.onnx") if found.severity is Severity.ERROR]
    assert finding.fix is not None
    assert (finding.fix.safety, finding.fix.title) == ("proven", "Read the data from 'w.data'")


@pytest.mark.parametrize(
    ("entries", "size", "grade", "title"),
    [
        ({"length": "x"}, 8, "proven", "Read 8 bytes at 0 of 'w.data'"),
        ({"offset": "-4"}, 8, "proven", "Read 8 bytes at 0 of 'w.data'"),
        ({"location": "../w.data"}, 8, "proven", "Read the data from 'w.data'"),
        ({"location": "../w.data"}, 24, "unsafe", "Read 8 bytes at 0 of 'w.data'"),
    ],
)
def test_the_only_place_with_room_for_a_tensor_is_where_it_is(
    entries: dict[str, str], size: int, grade: str, title: str, tmp_path: Path
) -> None:
    (tmp_path / "w.data").write_bytes(bytes(size))
    external(tmp_path, **entries)
    (finding,) = [found for found in irlint.lint(tmp_path / "a.onnx") if found.severity is Severity.ERROR]
    assert finding.fix is not None
    assert (finding.fix.safety, finding.fix.title) == (grade, title)


@pytest.mark.parametrize(("sizes", "grade"), [((64, 64), "proven"), ((64, 192), "unsafe")])
def test_room_between_tensors_that_are_aligned(sizes: tuple[int, int], grade: str, tmp_path: Path) -> None:
    first, second = sizes  # where the room begins, and how long it is
    (tmp_path / "w.data").write_bytes(bytes(first + second + 8))

    def tensor(name: str, offset: str) -> dict[str, Any]:
        rows = [{"key": "location", "value": "w.data"}, {"key": "offset", "value": offset}]
        return {"name": name, "data_type": 1, "dims": [2], "data_location": 1, "external_data": rows}

    rows = [tensor("a", "0"), tensor("b", "x"), tensor("c", str(first + second))]
    value = {"name": "s", "type": {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_value": 2}]}}}}
    node = {"op_type": "Sum", "input": ["a", "b", "c"], "output": ["s"]}
    graph = {"name": "g", "initializer": rows, "node": [node], "output": [value]}
    path = tmp_path / "a.onnx"
    path.write_bytes(message("Model", ir_version=13, opset_import=[{"version": 25}], graph=graph))
    (finding,) = [found for found in irlint.lint(path) if found.severity is Severity.ERROR]
    assert finding.fix is not None
    assert finding.fix.safety == grade
    assert grade == "unsafe" or finding.fix.title == f"Read 8 bytes at {first} of 'w.data'"


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"offset": "12"}, "ends at byte 20 of 'w.data', which has 16 bytes"),
        ({"dims": (1 << 40,)}, "which has 16 bytes"),
        ({"offset": "-1"}, "expected an integer of at least 0 for `offset`"),
        ({"offset": "9" * 5000}, "expected an integer of at least 0 for `offset`"),
        ({"length": "x"}, "expected an integer of at least 0 for `length`"),
        ({"length": "7"}, "expected 8 bytes"),
        ({"location": None}, "has no location"),
        ({"location": ""}, "has no location"),
        ({"location": "/etc/passwd"}, "absolute path"),
        ({"location": "C:\\w.data"}, "absolute path"),
        ({"location": "\\\\host\\w"}, "absolute path"),
        ({"location": "../w.data"}, "outside the model's folder"),
        ({"location": "a/../../w.data"}, "outside the model's folder"),
        ({"location": "..\\w.data"}, "outside the model's folder"),
        ({"location": "w.data/"}, "got the folder 'w.data/'"),
        ({"location": "http://host/w.data"}, "weights file 'http://host/w.data' not found"),
        ({"basepath": "/"}, "unknown key `basepath`"),
    ],
)
def test_external_data_that_cannot_be_read(entries: dict[str, Any], words: str, tmp_path: Path) -> None:
    (tmp_path / "w.data").write_bytes(bytes(16))
    found = external(tmp_path, **entries)
    assert len(found) == 1
    assert words in found[0]


def test_a_location_that_is_given_twice() -> None:
    rows = [{"key": "location", "value": name} for name in ("a", "b")]
    data = model(data_type=1, dims=[2], data_location=1, external_data=rows)
    assert errors(data) == ["duplicate `location` in the external data of initializer 'w'"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_warnings(tmp_path: Path) -> None:
    """onnx.checker refuses them; in caches of downloads, where the model is a link, too, nobody means to please it."""
    (tmp_path / "real").write_bytes(bytes(8))
    (tmp_path / "w.data").symlink_to("real")
    rows = [{"key": "location", "value": "w.data"}]
    data = model(tmp_path / "a.onnx", data_type=1, dims=[2], data_location=1, external_data=rows)
    assert [(finding.code, finding.severity.name) for finding in lint(data, tmp_path / "a.onnx").findings] == [
        ("X002", "WARNING")
    ]
    (tmp_path / "b.onnx").symlink_to("a.onnx")
    assert lint(data, tmp_path / "b.onnx").findings == []


def test_hard_links_are_no_findings(tmp_path: Path) -> None:
    """onnx 1.23.2 refuses them, onnxruntime 1.32 does not; they are made by installers, and no repository has them."""
    rows = [{"key": "location", "value": "w.data"}]
    data = model(tmp_path / "a.onnx", data_type=1, dims=[2], data_location=1, external_data=rows)
    (tmp_path / "w.data").write_bytes(bytes(8))
    before = [finding.code for finding in lint(data, tmp_path / "a.onnx").findings]
    os.link(tmp_path / "w.data", tmp_path / "other.data")
    assert [finding.code for finding in lint(data, tmp_path / "a.onnx").findings] == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    inner = tmp_path / "model"
    inner.mkdir()
    (tmp_path / "secret").write_bytes(bytes(16))
    os.symlink(tmp_path / "secret", inner / "w.data")
    assert len(external(inner)) == 1
    os.mkfifo(inner / "pipe")
    external(inner, "pipe")
    external(inner, ".")


def test_files_that_are_missing_or_pointers(tmp_path: Path) -> None:
    external(tmp_path)
    (tmp_path / "w.data").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 16\n"
    )
    external(tmp_path)
    external(tmp_path, "\0")
    external(tmp_path, "a" * 5000)


@pytest.mark.parametrize(
    ("dims", "places", "shape", "words"),
    [
        ([2, 3], [0, 4], [2], ""),
        ([2, 3], [0, 0, 1, 1], [2, 2], ""),
        ([2, 3], [4, 0], [2], "not in ascending order: 0 follows 4"),
        ([2, 3], [1, 1, 0, 0], [2, 2], "not in ascending order: [0, 0] follows [1, 1]"),
        ([2, 3], [0, 6], [2], "index 6 is out of range for shape [2, 3]"),
        ([2, 3], [0, 0, 1, 3], [2, 2], "index [1, 3] is out of range"),
        ([2, 3], [0], [1], "expected indices of shape [2] or [2, 2] for 2 values"),
        ([], [0, 0], [2], "expected a shape of at least one dimension"),
    ],
)
def test_sparse_tensors(dims: list[int], places: list[int], shape: list[int], words: str) -> None:
    sparse = {
        "values": {"name": "w", "data_type": 1, "dims": [2], "float_data": [1.0, 2.0]},
        "indices": {"data_type": 7, "dims": shape, "int64_data": places},
        "dims": dims,
    }
    kind = {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_value": dim} for dim in dims]}}}
    node = {"op_type": "Relu", "input": ["w"], "output": ["y"]}
    graph = {"name": "g", "sparse_initializer": [sparse], "node": [node], "output": [{"name": "y", "type": kind}]}
    found = errors(message("Model", ir_version=13, opset_import=[{"version": 25}], graph=graph))
    assert [words in one for one in found] == ([True] if words else [])


@pytest.mark.parametrize(("domain", "op", "is_told"), [("", "Relu", True), ("com.microsoft", "Gelu", False)])
def test_sparse_tensors_as_inputs(domain: str, op: str, is_told: bool) -> None:
    """onnxruntime 1.32 makes them dense; onnx.checker with full_check (1.23.2) refuses them, of operators that it knows."""
    values = {"name": "w", "data_type": 10, "dims": [1], "raw_data": bytes(2)}
    sparse = {"values": values, "indices": {"data_type": 7, "dims": [1], "int64_data": [2]}, "dims": [3]}
    kind = {"tensor_type": {"elem_type": 10, "shape": {"dim": [{"dim_value": 3}]}}}
    node = {"op_type": op, "domain": domain, "input": ["w"], "output": ["y"]}
    graph = {"name": "g", "sparse_initializer": [sparse], "node": [node], "output": [{"name": "y", "type": kind}]}
    opsets = [{"version": 25}, {"domain": "com.microsoft", "version": 1}]
    data = message("Model", ir_version=13, opset_import=opsets, graph=graph)
    findings = lint(data).findings
    told = [one.message for one in findings if one.severity is Severity.WARNING and one.code == "D002"]
    assert (
        told == [f"{op} takes sparse initializer 'w' as input; onnx.checker refuses it, onnxruntime does not"] * is_told
    )
    assert not errors(data)


@pytest.mark.parametrize("length", ["6", "7"])
def test_a_length_of_external_data_is_repaired(length: str, tmp_path: Path) -> None:
    (tmp_path / "w.data").write_bytes(bytes(8))
    rows = [{"key": "location", "value": "w.data"}, {"key": "length", "value": length}]
    path = tmp_path / "a.onnx"
    data = model(path, data_type=1, dims=[2], data_location=1, external_data=rows)
    outcome = check(Job(str(path), Settings(), data=data), JobOptions(fix=True, unsafe=True))
    assert outcome.data is not None
    assert data.replace(b"length\x12\x01" + length.encode(), b"length\x12\x018") == outcome.data


@pytest.mark.parametrize(
    ("kind", "field", "number"),
    [(7, "int64_data", 2**63), (6, "int32_data", -(2**70)), (13, "uint64_data", -1), (1, "float_data", 1e300)],
)
def test_numbers_that_their_type_cannot_hold(kind: int, field: str, number: float) -> None:
    with pytest.raises(ValueError, match="not in the range"):
        TensorData({"data_type": kind, "dims": [1], field: [number]}).array()


@pytest.mark.parametrize(
    ("offsets", "count"),
    [
        ((0, 8), 0),
        ((0, 0), 0),  # tied
        ((4, 8), 1),
        ((8, 4), 1),
        ((0, 4), 1),
    ],
)
def test_external_data_that_partly_overlaps(offsets: tuple[int, int], count: int) -> None:
    rows = [
        f'float[2] {name} = ["location": "w.data", "offset": "{at}"]' for name, at in zip("ab", offsets, strict=True)
    ]
    text = f"{HEADER}g (\n   float[2] x\n) => (\n   float[2] y\n) <\n   {f',{chr(10)}   '.join(rows)}\n> {{\n   c = Add (x, a)\n   y = Add (c, b)\n}}\n"
    assert [found.code for found in irlint.lint(text, as_format="onnx")] == ["W005"] * count
