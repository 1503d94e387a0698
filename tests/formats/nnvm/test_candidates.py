"""Changes that the search for repairs tries in symbols: what is defect, what it becomes, and how sure that is."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from irlint import jobs, offers
from irlint.engine import lint
from irlint.findings import Fix, Severity
from irlint.jobs import one_file
from irlint.settings import Settings

from .models import Builder

Graph = dict[str, Any]
Change = Callable[[Graph], object]


def network() -> Graph:
    net = Builder()
    data = net.var("data", (2, 3, 8, 8))
    conv = net.add(
        "Convolution", "conv0", [data, net.var("conv0_weight", (4, 3, 3, 3)), net.var("conv0_bias", (4,))],
        {"kernel": "(3, 3)", "num_filter": "4"},
    )  # fmt: skip
    relu = net.add("Activation", "relu0", [conv], {"act_type": "relu"})
    flat = net.add("Flatten", "flat0", [relu])
    dense = net.add(
        "FullyConnected",
        "fc1",
        [flat, net.var("fc1_weight", (10, 144)), net.var("fc1_bias", (10,))],
        {"num_hidden": "10"},
    )
    last = net.add("Activation", "relu1", [dense], {"act_type": "relu"})
    return net.graph(net.add("_mul_scalar", "mul0", [last], {"scalar": "2.0"}))


def loop() -> Graph:
    body = Builder(version=None)
    step, state = body.var("step"), body.var("state")
    inner = body.graph(body.add("elemwise_add", "plus0", [step, state]))
    inner["heads"] = [[2, 0, 0], [2, 0, 0]]
    net = Builder()
    inputs = [net.var("data", (5, 2, 3)), net.var("begin", (2, 3))]
    attrs = {
        "in_data_locs": "[0]", "in_state_locs": "[1]", "num_args": "3", "num_out_data": "1", "num_outputs": "2", "remain_locs": "[]",
    }  # fmt: skip
    net.add("_foreach", "foreach0", inputs, attrs, 2)
    net.nodes[-1]["subgraphs"] = [inner]
    return net.graph((2, 0, 0), (2, 1, 0))


def named(graph: Graph, name: str) -> Any:
    return next(node for node in graph["nodes"] if node["name"] == name)


def without(name: str, key: str) -> Change:
    return lambda graph: named(graph, name).pop(key)


def with_(name: str, key: str, value: Any) -> Change:
    return lambda graph: named(graph, name).update({key: value})


def attribute(name: str, key: str, value: Any) -> Change:
    return lambda graph: named(graph, name)["attrs"].update({key: value})


def offered(graph: Graph) -> list[Fix | None]:
    result = lint(json.dumps(graph, indent=2), "a-symbol.json")
    offers.confirm(result)
    return [finding.fix for finding in result.findings if finding.severity == Severity.ERROR]


def repaired(graph: Graph) -> Graph | None:
    data = json.dumps(graph, indent=2).encode()
    outcome = one_file.check(jobs.Job("a-symbol.json", Settings(), data=data), jobs.JobOptions(fix=True, unsafe=True))
    assert not outcome.failure
    return json.loads(outcome.data) if outcome.data else None


CASES: list[tuple[Change, str, str]] = [
    (without("fc1", "inputs"), "Set `inputs` to 'flat0', 'fc1_weight', 'fc1_bias'", "proven"),
    (without("fc1", "op"), "Insert `op` with `FullyConnected`", "proven"),
    (with_("fc1", "op", "Linear"), "Set `op` to `FullyConnected`", "proven"),
    (with_("fc1_bias", "op", "variable"), "Set `op` to `null`", "proven"),
    (with_("fc1_bias", "op", None), "Set `op` to `null`", "proven"),
    (lambda graph: named(graph, "fc1")["attrs"].pop("num_hidden"), "Add `num_hidden` with `10`", "proven"),
    (lambda graph: named(graph, "conv0")["attrs"].pop("num_filter"), "Add `num_filter` with `4`", "proven"),
    (lambda graph: named(graph, "conv0")["attrs"].pop("kernel"), "Add `kernel` with `(3, 3)`", "proven"),
    (attribute("conv0", "num_filter", "many"), "Set `num_filter` to `4`", "proven"),
    (attribute("relu0", "act_type", "float32"), "Set `act_type` to `relu`", "unsafe"),
]


@pytest.mark.parametrize(("change", "title", "grade"), CASES, ids=[title for _, title, _ in CASES])
def test_one_change_makes_all_fit(change: Change, title: str, grade: str) -> None:
    graph = network()
    change(graph)
    assert [(fix.title, fix.safety) for fix in offered(graph) if fix] == [(title, grade)]
    assert normal(repaired(graph)) == normal(network())


def normal(graph: Graph | None) -> Graph | None:
    return json.loads(json.dumps(graph, sort_keys=True)) if graph else None


@pytest.mark.parametrize(("key", "value"), [("remain_locs", ""), ("in_state_locs", "x")])
def test_the_places_of_a_loop_are_those_that_are_left(key: str, value: str) -> None:
    graph = loop()
    attribute("foreach0", key, value)(graph)
    assert any(fix is not None for fix in offered(graph))
    assert repaired(graph) == loop()


@pytest.mark.parametrize("key", ["num_outputs", "num_args", "num_out_data"])
def test_counts_of_a_loop(key: str) -> None:
    graph = loop()
    attribute("foreach0", key, "many")(graph)
    assert repaired(graph) == loop()


@pytest.mark.parametrize("value", ["two", "2,5", "0,5", ""])
def test_a_number_that_nothing_depends_on_is_not_proven(value: str) -> None:
    graph = network()
    attribute("mul0", "scalar", value)(graph)
    assert all(fix is None or fix.safety == "unsafe" for fix in offered(graph))


@pytest.mark.parametrize("value", [[4], {}, {"a": [1]}, None, True, 5, 1.5, [[[]]]])
@pytest.mark.parametrize("at", ["attrs", "inputs", "op", "name", "act_type", "entry", "node", "other", "subgraphs"])
def test_values_of_any_kind_are_searched(value: Any, at: str) -> None:
    graph = loop() if at == "subgraphs" else network()
    if at == "subgraphs":
        graph["nodes"][2]["subgraphs"] = value
    elif at == "act_type":
        attribute("relu0", "act_type", value)(graph)
    elif at == "entry":
        named(graph, "fc1")["inputs"][1] = value
    elif at == "node":
        graph["nodes"][4] = value
    elif at == "other":
        named(graph, "data")["inputs"] = value
        named(graph, "fc1").pop("inputs")
    else:
        with_("fc1", at, value)(graph)
    offered(graph)
    repaired(graph)


@pytest.mark.parametrize("k", [0, 1, 2])
def test_entries_that_lost_their_brackets_get_them_back(k: int) -> None:
    graph = network()
    inputs = named(graph, "fc1")["inputs"]
    inputs[k : k + 1] = copy.deepcopy(inputs[k])
    assert {fix.title for fix in offered(graph) if fix} == {"Insert the missing brackets"}
    assert repaired(graph) == network()


@pytest.mark.parametrize(
    ("path", "key", "neighbor"),
    [(("nodes", 3), "name", "attrs"), (("nodes", 1), "name", "attrs"), (("nodes", 3), "inputs", "num_filter"), ((), "heads", "attrs"), ((), "arg_nodes", "node_row_ptr")],
)  # fmt: skip
def test_a_finding_shows_where_a_lost_key_goes(path: tuple[Any, ...], key: str, neighbor: str) -> None:
    graph = network()
    holder = graph
    for step in path:
        holder = holder[step]
    del holder[key]
    text = json.dumps(graph, indent=2)
    finding = next(f for f in lint(text, "a-symbol.json").findings if f.code == "T002")
    (related,) = finding.related
    line = text.count("\n", 0, related.span.start)
    assert related.message == f"`{key}` usually goes here"
    assert f'"{neighbor}"' in text.splitlines()[line]
