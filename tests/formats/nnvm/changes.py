"""What the changes of graphs and texts are made with, and where they register."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Graph = dict[str, Any]


class Skip(Exception):
    """The graph at hand has nothing to do this to."""


Change = Callable[[random.Random, Graph], Any]
TextChange = Callable[[random.Random, str], str]
CHANGES: dict[str, Change] = {}
TEXT_CHANGES: dict[str, TextChange] = {}


def change(function: Change) -> Change:
    CHANGES[function.__name__] = function
    return function


def text_change(function: TextChange) -> TextChange:
    TEXT_CHANGES[function.__name__] = function
    return function


def pick(rng: random.Random, found: list[Any]) -> Any:
    if not found:
        raise Skip
    return rng.choice(found)


def operators_of(g: Graph) -> list[int]:
    return [i for i, n in enumerate(g["nodes"]) if n["op"] != "null"]


def variables_of(g: Graph) -> list[int]:
    return [i for i, n in enumerate(g["nodes"]) if n["op"] == "null"]


def holder_of(node: dict[str, Any]) -> str | None:
    return next((k for k in ("attrs", "attr", "param") if node.get(k)), None)


def some_entry(rng: random.Random, g: Graph) -> tuple[dict[str, Any], int]:
    node = g["nodes"][pick(rng, [i for i in operators_of(g) if g["nodes"][i]["inputs"]])]
    return node, rng.randrange(len(node["inputs"]))


def some_attribute(
    rng: random.Random, g: Graph, fits: Callable[[str], bool] = lambda v: True, variables: bool = False
) -> tuple[Any, str]:
    found = [
        (n[h], k)
        for n in g["nodes"]
        if (n["op"] != "null" or variables) and (h := holder_of(n))
        for k, v in n[h].items()
        if isinstance(v, str) and fits(v)
    ]
    return pick(rng, found)


def renumber(g: Graph, order: list[int]) -> None:
    """Puts nodes in another order; order[new] = old."""
    new = {old: k for k, old in enumerate(order)}
    g["nodes"] = [g["nodes"][old] for old in order]
    for node in g["nodes"]:
        for entry in node["inputs"]:
            entry[0] = new[entry[0]]
    for entry in g["heads"]:
        entry[0] = new[entry[0]]
    g["arg_nodes"] = [i for i, n in enumerate(g["nodes"]) if n["op"] == "null"]


def keyed(rng: random.Random, g: Graph, keys: tuple[str, ...]) -> tuple[Any, str]:
    return pick(
        rng, [(n[h], k) for n in g["nodes"] if n["op"] != "null" and (h := holder_of(n)) for k in n[h] if k in keys]
    )
