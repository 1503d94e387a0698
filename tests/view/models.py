"""Models to draw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from irlint import engine
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.view import Box, BoxScene
from irlint.view.draw import draw

Node = dict[str, Any]


def symbol(nodes: list[Node], heads: list[int] | None = None) -> str:
    """An MXNet symbol; inputs may be given as indices."""
    for node in nodes:
        node["inputs"] = [[entry, 0, 0] if isinstance(entry, int) else entry for entry in node.get("inputs", [])]
        node.setdefault("attrs", {})
    leaves = [k for k, node in enumerate(nodes) if node["op"] == "null"]
    ends = [[k, 0, 0] for k in (heads or [len(nodes) - 1])]
    return json.dumps({"nodes": nodes, "arg_nodes": leaves, "heads": ends, "attrs": {"mxnet_version": ["int", 10901]}})


def transformer(layers: int) -> str:
    """Layers with scopes in their names, each of which reads one mask."""
    nodes: list[Node] = [
        {"op": "null", "name": "data", "attrs": {"__shape__": "(1, 8, 16)"}},
        {"op": "null", "name": "mask", "attrs": {"__shape__": "(1, 8, 16)"}},
    ]
    last = 0
    for layer in range(layers):
        path = f"model/layers.{layer}"
        at = len(nodes)
        nodes += [
            {"op": "LayerNorm", "name": f"{path}/norm/LayerNorm", "inputs": [last, at + 1, at + 2]},
            {"op": "null", "name": f"{path}/norm/gamma"},
            {"op": "null", "name": f"{path}/norm/beta"},
        ]
        nodes[at:] = [nodes[at + 1], nodes[at + 2], nodes[at]]
        nodes[-1]["inputs"] = [last, at, at + 1]
        norm = at + 2
        nodes += [
            {"op": "broadcast_mul", "name": f"{path}/attn/Multiply", "inputs": [norm, 1]},
            {"op": "softmax", "name": f"{path}/attn/Softmax", "inputs": [norm + 1]},
            {"op": "broadcast_add", "name": f"{path}/attn/Add", "inputs": [norm + 2, norm]},
            {"op": "elemwise_add", "name": f"{path}/Add", "inputs": [norm + 3, last]},
        ]
        last = len(nodes) - 1
    return symbol(nodes)


def chain(operators: list[str]) -> str:
    nodes: list[Node] = [{"op": "null", "name": "data", "attrs": {"__shape__": "(2, 3)"}}]
    nodes += [{"op": op, "name": f"n{k}", "inputs": [k]} for k, op in enumerate(operators)]
    return symbol(nodes)


def model_of(text: str, name: str = "model.json") -> Model:
    found = engine.lint(text, name).model
    assert found is not None
    return found


def scene_of(text: str, name: str = "model.json") -> BoxScene:
    result = engine.lint_bytes(text.encode(), name, Settings())
    assert result.model is not None
    return draw(result.model, name, result.findings, result.lines)


def scene_at(path: Path) -> BoxScene:
    result = engine.lint_bytes(path.read_bytes(), str(path), Settings(), None, path)
    assert result.model is not None
    return draw(result.model, path.name, result.findings, result.lines)


def named(scene: BoxScene, name: str) -> Box:
    return next(box for box in scene.boxes if name in (box.name, box.full))
