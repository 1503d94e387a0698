"""Operators of MXNet, held against MXNet itself; set IRLINT_MXNET_PYTHON to a Python that has mxnet 1.9.1."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .mxnet_cases import CASES
from .mxnet_compare import difference, difference_of_text
from .mxnet_nested import SYMBOLS
from .mxnet_networks import NETWORKS
from .mxnet_networks import difference as difference_of_network
from .mxnet_oracle import Oracle


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    python = os.environ.get("IRLINT_MXNET_PYTHON")
    if not python:
        pytest.skip("IRLINT_MXNET_PYTHON names no Python with mxnet")
    found = Oracle(python)
    yield found
    found.close()


def test_operators_as_mxnet_has_them(oracle: Oracle) -> None:
    """Shapes, those of weights that follow from the data, and values."""
    wrong = {f"{case.op} {case.shapes} {case.attrs}": found for case in CASES if (found := difference(case, oracle))}
    assert wrong == {}
    assert len({case.op for case in CASES}) >= 250


def test_networks_of_gluons_model_zoo(oracle: Oracle, tmp_path: Path) -> None:
    """All shapes inside, and what comes out."""
    wrong = {
        name: found
        for name, shape in NETWORKS.items()
        if (found := difference_of_network(name, shape, oracle, tmp_path))
    }
    assert wrong == {}


@pytest.mark.parametrize("name", SYMBOLS)
def test_graphs_inside_operators(name: str, oracle: Oracle) -> None:
    text, shapes = SYMBOLS[name]
    assert difference_of_text(text, shapes, {}, oracle) is None
