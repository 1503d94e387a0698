"""What is not known of the inputs proves nothing: no mistake, and no type that differs from the real one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from irlint.dryrun import dims
from irlint.dryrun.infer import infer
from irlint.dryrun.tensor import Tensor
from irlint.formats.base import by_name
from irlint.rules.base import Model

from .mxnet_cases import CASES, Case
from .mxnet_compare import given, symbol, visible


def _hidden(rng: random.Random, tensor: Tensor) -> Tensor:
    """The tensor with some of its dimensions, perhaps its type, and perhaps all of it unknown."""
    shape: Any = tensor.shape
    if rng.random() < 0.8:
        shape = tuple(None if rng.random() < 0.4 else "n" if rng.random() < 0.1 else dim for dim in shape)
    return Tensor(tensor.dtype if rng.random() < 0.7 else None, shape)


def _agree(one: Tensor, other: Tensor) -> bool:
    if None not in (one.dtype, other.dtype) and one.dtype != other.dtype:
        return False
    if one.shape is None or other.shape is None:
        return True
    return len(one.shape) == len(other.shape) and all(map(dims.compatible, one.shape, other.shape))


def _typed(case: Case, nodes: list[Any]) -> dict[int, Tensor]:
    shapes = given(case)
    kinds = {k: fill.partition(":")[0] for k, fill in case.fill.items() if isinstance(fill, str) and fill != "spd"}
    return {
        node.index: Tensor(kinds.get(node.index, "float32"), tuple(shapes[node.name]))
        for node in nodes
        if node.name in shapes
    }


@pytest.mark.parametrize("seed", range(3))
def test_unknown_inputs_prove_nothing(seed: int) -> None:
    format_ = by_name("nnvm")
    assert format_ is not None
    rng, wrong = random.Random(seed), []
    for case in CASES:
        model = Model(format_.open(symbol(case, visible(case)), "m.json"), "nnvm", "mxnet", state=format_.state())
        assert all(problem.rule.code != "O001" for problem in format_.read(model))
        mapping, graph = format_.dryrun(model), model.graph
        assert mapping is not None
        real = _typed(case, graph.nodes)
        whole = infer(graph, mapping, real)
        part = infer(graph, mapping, {k: _hidden(rng, t) for k, t in real.items() if rng.random() < 0.75})
        assert whole.all_mistakes() == [], case
        pairs = [
            p for node in graph.nodes for p in zip(part.outputs(graph, node), whole.outputs(graph, node), strict=False)
        ]
        if part.all_mistakes() or not all(_agree(*pair) for pair in pairs):
            wrong.append(case)
    assert wrong == []
