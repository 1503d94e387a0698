"""Seeded mutants of small graphs, each with one defect: kind, text, and the line where the text first differs."""

from __future__ import annotations

import copy
import random
import re
import string
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .writer import Pairs, Raw, render

Graph = dict[str, Any]


class Mutant(NamedTuple):
    kind: str
    text: str
    line: int  # 1-based line of the defect
    base: str


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


def _pick(rng: random.Random, found: list[Any]) -> Any:
    if not found:
        raise Skip
    return rng.choice(found)


def _ops(g: Graph) -> list[int]:
    return [i for i, n in enumerate(g["nodes"]) if n["op"] != "null"]


def _vars(g: Graph) -> list[int]:
    return [i for i, n in enumerate(g["nodes"]) if n["op"] == "null"]


def _holder(node: dict[str, Any]) -> str | None:
    return next((k for k in ("attrs", "attr", "param") if node.get(k)), None)


def _entry(rng: random.Random, g: Graph) -> tuple[dict[str, Any], int]:
    node = g["nodes"][_pick(rng, [i for i in _ops(g) if g["nodes"][i]["inputs"]])]
    return node, rng.randrange(len(node["inputs"]))


def _attr(
    rng: random.Random, g: Graph, fits: Callable[[str], bool] = lambda v: True, variables: bool = False
) -> tuple[Any, str]:
    found = [
        (n[h], k)
        for n in g["nodes"]
        if (n["op"] != "null" or variables) and (h := _holder(n))
        for k, v in n[h].items()
        if isinstance(v, str) and fits(v)
    ]
    return _pick(rng, found)


def _renumber(g: Graph, order: list[int]) -> None:
    """Puts nodes in another order; order[new] = old."""
    new = {old: k for k, old in enumerate(order)}
    g["nodes"] = [g["nodes"][old] for old in order]
    for node in g["nodes"]:
        for entry in node["inputs"]:
            entry[0] = new[entry[0]]
    for entry in g["heads"]:
        entry[0] = new[entry[0]]
    g["arg_nodes"] = [i for i, n in enumerate(g["nodes"]) if n["op"] == "null"]


# topology


@change
def late_variable(rng: random.Random, g: Graph) -> None:
    at = _pick(rng, _vars(g))
    order = [i for i in range(len(g["nodes"])) if i != at] + [at]
    _renumber(g, order)


@change
def late_operator(rng: random.Random, g: Graph) -> None:
    pairs = [(e[0], i) for i in _ops(g) for e in g["nodes"][i]["inputs"] if g["nodes"][e[0]]["op"] != "null"]
    early, reader = _pick(rng, pairs)
    order = [i for i in range(len(g["nodes"])) if i != early]
    order.insert(order.index(reader) + 1, early)
    _renumber(g, order)


@change
def self_cycle(rng: random.Random, g: Graph) -> None:
    node, k = _entry(rng, g)
    node["inputs"][k][0] = g["nodes"].index(node)


@change
def cycle(rng: random.Random, g: Graph) -> None:
    pairs = [
        (e[0], i)
        for i in _ops(g)
        for e in g["nodes"][i]["inputs"]
        if g["nodes"][e[0]]["op"] != "null" and g["nodes"][e[0]]["inputs"]
    ]
    early, reader = _pick(rng, pairs)
    _pick(rng, g["nodes"][early]["inputs"])[0] = reader


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
        node, k = _entry(rng, g)
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
        node, k = _entry(rng, g)
        node["inputs"][k][1] = value

    return apply


CHANGES["output_1"], CHANGES["output_2"], CHANGES["output_3"] = _output(1), _output(2), _output(3)
CHANGES["output_huge"], CHANGES["output_minus_1"] = _output(1000000), _output(-1)


@change
def output_of_variable(rng: random.Random, g: Graph) -> None:
    found = [e for i in _ops(g) for e in g["nodes"][i]["inputs"] if g["nodes"][e[0]]["op"] == "null"]
    _pick(rng, found)[1] = 1


# entries


