"""An entry that leads to another node than was meant is one finding, at that entry."""

from __future__ import annotations

import copy
import json
from typing import Any

from irlint.engine import lint
from irlint.findings import Finding, Severity

from .models import Builder

BLOCKS = 4


def network() -> dict[str, Any]:
    """Convolutions with bias, normalized and rectified, one behind the other."""
    net = Builder()
    at = net.var("data", (1, 3, 16, 16))
    for k in range(BLOCKS):
        name = f"conv{k}"
        inputs = [at, net.var(f"{name}_weight"), net.var(f"{name}_bias")]
        at = net.add("Convolution", name, inputs, {"kernel": "(3, 3)", "num_filter": str(8 + k), "pad": "(1, 1)"})
        states = [net.var(f"bn{k}_{part}") for part in ("gamma", "beta", "moving_mean", "moving_var")]
        at = net.add("BatchNorm", f"bn{k}", [at, *states], {"fix_gamma": "False"}, 3)
        at = net.add("Activation", f"relu{k}", [at], {"act_type": "relu"})
    return net.graph(at)


def findings(value: Any) -> list[Finding]:
    return [f for f in lint(json.dumps(value), "a-symbol.json").findings if f.severity > Severity.INFO]


def entries(value: Any) -> list[tuple[int, int]]:
    return [(i, k) for i, node in enumerate(value["nodes"]) for k in range(len(node["inputs"]))]


def test_the_network_is_right() -> None:
    assert findings(network()) == []


def test_data_that_leads_to_a_variable() -> None:
    """Each operator's first input, to each variable before it: the error says which input is wrong."""
    right, blamed, total = network(), 0, 0
    for index, k in entries(right):
        if k or right["nodes"][index]["inputs"][0][0] == 0:
            continue
        for other in range(1, index):
            if right["nodes"][other]["op"] != "null":
                continue
            value = copy.deepcopy(right)
            value["nodes"][index]["inputs"][0][0] = other
            errors = [f for f in findings(value) if f.severity == Severity.ERROR]
            assert len(errors) <= 1
            total += len(errors)
            blamed += sum(f.pointer == f"/nodes/{index}/inputs/0" for f in errors)
    assert total > 50
    assert blamed >= 0.9 * total, (blamed, total)


def test_variables_that_lead_to_others() -> None:
    """Each weight, bias and state, to each other variable: the one that nothing reads is named for its reader."""
    right = network()
    told = total = 0
    for index, k in entries(right):
        name = right["nodes"][index]["name"]
        if not k:
            continue
        for other in range(1, index):
            if right["nodes"][other]["op"] != "null" or right["nodes"][other]["name"].startswith(f"{name}_"):
                continue
            value = copy.deepcopy(right)
            value["nodes"][index]["inputs"][k][0] = other
            found = findings(value)
            total += 1
            told += any(f.pointer == f"/nodes/{index}/inputs/{k}" for f in found)
    assert told >= 0.95 * total, (told, total)


def test_the_repair_is_the_entry_as_it_was() -> None:
    value = network()
    text = json.dumps(value)
    value["nodes"][3]["inputs"][1][0] = 0  # conv0 takes the data for its weight
    broken = json.dumps(value)
    fixes = [f.fix for f in lint(broken, "a-symbol.json").findings if f.fix is not None and f.code == "G001"]
    for fix in fixes:
        (edit,) = fix.edits
        assert broken[: edit.span.start] + edit.text + broken[edit.span.end :] == text
