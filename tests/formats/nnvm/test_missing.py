"""What a graph lacks or spells wrong comes back where the rest of it tells what it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from irlint import engine, fixes
from irlint.rules.samples import SYMBOL

Change = Callable[[dict[str, Any]], Any]


def changed(change: Change) -> str:
    graph = json.loads(SYMBOL)
    change(graph)
    return json.dumps(graph, indent=2)


def fixed(text: str, unsafe: bool) -> Any:
    return json.loads(fixes.fix(text, lambda text: engine.lint(text, "a-symbol.json").findings, unsafe).text)


def put(graph: Any, *path: Any) -> None:
    *way, last, value = path
    for step in way:
        graph = graph[step]
    graph[last] = value


SAFE: dict[str, Change] = {
    "no arg_nodes": lambda graph: graph.pop("arg_nodes"),
    "no inputs": lambda graph: graph["nodes"][0].pop("inputs"),
    "no op": lambda graph: graph["nodes"][0].pop("op"),
    "inputs null": lambda graph: put(graph, "nodes", 0, "inputs", None),
    "inputs {}": lambda graph: put(graph, "nodes", 0, "inputs", {}),
    "entry is a number": lambda graph: put(graph, "nodes", 3, "inputs", 1, 1),
    "node is a name": lambda graph: put(graph, "nodes", 3, "inputs", 1, 0, "fc0_weight"),
    "variable is a name": lambda graph: put(graph, "arg_nodes", 1, "fc0_weight"),
    "head is a number": lambda graph: put(graph, "heads", 0, 4),
}
UNSAFE: dict[str, Change] = {
    "no heads": lambda graph: graph.pop("heads"),
    "no brackets": lambda graph: put(graph, "nodes", 4, "inputs", [3, 0, 0]),
    "no name": lambda graph: graph["nodes"][1].pop("name"),
}


@pytest.mark.parametrize("name", SAFE)
def test_what_can_only_have_been_one_thing(name: str) -> None:
    assert fixed(changed(SAFE[name]), unsafe=False) == json.loads(SYMBOL)


@pytest.mark.parametrize("name", UNSAFE)
def test_what_was_probably_so(name: str) -> None:
    text = changed(UNSAFE[name])
    assert fixed(text, unsafe=False) == json.loads(text)
    assert fixed(text, unsafe=True) == json.loads(SYMBOL)
