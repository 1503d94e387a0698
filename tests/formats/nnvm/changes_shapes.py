"""Changes that only shapes show: other dimensions, ranks and numbers, operands in the wrong place."""

from __future__ import annotations

import random
import re
from typing import Any

from .changes import Change, Graph, Skip, holder_of, keyed, operators_of, pick, some_attribute, some_entry

SHAPE_CHANGES: dict[str, Change] = {}


def _register(function: Change) -> Change:
    SHAPE_CHANGES[function.__name__] = function
    return function


def _numbers(text: str) -> list[int]:
    return [int(word) for word in re.findall(r"-?\d+", text)]


def _tuple(dims: list[int]) -> str:
    return str(tuple(dims))


def _shapes(g: Graph) -> list[tuple[Any, str]]:
    """Attributes that hold the shape of a variable."""
    return [
        (n[h], "__shape__") for n in g["nodes"] if n["op"] == "null" and (h := holder_of(n)) and "__shape__" in n[h]
    ]


@_register
def shape_dim(rng: random.Random, g: Graph) -> None:
    attrs, key = pick(rng, _shapes(g))
    dims = _numbers(attrs[key])
    at = rng.randrange(len(dims))
    dims[at] += rng.choice((-1, 1, 2, 3))
    attrs[key] = _tuple([max(dim, 1) for dim in dims])


@_register
def shape_longer(rng: random.Random, g: Graph) -> None:
    attrs, key = pick(rng, _shapes(g))
    dims = _numbers(attrs[key])
    dims.insert(rng.randrange(len(dims) + 1), rng.choice((1, 2, 3)))
    attrs[key] = _tuple(dims)


@_register
def shape_shorter(rng: random.Random, g: Graph) -> None:
    attrs, key = pick(rng, [(a, k) for a, k in _shapes(g) if len(_numbers(a[k])) > 1])
    dims = _numbers(attrs[key])
    del dims[rng.randrange(len(dims))]
    attrs[key] = _tuple(dims)


@_register
def shape_turned(rng: random.Random, g: Graph) -> None:
    attrs, key = pick(rng, [(a, k) for a, k in _shapes(g) if len(set(_numbers(a[k]))) > 1])
    attrs[key] = _tuple(_numbers(attrs[key])[::-1])


@_register
def shape_of_weight(rng: random.Random, g: Graph) -> None:
    """A variable whose shape is worked out is given one that does not fit, most likely."""
    bare = [n for n in g["nodes"] if n["op"] == "null" and not (holder_of(n) and "__shape__" in n[holder_of(n)])]
    node = pick(rng, bare)
    holder = holder_of(node) or ("param" if "param" in node else "attrs")
    shape = _tuple([rng.randint(1, 7) for _ in range(rng.randint(1, 4))])
    node[holder] = {**node.get(holder, {}), "__shape__": shape}


def _is_number(value: str) -> bool:
    return re.fullmatch(r"-?\d+", value) is not None


def _is_tuple(value: str) -> bool:
    return re.fullmatch(r"[(\[] *-?\d.*", value) is not None


@_register
def number(rng: random.Random, g: Graph) -> None:
    attrs, key = some_attribute(rng, g, _is_number)
    attrs[key] = str(rng.choice((-7, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 9, 30)))


@_register
def axis(rng: random.Random, g: Graph) -> None:
    attrs, key = keyed(rng, g, ("axis", "dim", "axes"))
    attrs[key] = str(rng.choice((4, 5, 7, 9, -6, -9))) if _is_number(attrs[key]) else _tuple([rng.choice((5, 7))])


@_register
def count(rng: random.Random, g: Graph) -> None:
    attrs, key = keyed(rng, g, ("num_outputs", "num_group", "num_hidden", "num_filter", "sections", "k", "block_size"))
    attrs[key] = str(rng.choice((0, 2, 3, 5, 7, -1)))


@_register
def tuple_number(rng: random.Random, g: Graph) -> None:
    attrs, key = some_attribute(rng, g, _is_tuple)
    dims = _numbers(attrs[key])
    dims[rng.randrange(len(dims))] = rng.choice((-3, -1, 0, 1, 2, 3, 5, 9, 30))
    attrs[key] = _tuple(dims)


@_register
def tuple_length(rng: random.Random, g: Graph) -> None:
    attrs, key = some_attribute(rng, g, _is_tuple)
    dims = _numbers(attrs[key])
    attrs[key] = _tuple([*dims, dims[-1]] if rng.random() < 0.5 or len(dims) == 1 else dims[:-1])


@_register
def window(rng: random.Random, g: Graph) -> None:
    attrs, key = keyed(rng, g, ("kernel", "stride", "dilate", "pad", "adj", "target_shape", "pool_size"))
    rank = max(len(_numbers(attrs[key])), 1)
    attrs[key] = _tuple([rng.choice((0, 1, 2, 3, 30, -1))] * rng.choice((rank, rank, rank, 1, rank + 1)))


@_register
def inputs_swapped(rng: random.Random, g: Graph) -> None:
    node = g["nodes"][pick(rng, [i for i in operators_of(g) if len(g["nodes"][i]["inputs"]) > 1])]
    a, b = rng.sample(range(len(node["inputs"])), 2)
    node["inputs"][a], node["inputs"][b] = node["inputs"][b], node["inputs"][a]


@_register
def input_of_another(rng: random.Random, g: Graph) -> None:
    node, k = some_entry(rng, g)
    earlier = g["nodes"].index(node)
    node["inputs"][k][0] = rng.randrange(earlier)
    node["inputs"][k][1] = 0


@_register
def word(rng: random.Random, g: Graph) -> None:
    """Another of the words that an attribute takes."""
    from irlint.operators import table

    known, found = table("mxnet"), []
    for node in g["nodes"]:
        operator, holder = known.get(node["op"]), holder_of(node)
        if operator is None or holder is None or node["op"] == "null":
            continue
        for name in node[holder]:
            values = getattr(operator.attributes.get(name), "values", None)
            if values and len(values) > 1:
                found.append((node[holder], name, values))
    attrs, name, values = pick(rng, found)
    others = [value for value in values if value != attrs[name]]
    if not others:
        raise Skip
    attrs[name] = rng.choice(others)
