"""A compiled file says shapes again and again: one operator that makes another one is one finding, however much reads it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint.engine import lint
from irlint.findings import Finding, Severity

READERS = 6


def tensor(arg: str, name: str, dims: list[int], at: int) -> dict[str, Any]:
    return {"arg_name": arg, "name": name, "dims": dims, "offset_h": 0, "offset_l": at}


def compiled() -> dict[str, Any]:
    """A constant, a slice of it, and a row of operators that each read the one before."""
    params = {"dtype": "TL_FLOAT", "dims": [2, 4], "ran": [0, 0], "data": list(range(1, 9)), "from_file": False}
    ops = [operator("c", "create_cpu", [], tensor("dst", "t0", [2, 4], 1), params)]
    cut = {"axis": 1, "start": 1, "len": 3}
    ops.append(operator("s", "slice_cpu", [tensor("src", "t0", [2, 4], 1)], tensor("dst", "t1", [2, 3], 33), cut))
    at = 57
    for k in range(READERS):
        read = tensor("src", f"t{k + 1}", [2, 3], at - 24)
        ops.append(operator(f"r{k}", "relu_cpu", [read], tensor("dst", f"t{k + 2}", [2, 3], at), {}))
        at += 24
    return {"mem_sizes_h": [0, 0], "mem_sizes_l": [0, at], "ops": ops}


def operator(name: str, word: str, reads: list[Any], makes: Any, params: dict[str, Any]) -> dict[str, Any]:
    listed = [{"arg_name": key, "value": value} for key, value in params.items()]
    return {"name": name, "optype": word, "tensors_in": reads, "tensors_out": [makes], "params": listed}


def findings(value: Any) -> tuple[str, list[Finding]]:
    text = json.dumps(value)
    return text, [f for f in lint(text, "a.out.json").findings if f.severity > Severity.INFO]


def test_the_file_is_right() -> None:
    assert findings(compiled())[1] == []


@pytest.mark.parametrize(
    ("index", "param", "at", "wrong"), [(0, 1, 1, 64), (0, 1, 0, 1), (1, 2, None, 2), (1, 2, None, 1)]
)
def test_one_finding_at_the_number(index: int, param: int, at: int | None, wrong: int) -> None:
    value = compiled()
    entry = value["ops"][index]["params"][param]
    right = entry["value"] if at is None else entry["value"][at]
    if at is None:
        entry["value"] = wrong
    else:
        entry["value"][at] = wrong
    text, (found,) = findings(value)
    assert text[slice(*found.span)] == str(wrong)
    assert found.fix is not None
    assert [edit.text for edit in found.fix.edits] == [str(right)]


def test_what_reaches_beyond_the_memory_is_an_error() -> None:
    value = compiled()
    value["ops"][0]["params"][1]["value"] = [2, 4000]
    _, (found,) = findings(value)
    assert found.severity == Severity.ERROR


def test_one_wrong_shape_among_right_ones_is_told_where_it_stands() -> None:
    value = compiled()
    value["ops"][3]["tensors_in"][0]["dims"] = [2, 77]
    text, (found,) = findings(value)
    assert text[slice(*found.span)] == "[2, 77]"
    assert found.severity == Severity.WARNING


def test_long_data_is_not_tried_number_by_number() -> None:
    value = compiled()
    params = value["ops"][0]["params"]
    params[1]["value"], params[3]["value"] = [2, 5], [1] * 100_000
    assert "D006" in [found.code for found in findings(value)[1]]
