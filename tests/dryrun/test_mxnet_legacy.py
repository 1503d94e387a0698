"""Files of before 0.9 leave the states of layers out; MXNet adds variables for them when it loads them, and so does a run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from irlint.api import run

LEGACY = {
    "nodes": [
        {"op": "null", "param": {}, "name": "data", "inputs": [], "backward_source_id": -1},
        {"op": "null", "param": {}, "name": "bn0_gamma", "inputs": [], "backward_source_id": -1},
        {"op": "null", "param": {}, "name": "bn0_beta", "inputs": [], "backward_source_id": -1},
        {
            "op": "BatchNorm",
            "param": {"eps": "0.001", "fix_gamma": "False", "momentum": "0.9", "use_global_stats": "False"},
            "name": "bn0",
            "inputs": [[0, 0], [1, 0], [2, 0]],
            "backward_source_id": -1,
        },
    ],
    "arg_nodes": [0, 1, 2],
    "heads": [[3, 0]],
}


@pytest.fixture
def symbol(tmp_path: Path) -> Path:
    path = tmp_path / "net-symbol.json"
    path.write_text(json.dumps(LEGACY))
    return path


def test_states_come_from_the_parameter_file(symbol: Path) -> None:
    random = np.random.default_rng(0)
    given = {
        f"bn0_{name}": random.uniform(0.5, 1.5, 3).astype(np.float32)
        for name in ("gamma", "beta", "moving_mean", "moving_var")
    }
    archive = symbol.with_name("net.npz")
    np.savez(archive, **given)
    data = random.standard_normal((2, 3, 4, 4), np.float32)
    (found,) = run(symbol, {"data": data}, weights=archive).values()
    gamma, beta, mean, var = (array.reshape(1, 3, 1, 1) for array in given.values())
    assert np.allclose(found, (data - mean) / np.sqrt(var + 0.001) * gamma + beta, atol=1e-5)


def test_absent_ones_are_drawn(symbol: Path) -> None:
    data = np.ones((1, 3, 2, 2), np.float32)
    (first,), (second,) = (run(symbol, {"data": data}).values() for _ in range(2))
    assert np.isfinite(first).all()
    assert np.array_equal(first, second)
