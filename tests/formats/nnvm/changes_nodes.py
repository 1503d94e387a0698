"""Changes inside nodes and of what stands at the top: keys, attributes, hidden keys, versions, subgraphs."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from typing import Any

from .changes import CHANGES, Change, Graph, Skip, change, holder_of, operators_of, pick, some_attribute, variables_of
from .writer import Raw

# keys of a node


def _node_key(apply_to: Callable[[random.Random, dict[str, Any]], None], variables: bool = False) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        apply_to(rng, g["nodes"][pick(rng, variables_of(g) if variables else operators_of(g))])

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
    node = g["nodes"][pick(rng, operators_of(g))]
    key = pick(rng, [k for k in ("op", "name", "inputs") if k in node])
    new = {"op": "Op", "name": "names", "inputs": "input"}[key]
    kept = list(node.items())
    node.clear()
    node.update((new if k == key else k, v) for k, v in kept)


@change
def op_misspelt(rng: random.Random, g: Graph) -> None:
    node = g["nodes"][pick(rng, [i for i in operators_of(g) if len(g["nodes"][i]["op"]) > 3])]
    op = list(node["op"])
    k = rng.randrange(len(op) - 1)
    op[k], op[k + 1] = op[k + 1], op[k]
    node["op"] = "".join(op)


@change
def op_case(rng: random.Random, g: Graph) -> None:
    node = g["nodes"][pick(rng, operators_of(g))]
    node["op"] = node["op"].swapcase()


@change
def op_other(rng: random.Random, g: Graph) -> None:
    from .models import RUNNABLE

    g["nodes"][pick(rng, operators_of(g))]["op"] = rng.choice(sorted(RUNNABLE))


def _holder_becomes(new: str) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node = g["nodes"][pick(rng, [i for i in operators_of(g) if holder_of(g["nodes"][i])])]
        old = holder_of(node)
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
        node = g["nodes"][pick(rng, [i for i in operators_of(g) if holder_of(g["nodes"][i]) not in (None, new)])]
        attrs, key = node[holder_of(node)], pick(rng, list(node[holder_of(node)]))
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
    attrs, key = some_attribute(rng, g)
    del attrs[key]


@change
def attribute_misspelt(rng: random.Random, g: Graph) -> None:
    attrs, key = some_attribute(rng, g)
    kept = list(attrs.items())
    k = rng.randrange(len(key))
    new = key[:k] + key[k + 1 :] if len(key) > 3 else key + "x"
    if new in attrs:
        raise Skip
    attrs.clear()
    attrs.update((new if name == key else name, v) for name, v in kept)


def _added(key: str, value: Any = "1", variables: bool = False) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node = g["nodes"][pick(rng, variables_of(g) if variables else operators_of(g))]
        holder = holder_of(node) or ("param" if "param" in node else "attrs")
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
        attrs, key = some_attribute(rng, g, fits)
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
    node = g["nodes"][pick(rng, [i for i in operators_of(g) if g["nodes"][i].get("subgraphs")])]
    return node, pick(rng, node["subgraphs"])


def _inside(apply_to: Callable[[random.Random, dict[str, Any], Graph], Any]) -> Change:
    def apply(rng: random.Random, g: Graph) -> None:
        node, graph = _inner(rng, g)
        apply_to(rng, node, graph)

    return apply


def _location(rng: random.Random, node: dict[str, Any], graph: Graph) -> None:
    attrs = node[holder_of(node) or "attrs"]
    attrs[pick(rng, [k for k in attrs if k.endswith("_locs") and attrs[k] != "[]"])] = f"[{rng.choice((5, -1, 3))}]"


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
    "inner_counts": lambda rng, n, g: n[holder_of(n) or "attrs"].__setitem__("num_outputs", "3"),
    "inner_out_data": lambda rng, n, g: n[holder_of(n) or "attrs"].__setitem__("num_out_data", "2"),
    "inner_num_args": lambda rng, n, g: n[holder_of(n) or "attrs"].__setitem__("num_args", "3"),
    "inner_bad_list": lambda rng, n, g: n[holder_of(n) or "attrs"].__setitem__("num_args", "x"),
}.items():
    CHANGES[_name] = _inside(_do)
