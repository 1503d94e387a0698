"""Parameter files of every age, and what a run of a symbol is given and gives; no MXNet needed."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint import engine
from irlint.dryrun.mapping import Mapping
from irlint.formats.base import by_name
from irlint.formats.nnvm.reading.param_values import Values
from irlint.formats.nnvm.reading.params import read_index
from irlint.settings import Settings

from .mxnet_nested import SYMBOLS, call, symbol, variable

_MAGIC = {1: 0xF993FAC8, 2: 0xF993FAC9, 3: 0xF993FACA}


def record(version: int, array: Any) -> bytes:
    """A dense record of float32, or of float16 if the array is."""
    flag, kept = (2, "<f2") if array.dtype.name == "float16" else (0, "<f4")
    shape, rank = array.shape, array.ndim
    if version == 0:
        head = struct.pack(f"<I{rank}I", rank, *shape)
    else:
        head = struct.pack("<I", _MAGIC[version]) + (struct.pack("<i", 0) if version > 1 else b"")
        head += struct.pack(f"<i{rank}q", rank, *shape)
    return head + struct.pack("<iii", 1, 0, flag) + array.astype(kept).tobytes()


def listed(records: Sequence[bytes], names: Sequence[str]) -> bytes:
    found = struct.pack("<QQQ", 0x112, 0, len(records)) + b"".join(records) + struct.pack("<Q", len(names))
    return found + b"".join(struct.pack("<Q", len(name)) + name.encode() for name in names)


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_every_version(version: int) -> None:
    wanted = np.arange(6.0).reshape(2, 3)
    data = listed([record(version, wanted)], ["arg:w"])
    index = read_index(data)
    assert index.version == version
    np.testing.assert_array_equal(Values(data, index.kind)[index.arrays[0]], wanted)


def test_sparse_records() -> None:
    rows = struct.pack("<Iii2qi2qii", _MAGIC[2], 1, 2, 1, 3, 2, 4, 3, 1, 0) + struct.pack("<iiiq", 0, 6, 1, 1)
    rows += np.array([1, 2, 3], "<f4").tobytes() + np.array([2], "<i8").tobytes()
    matrix = struct.pack("<Iiiqi2qii", _MAGIC[2], 2, 1, 2, 2, 2, 3, 1, 0)
    matrix += struct.pack("<iiiqiiq", 0, 6, 1, 3, 6, 1, 2)
    matrix += (
        np.array([5, 7], "<f4").tobytes() + np.array([0, 1, 2], "<i8").tobytes() + np.array([1, 2], "<i8").tobytes()
    )
    data = listed([rows, matrix], ["a", "b"])
    index = read_index(data)
    values = Values(data, index.kind)
    np.testing.assert_array_equal(values[index.arrays[0]], [[0, 0, 0], [0, 0, 0], [1, 2, 3], [0, 0, 0]])
    np.testing.assert_array_equal(values[index.arrays[1]], [[0, 5, 0], [0, 0, 7]])


LAYER = symbol(
    [
        variable("data"),
        variable("w"),
        variable("b"),
        call("FullyConnected", "fc", 0, 1, 2, num_hidden=2),
        variable("softmax_label"),
        call("SoftmaxOutput", "softmax", 3, 4),
        call("SliceChannel", "split", 3, num_outputs=2),
    ],
    [[5, 0, 0], [6, 1, 0]],
)


def mapping_beside(folder: Path, weights: dict[str, Any], archive: bool = False) -> tuple[Mapping, engine.Result]:
    """The layer with its parameters beside it."""
    path = folder / "net-symbol.json"
    path.write_text(LAYER)
    settings = Settings()
    if archive:
        np.savez(folder / "net.npz", **weights)
        settings = Settings(options={"nnvm": {"weights": str(folder / "net.npz")}})
    else:
        records = [record(2, array) for array in weights.values()]
        (folder / "net-0003.params").write_bytes(listed(records, [f"arg:{name}" for name in weights]))
    result = engine.lint_bytes(path.read_bytes(), path.name, settings, path=path)
    format_ = by_name("nnvm")
    assert format_ is not None
    assert result.model is not None
    mapping = format_.dryrun(result.model)
    assert mapping is not None
    return mapping, result


@pytest.mark.parametrize("archive", [False, True])
def test_weights_beside_the_model(tmp_path: Path, archive: bool) -> None:
    weights = {"w": np.arange(6.0).reshape(2, 3), "b": np.ones(2)}
    mapping, result = mapping_beside(tmp_path, weights, archive)
    assert result.findings == []
    assert result.model is not None
    graph = result.model.graph
    np.testing.assert_array_equal(mapping.array(graph.nodes[1]), weights["w"])
    assert [(feed.names, feed.needed) for feed in mapping.feeds(graph)] == [
        (("data",), True),
        (("softmax_label",), False),
    ]
    assert mapping.output_names(graph) == ["softmax_output", "split_output1"]
    with pytest.raises(LookupError):
        mapping.array(graph.nodes[0])


def test_weights_of_the_wrong_shape_are_found_where_they_are_used(tmp_path: Path) -> None:
    _, result = mapping_beside(tmp_path, {"w": np.ones((2, 3)), "b": np.ones(3)})
    assert [(f.code, f.node, LAYER[f.span.start : f.span.end]) for f in result.findings] == [
        ("D001", "fc", "[2, 0, 0]")
    ]


def test_what_graphs_inside_take_for_weights_is_no_input() -> None:
    """in2 is the weight of a layer inside of the loop."""
    text, _ = SYMBOLS["foreach"]
    result = engine.lint(text, "m.json")
    format_ = by_name("nnvm")
    assert format_ is not None
    assert result.model is not None
    mapping = format_.dryrun(result.model)
    assert mapping is not None
    assert [feed.names for feed in mapping.feeds(result.model.graph)] == [("in0",), ("in1",)]


def _beside(folder: Path, names: Sequence[str], gamma: int = 2) -> list[tuple[str, str]]:
    """The severities and codes of what is said of a normalisation with such names in its parameter file."""
    states = ("gamma", "beta", "moving_mean", "moving_var")
    nodes = [{**variable("data"), "attrs": {"__shape__": "(1, 2, 4, 4)"}}, *(variable(f"bn_{name}") for name in states)]
    path = folder / "bn-symbol.json"
    path.write_text(symbol([*nodes, call("BatchNorm", "bn", 0, 1, 2, 3, 4)], [[5, 0, 0]]))
    records = [record(2, np.ones(gamma if name == "gamma" else 2)) for name in states]
    (folder / "bn-0001.params").write_bytes(listed(records, names))
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    return [(str(f.severity), f.code) for f in found]


def test_names_and_shapes_that_mxnet_refuses_to_take(tmp_path: Path) -> None:
    names = ["arg:bn_gamma", "arg:bn_beta", "aux:bn_moving_mean", "aux:bn_moving_var"]
    assert _beside(tmp_path, names) == []
    assert _beside(tmp_path, []) == [("error", "W005")]
    assert _beside(tmp_path, ["bn_gamma", *names[1:]]) == [("warning", "W005")]
    assert _beside(tmp_path, [name[4:] for name in names]) == [("warning", "W005")]
    assert _beside(tmp_path, names, gamma=3) == [("error", "D001")]
