"""Defects of NNVM graphs in which every word is legal: flags flipped, numbers moved by one, inputs swapped or rewired."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from oracle.sources import ROOT

Graph = dict[str, Any]
Way = Callable[[random.Random, Graph], bool]


def attributes(graph: Graph) -> list[tuple[Any, dict[str, Any], str]]:
    """(operator, attributes, key) of all operators."""
    found = []
    for node in graph["nodes"]:
        holder = next((node[k] for k in ("attrs", "attr", "param") if node.get(k)), {})
        if node["op"] != "null":
            found += [(node["op"], holder, key) for key in holder if isinstance(holder[key], str) and key[:2] != "__"]
    return found


def _pick(rng: random.Random, found: list[tuple[Any, dict[str, Any], str]]) -> tuple[Any, dict[str, Any], str] | None:
    """Any of them, of rare operators as often as of common ones."""
    kinds = sorted({(op, key) for op, _, key in found})
    if not kinds:
        return None
    kind = rng.choice(kinds)
    return rng.choice([row for row in found if (row[0], row[2]) == kind])


def flag(rng: random.Random, graph: Graph) -> bool:
    chosen = _pick(rng, [row for row in attributes(graph) if row[1][row[2]].lower() in ("true", "false")])
    if chosen is None:
        return False
    _, holder, key = chosen
    holder[key] = "False" if holder[key].lower() == "true" else "True"
    return True


@cache
def known_words() -> dict[tuple[str, str], list[str]]:
    """The values that attributes may have, by operator and attribute."""
    table = json.loads((ROOT / "schemas" / "operators" / "mxnet.json").read_text(encoding="utf-8"))
    found = {}
    for name, operator in table["operators"].items():
        for attribute in operator.get("attributes", ()):
            for known in (name, *operator.get("aliases", ())):
                found[known, attribute["name"]] = sorted(map(str, attribute.get("values", ())))
    return {key: values for key, values in found.items() if len(values) > 1}


def word(rng: random.Random, graph: Graph) -> bool:
    words = known_words()
    chosen = _pick(rng, [row for row in attributes(graph) if row[1][row[2]] in words.get((row[0], row[2]), ())])
    if chosen is None:
        return False
    op, holder, key = chosen
    holder[key] = rng.choice([w for w in words[op, key] if w != holder[key]])
    return True


def integer(rng: random.Random, graph: Graph) -> bool:
    chosen = _pick(
        rng, [row for row in attributes(graph) if re.fullmatch(r"[(\[]?-?\d+(?:, ?-?\d+)*[)\]]?", row[1][row[2]])]
    )
    if chosen is None:
        return False
    _, holder, key = chosen
    spot = rng.choice(list(re.finditer(r"-?\d+", holder[key])))
    holder[key] = holder[key][: spot.start()] + str(int(spot[0]) + rng.choice((1, -1))) + holder[key][spot.end() :]
    return True


def inputs_swapped(rng: random.Random, graph: Graph) -> bool:
    usable = [node["inputs"] for node in graph["nodes"] if len(node["inputs"]) > 1]
    if not usable:
        return False
    inputs = rng.choice(usable)
    a, b = rng.sample(range(len(inputs)), 2)
    inputs[a], inputs[b] = inputs[b], inputs[a]
    return True


def rewired(rng: random.Random, graph: Graph) -> bool:
    """An input reads another earlier node."""
    usable = [(k, node) for k, node in enumerate(graph["nodes"]) if k and node["inputs"]]
    if not usable:
        return False
    k, node = rng.choice(usable)
    entry = rng.choice(node["inputs"])
    entry[0] = rng.randrange(k)
    return True


def input_removed(rng: random.Random, graph: Graph) -> bool:
    usable = [node["inputs"] for node in graph["nodes"] if node["inputs"]]
    if not usable:
        return False
    inputs = rng.choice(usable)
    del inputs[rng.randrange(len(inputs))]
    return True


def output_changed(rng: random.Random, graph: Graph) -> bool:
    """An input or a head reads another output of its node."""
    entries = [entry for node in graph["nodes"] for entry in node["inputs"]] + graph["heads"]
    entry = rng.choice(entries)
    entry[1] = entry[1] + 1 if not entry[1] or rng.random() < 0.5 else entry[1] - 1
    return True


def head_moved(rng: random.Random, graph: Graph) -> bool:
    entry = rng.choice(graph["heads"])
    entry[0] = rng.randrange(len(graph["nodes"]))
    return True


def operator_changed(rng: random.Random, graph: Graph) -> bool:
    """A node has the operator of another one."""
    calls = [node for node in graph["nodes"] if node["op"] != "null"]
    if len({node["op"] for node in calls}) < 2:
        return False
    node = rng.choice(calls)
    node["op"] = rng.choice(sorted({other["op"] for other in calls} - {node["op"]}))
    return True


WAYS: tuple[Way, ...] = (
    flag, word, integer, integer, integer, inputs_swapped, inputs_swapped, rewired, rewired, input_removed, output_changed, head_moved,
    operator_changed,
)  # fmt: skip
