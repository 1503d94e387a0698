"""What MXNet 1.9.1 computes at the edges of operators."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from irlint.api import run


@pytest.mark.parametrize(
    ("op", "attrs", "inputs", "expected"),
    [
        ("rint", {}, [[0.5, 1.5, 2.5, 3.5, -0.5, -1.5, 2.4]], [0, 1, 2, 3, -1, -2, 2]),
        ("broadcast_mod", {}, [[3, -3, 5.5, -5.5], [0, -2, -2, 2]], [0, -1, -0.5, 0.5]),
        ("_mod_scalar", {"scalar": "0"}, [[3, -3]], [0, 0]),
        ("_rmod_scalar", {"scalar": "0"}, [[0, 3]], [0, 0]),
        ("reverse", {"axis": "(0, 0)"}, [[[1, 2], [3, 4]]], [[1, 2], [3, 4]]),
        ("reverse", {"axis": "(0, 1, 0)"}, [[[1, 2], [3, 4]]], [[2, 1], [4, 3]]),
    ],
)
def test_values(op: str, attrs: dict[str, str], inputs: list[Any], expected: list[Any]) -> None:
    places = range(len(inputs))
    nodes: list[dict[str, Any]] = [{"op": "null", "name": f"x{k}", "inputs": []} for k in places]
    nodes.append({"op": op, "name": "y", "attrs": attrs, "inputs": [[k, 0, 0] for k in places]})
    graph = {"nodes": nodes, "arg_nodes": list(places), "heads": [[len(inputs), 0, 0]]}
    text = json.dumps({**graph, "attrs": {"mxnet_version": ["int", 10901]}}, indent=1)
    (found,) = run(text, {f"x{k}": np.array(x, np.float32) for k, x in enumerate(inputs)}).values()
    assert found.tolist() == expected
