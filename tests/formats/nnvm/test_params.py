"""Parameter files next to a graph: what is wrong with their bytes, and with what they hold."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint import api, engine
from irlint.formats.base import models_of

V2, V3, TENSOR = 0xF993FAC9, 0xF993FACA, 0xDD5E40F096B4A13F


def record(*shape: int, dtype: int = 0, magic: int = V2, bytes_each: int = 4) -> bytes:
    """One dense array of zeros, as MXNet stores it."""
    head = struct.pack(f"<Iii{len(shape)}q", magic, 0, len(shape), *shape)
    return head + struct.pack("<iii", 1, 0, dtype) + bytes(bytes_each * max(int(np.prod(shape)), 0))


def named(names: Sequence[str], count: int | None = None) -> bytes:
    texts = b"".join(struct.pack("<Q", len(name)) + name.encode() for name in names)
    return struct.pack("<Q", len(names) if count is None else count) + texts


def mxnet(*records: bytes, names: Sequence[str]) -> bytes:
    return struct.pack("<QQQ", 0x112, 0, len(records)) + b"".join(records) + named(names)


def tensor(*shape: int, code: int = 2, magic: int = TENSOR, size: int | None = None) -> bytes:
    """One array of zeros of 32 bits, as TVM stores it."""
    length = 4 * int(np.prod(shape)) if size is None else size
    head = struct.pack("<QQiiiBBH", magic, 0, 1, 0, len(shape), code, 32, 1)
    return head + struct.pack(f"<{len(shape)}qq", *shape, length) + bytes(length)


def tvm(*tensors: bytes, names: Sequence[str], count: int | None = None) -> bytes:
    number = struct.pack("<Q", len(tensors) if count is None else count)
    return struct.pack("<QQ", 0xF7E58D4F05049CB7, 0) + named(names) + number + b"".join(tensors)


def symbol(**attrs: str) -> str:
    variables = [{"op": "null", "name": name, "inputs": []} for name in ("data", "fc_weight", "fc_bias")]
    variables[1] |= {"attrs": attrs} if attrs else {}
    layer = {
        "op": "FullyConnected",
        "name": "fc",
        "attrs": {"num_hidden": "2"},
        "inputs": [[k, 0, 0] for k in range(3)],
    }
    rest = {"arg_nodes": [0, 1, 2], "node_row_ptr": [0, 1, 2, 3, 4], "heads": [[3, 0, 0]]}
    return json.dumps({"nodes": [*variables, layer], **rest, "attrs": {"mxnet_version": ["int", 10901]}})


def compiled() -> str:
    variables = [{"op": "null", "name": name, "inputs": []} for name in ("x", "p0", "p1")]
    attrs = {"func_name": "add", "num_inputs": "3", "num_outputs": "1", "flatten_data": "0"}
    call = {"op": "tvm_op", "name": "add", "attrs": attrs, "inputs": [[k, 0, 0] for k in range(3)]}
    lists = {
        "dltype": ["list_str", ["float32"] * 4],
        "storage_id": ["list_int", [0, 1, 2, 3]],
        "shape": ["list_shape", [[2]] * 4],
    }
    rest = {"arg_nodes": [0, 1, 2], "node_row_ptr": [0, 1, 2, 3, 4], "heads": [[3, 0, 0]]}
    return json.dumps({"nodes": [*variables, call], "attrs": lists, **rest})


def found(folder: Path, text: str, data: bytes) -> list[tuple[str, str, str]]:
    """Return code, severity and message of what is found with a parameter file next to a graph."""
    path = folder / ("net_graph.json" if "tvm_op" in text else "net-symbol.json")
    path.write_text(text)
    path.with_name("net_param.params" if "tvm_op" in text else "net-0000.params").write_bytes(data)
    findings = engine.lint(text, path.name, path=path).findings
    return [(f.code, str(f.severity), f.message) for f in findings if f.code.startswith("W")]


WEIGHT, BIAS = record(2, 3), record(2)
BOTH = ["arg:fc_weight", "arg:fc_bias"]


@pytest.mark.parametrize(
    ("text", "data", "told"),
    [
        (symbol(), mxnet(WEIGHT, BIAS, names=BOTH), None),
        (symbol(), mxnet(WEIGHT, BIAS, names=BOTH[:1]), "W003 error expected 2 names for as many arrays, got 1"),
        (symbol(), mxnet(WEIGHT, record(-2), names=BOTH), "W003 error invalid shape (-2,) of array 1"),
        (symbol(), mxnet(WEIGHT, record(2, magic=77), names=BOTH), "W003 error unknown kind of record 0x4d of array 1"),
        (symbol(), mxnet(WEIGHT, record(2, dtype=99), names=BOTH), "W003 error unknown type number 99 of array 1"),
        (symbol(), mxnet(WEIGHT, BIAS, names=["a", "b"]), None),  # saved by other means
        (symbol(), mxnet(WEIGHT, BIAS, names=["aux:fc_weight", BOTH[1]]), "W005 error expected prefix `arg:` for 'fc_weight'"),
        (symbol(), mxnet(WEIGHT, BIAS, names=["arg:fc_wieght", BOTH[1]]), "W001 error did you mean the unused array 'fc_wieght'?"),
        (symbol(__shape__="(2, 4)"), mxnet(WEIGHT, BIAS, names=BOTH), "W005 error declared shape (2, 4) of 'fc_weight'"),
        (symbol(__dtype__="2"), mxnet(WEIGHT, BIAS, names=BOTH), "W005 warning declared type float16 of 'fc_weight'"),
        # an array without a shape
        (symbol(), mxnet(struct.pack("<Iii", V3, 0, -1), BIAS, names=BOTH), None),
        (compiled(), tvm(tensor(2), tensor(2), names=["p0", "p1"]), None),
        (compiled(), tvm(tensor(2), names=["p0"]), "W001 warning missing values for 'p1'"),
        (compiled(), tvm(*[tensor(2)] * 3, names=["p0", "p1", "q"]), "W004 warning 1 unused array in 'net_param.params': 'q'; TVM ignores it"),
        (compiled(), tvm(tensor(2), names=["p0", "p1"]), "W003 error expected 2 arrays for as many names, got 1"),
        (compiled(), tvm(tensor(2, magic=1), tensor(2), names=["p0", "p1"]), "W003 error expected the magic number of a TVM array"),
        (compiled(), tvm(tensor(2, size=4), tensor(2), names=["p0", "p1"]), "W003 error shape (2,) of array 'p0' does not match its size"),
        (compiled(), tvm(tensor(2, code=9), tensor(2), names=["p0", "p1"]), "W003 error unknown type code 9 of array 'p0'"),
        (compiled(), tvm(tensor(3), tensor(2), names=["p0", "p1"]), "W005 error declared shape [2] of 'p0' does not match shape [3]"),
        (compiled(), tvm(tensor(2, code=0), tensor(2), names=["p0", "p1"]), "W005 error declared type float32 of 'p0' does not match int32"),
        (compiled().replace("[2], ", ""), tvm(tensor(3), tensor(2), names=["p0", "p1"]), None),  # the graph's own lists are wrong
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_parameter_file(tmp_path: Path, text: str, data: bytes, told: str | None) -> None:
    findings = found(tmp_path, text, data)
    if told is None:
        assert findings == []
        return
    code, severity, words = told.split(" ", 2)
    assert [(code, severity) for code, severity, message in findings if words in message] == [(code, severity)], (
        findings
    )


def test_values_of_bfloat16_are_read_and_arrays_without_values_drawn(tmp_path: Path) -> None:
    path = tmp_path / "net-symbol.json"
    path.write_text(symbol())
    ones = record(2, 3, dtype=12, bytes_each=2)[:-12] + b"\x80\x3f" * 6
    path.with_name("net-0000.params").write_bytes(mxnet(ones, BIAS, names=BOTH))
    given: dict[str, Any] = {"data": np.ones((1, 3), np.float32)}
    assert api.run(path, inputs=given)["fc_output"].tolist() == [[3, 3]]
    path.with_name("net-0000.params").write_bytes(mxnet(ones, struct.pack("<Iii", V3, 0, -1), names=BOTH))
    assert api.run(path, inputs=given)["fc_output"].shape == (1, 2)


@pytest.mark.parametrize(
    ("model", "params"),
    [("net-symbol.json", "net-0007.params"), ("net_graph.json", "net_param.params"), ("net.json", "net.params")],
)
def test_the_graph_of_a_parameter_file(tmp_path: Path, model: str, params: str) -> None:
    (tmp_path / model).write_text("{}")
    (tmp_path / params).write_bytes(b"")
    assert models_of(tmp_path / params) == [tmp_path / model]
