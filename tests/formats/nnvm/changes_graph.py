"""Changes of what a graph is made of: order, indices, entries, lists, names."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .changes import (
    CHANGES,
    Change,
    Graph,
    Skip,
    change,
    keyed,
    operators_of,
    pick,
    renumber,
    some_attribute,
    some_entry,
    variables_of,
)
from .writer import Raw

# topology


@change
def late_variable(rng: random.Random, g: Graph) -> None:
    at = pick(rng, variables_of(g))
    order = [i for i in range(len(g["nodes"])) if i != at] + [at]
    renumber(g, order)


@change
def late_operator(rng: random.Random, g: Graph) -> None:
    pairs = [(e[0], i) for i in operators_of(g) for e in g["nodes"][i]["inputs"] if g["nodes"][e[0]]["op"] != "null"]
    early, reader = pick(rng, pairs)
    order = [i for i in range(len(g["nodes"])) if i != early]
    order.insert(order.index(reader) + 1, early)
    renumber(g, order)


@change
def self_cycle(rng: random.Random, g: Graph) -> None:
    node, k = some_entry(rng, g)
    node["inputs"][k][0] = g["nodes"].index(node)


@change
def cycle(rng: random.Random, g: Graph) -> None:
    pairs = [
        (e[0], i)
        for i in operators_of(g)
        for e in g["nodes"][i]["inputs"]
        if g["nodes"][e[0]]["op"] != "null" and g["nodes"][e[0]]["inputs"]
    ]
    early, reader = pick(rng, pairs)
    pick(rng, g["nodes"][early]["inputs"])[0] = reader


@change
def unread_operator(rng: random.Random, g: Graph) -> None:
    source = rng.randrange(len(g["nodes"]))
    g["nodes"].append({"op": "relu", "name": "dead0", "inputs": [[source, 0, 0]]})


@change
def unread_bad_attribute(rng: random.Random, g: Graph) -> None:
    source = rng.randrange(len(g["nodes"]))
    g["nodes"].append({"op": "Activation", "name": "dead0", "attrs": {"act_type": "none"}, "inputs": [[source, 0, 0]]})


@change
def unread_unknown_operator(rng: random.Random, g: Graph) -> None:
    g["nodes"].append({"op": "NoSuchOp", "name": "dead0", "inputs": [[0, 0, 0]]})


# indices


def _index(token: Callable[[random.Random, Graph, int], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node, k = some_entry(rng, g)
        node["inputs"][k][0] = token(rng, g, node["inputs"][k][0])

    return apply


for _name, _token in {
    "index_length": lambda rng, g, old: len(g["nodes"]),
    "index_far": lambda rng, g, old: 99999,
    "index_minus_1": lambda rng, g, old: -1,
    "index_from_end": lambda rng, g, old: old - len(g["nodes"]),
    "index_wraps": lambda rng, g, old: old + 2**32,
    "index_negative_wraps": lambda rng, g, old: old - 2**32,
    "index_huge": lambda rng, g, old: Raw("123456789012345678901234567890"),
    "index_fraction": lambda rng, g, old: Raw(f"{old}.0"),
    "index_half": lambda rng, g, old: Raw(f"{old}.5"),
    "index_string": lambda rng, g, old: str(old),
    "index_true": lambda rng, g, old: True,
    "index_null": lambda rng, g, old: None,
    "index_list": lambda rng, g, old: [old],
    "index_zero_first": lambda rng, g, old: Raw(f"0{old}"),
    "index_plus": lambda rng, g, old: Raw(f"+{old}"),
    "index_exponent": lambda rng, g, old: Raw(f"{old}e0"),
    "index_hex": lambda rng, g, old: Raw(f"0x{old}"),
    "index_nan": lambda rng, g, old: Raw("NaN"),
    "index_name": lambda rng, g, old: g["nodes"][old]["name"],
    "index_minus_0": lambda rng, g, old: Raw("-0") if old == 0 else Raw(f"00{old}"),
}.items():
    CHANGES[_name] = _index(_token)


def _output(value: int) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node, k = some_entry(rng, g)
        node["inputs"][k][1] = value

    return apply


CHANGES["output_1"], CHANGES["output_2"], CHANGES["output_3"] = _output(1), _output(2), _output(3)
CHANGES["output_huge"], CHANGES["output_minus_1"] = _output(1000000), _output(-1)


@change
def output_of_variable(rng: random.Random, g: Graph) -> None:
    found = [e for i in operators_of(g) for e in g["nodes"][i]["inputs"] if g["nodes"][e[0]]["op"] == "null"]
    pick(rng, found)[1] = 1


# entries


def _reshaped(make: Callable[[list[int]], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node, k = some_entry(rng, g)
        node["inputs"][k] = make(node["inputs"][k])

    return apply


for _name, _make in {
    "entry_two": lambda e: e[:2],
    "entry_three": lambda e: [*e[:2], 0],
    "entry_one": lambda e: e[:1],
    "entry_four": lambda e: [*e[:2], 0, 0],
    "entry_none": lambda e: [],
    "entry_number": lambda e: e[0],
    "entry_object": lambda e: {"node": e[0]},
    "entry_null": lambda e: None,
    "entry_version_5": lambda e: [*e[:2], 5],
    "entry_version_negative": lambda e: [*e[:2], -1],
    "entry_version_fraction": lambda e: [*e[:2], Raw("0.0")],
    "entry_nested": lambda e: [e],
}.items():
    CHANGES[_name] = _reshaped(_make)


# number of inputs


@change
def input_dropped(rng: random.Random, g: Graph) -> None:
    node, k = some_entry(rng, g)
    del node["inputs"][k]


@change
def last_input_dropped(rng: random.Random, g: Graph) -> None:
    node, _ = some_entry(rng, g)
    del node["inputs"][-1]


@change
def input_added(rng: random.Random, g: Graph) -> None:
    node, k = some_entry(rng, g)
    node["inputs"].append(list(node["inputs"][k]))


@change
def inputs_gone(rng: random.Random, g: Graph) -> None:
    node, _ = some_entry(rng, g)
    node["inputs"] = []


@change
def input_on_variable(rng: random.Random, g: Graph) -> None:
    at = pick(rng, [i for i in variables_of(g) if i])
    g["nodes"][at]["inputs"] = [[0, 0, 0]]


@change
def count_changed(rng: random.Random, g: Graph) -> None:
    attrs, key = keyed(rng, g, ("num_args", "num_outputs", "num_weights", "num_arrays", "num_tensors"))
    attrs[key] = str(int(attrs[key]) + rng.choice((-1, 1, 2)))


@change
def count_gone(rng: random.Random, g: Graph) -> None:
    attrs, key = keyed(rng, g, ("num_args", "num_outputs"))
    del attrs[key]


@change
def bool_flipped(rng: random.Random, g: Graph) -> None:
    attrs, key = some_attribute(rng, g, lambda v: v in ("True", "False"))
    attrs[key] = str(attrs[key] != "True")


@change
def no_bias_flipped(rng: random.Random, g: Graph) -> None:
    attrs, key = keyed(rng, g, ("no_bias",))
    attrs[key] = str(attrs[key] != "True")


@change
def no_bias_gone(rng: random.Random, g: Graph) -> None:
    attrs, key = keyed(rng, g, ("no_bias",))
    del attrs[key]


# heads and lists


def _heads(make: Callable[[random.Random, Graph], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        g["heads"] = make(rng, g)

    return apply


def _with_head(g: Graph, at: int, entry: Any) -> list[Any]:
    return [entry if k == at else e for k, e in enumerate(g["heads"])]


for _name, _maker in {
    "heads_empty": lambda rng, g: [],
    "heads_far": lambda rng, g: _with_head(g, 0, [99, 0, 0]),
    "heads_negative": lambda rng, g: _with_head(g, 0, [-1, 0, 0]),
    "heads_twice": lambda rng, g: [*g["heads"], list(g["heads"][0])],
    "heads_output": lambda rng, g: _with_head(g, 0, [g["heads"][0][0], 7, 0]),
    "heads_variable": lambda rng, g: _with_head(g, 0, [variables_of(g)[0], 0, 0]),
    "heads_early": lambda rng, g: _with_head(g, 0, [rng.choice(operators_of(g)), 0, 0]),
    "heads_two": lambda rng, g: _with_head(g, 0, g["heads"][0][:2]),
    "heads_flat": lambda rng, g: g["heads"][0],
    "heads_number": lambda rng, g: g["heads"][0][0],
    "heads_null": lambda rng, g: None,
    "heads_version": lambda rng, g: _with_head(g, 0, [*g["heads"][0][:2], 7]),
    "heads_string": lambda rng, g: _with_head(g, 0, [str(g["heads"][0][0]), 0, 0]),
    "heads_object": lambda rng, g: {"0": g["heads"][0]},
}.items():
    CHANGES[_name] = _heads(_maker)


@change
def heads_gone(rng: random.Random, g: Graph) -> None:
    del g["heads"]


@change
def arguments_gone(rng: random.Random, g: Graph) -> None:
    del g["arg_nodes"]


def _listed(key: str, make: Callable[[random.Random, Graph, list[Any]], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        if not g.get(key):
            raise Skip
        new = make(rng, g, list(g[key]))
        if new == g[key]:
            raise Skip
        g[key] = new

    return apply


for _name, _lister in {
    "arguments_empty": lambda rng, g, a: [],
    "arguments_short": lambda rng, g, a: a[:-1],
    "arguments_unsorted": lambda rng, g, a: a[::-1],
    "arguments_twice": lambda rng, g, a: [*a, a[0]],
    "arguments_operator": lambda rng, g, a: [*a, operators_of(g)[0]],
    "arguments_far": lambda rng, g, a: [*a[:-1], 999],
    "arguments_negative": lambda rng, g, a: [*a[:-1], -2],
    "arguments_names": lambda rng, g, a: [g["nodes"][i]["name"] for i in a],
    "arguments_null": lambda rng, g, a: None,
    "arguments_fraction": lambda rng, g, a: [Raw(f"{a[0]}.0"), *a[1:]],
    "arguments_object": lambda rng, g, a: {},
}.items():
    CHANGES[_name] = _listed("arg_nodes", _lister)

for _name, _lister in {
    "rows_short": lambda rng, g, a: a[:-1],
    "rows_long": lambda rng, g, a: [*a, a[-1] + 1],
    "rows_not_growing": lambda rng, g, a: [*a[:-2], a[-1], a[-2]],
    "rows_first": lambda rng, g, a: [n + 1 for n in a],
    "rows_negative": lambda rng, g, a: [-1, *a[1:]],
    "rows_strings": lambda rng, g, a: [str(n) for n in a],
    "rows_fraction": lambda rng, g, a: [Raw("0.5"), *a[1:]],
    "rows_empty": lambda rng, g, a: [],
    "rows_shifted": lambda rng, g, a: [n + (k > len(a) // 2) for k, n in enumerate(a)],
    "rows_null": lambda rng, g, a: None,
    "rows_gone": lambda rng, g, a: Raw("[]"),
}.items():
    CHANGES[_name] = _listed("node_row_ptr", _lister)


# names


@change
def variable_twice(rng: random.Random, g: Graph) -> None:
    found = variables_of(g)
    if len(found) < 2:
        raise Skip
    a, b = rng.sample(found, 2)
    g["nodes"][max(a, b)]["name"] = g["nodes"][min(a, b)]["name"]


@change
def operator_twice(rng: random.Random, g: Graph) -> None:
    found = operators_of(g)
    if len(found) < 2:
        raise Skip
    a, b = rng.sample(found, 2)
    g["nodes"][max(a, b)]["name"] = g["nodes"][min(a, b)]["name"]


@change
def operator_named_as_variable(rng: random.Random, g: Graph) -> None:
    g["nodes"][pick(rng, operators_of(g))]["name"] = g["nodes"][pick(rng, variables_of(g))]["name"]


def _name_becomes(value: Any, variables: bool) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        g["nodes"][pick(rng, variables_of(g) if variables else operators_of(g))]["name"] = value

    return apply


for _name, _value in {
    "empty": "", "number": 5, "null": None, "space": "a b/c", "umlaut": "größe", "list": ["x"], "long": "n" * 3000,
}.items():  # fmt: skip
    CHANGES[f"name_{_name}"] = _name_becomes(_value, False)
    if _name not in ("umlaut", "space", "long"):
        CHANGES[f"variable_name_{_name}"] = _name_becomes(_value, True)
