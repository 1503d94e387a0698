"""Defects of NNVM graphs that a repair can be asked for, each kind a family of its own: what is lost, misspelt or moved."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from oracle.legal_symbol import Graph, Way, attributes, known_words
from oracle.sources import ROOT
from oracle.typos import typo

BAD_INTEGERS = ("{0}.5", "{0}.0", "one", "0x{0}", "{0},", "", "{0}e0", "{0} 1", "{0}a", "({0})", "-", "{0}L")
BAD_FLOATS = ("{0}f", "{0}e", "abc", "", "{0},0", "1.2.3", "-")
BAD_FLAGS = ("yes", "no", "ture", "Flase", "Treu", "T", "", "TRUE", "on", "tru", "None", "2")
TUPLES = re.compile(r"[(\[]-?\d+(?:, ?-?\d+)*,?[)\]]")


def _calls(graph: Graph) -> list[Any]:
    return [node for node in graph["nodes"] if node["op"] != "null"]


def _inputs(graph: Graph, least: int = 1) -> list[list[Any]]:
    return [node["inputs"] for node in _calls(graph) if len(node["inputs"]) >= least]


# Values of attributes


def _attribute(fits: Callable[[Any, str, str], Any], renew: Callable[[str, random.Random], str]) -> Way:
    def way(rng: random.Random, graph: Graph) -> bool:
        found = [row for row in attributes(graph) if fits(row[0], row[2], row[1][row[2]])]
        kinds = sorted({(op, key) for op, _, key in found})
        if not kinds:
            return False
        kind = rng.choice(kinds)
        _, holder, key = rng.choice([row for row in found if (row[0], row[2]) == kind])
        holder[key] = renew(holder[key], rng)
        return True

    return way


def _tuple(value: str, rng: random.Random) -> str:
    """A bracket or comma lost, a number misspelt or too many, or other signs around them."""
    inside = value.strip("()[],")
    parts = re.split(", ?", inside)
    k = rng.randrange(len(parts))
    spelled = [*parts[:k], rng.choice(BAD_INTEGERS).format(parts[k]), *parts[k + 1 :]]
    forms = (
        value[1:], value[:-1], inside, value.replace(",", "", 1), value.replace(",", ";"), f"({', '.join(spelled)})", f"({', '.join(spelled)})",
        f"{{{inside}}}", f"({', '.join([*parts, parts[-1]])})", f"({', '.join(parts[:-1])})", f"({value})", inside.replace(",", "x"), "",
        value + ")", typo(value, rng),
    )  # fmt: skip
    return rng.choice(forms)


def _spelled(forms: Sequence[str], value: str, rng: random.Random) -> str:
    return rng.choice(forms).format(value)


def _misspelt(value: str, rng: random.Random) -> str:
    return typo(value, rng)


def _is_word(op: Any, key: str, value: str) -> bool:
    return value in known_words().get((op, key), ())


def attribute_lost(rng: random.Random, graph: Graph) -> bool:
    found = attributes(graph)
    if not found:
        return False
    _, holder, key = rng.choice(found)
    del holder[key]
    return True


def attribute_renamed(rng: random.Random, graph: Graph) -> bool:
    found = attributes(graph)
    if not found:
        return False
    _, holder, key = rng.choice(found)
    renamed = {typo(name, rng) if name == key else name: value for name, value in holder.items()}
    holder.clear()
    holder.update(renamed)
    return True


# Inputs


def _of_inputs(change: Callable[[random.Random, list[Any]], None], least: int = 1) -> Way:
    def way(rng: random.Random, graph: Graph) -> bool:
        usable = _inputs(graph, least)
        if not usable:
            return False
        change(rng, rng.choice(usable))
        return True

    return way


def _lose(rng: random.Random, inputs: list[Any]) -> None:
    del inputs[rng.randrange(len(inputs))]


def _double(rng: random.Random, inputs: list[Any]) -> None:
    k = rng.randrange(len(inputs))
    inputs.insert(k, copy.deepcopy(inputs[k]))


def _shift(rng: random.Random, inputs: list[Any]) -> None:
    k = rng.randrange(1, len(inputs))
    inputs[:] = inputs[k:] + inputs[:k]


def _swap(rng: random.Random, inputs: list[Any]) -> None:
    a, b = rng.sample(range(len(inputs)), 2)
    inputs[a], inputs[b] = inputs[b], inputs[a]


def _flatten(rng: random.Random, inputs: list[Any]) -> None:
    """An entry that has lost its brackets."""
    k = rng.randrange(len(inputs))
    inputs[k : k + 1] = inputs[k]


def _shorten(rng: random.Random, inputs: list[Any]) -> None:
    inputs[rng.randrange(len(inputs))][1:] = []


def node_index(rng: random.Random, graph: Graph) -> bool:
    usable = _inputs(graph)
    if not usable:
        return False
    entry, count = rng.choice(rng.choice(usable)), len(graph["nodes"])
    entry[0] = rng.choice(
        (entry[0] + 1, entry[0] - 1, entry[0] + 1, rng.randrange(count), count, count + 7, -1, -entry[0])
    )
    return True


def output_index(rng: random.Random, graph: Graph) -> bool:
    usable = _inputs(graph)
    if not usable:
        return False
    entry = rng.choice(rng.choice(usable))
    entry[1] = rng.choice([k for k in (0, 1, 2, 3, -1) if k != entry[1]])
    return True


# Operators and nodes


@cache
def _arities() -> dict[str, int]:
    table = json.loads((ROOT / "schemas" / "operators" / "mxnet.json").read_text(encoding="utf-8"))["operators"]
    return {name: len(operator.get("inputs", ())) for name, operator in table.items() if not operator.get("gradient")}


def _operator(renew: Callable[[str, int, random.Random], str | None]) -> Way:
    def way(rng: random.Random, graph: Graph) -> bool:
        usable = _calls(graph)
        if not usable:
            return False
        node = rng.choice(usable)
        new = renew(node["op"], len(node["inputs"]), rng)
        node["op"], old = new or node["op"], node["op"]
        return bool(node["op"] != old)

    return way


def _of_arity(same: bool, op: str, inputs: int, rng: random.Random) -> str | None:
    return rng.choice([name for name, count in _arities().items() if (count == inputs) is same and name != op])


def _variable_misspelt(rng: random.Random, graph: Graph) -> bool:
    node = rng.choice([node for node in graph["nodes"] if node["op"] == "null"])
    node["op"] = rng.choice(("nul", "Null", "none", "variable", "", "NULL", "nulll"))
    return True


def _key(names: Sequence[str], renew: Callable[[str, random.Random], str | None]) -> Way:
    """A key of a node is gone or misspelt."""

    def way(rng: random.Random, graph: Graph) -> bool:
        found = [(node, name) for node in graph["nodes"] for name in names if name in node]
        if not found:
            return False
        node, name = rng.choice(found)
        new = renew(name, rng)
        items = [(new if key == name else key, value) for key, value in node.items()]
        node.clear()
        node.update((key, value) for key, value in items if key is not None)
        return True

    return way


def _gone(name: str, rng: random.Random) -> None:
    return None


def name_doubled(rng: random.Random, graph: Graph) -> bool:
    if len(graph["nodes"]) < 2:
        return False
    one, two = rng.sample(graph["nodes"], 2)
    one["name"] = two["name"]
    return True


def node_lost(rng: random.Random, graph: Graph) -> bool:
    """Nothing is numbered again."""
    del graph["nodes"][rng.randrange(len(graph["nodes"]))]
    return bool(graph["nodes"])


def node_doubled(rng: random.Random, graph: Graph) -> bool:
    k = rng.randrange(len(graph["nodes"]))
    graph["nodes"].insert(k, copy.deepcopy(graph["nodes"][k]))
    return True


# Lists of the graph


def _list(name: str) -> Way:
    """An item is changed, lost, added or doubled, or two change places."""

    def way(rng: random.Random, graph: Graph) -> bool:
        items = graph.get(name)
        if not items:
            return False
        k, how = rng.randrange(len(items)), rng.randrange(5)
        if how == 0 or (how == 4 and len(items) < 2):
            holder, at = (items[k], 0) if isinstance(items[k], list) else (items, k)
            holder[at] = rng.choice((holder[at] + 1, holder[at] - 1, len(graph["nodes"]), -1, str(holder[at])))
        elif how == 1:
            del items[k]
        elif how == 2:
            items.insert(k, copy.deepcopy(items[k]))
        elif how == 3:
            items.append(len(graph["nodes"]) if name != "heads" else [len(graph["nodes"]), 0, 0])
        else:
            a, b = rng.sample(range(len(items)), 2)
            items[a], items[b] = items[b], items[a]
        return True

    return way


def _list_lost(name: str) -> Way:
    def way(rng: random.Random, graph: Graph) -> bool:
        return graph.pop(name, None) is not None

    return way


def _list_renamed(name: str) -> Way:
    def way(rng: random.Random, graph: Graph) -> bool:
        if name not in graph:
            return False
        renamed = {typo(name, rng) if key == name else key: value for key, value in graph.items()}
        graph.clear()
        graph.update(renamed)
        return True

    return way


def hidden_misspelt(rng: random.Random, graph: Graph) -> bool:
    """The shape or type that a variable declares."""
    found = [
        (holder, key)
        for node in graph["nodes"]
        for holder in (node.get("attrs"), node.get("attr"))
        if isinstance(holder, dict)
        for key in ("__shape__", "__dtype__")
        if isinstance(holder.get(key), str) and holder[key]
    ]
    if not found:
        return False
    holder, key = rng.choice(found)
    holder[key] = _tuple(holder[key], rng) if key == "__shape__" else rng.choice(BAD_INTEGERS).format(holder[key])
    return True


def _any(op: Any, key: str, value: str) -> bool:
    return True


WAYS: dict[str, Way] = {
    "input lost": _of_inputs(_lose),
    "input doubled": _of_inputs(_double),
    "inputs shifted": _of_inputs(_shift, 3),
    "inputs swapped": _of_inputs(_swap, 2),
    "input without brackets": _of_inputs(_flatten),
    "input too short": _of_inputs(_shorten),
    "node index": node_index,
    "output index": output_index,
    "op misspelt": _operator(lambda op, inputs, rng: typo(op, rng)),
    "op unknown": _operator(lambda op, inputs, rng: rng.choice(("MyLayer", "Custom2", "Conv2D", "aten::relu", "Linear", "Gemm", "op"))),
    "op of same arity": _operator(partial(_of_arity, True)),
    "op of another arity": _operator(partial(_of_arity, False)),
    "op null misspelt": _variable_misspelt,
    "op lost": _key(("op",), _gone),
    "tuple misspelt": _attribute(lambda op, key, value: TUPLES.fullmatch(value), _tuple),
    "integer misspelt": _attribute(lambda op, key, value: re.fullmatch(r"-?\d+", value), partial(_spelled, BAD_INTEGERS)),
    "float misspelt": _attribute(lambda op, key, value: re.fullmatch(r"-?\d*\.\d+(?:e-?\d+)?", value), partial(_spelled, BAD_FLOATS)),
    "boolean misspelt": _attribute(
        lambda op, key, value: value.lower() in ("true", "false"), partial(_spelled, BAD_FLAGS)
    ),
    "word misspelt": _attribute(_is_word, _misspelt),
    "word of another": _attribute(
        _is_word, lambda value, rng: rng.choice(sorted(w for words in known_words().values() for w in words))
    ),
    "attribute lost": attribute_lost,
    "attribute renamed": attribute_renamed,
    "key attrs renamed": _key(("attrs", "attr", "param"), typo),
    "key inputs lost": _key(("inputs",), _gone),
    "key inputs renamed": _key(("inputs",), typo),
    "name lost": _key(("name",), _gone),
    "name doubled": name_doubled,
    "node lost": node_lost,
    "node doubled": node_doubled,
    "declaration misspelt": hidden_misspelt,
    **{f"{name} wrong": _list(name) for name in ("arg_nodes", "heads", "node_row_ptr")},
    **{f"{name} lost": _list_lost(name) for name in ("nodes", "arg_nodes", "heads", "node_row_ptr")},
    **{f"{name} renamed": _list_renamed(name) for name in ("nodes", "arg_nodes", "heads")},
}  # fmt: skip
