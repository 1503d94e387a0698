"""What editors show of LightNet files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine
from irlint.formats.lightnet.navigation import NAVIGATION

from .models import op, show


def shapes(ops: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """What hovers and inlay hints say of every operator's outputs."""
    result = engine.lint(json.dumps({"ops": ops}), "a.json")
    assert result.model is not None
    assert result.findings
    graph = result.model.graph
    return {node.name: [type_.shape for type_ in NAVIGATION.types(result.model, graph, node)] for node in graph.nodes}


@pytest.mark.parametrize("wrong", ["a", "b"])
def test_types_are_shown_as_written(wrong: str) -> None:
    """The finding says which repair fits; a hover shows what the file says, as long as nobody has made the repair."""
    dims = {"a": [2, 3], "b": [2, 3]} | {wrong: [2, 4]}
    ops = [op(f"make_{name}", "zeros", {}, {"dst": name}, dtype="TL_FLOAT", dims=dims[name]) for name in "ab"]
    ops += [
        op("add", "elew", {"src1": "a", "src2": "b"}, {"dst": "sum"}, elew_op="TL_SUM"),
        op("act", "relu", {"src": wrong}, {"dst": "active"}),
        show("sum"),
        show("active"),
    ]
    found = shapes(ops)
    assert found["make_a"] == [tuple(dims["a"])]
    assert found["make_b"] == [tuple(dims["b"])]
    assert found["act"] == [(2, 4)]
