"""ONNX models with the same mistake in each of many nodes, in the three forms of protobuf."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.hostile.family import Family
from tests.hostile.onnx_trees import Tree, add_to, model

FAMILIES: dict[str, Family] = {}


def nodes(count: int) -> list[Tree]:
    """Return a chain from `y0` to `out`."""
    names = [*(f"y{k}" for k in range(count)), "out"]
    return [
        {
            "input": [names[k]],
            "output": [names[k + 1]],
            "name": f"n{k}",
            "op_type": "LeakyRelu",
            "attribute": [_float()],
        }
        for k in range(count)
    ]


def _float(name: str = "alpha") -> Tree:
    return {"name": name, "f": 0.5, "type": 1}


def _add(name: str, change: Callable[[Tree, int], object], size: int = 500) -> None:
    """Add the family in which each node was changed."""

    def tree(count: int) -> Tree:
        chain = nodes(count)
        for k, node in enumerate(chain):
            change(node, k)
        return model(node=chain)

    add_to(FAMILIES, f"each node: {name}", tree, size)


def _add_order(name: str, order: Callable[[list[Any]], list[Any]], size: int = 500) -> None:
    add_to(FAMILIES, f"order: {name}", lambda count: model(node=order(nodes(count))), size)


def _add_graph(name: str, parts: Callable[[int], Tree], size: int = 500) -> None:
    add_to(FAMILIES, f"graph: {name}", lambda count: model(**parts(count)), size)


_add_order("reversed", lambda nodes: nodes[::-1])
_add_order("half reversed", lambda nodes: [*nodes[: len(nodes) // 2], *nodes[: len(nodes) // 2 - 1 : -1]])
_add_order("rotated", lambda nodes: [*nodes[len(nodes) // 3 :], *nodes[: len(nodes) // 3]])
_add_order("pairs swapped", lambda nodes: [node for k in range(0, len(nodes), 2) for node in nodes[k : k + 2][::-1]])
_add_order("odd ones first", lambda nodes: [*nodes[1::2], *nodes[::2]])

_add("no operator", lambda node, k: node.pop("op_type"))
_add("misspelt operator", lambda node, k: node.update(op_type="LeakyRel"))
_add("unknown operator", lambda node, k: node.update(op_type=f"Own{k}"))
_add("unknown domain", lambda node, k: node.update(domain=f"own{k}"))
_add("no input", lambda node, k: node.pop("input"))
_add("empty input", lambda node, k: node.update(input=[""]))
_add("undefined input", lambda node, k: node.update(input=[f"q{k}"]))
_add("misspelt input", lambda node, k: node.update(input=[f"x{node['input'][0]}"]))
_add("itself as input", lambda node, k: node.update(input=node["output"]))
_add("three inputs", lambda node, k: node.update(input=node["input"] * 3))
_add("no output", lambda node, k: node.pop("output"))
_add("two outputs", lambda node, k: node.update(output=[*node["output"], f"z{k}"]))
_add("output of one name", lambda node, k: node.update(output=["out"]))
_add("node of one name", lambda node, k: node.update(name="n"))
_add("unknown attribute", lambda node, k: node.update(attribute=[_float(f"own{k}")]))
_add("misspelt attribute", lambda node, k: node.update(attribute=[_float("alhpa")]))
_add("attribute twice", lambda node, k: node.update(attribute=[_float(), _float()]))
_add("attribute without a name", lambda node, k: node.update(attribute=[{"f": 0.5, "type": 1}]))
_add("attribute without a type", lambda node, k: node.update(attribute=[{"name": "alpha", "f": 0.5}]))
_add("attribute of another type", lambda node, k: node.update(attribute=[{"name": "alpha", "i": 1, "type": 2}]))
_add("attribute of two values", lambda node, k: node.update(attribute=[{**_float(), "i": 1}]))
_add(
    "reference outside of functions",
    lambda node, k: node.update(attribute=[{"name": "alpha", "ref_attr_name": "a", "type": 1}]),
)
_add(
    "axis out of range", lambda node, k: node.update(op_type="Softmax", attribute=[{"name": "axis", "i": 9, "type": 2}])
)
_add("unlike shapes", lambda node, k: node.update(op_type="Add", input=[node["input"][0], "w"], attribute=[]))
_add("missing attribute", lambda node, k: node.update(op_type="Cast", attribute=[]))
_add("doc strings", lambda node, k: node.update(doc_string="x" * 20))

_WRONG = {"tensor_type": {"elem_type": 6, "shape": {"dim": [{"dim_value": 7}]}}}


def _tensor(k: int, **parts: Any) -> Tree:
    return {"dims": [2], "data_type": 1, "name": f"w{k}", "float_data": [1.0, 2.0], **parts}


def _tensors(count: int, change: Callable[[int], Tree]) -> Tree:
    return {"initializer": [_tensor(k, **change(k)) for k in range(count)]}


_TENSORS: dict[str, Callable[[int], Tree]] = {
    "unused": lambda k: {},
    "of one name": lambda k: {"name": "w"},
    "without a name": lambda k: {"name": ""},
    "of no type": lambda k: {"data_type": 0},
    "of an unknown type": lambda k: {"data_type": 99},
    "of another size": lambda k: {"dims": [3]},
    "of a negative size": lambda k: {"dims": [-3]},
    "with data in two fields": lambda k: {"int64_data": [1, 2]},
    "with odd raw data": lambda k: {"float_data": [], "raw_data": b"abc"},
    "outside the file": lambda k: {
        "float_data": [],
        "data_location": 1,
        "external_data": [{"key": "location", "value": "../w"}],
    },
}
for _name, _change in _TENSORS.items():
    _add_graph(f"initializers {_name}", partial(lambda change, count: _tensors(count, change), _change))
_add_graph(
    "declared types that are wrong",
    lambda n: {"node": nodes(n), "value_info": [{"name": f"y{k}", "type": _WRONG} for k in range(1, n)]},
)
_add_graph("declared types of nothing", lambda n: {"value_info": [{"name": f"v{k}", "type": _WRONG} for k in range(n)]})
_add_graph("inputs of one name", lambda n: {"input": [{"name": "y0", "type": _WRONG}] * n})
_add_graph("outputs that are not there", lambda n: {"output": [{"name": f"q{k}", "type": _WRONG} for k in range(n)]})


def _branch(k: int, nodes: list[Tree]) -> Tree:
    return {"name": f"b{k}", "node": nodes, "output": [{"name": nodes[-1]["output"][0]}]}


def _if(k: int) -> Tree:
    inner = [{"op_type": "Relu", "input": [f"q{k}"], "output": [f"t{k}"]}]
    branches = [{"name": word, "type": 5, "g": _branch(k, inner)} for word in ("then_branch", "else_branch")]
    return {"op_type": "If", "input": ["y0"], "output": [f"i{k}"], "attribute": branches}


def _unsorted_if(k: int) -> Tree:
    inner = [
        {"op_type": "Relu", "input": [f"s{k}"], "output": [f"t{k}"]},
        {"op_type": "Relu", "input": ["y0"], "output": [f"s{k}"]},
        {"op_type": "Relu", "input": [f"t{k}"], "output": [f"u{k}"]},
    ]
    branches = [{"name": word, "type": 5, "g": _branch(k, inner)} for word in ("then_branch", "else_branch")]
    return {"op_type": "If", "input": ["y0"], "output": [f"i{k}"], "attribute": branches}


_add_graph("branches with undefined names", lambda n: {"node": [_if(k) for k in range(n)]}, 200)
_add_graph("branches that are not sorted", lambda n: {"node": [_unsorted_if(k) for k in range(n)]}, 200)
