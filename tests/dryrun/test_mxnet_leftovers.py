"""What MXNet takes, however little is left over, is no error; where nothing is left, a warning says so."""

from __future__ import annotations

import os

import pytest

from irlint.dryrun import dims

from .mxnet_cases import Case
from .mxnet_compare import given, ours, symbol, visible
from .mxnet_leftovers import chosen
from .mxnet_oracle import Oracle


def _sketch(case: Case) -> list[tuple[int | None, ...] | None]:
    found = ours(symbol(case, visible(case)), given(case))
    assert found.error is None, (case, found.error)
    return [tuple(shape) if shape is not None else None for shape in found.outs]


@pytest.mark.parametrize("seed", range(4))
def test_no_error(seed: int) -> None:
    for case in chosen(seed, 60):
        assert all(dim is None or dim > 0 for shape in _sketch(case) for dim in shape or ()), case


@pytest.mark.parametrize("length", range(1, 9))
@pytest.mark.parametrize("count", range(1, 9))
def test_equal_parts_are_all_of_it(length: int, count: int) -> None:
    case = Case("_split_v2", [(length, 2)], {"axis": "0", "indices": "()", "sections": str(count)})
    parts = [(shape[0] if shape else None) or 0 for shape in _sketch(case)]
    assert len(parts) == count
    assert sum(parts) == length
    assert sorted(parts, reverse=True) == parts
    assert parts[0] - parts[-1] <= 1


def test_as_mxnet_infers_them() -> None:
    if not (python := os.environ.get("IRLINT_MXNET_PYTHON")):
        pytest.skip("IRLINT_MXNET_PYTHON names no Python with mxnet")
    oracle = Oracle(python)
    try:
        for case in chosen(9, 200):
            theirs = oracle.ask({"json": symbol(case, visible(case)), "shapes": given(case)})
            pairs = zip(_sketch(case), theirs.get("outs") or [], strict=False)
            assert "error" not in theirs, (case, theirs)
            for mine, real in pairs:
                if mine is None:
                    continue
                assert len(mine) == len(real), case
                assert all(dims.compatible(a, b or None) for a, b in zip(mine, real, strict=True)), (case, mine, real)
    finally:
        oracle.close()
