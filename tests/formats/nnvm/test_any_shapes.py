"""Every operator of MXNet with shapes and attributes that nobody foresaw: something is said of them, or nothing."""

from __future__ import annotations

import json
import random

import pytest

from irlint import engine
from irlint.findings import Severity
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


def _of(operator: str, shapes: tuple[str, ...], kinds: tuple[int, ...] = (), **attrs: str) -> str:
    """The severities and names of what is said of one operator."""
    given = [{"__shape__": shape} for shape in shapes]
    for k, kind in enumerate(kinds):
        given[k]["__dtype__"] = str(kind)
    nodes = [{"op": "null", "name": f"in{k}", "attrs": each, "inputs": []} for k, each in enumerate(given)]
    count = len(nodes)
    nodes.append({"op": operator, "name": "op", "attrs": attrs, "inputs": [[k, 0, 0] for k in range(count)]})
    heads = {"arg_nodes": list(range(count)), "heads": [[count, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    found = engine.lint(json.dumps({"nodes": nodes, **heads}), "model-symbol.json").findings
    return " ".join(f"{f.severity.name} {f.name}" for f in found if f.severity >= Severity.WARNING)


@pytest.mark.parametrize(
    ("operator", "kinds", "other"),
    [
        ("_npi_add", (0, 4), "(2, 3)"),
        ("_npi_add", (0, 2), "(3,)"),
        ("_npi_multiply", (4, 6), "(2, 3)"),
        ("_npi_power", (3, 7), "(2, 3)"),
        ("_npi_subtract", (5, 6), "(3,)"),
        ("_npi_true_divide", (0, 4), "(2, 3)"),
    ],
)
def test_types_that_mxnet_mixes(operator: str, kinds: tuple[int, int], other: str) -> None:
    assert not _of(operator, ("(2, 3)", other), kinds)


@pytest.mark.parametrize(
    ("operator", "kinds"),
    [
        ("_npi_add", (3, 5)),
        ("_npi_subtract", (5, 6)),
        ("_npi_true_divide", (0, 2)),
        ("_npi_hypot", (0, 2)),
        ("_npi_equal", (0, 4)),
        ("_npi_copysign", (0, 2)),
    ],
)
def test_types_that_mxnet_does_not_mix(operator: str, kinds: tuple[int, int]) -> None:
    assert _of(operator, ("(2, 3)", "(2, 3)"), kinds) == "ERROR dtype-mismatch"


def test_oddities_that_run() -> None:
    assert not _of("LRN", ("(4, 4)",), nsize="3")
    assert not _of("_split_v2", ("(4, 4)",), indices="()", axis="1", sections="3")
    assert _of("clip", ("(3,)",), a_min="2", a_max="1") == "WARNING value-out-of-range"
    assert _of("_slice_assign_scalar", ("(4, 4)",), begin="(2,)", end="(2,)") == "WARNING empty-output"


def test_attributes_that_shapes_cannot_do_without() -> None:
    assert _of("_unravel_index", ("(3,)",)) == "ERROR value-out-of-range"
    assert _of("_ravel_multi_index", ("(2, 3)",), shape="()") == "ERROR value-out-of-range"
    assert _of("_split_v2", ("(4, 4)",), indices="()", axis="1") == "ERROR value-out-of-range"
    assert _of("_contrib_getnnz", ("(3, 4, 2)",)) == "ERROR wrong-rank"
