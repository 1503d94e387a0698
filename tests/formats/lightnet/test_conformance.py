"""LightNet models that are right, as sources and compiled: no finding, and the types and values that its operators promise."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conformance import Row, check

from irlint.operators import table

from .conformance_rows import CASES, Case
from .models import create, op, show

DTYPES = {
    "TL_FLOAT": "float32", "TL_DOUBLE": "float64", "TL_INT8": "int8", "TL_INT16": "int16", "TL_INT32": "int32", "TL_INT64": "int64",
    "TL_UINT8": "uint8", "TL_UINT32": "uint32", "TL_BOOL": "bool",
}  # fmt: skip
SIZES = {
    kind: 4 if kind == "TL_BOOL" else np.dtype(name).itemsize for kind, name in DTYPES.items()
}  # TL_BOOL is an int
Types = dict[str, tuple[Any, str]]


def numbers(dims: Any, kind: str, at: int) -> Any:
    """Numbers that no two are alike, of both signs where the type has them."""
    values = np.arange(1, prod(dims) + 1)
    if kind == "TL_BOOL":
        values = values % 2
    elif "UINT" not in kind:
        values = values * np.where((values + at) % 3 == 0, -1, 1)
    return values.astype(DTYPES[kind]).reshape(dims)


def source(case: Case) -> tuple[list[Any], Types, list[Any]]:
    """The operators of a model, the types of its tensors, and the values of its inputs."""
    ops, tensors, given = [], {}, []
    for k, (name, (dims, kind)) in enumerate(case.inputs.items()):
        if name == "src_index":
            values = np.arange(prod(dims), dtype="int32")[::-1]
        elif name in ("var", "anchors"):
            values = np.arange(1, prod(dims) + 1, dtype="float32").reshape(dims)
        else:
            values = numbers(dims, kind, k)
        given.append(values)
        ops.append(create(name, list(dims), (values * 1).ravel().tolist(), kind))
        tensors[name] = dims, kind
    ops.append(op("it", case.optype, {k: k for k in case.inputs}, {k: k for k in case.outputs}, **case.params))
    tensors.update(case.outputs)
    return [*ops, *(show(name) for name in case.outputs)], tensors, given


def compiled(ops: list[Any], tensors: Types) -> dict[str, Any]:
    """What LightNet writes of the source for the cpu, with every tensor in a place of its own."""
    offsets, end = {}, 1
    for name, (dims, kind) in tensors.items():
        offsets[name] = end
        end += prod(dims) * SIZES[kind]
    for each in ops:
        each["optype"] += "_cpu"
        for entry in (*each["tensors_in"], *each["tensors_out"]):
            entry.update(dims=list(tensors[entry["name"]][0]), offset_h=0, offset_l=offsets[entry["name"]])
    return {"mem_sizes_h": [0, 0], "mem_sizes_l": [0, end], "ops": ops}


def row(name: str, case: Case, dialect: str) -> Row:
    ops, tensors, given = source(case)
    document = {"ops": ops} if dialect == "source" else compiled(ops, tensors)
    types = {"it": "; ".join(f"{DTYPES[kind]}[{','.join(map(str, dims))}]" for dims, kind in case.outputs.values())}
    values: dict[str, Any] = {}
    if case.wanted is not None:
        made = case.wanted(*given)
        values = dict(zip(case.outputs, made if len(case.outputs) > 1 else (made,), strict=True))
    codes = () if case.cpu else ("C001",)  # no LightNet compiles it for the cpu
    return Row(name, json.dumps(document, indent=1), dialect, types, values=values, codes=codes)


ROWS = [
    (k, dialect)
    for k, case in enumerate(CASES)
    for dialect in ("source", "compiled")
    if case.cpu or dialect == "source"
]


@pytest.mark.parametrize(("k", "dialect"), ROWS, ids=[f"{CASES[k].optype}-{k}-{dialect}" for k, dialect in ROWS])
def test_written_from_the_description(k: int, dialect: str, tmp_path: Path) -> None:
    check(row(CASES[k].optype, CASES[k], dialect), tmp_path / "net.json")


def test_there_are_many() -> None:
    operators = table("lightnet").raw["operators"]
    abstract = {name for name in operators if not name.endswith(("_cpu", "_cuda", "_dpu"))} - {"tensorrt"}
    assert len(ROWS) >= 100
    assert {case.optype for case in CASES} | {"create", "print", "fprint"} == abstract