def _reshaped(make: Callable[[list[int]], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node, k = _entry(rng, g)
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
    node, k = _entry(rng, g)
    del node["inputs"][k]


@change
def last_input_dropped(rng: random.Random, g: Graph) -> None:
    node, _ = _entry(rng, g)
    del node["inputs"][-1]


@change
def input_added(rng: random.Random, g: Graph) -> None:
    node, k = _entry(rng, g)
    node["inputs"].append(list(node["inputs"][k]))


@change
def inputs_gone(rng: random.Random, g: Graph) -> None:
    node, _ = _entry(rng, g)
    node["inputs"] = []


@change
def input_on_variable(rng: random.Random, g: Graph) -> None:
    at = _pick(rng, [i for i in _vars(g) if i])
    g["nodes"][at]["inputs"] = [[0, 0, 0]]


@change
def count_changed(rng: random.Random, g: Graph) -> None:
    attrs, key = _keyed(rng, g, ("num_args", "num_outputs", "num_weights", "num_arrays", "num_tensors"))
    attrs[key] = str(int(attrs[key]) + rng.choice((-1, 1, 2)))


def _keyed(rng: random.Random, g: Graph, keys: tuple[str, ...]) -> tuple[Any, str]:
    return _pick(
        rng, [(n[h], k) for n in g["nodes"] if n["op"] != "null" and (h := _holder(n)) for k in n[h] if k in keys]
    )


@change
def count_gone(rng: random.Random, g: Graph) -> None:
    attrs, key = _keyed(rng, g, ("num_args", "num_outputs"))
    del attrs[key]


@change
def bool_flipped(rng: random.Random, g: Graph) -> None:
    attrs, key = _attr(rng, g, lambda v: v in ("True", "False"))
    attrs[key] = str(attrs[key] != "True")


@change
def no_bias_flipped(rng: random.Random, g: Graph) -> None:
    attrs, key = _keyed(rng, g, ("no_bias",))
    attrs[key] = str(attrs[key] != "True")


@change
def no_bias_gone(rng: random.Random, g: Graph) -> None:
    attrs, key = _keyed(rng, g, ("no_bias",))
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
    "heads_variable": lambda rng, g: _with_head(g, 0, [_vars(g)[0], 0, 0]),
    "heads_early": lambda rng, g: _with_head(g, 0, [rng.choice(_ops(g)), 0, 0]),
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
    "arguments_operator": lambda rng, g, a: [*a, _ops(g)[0]],
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
    found = _vars(g)
    if len(found) < 2:
        raise Skip
    a, b = rng.sample(found, 2)
    g["nodes"][max(a, b)]["name"] = g["nodes"][min(a, b)]["name"]


@change
def operator_twice(rng: random.Random, g: Graph) -> None:
    found = _ops(g)
    if len(found) < 2:
        raise Skip
    a, b = rng.sample(found, 2)
    g["nodes"][max(a, b)]["name"] = g["nodes"][min(a, b)]["name"]


@change
def operator_named_as_variable(rng: random.Random, g: Graph) -> None:
    g["nodes"][_pick(rng, _ops(g))]["name"] = g["nodes"][_pick(rng, _vars(g))]["name"]


def _name_becomes(value: Any, variables: bool) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        g["nodes"][_pick(rng, _vars(g) if variables else _ops(g))]["name"] = value

    return apply


for _name, _value in {
    "empty": "", "number": 5, "null": None, "space": "a b/c", "umlaut": "größe", "list": ["x"], "long": "n" * 3000,
}.items():  # fmt: skip
    CHANGES[f"name_{_name}"] = _name_becomes(_value, False)
    if _name not in ("umlaut", "space", "long"):
        CHANGES[f"variable_name_{_name}"] = _name_becomes(_value, True)


# keys of a node


def _node_key(apply_to: Callable[[random.Random, dict[str, Any]], None], variables: bool = False) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        apply_to(rng, g["nodes"][_pick(rng, _vars(g) if variables else _ops(g))])

    return apply


def _set(key: str, value: Any) -> Callable[[random.Random, dict[str, Any]], None]:
    return lambda rng, node: node.__setitem__(key, value)


def _del(key: str) -> Callable[[random.Random, dict[str, Any]], None]:
    return lambda rng, node: node.__delitem__(key)


for _name, _apply in {
    "op_gone": _del("op"), "name_gone": _del("name"), "inputs_key_gone": _del("inputs"), "inputs_null": _set("inputs", None),
    "inputs_names": _set("inputs", ["data"]), "inputs_number": _set("inputs", 3), "inputs_object": _set("inputs", {}),
    "key_comment": _set("comment", "hello"), "key_id": _set("id", 3), "key_dtype": _set("dtype", None),
    "op_unknown": _set("op", "NoSuchOperator"), "op_empty": _set("op", ""), "op_json_null": _set("op", None),
    "op_number": _set("op", 7), "op_tvm": _set("op", "tvm_op"), "op_conv2d": _set("op", "conv2d"), "op_dense": _set("op", "dense"),
    "control_deps_first": _set("control_deps", [0]), "control_deps_far": _set("control_deps", [999]),
    "control_deps_empty": _set("control_deps", []), "control_deps_entry": _set("control_deps", [[0, 0, 0]]),
    "control_deps_null": _set("control_deps", None), "backward_source": _set("backward_source_id", -1),
    "backward_source_text": _set("backward_source_id", "-1"), "subgraphs_empty": _set("subgraphs", []),
    "subgraphs_number": _set("subgraphs", 3), "subgraphs_broken": _set("subgraphs", [{"nodes": []}]),
    "attrs_null": _set("attrs", None), "attrs_list": _set("attrs", []), "attrs_empty": _set("attrs", {}),
    "attrs_string": _set("attrs", "kernel=(3, 3)"), "attrs_number": _set("attrs", 3), "op_null": _set("op", "null"),
}.items():  # fmt: skip
    CHANGES[_name] = _node_key(_apply)
for _name, _apply in {
    "variable_op_Null": _set("op", "Null"), "variable_op_None": _set("op", "None"), "variable_op_json_null": _set("op", None),
    "variable_op_gone": _del("op"), "variable_inputs_gone": _del("inputs"), "variable_inputs_null": _set("inputs", None),
    "variable_key": _set("shape", [1, 2]), "variable_attrs_number": _set("attrs", {"__shape__": [2, 3]}),
    "variable_attr_any": _set("attr", {"anything": "goes"}), "variable_op_variable": _set("op", "Variable"),
}.items():  # fmt: skip
    CHANGES[_name] = _node_key(_apply, True)


@change
def key_misspelt(rng: random.Random, g: Graph) -> None:
    node = g["nodes"][_pick(rng, _ops(g))]
    key = _pick(rng, [k for k in ("op", "name", "inputs") if k in node])
    new = {"op": "Op", "name": "names", "inputs": "input"}[key]
    kept = list(node.items())
    node.clear()
    node.update((new if k == key else k, v) for k, v in kept)


@change
def op_misspelt(rng: random.Random, g: Graph) -> None:
    node = g["nodes"][_pick(rng, [i for i in _ops(g) if len(g["nodes"][i]["op"]) > 3])]
    op = list(node["op"])
    k = rng.randrange(len(op) - 1)
    op[k], op[k + 1] = op[k + 1], op[k]
    node["op"] = "".join(op)


@change
def op_case(rng: random.Random, g: Graph) -> None:
    node = g["nodes"][_pick(rng, _ops(g))]
    node["op"] = node["op"].swapcase()


@change
def op_other(rng: random.Random, g: Graph) -> None:
    from .models import RUNNABLE

    g["nodes"][_pick(rng, _ops(g))]["op"] = rng.choice(sorted(RUNNABLE))


def _holder_becomes(new: str) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node = g["nodes"][_pick(rng, [i for i in _ops(g) if _holder(g["nodes"][i])])]
        old = _holder(node)
        kept = list(node.items())
        if new == old:
            raise Skip
        node.clear()
        node.update((new if k == old else k, v) for k, v in kept)

    return apply


for _key in ("attrs", "attr", "param", "attributes", "params"):
    CHANGES[f"holder_{_key}"] = _holder_becomes(_key)


def _second_holder(new: str, front: bool) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node = g["nodes"][_pick(rng, [i for i in _ops(g) if _holder(g["nodes"][i]) not in (None, new)])]
        attrs, key = node[_holder(node)], _pick(rng, list(node[_holder(node)]))
        kept = list(node.items())
        node.clear()
        if front:
            node[new] = {key: "bad value"}
        node.update(kept)
        if not front:
            node[new] = {**attrs, key: "bad value"}

    return apply


for _key in ("attrs", "attr", "param"):
    CHANGES[f"second_{_key}_front"] = _second_holder(_key, True)
    CHANGES[f"second_{_key}_back"] = _second_holder(_key, False)


# attributes


@change
def attribute_gone(rng: random.Random, g: Graph) -> None:
    attrs, key = _attr(rng, g)
    del attrs[key]


@change
def attribute_misspelt(rng: random.Random, g: Graph) -> None:
    attrs, key = _attr(rng, g)
    kept = list(attrs.items())
    k = rng.randrange(len(key))
    new = key[:k] + key[k + 1 :] if len(key) > 3 else key + "x"
    if new in attrs:
        raise Skip
    attrs.clear()
    attrs.update((new if name == key else name, v) for name, v in kept)


def _added(key: str, value: Any = "1", variables: bool = False) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node = g["nodes"][_pick(rng, _vars(g) if variables else _ops(g))]
        holder = _holder(node) or ("param" if "param" in node else "attrs")
        node.setdefault(holder, {})[key] = value

    return apply


for _name, _key in {
    "attribute_unknown": "zzz", "attribute_hidden": "__note__", "attribute_half_hidden": "__note", "attribute_dunder": "____",
    "attribute_dunder_a": "__a__", "attribute_lr_mult": "lr_mult", "attribute_weight_lr_mult": "weight_lr_mult",
    "attribute_bias_wd_mult": "bias_wd_mult", "attribute_ctx_group": "ctx_group", "attribute_mirror": "force_mirroring",
    "attribute_prefix": "lr_mult_weight", "attribute_data_lr_mult": "data_lr_mult", "attribute_zzz_lr_mult": "zzz_lr_mult",
    "attribute_axis": "axis", "attribute_name": "name", "attribute_empty_key": "",
}.items():  # fmt: skip
    CHANGES[_name] = _added(_key)
for _name, _key in {
    "variable_attribute": "anything",
    "variable_lr_mult": "lr_mult",
    "variable_kernel": "kernel",
}.items():
    CHANGES[_name] = _added(_key, "1", True)
CHANGES["attribute_number_added"] = _added("__note__", 3)
CHANGES["variable_number_added"] = _added("__note__", 3, True)


def _becomes(make: Callable[[str], Any], fits: Callable[[str], bool] = lambda v: True) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        attrs, key = _attr(rng, g, fits)
        new = make(attrs[key])
        if new == attrs[key]:
            raise Skip
        attrs[key] = new

    return apply


def _is_int(value: str) -> bool:
    return re.fullmatch(r"-?\d+", value) is not None


def _is_float(value: str) -> bool:
    return re.fullmatch(r"-?\d*\.\d+(e-?\d+)?", value) is not None


def _is_tuple(value: str) -> bool:
    return value[:1] in ("(", "[")


def _is_bool(value: str) -> bool:
    return value in ("True", "False")


def _is_word(value: str) -> bool:
    return value.isalpha() and not _is_bool(value)


JSON_VALUES = {"int": 4, "float": 4.0, "true": True, "list": [4], "null": None, "object": {"v": "4"}, "nan": Raw("NaN")}
for _name, _value in JSON_VALUES.items():
    CHANGES[f"value_json_{_name}"] = _becomes(lambda old, v=_value: v)
TEXTS = {
    "bool": (
        _is_bool,
        ["1", "0", "true", "TRUE", "True", "tRuE", "false", "yes", "no", "on", "T", "None", "", "false ", " False", "2", "00", "0.0", "-0",
         "Truе", "truee", "tru"],
    ),
    "int": (
        _is_int,
        ["{}.0", "{}.7", "{}L", "0x{}", "-{}", "0", "", " {}", "{} ", "+{}", "{}e0", "four", "0{}", "{}_0", "({},)", "None", "4294967300",
         "{} {}", "\t{}", "{}\n", "2147483648", "-1", "99999999999999999999", "'{}'", "{}f", "True", "½", "٤"],
    ),
    "float": (
        _is_float,
        ["nan", "inf", "-inf", "1e-3", "0,5", "one", "1.0f", "", "1.0 ", " 1.0", "0x1p0", "1", "None", "1e999", "-1", "1e-999", ".5", "5.",
         "+.5", "1.0L", "1e", "e5", ".", "-", "1.0d", "infinity", "nan()", "(0.5)", "1_0.0"],
    ),
    "tuple": (
        _is_tuple,
        ["({0},{0})", "[{0}, {0}]", "({0}, {0}]", "{0},{0}", "{0} {0}", "({0}", "({0}, {0}", "({0}, {0}))", "({0}, {0},)", "({0},, {0})", "()", "",
         "({0}.0, {0}.0)", "({0}, a)", "({0}L, {0}L)", "(-{0}, {0})", "(0, {0})", "({0}; {0})", "{{{0}, {0}}}", "None", "(None, {0})",
         " ({0}, {0})", "({0}, {0}) ", "({0}, {0})abc", "({0},)", "({0}, {0}, {0})", "{0}", "(,{0})", "( {0} , {0} )", "({0}\t,{0})", "((1, 1))",
         "(+{0}, {0})", "(99999999999, {0})", "({0}, {0}", ")", "(", "none", "({0} {0})", "({0}, {0}, )", "(0x1, 1)", "(1, 1.)", "(1,\n1)"],
    ),
    "word": (
        _is_word,
        ["{}x", "{}", " {}", "{} ", "", "0", "'{}'", "{0}{0}", "None", "RELU", "Relu", "unknown"],
    ),
}  # fmt: skip
for _kind, (_fits, _texts) in TEXTS.items():
    for _k, _text in enumerate(_texts):

        def _make(old: str, text: str = _text, kind: str = _kind) -> str:
            core = (re.findall(r"\d+", old) or ["1"])[0] if kind == "tuple" else old
            return text.format(core, core)

        CHANGES[f"text_{_kind}_{_k}"] = _becomes(_make, _fits)


# hidden keys of variables

HIDDEN = {
    "__shape__": ["(2, 3", "two", "(0, 3)", "", "(2, 3)x", "None", "3", "[2, 3]", "2,3", "(-1, 3)", "(2.0, 3)", "()"],
    "__dtype__": ["float32", "0", "99", "-1", "", "1", "0x", "0.0", "-2", "13"],
    "__storage_type__": ["0", "7", "-1", "default", "1", "-2", "3"],
    "__lr_mult__": ["fast", "0.5"],
    "__init__": ["zero(", '["zero", {}]', "zeros", "[1]"],
    "__profiler_scope__": ["x"],
}
for _key, _texts in HIDDEN.items():
    for _k, _text in enumerate(_texts):
        CHANGES[f"hidden_{_key.strip('_')}_{_k}"] = _added(_key, _text, True)


# top level


def _top(apply_to: Callable[[Graph], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> Any:
        return apply_to(g)

    return apply


def _attr_of_graph(key: str, value: Any) -> Callable[[Graph], Any]:
    def apply(g: Graph) -> None:
        g.setdefault("attrs", {})[key] = value

    return apply


for _name, _do in {
    "top_framework": lambda g: g.__setitem__("framework", "mxnet"),
    "top_comment": lambda g: g.__setitem__("comment", ["x"]),
    "top_attr": lambda g: g.__setitem__("attr", g.pop("attrs", {})),
    "top_metadata": lambda g: g.__setitem__("metadata", {}),
    "top_no_attrs": lambda g: g.pop("attrs", None) and None,
    "top_attrs_empty": lambda g: g.__setitem__("attrs", {}),
    "top_attrs_null": lambda g: g.__setitem__("attrs", None),
    "top_attrs_list": lambda g: g.__setitem__("attrs", []),
    "top_no_nodes": lambda g: g.__delitem__("nodes"),
    "top_nodes_empty": lambda g: g.__setitem__("nodes", []),
    "top_nodes_object": lambda g: g.__setitem__("nodes", {}),
    "top_nodes_null": lambda g: g.__setitem__("nodes", None),
    "top_wrapped": lambda g: [g],
    "top_node_null": lambda g: g["nodes"].insert(len(g["nodes"]), None),
    "top_node_list": lambda g: g["nodes"].append([]),
    "version_text": _attr_of_graph("mxnet_version", ["int", "10901"]),
    "version_bare": _attr_of_graph("mxnet_version", 10901),
    "version_str": _attr_of_graph("mxnet_version", ["str", "1.9.1"]),
    "version_dotted": _attr_of_graph("mxnet_version", ["int", Raw("1.9.1")]),
    "version_fraction": _attr_of_graph("mxnet_version", ["int", Raw("10901.0")]),
    "version_future": _attr_of_graph("mxnet_version", ["int", 20000]),
    "version_unparsed": _attr_of_graph("mxnet_version", ["int", 1000000]),
    "version_unparsed_edge": _attr_of_graph("mxnet_version", ["int", 999999]),
    "version_old": _attr_of_graph("mxnet_version", ["int", 904]),
    "version_ancient": _attr_of_graph("mxnet_version", ["int", 700]),
    "version_negative": _attr_of_graph("mxnet_version", ["int", -1]),
    "version_huge": _attr_of_graph("mxnet_version", ["int", 3000000000]),
    "version_three": _attr_of_graph("mxnet_version", ["int", 10901, 0]),
    "version_alone": _attr_of_graph("mxnet_version", ["int"]),
    "version_size": _attr_of_graph("mxnet_version", ["size_t", 10901]),
    "tag_float": _attr_of_graph("note", ["float", 1.5]),
    "tag_list_int": _attr_of_graph("note", ["list_int", [1, 2]]),
    "tag_list_shape": _attr_of_graph("note", ["list_shape", [[1, 2], []]]),
    "tag_list_shape_text": _attr_of_graph("note", ["list_shape", ["(1, 2)"]]),
    "tag_bool": _attr_of_graph("note", ["bool", True]),
    "tag_dict": _attr_of_graph("note", ["dict_str_int", {"a": 1}]),
    "tag_list_str_int": _attr_of_graph("note", ["list_str", [1]]),
    "np_shape": _attr_of_graph("is_np_shape", ["int", 1]),
    "np_shape_2": _attr_of_graph("is_np_shape", ["int", 2]),
    "np_shape_bare": _attr_of_graph("is_np_shape", True),
}.items():
    CHANGES[_name] = _top(_do)


# subgraphs


def _inner(rng: random.Random, g: Graph) -> tuple[dict[str, Any], Graph]:
    node = g["nodes"][_pick(rng, [i for i in _ops(g) if g["nodes"][i].get("subgraphs")])]
    return node, _pick(rng, node["subgraphs"])


def _inside(apply_to: Callable[[random.Random, dict[str, Any], Graph], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node, graph = _inner(rng, g)
        apply_to(rng, node, graph)

    return apply


def _location(rng: random.Random, node: dict[str, Any], graph: Graph) -> None:
    attrs = node[_holder(node) or "attrs"]
    attrs[_pick(rng, [k for k in attrs if k.endswith("_locs") and attrs[k] != "[]"])] = f"[{rng.choice((5, -1, 3))}]"


for _name, _do in {
    "inner_gone": lambda rng, n, g: n.__delitem__("subgraphs"),
    "inner_empty": lambda rng, n, g: n.__setitem__("subgraphs", []),
    "inner_twice": lambda rng, n, g: n["subgraphs"].append(copy.deepcopy(g)),
    "inner_one_less": lambda rng, n, g: n["subgraphs"].pop(),
    "inner_index": lambda rng, n, g: g["nodes"][-1]["inputs"].__setitem__(0, [50, 0, 0]),
    "inner_no_heads": lambda rng, n, g: g.__delitem__("heads"),
    "inner_heads_less": lambda rng, n, g: g["heads"].pop(),
    "inner_heads_more": lambda rng, n, g: g["heads"].append(list(g["heads"][0])),
    "inner_unknown_op": lambda rng, n, g: g["nodes"][-1].__setitem__("op", "nope"),
    "inner_self_cycle": lambda rng, n, g: g["nodes"][-1]["inputs"].__setitem__(0, [len(g["nodes"]) - 1, 0, 0]),
    "inner_name_twice": lambda rng, n, g: g["nodes"][1].__setitem__("name", g["nodes"][0]["name"]),
    "inner_locations": _location,
    "inner_lr_mult": lambda rng, n, g: g["nodes"][-1].setdefault("attrs", {}).__setitem__("lr_mult", "1"),
    "inner_bad_attr": lambda rng, n, g: g["nodes"].append(
        {"op": "Activation", "name": "z", "attrs": {"act_type": "x"}, "inputs": [[0, 0, 0]]}
    ),
    "inner_arity": lambda rng, n, g: g["nodes"][-1]["inputs"].append([0, 0, 0]),
    "inner_output": lambda rng, n, g: g["nodes"][-1]["inputs"][0].__setitem__(1, 1),
    "inner_name_clash": lambda rng, n, g: g["nodes"][0].__setitem__("name", "data"),
    "inner_attrs": lambda rng, n, g: g.__setitem__("attrs", {"mxnet_version": ["int", 10901]}),
    "inner_arg_nodes": lambda rng, n, g: g.__setitem__("arg_nodes", []),
    "inner_counts": lambda rng, n, g: n[_holder(n) or "attrs"].__setitem__("num_outputs", "3"),
    "inner_out_data": lambda rng, n, g: n[_holder(n) or "attrs"].__setitem__("num_out_data", "2"),
    "inner_num_args": lambda rng, n, g: n[_holder(n) or "attrs"].__setitem__("num_args", "3"),
    "inner_bad_list": lambda rng, n, g: n[_holder(n) or "attrs"].__setitem__("num_args", "x"),
}.items():
    CHANGES[_name] = _inside(_do)


# the text


def _line_of(rng: random.Random, text: str, pattern: str) -> re.Match[str]:
    return _pick(rng, list(re.finditer(pattern, text)))  # type: ignore[no-any-return]


def _replaced(pattern: str, new: str | Callable[[re.Match[str]], str]) -> TextChange:
    def apply(rng: random.Random, text: str) -> str:
        match = _line_of(rng, text, pattern)
        put = match.expand(new) if isinstance(new, str) else new(match)
        return text[: match.start()] + put + text[match.end() :]

    return apply


TEXT_CHANGES.update(
    {
        "json_trailing_comma_object": _replaced(r'"\n(\s*)\}', r'", \n\1}'),
        "json_trailing_comma_list": _replaced(r"\]\]", "], ]"),
        "json_missing_comma": _replaced(r'", \n', '" \n'),
        "json_missing_comma_list": _replaced(r"\], \[", "] ["),
        "json_missing_colon": _replaced(r'": ', '" '),
        "json_comment": _replaced(r'("name")', r"// the name\n      \1"),
        "json_block_comment": _replaced(r'("name")', r"/* x */ \1"),
        "json_single_quotes": _replaced(r'"name": "(\w+)"', r"'name': '\1'"),
        "json_single_quoted_value": _replaced(r'"name": "(\w+)"', r"""\"name": '\1'"""),
        "json_unquoted_key": _replaced(r'"name"', "name"),
        "json_escape_u": _replaced(r'"name": "(\w)', lambda m: f'"name": "\\u{ord(m[1]):04x}'),
        "json_escape_slash": _replaced(r'"name": "', r'"name": "\\/'),
        "json_escape_b": _replaced(r'"name": "', r'"name": "\\b'),
        "json_escape_bad": _replaced(r'"name": "', r'"name": "\\q'),
        "json_escape_x": _replaced(r'"name": "', r'"name": "\\x41'),
        "json_escape_quote": _replaced(r'"name": "', r'"name": "\\"'),
        "json_escape_n": _replaced(r'"name": "', r'"name": "\\n'),
        "json_raw_tab": _replaced(r'"name": "', '"name": "\t'),
        "json_raw_newline": _replaced(r'"name": "', '"name": "\n'),
        "json_raw_return": _replaced(r'"name": "', '"name": "\r'),
        "json_control": _replaced(r'"name": "', '"name": "\x01'),
        "json_delete": _replaced(r'"name": "', '"name": "\x7f'),
        "json_bracket": _replaced(r"\]\n", "}\n"),
        "json_brace": _replaced(r"\}, ", "], "),
        "json_extra_bracket": _replaced(r"\]\]", "]]]"),
        "json_missing_bracket": _replaced(r"\]\]", "]"),
        "json_missing_quote": _replaced(r'"name": "(\w+)"', r'"name": "\1'),
        "json_value_missing": _replaced(r'"name": "\w+"', '"name": '),
        "json_two_commas": _replaced(r", \n", ", , \n"),
        "json_equals": _replaced(r'"name": ', '"name" = '),
        "json_true_name": _replaced(r'"name": "\w+"', '"name": true'),
        "json_python_none": _replaced(r'"name": "\w+"', '"name": None'),
        "json_duplicate_name": _replaced(r'("name": "\w+"), ', r"\1, \1, "),
        "json_duplicate_other_name": _replaced(r'("name": "(\w+)"), ', r'"name": "x", \1, '),
        "json_duplicate_op": _replaced(r'("op": )("\w+"), ', r'\1"null", \1\2, '),
        "json_duplicate_inputs": _replaced(r'("inputs": \[\[)', r'"inputs": [[77, 0, 0]], \1'),
        "json_duplicate_heads": _replaced(r'("heads": )', r'"heads": [[0, 0, 0]], \1'),
        "json_duplicate_attribute": _replaced(r'\n(\s+)("\w+": )("[^"\n]*")(,? ?\n)', r'\n\1\2"bad", \n\1\2\3\4'),
        "json_duplicate_attribute_last": _replaced(r'\n(\s+)("\w+": )("[^"\n]*")(,? ?\n)', r'\n\1\2\3, \n\1\2"bad"\4'),
        "json_duplicate_nodes": _replaced(r'("arg_nodes")', r'"nodes": [], \1'),
        "json_vertical_tab": _replaced(r'("name")', "\x0b\\1"),
        "json_form_feed": _replaced(r'("name")', "\x0c\\1"),
        "json_no_break_space": _replaced(r'("name")', "\u00a0\\1"),
        "json_deep": _replaced(r'("arg_nodes")', '"x": ' + "[" * 5000 + "]" * 5000 + r", \1"),
        "json_number_key": _replaced(r'"name": ', "5: "),
        "json_trailing_dot": _replaced(r"\[\[(\d+), ", r"[[\1., "),
        "json_minus": _replaced(r"\[\[(\d+), ", r"[[- \1, "),
        "json_split_number": _replaced(r"\[\[(\d+), ", r"[[\1 1, "),
        "json_name_latin1": _replaced(r'"name": "', '"name": "\udce9'),
        "json_nul_in_name": _replaced(r'"name": "', '"name": "\x00'),
    }
)


@text_change
def json_bom(rng: random.Random, text: str) -> str:
    return "\ufeff" + text


@text_change
def json_crlf(rng: random.Random, text: str) -> str:
    return text.replace("\n", "\r\n")


@text_change
def json_cr(rng: random.Random, text: str) -> str:
    return text.replace("\n", "\r")


@text_change
def json_minified(rng: random.Random, text: str) -> str:
    return re.sub(r"\s*\n\s*", "", text)


@text_change
def json_empty(rng: random.Random, text: str) -> str:
    return ""


@text_change
def json_blank(rng: random.Random, text: str) -> str:
    return " \n\n "


@text_change
def json_empty_object(rng: random.Random, text: str) -> str:
    return "{}"


@text_change
def json_number(rng: random.Random, text: str) -> str:
    return "5"


@text_change
def json_garbage(rng: random.Random, text: str) -> str:
    return text + rng.choice(("\ngarbage", "}", "]", "\x00", "// end", "\n{}", ",", "\n\n"))


@text_change
def json_twice(rng: random.Random, text: str) -> str:
    return text + "\n" + text


@text_change
def json_leading_text(rng: random.Random, text: str) -> str:
    return rng.choice(("#!json\n", "// x\n", "x = ", "[", "\x00")) + text


@text_change
def json_leading_blank(rng: random.Random, text: str) -> str:
    return "\n \t\r\n" + text


@text_change
def json_last_brace(rng: random.Random, text: str) -> str:
    return text.rstrip()[:-1]


@text_change
def json_cut(rng: random.Random, text: str) -> str:
    """Cut anywhere."""
    return text[: rng.randrange(1, len(text))]


@text_change
def json_cut_late(rng: random.Random, text: str) -> str:
    """Cut in the lists behind the nodes."""
    return text[: rng.randrange(max(text.rfind('"arg_nodes"'), 1), len(text))]


@text_change
def json_character_lost(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + text[at + 1 :]


@text_change
def json_character_changed(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(string.printable) + text[at + 1 :]


@text_change
def json_character_added(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(string.printable) + text[at:]


@text_change
def json_line_lost(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


@text_change
def json_line_twice(rng: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


def first_difference(old: str, new: str) -> int:
    """The 1-based line of `new` in which it first differs."""
    a, b = old.split("\n"), new.split("\n")
    for k, (x, y) in enumerate(zip(a, b)):  # noqa: B905
        if x.rstrip(", ") != y.rstrip(", "):
            return k + 1
    for k, (x, y) in enumerate(zip(a, b)):  # noqa: B905
        if x != y:
            return k + 1
    return min(len(a), len(b))


def mutants(
    graph: Graph, rng: random.Random, kinds: list[str] | None = None, changes: dict[str, Change] = CHANGES
) -> Iterator[Mutant]:
    base = render(graph)
    for kind in kinds or [*changes, *TEXT_CHANGES]:
        try:
            if kind in changes:
                changed = copy.deepcopy(graph)
                result = changes[kind](rng, changed)
                text = render(changed if result is None else result)
            else:
                text = TEXT_CHANGES[kind](rng, base)
        except (Skip, IndexError, KeyError):
            continue
        if text != base:
            yield Mutant(kind, text, first_difference(base, text), base)


__all__ = ["CHANGES", "TEXT_CHANGES", "Mutant", "Pairs", "Raw", "mutants"]
