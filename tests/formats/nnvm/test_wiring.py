"""Inputs that are lost, doubled or lead astray are put right where names and what nobody reads tell how."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from irlint.engine import lint
from irlint.inspection.summary import summarize
from irlint.jobs import Job, JobOptions, one_file
from irlint.settings import Settings
from irlint.view.draw import draw

from .models import Builder

Graph = dict[str, Any]
Change = Callable[[Graph], object]


def network() -> Graph:
    net = Builder()
    data = net.var("data", (2, 3, 8, 8))
    conv = net.add(
        "Convolution", "conv0", [data, net.var("conv0_weight"), net.var("conv0_bias")],
        {"kernel": "(3, 3)", "num_filter": "4"},
    )  # fmt: skip
    states = [net.var(f"bn0_{part}") for part in ("gamma", "beta", "moving_mean", "moving_var")]
    norm = net.add("BatchNorm", "bn0", [conv, *states], {"fix_gamma": "True"}, 3)
    relu = net.add("Activation", "relu0", [norm], {"act_type": "relu"})
    flat = net.add("Flatten", "flat0", [relu])
    dense = net.add("FullyConnected", "fc1", [flat, net.var("fc1_weight"), net.var("fc1_bias")], {"num_hidden": "10"})
    return net.graph(net.add("SoftmaxOutput", "softmax", [dense, net.var("softmax_label")]))


def named(graph: Graph, name: str) -> Any:
    return next(node for node in graph["nodes"] if node["name"] == name)


def index(graph: Graph, name: str) -> int:
    return next(k for k, node in enumerate(graph["nodes"]) if node["name"] == name)


def lost(name: str, k: int) -> Change:
    return lambda graph: named(graph, name)["inputs"].pop(k)


def doubled(name: str, k: int) -> Change:
    return lambda graph: named(graph, name)["inputs"].insert(k, list(named(graph, name)["inputs"][k]))


def led_to(name: str, k: int, source: str | int) -> Change:
    def change(graph: Graph) -> None:
        named(graph, name)["inputs"][k][0] = source if isinstance(source, int) else index(graph, source)

    return change


def fixed(graph: Graph, unsafe: bool) -> Graph | None:
    data = json.dumps(graph, indent=2).encode()
    job = Job("a-symbol.json", Settings(), data=data)
    outcome = one_file.check(job, JobOptions(fix=True, unsafe=unsafe))
    found: Graph | None = None if outcome.data in (None, data) else json.loads(outcome.data or b"")
    return found


def test_the_network_is_right() -> None:
    assert not lint(json.dumps(network()), "a-symbol.json").findings


@pytest.mark.parametrize(
    "change",
    [
        lost("bn0", 1), lost("bn0", 3), lost("bn0", 4), lost("softmax", 1), doubled("bn0", 4), doubled("fc1", 1),
        led_to("fc1", 1, -1), led_to("fc1", 1, 99), led_to("fc1", 1, "fc1"), led_to("bn0", 2, -1),
    ],
)  # fmt: skip
def test_what_names_tell_is_safe(change: Change) -> None:
    graph = network()
    change(graph)
    assert fixed(graph, unsafe=False) == network()


@pytest.mark.parametrize(
    "change",
    [
        lost("fc1", 2), lost("fc1", 1), lost("fc1", 0), lost("conv0", 2), lost("relu0", 0), doubled("relu0", 0),
        doubled("fc1", 0), led_to("relu0", 0, -1), led_to("relu0", 0, 99), led_to("fc1", 0, "fc1"),
        led_to("fc1", 0, "softmax"), led_to("fc1", 1, "conv0_weight"), led_to("fc1", 2, "fc1_weight"),
        lambda graph: graph["heads"][0].__setitem__(0, -1),
    ],
)  # fmt: skip
def test_what_only_one_node_can_be_is_proven_or_a_guess(change: Change) -> None:
    graph = network()
    change(graph)
    assert fixed(graph, unsafe=False) in (None, network())
    assert fixed(graph, unsafe=True) == network()


def test_without_a_bias_the_attribute_is_added() -> None:
    """It replaced the inputs by "True" once."""
    net = Builder()
    inputs = [net.var("data", (2, 3)), net.var("fc1_weight")]
    graph = net.graph(net.add("FullyConnected", "fc1", inputs, {"num_hidden": "10"}))
    wanted = copy.deepcopy(graph)
    named(wanted, "fc1")["attrs"]["no_bias"] = "True"
    assert fixed(graph, unsafe=True) == wanted


def test_minus_one_does_not_become_the_last_node() -> None:
    graph = network()
    named(graph, "conv0")["inputs"][0][0] = -1  # the data is read by nobody then
    found = fixed(graph, unsafe=True)
    assert found == network()


def test_of_two_nodes_that_nothing_reads_none_is_chosen() -> None:
    graph = network()
    extra = {"op": "relu", "name": "other", "inputs": [[0, 0, 0]]}
    named(graph, "relu0")["inputs"][0][0] = -1
    graph["nodes"].append(extra)
    graph["node_row_ptr"].append(graph["node_row_ptr"][-1] + 1)
    findings = [f for f in lint(json.dumps(graph), "a-symbol.json").findings if f.code == "R006"]
    assert [f.fix for f in findings] == [None]


@pytest.mark.parametrize("output", [-1, -2, -(2**31), -(2**70), 2**63])
@pytest.mark.parametrize("where", ["inputs", "heads"])
def test_numbers_of_no_output(output: int, where: str) -> None:
    """A negative number of an output is not an index from the end, whoever looks up what an entry refers to."""
    graph = network()
    (graph["heads"] if where == "heads" else named(graph, "relu0")["inputs"])[0][1] = output
    result = lint(json.dumps(graph), "a-symbol.json")
    assert [finding.severity.name for finding in result.findings][:1] == ["ERROR"]
    model = result.model
    assert model is not None
    summarize(model)
    draw(model, "a", result.findings)
