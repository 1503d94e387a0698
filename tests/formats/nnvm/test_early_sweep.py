"""A sweep that goes ahead of the schema takes only what the schema takes."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import jsonschema_rs
import pytest
from odd_values import ODD, mutated, places

from irlint.formats.nnvm.passes.examine import Examiner
from irlint.formats.nnvm.passes.operands import LoaderBehavior
from irlint.formats.nnvm.passes.variables import VariableCheck
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.sweep import Sweep, early_sweep
from irlint.operators import table
from irlint.tools.installed import load_json

from .models import Builder, conv, mlp, model

TABLES = {dialects.MXNET: "mxnet", dialects.LEGACY: "mxnet", dialects.CLASSIC: "nnvm"}
ERAS = (LoaderBehavior(), LoaderBehavior(True, True, True, True), LoaderBehavior(False, False, True, True))


def early(dialect: str, value: Any, era: LoaderBehavior) -> Sweep | None:
    name = dialects.SCHEMAS[dialect]
    assert name is not None
    return early_sweep(name, value, Examiner(table(TABLES[dialect]), era), VariableCheck(era))


def is_valid(dialect: str, value: Any) -> bool:
    name = dialects.SCHEMAS[dialect]
    assert name is not None
    return bool(jsonschema_rs.validator_for(load_json(name)).is_valid(value))


@pytest.mark.parametrize("dialect", TABLES)
def test_what_it_takes_is_valid(dialect: str) -> None:
    pick = random.Random(dialect)
    graphs = [model(pick) for _ in range(60)]
    taken = 0
    for _ in range(3000):
        value = mutated(pick.choice(graphs), pick, graphs)
        if isinstance(value, dict) and early(dialect, value, pick.choice(ERAS)) is not None:
            assert is_valid(dialect, value), json.dumps(value)
            taken += 1
    assert taken > 500 or dialect == dialects.LEGACY


@pytest.mark.parametrize("dialect", TABLES)
def test_every_value_replaced_by_odd_ones(dialect: str) -> None:
    graph = conv(random.Random(1), Builder())
    for number in range(len(places(graph))):
        for odd in ODD:
            value = copy.deepcopy(graph)
            holder, key = places(value)[number]
            holder[key] = odd
            if early(dialect, value, ERAS[2]) is not None:
                assert is_valid(dialect, value), (key, odd)


def test_attributes_of_variables_with_inputs() -> None:
    graph = conv(random.Random(1), Builder())
    graph["nodes"][0] |= {"attrs": {"__shape__": 1.5}, "inputs": [[2, 0, 0]]}
    assert early(dialects.MXNET, graph, ERAS[2]) is None


def test_it_takes_what_mxnet_writes() -> None:
    pick = random.Random(3)
    for make in (mlp, conv):
        assert early(dialects.MXNET, make(pick, Builder()), ERAS[2]) is not None
