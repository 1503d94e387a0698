"""IRs that are right: no finding, the types that the opsets' specifications promise, and their values."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conformance import Row, check, shown

from irlint.formats.openvino.reading.layers import ELEMENT_TYPES
from irlint.graph import Type

from . import models
from .conformance_rows import CASES, Case
from .notation import Net, Value

PYTHON = os.environ.get("IRLINT_OPENVINO_PYTHON")
WORKER = Path(__file__).parents[2] / "dryrun" / "openvino_worker.py"
NAMED = {f"{group}-{k}": case for group, cases in CASES.items() for k, case in enumerate(cases)}
ALONE = {
    "opset1.Broadcast",
    "opset3.ReadValue",
    "opset6.ReadValue",
}  # with words of old releases, or without its Assign
TYPES = {precision: ELEMENT_TYPES[name] for precision, name in models.TYPES.items()}


def usual(value: Value) -> Any:
    """Numbers of both signs, none of them 0 and no two alike, as far as the type has them."""
    shape = [int(dim) for dim in value.shape.split(",") if dim]
    kind = ELEMENT_TYPES[value.kind]
    size = int(np.prod(shape))
    if kind == "bool":
        return (np.arange(size) % 3 == 0).reshape(shape)
    if str(kind).startswith("uint"):
        return np.arange(1, size + 1).astype(kind).reshape(shape)
    if str(kind).startswith("int"):
        return (np.arange(1, size + 1) * np.where(np.arange(size) % 2, -1, 1)).astype(kind).reshape(shape)
    return (np.arange(size) / 3 - 0.56).astype(str(kind)).reshape(shape)


def row(name: str, case: Case) -> Row:
    net = Net(case.text, case.version)
    types = {
        values[0].name: "; ".join(_type(ELEMENT_TYPES[value.kind], value.shape) for value in values)
        for values in net.calls.values()
    }
    inputs, values = {}, {}
    if case.wanted is not None:
        inputs = {name: case.given[name] if name in case.given else usual(it) for name, it in net.parameters.items()}
        wanted = case.wanted(*inputs.values())
        values = dict(zip(net.results, wanted if len(net.results) > 1 else (wanted,), strict=True))
    tolerance = 2e-3 if "f16" in case.text else 1e-5
    return Row(name, net.text, f"ir{case.version}", types, inputs, values, net.data, tolerance)


def _type(dtype: str | None, shape: str) -> str:
    return shown(Type(dtype, tuple(int(dim) if dim.isdigit() else None for dim in shape.split(",") if dim)))


@pytest.mark.parametrize("name", NAMED)
def test_written_from_the_specification(name: str, tmp_path: Path) -> None:
    check(row(name, NAMED[name]), tmp_path / "net.xml")


@pytest.mark.parametrize("key", sorted(models.operations().keys() - ALONE))
def test_every_operation_of_the_opsets(key: str, tmp_path: Path) -> None:
    made, record = models.model(key), models.operations()[key]
    types = {"op": "; ".join(_type(TYPES[kind], ",".join(map(str, dims))) for kind, dims in record["outputs"])}
    check(Row(key, made.text, "ir11", types, weights=made.weights), tmp_path / "net.xml")


def test_there_are_many() -> None:
    assert len(NAMED) >= 150
    assert sum(case.wanted is not None for case in NAMED.values()) >= 150


@pytest.mark.skipif(not PYTHON, reason="IRLINT_OPENVINO_PYTHON names no Python with openvino")
def test_openvino_computes_the_same(tmp_path: Path) -> None:
    rows = {k: row(name, case) for k, (name, case) in enumerate(NAMED.items()) if case.wanted is not None}
    for k, it in rows.items():
        path = tmp_path / f"{k}.xml"
        path.write_text(it.text, encoding="utf-8")
        path.with_suffix(".bin").write_bytes(it.weights or b"")
        np.savez(path.with_suffix(".npz"), **it.inputs)
    assert PYTHON is not None
    subprocess.run([PYTHON, str(WORKER), str(tmp_path)], check=True)
    for k, it in rows.items():
        found = np.load(tmp_path / f"{k}.out.npz")
        for j, (name, wanted) in enumerate(it.values.items()):
            np.testing.assert_allclose(
                found[f"arr_{j}"], wanted, it.tolerance, it.tolerance, err_msg=f"{it.name} {name}"
            )
