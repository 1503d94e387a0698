"""Every operator of MXNet with shapes and attributes that nobody foresaw: something is said of them, or nothing."""

from __future__ import annotations

import json
import random

import pytest

from irlint import engine
from irlint.operators import Attribute, Operator, table

_TABLE = table("mxnet")
_NUMBERS = ("-3", "-1", "0", "1", "2", "5")


def _tuple(rng: random.Random, ranks: tuple[int, ...], numbers: tuple[str, ...]) -> str:
    dims = [rng.choice(numbers) for _ in range(rng.choice(ranks))]
    return f"({', '.join(dims)}{',' * (len(dims) == 1)})"


def _value(rng: random.Random, attribute: Attribute) -> str:
    if attribute.values:
        return rng.choice(attribute.values)
    if attribute.kind == "bool":
        return rng.choice(("True", "False"))
    if attribute.kind in ("shape", "int_tuple"):
        return _tuple(rng, (0, 1, 2, 4), _NUMBERS)
    return rng.choice(_NUMBERS)


def _model(rng: random.Random, operator: Operator) -> str:
    shape = _tuple(rng, (1, 2, 3, 4, 5), ("1", "2", "3", "4"))
    attrs = {a.name: _value(rng, a) for a in operator.attributes.values() if a.required or rng.random() < 0.3}
    nodes = []
    for k in range(len(operator.inputs)):
        own = shape if rng.random() < 0.7 else _tuple(rng, (0, 1, 2, 3), ("0", "1", "2"))
        nodes.append({"op": "null", "name": f"in{k}", "attrs": {"__shape__": own}, "inputs": []})
    count = len(nodes)
    nodes.append({"op": operator.name, "name": "op", "attrs": attrs, "inputs": [[k, 0, 0] for k in range(count)]})
    heads = {"arg_nodes": list(range(count)), "heads": [[count, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    return json.dumps({"nodes": nodes, **heads})


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_a_shape_function_does_not_foresee_ends_the_lint(seed: int) -> None:
    rng = random.Random(seed)
    for operator in filter(None, map(_TABLE.get, sorted(_TABLE.names))):
        engine.lint(_model(rng, operator), "model-symbol.json")
