"""One change of what an ONNX model computes, as a careless edit or a faulty converter makes it: the model still loads. For the exporters' Python.

Whether a change has an effect is not known here: review_pairs.py asks a runtime.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import AttributeProto, numpy_helper

from oracle.onnx_sites import Site, graphs, schema, sites, some

FEW = 16  # numbers: a smaller array is a bias, a bound or a shape, no weight
WIDE = 1.3  # times that weights and constants become as large
EPSILON = 0.05
# What only writes its input in another shape or type: converters leave it out, so that what is behind it is a neighbour, too.
PASSING, PASSED = ("Unsqueeze", "Squeeze", "Reshape", "Flatten", "Identity", "Cast"), 3
Changed = tuple[Site, str] | None
Kind = Callable[[onnx.ModelProto, random.Random], Changed]


class Planted(NamedTuple):
    what: str
    node: str
    near: list[str]  # nodes that give it its inputs or take its outputs, and those around it


class Operand(NamedTuple):
    """An input of a node that is a tensor of the file."""

    site: Site
    place: int
    tensor: onnx.TensorProto
    is_shared: bool  # other nodes read it, too

    @property
    def array(self) -> Any:
        return numpy_helper.to_array(self.tensor)

    @property
    def op(self) -> str:
        return self.site.node.op_type

    def is_float(self) -> bool:
        return self.tensor.data_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)

    def replace(self, array: Any) -> None:
        """Change the tensor, for this node alone."""
        name, target = self.tensor.name, self.tensor
        if self.is_shared:
            name = f"{self.site.node.input[self.place]}/{self.site.node.output[0]}"
            self.site.node.input[self.place] = name
            target = self.site.owner.initializer.add()
        target.CopyFrom(numpy_helper.from_array(np.asarray(array, self.array.dtype, order="C"), name))


def _nodes(model: onnx.ModelProto, *ops: str) -> list[Site]:
    """Nodes of graphs: those of functions have several callers."""
    found = [site for site in sites(model) if isinstance(site.owner, onnx.GraphProto)]
    return [site for site in found if not ops or site.node.op_type in ops]


def _operands(model: onnx.ModelProto) -> Iterator[Operand]:
    known = {tensor.name: tensor for _, graph in graphs(model) for tensor in graph.initializer}
    for site in _nodes(model, "Constant"):
        known.update((site.node.output[0], row.t) for row in site.node.attribute if row.name == "value")
    read = [name for site in sites(model) for name in site.node.input]
    for site in _nodes(model):
        for place, name in enumerate(site.node.input):
            if name in known and np.prod(known[name].dims):
                yield Operand(site, place, known[name], read.count(name) > 1)


def _of_tensors(fits: Callable[[Operand], bool], change: Callable[[Any, random.Random], Any], word: str) -> Kind:
    def plant(model: onnx.ModelProto, rng: random.Random) -> Changed:
        one = some(rng, [one for one in _operands(model) if fits(one)])
        if one is None:
            return None
        one.replace(change(one.array, rng))
        return one.site, f"{word} (input {one.place}, {list(one.tensor.dims)})"

    return plant


def _of_attributes(change: Callable[[AttributeProto, random.Random], Any], *names: str) -> Kind:
    """A change returns nothing, or the row that is to go."""

    def plant(model: onnx.ModelProto, rng: random.Random) -> Changed:
        found = some(rng, [(site, row) for site in _nodes(model) for row in site.node.attribute if row.name in names])
        if found is None:
            return None
        site, row = found
        before = onnx.helper.printable_attribute(row)
        if change(row, rng) is not None:
            site.node.attribute.remove(row)
            return site, f"{before} is gone"
        return site, f"{before} is {onnx.helper.printable_attribute(row)}"

    return plant


def _is_weight(one: Operand) -> bool:
    is_number = one.is_float() or one.tensor.data_type in (onnx.TensorProto.INT8, onnx.TensorProto.UINT8)
    return is_number and len(one.tensor.dims) > 1 and one.array.size >= FEW


def _is_bias(one: Operand) -> bool:
    is_last = one.place == 2 and one.op in ("Conv", "Gemm", "ConvTranspose", "LayerNormalization")
    return one.is_float() and one.array.size > 1 and (is_last or (one.op == "Add" and len(one.tensor.dims) == 1))


def _scaled(array: Any, rng: random.Random) -> Any:
    return array * WIDE if array.dtype.kind == "f" else array // 2


def _rolled(array: Any, rng: random.Random) -> Any:
    """Swap two channels of the longest axis."""
    axis = int(np.argmax(array.shape))
    places = np.arange(array.shape[axis])
    one, two = rng.sample(range(len(places)), 2)
    places[[one, two]] = places[[two, one]]
    return np.take(array, places, axis)


def _moved(row: AttributeProto, rng: random.Random) -> None:
    """Move a pad from one end to the other."""
    ends = [place for place, pad in enumerate(row.ints) if pad]
    if ends:
        place = rng.choice(ends)
        row.ints[place] -= 1
        row.ints[(place + len(row.ints) // 2) % len(row.ints)] += 1


def _swapped(row: AttributeProto, rng: random.Random) -> None:
    one, two = rng.sample(range(len(row.ints)), 2)
    row.ints[one], row.ints[two] = row.ints[two], row.ints[one]


def _axis(row: AttributeProto, rng: random.Random) -> None:
    if row.type == AttributeProto.INTS:
        row.ints[0] += -1 if row.ints[0] else 1
    else:
        row.i += rng.choice((1, -1))


def _other(row: AttributeProto, rng: random.Random) -> Any:
    """Another number or flag; in place of a word or a list, the default."""
    if row.type == AttributeProto.FLOAT:
        row.f = row.f * WIDE + 0.1
    elif row.type == AttributeProto.INT:
        row.i = 1 - row.i
    else:
        return row
    return None


def _residual(model: onnx.ModelProto, rng: random.Random) -> Changed:
    """Take the same operand twice, or what its producer reads."""
    made = {name: site for site in _nodes(model) for name in site.node.output}
    sums = _nodes(model, "Add", "Mul", "Concat", "Sub")
    site = some(rng, [site for site in sums if made.keys() >= {*site.node.input}])
    if site is None:
        return None
    place = rng.randrange(len(site.node.input))
    old = site.node.input[place]
    others = [name for name in (*site.node.input, *made[old].node.input) if name in made and name != old]
    if not others:
        return None
    site.node.input[place] = rng.choice(others)
    return site, f"input {place} is {site.node.input[place]!r}, not {old!r}"


def _operator(model: onnx.ModelProto, rng: random.Random) -> Changed:
    site = some(rng, _nodes(model, *OTHERS))
    if site is None:
        return None
    old, site.node.op_type, site.node.domain = site.node.op_type, OTHERS[site.node.op_type], ""
    known = schema(model, site.node)
    left = [row for row in site.node.attribute if known is not None and row.name in known.attributes]
    del site.node.attribute[:]
    site.node.attribute.extend(left)
    return site, f"was {old}"


def _order(model: onnx.ModelProto, rng: random.Random) -> Changed:
    site = some(rng, _nodes(model, "Sub", "Div", "MatMul", "Concat", "Less", "Pow"))
    if site is None:
        return None
    site.node.input[:] = list(reversed(site.node.input))
    return site, "operands in another order"


OTHERS = {
    "Relu": "Abs", "Sigmoid": "Tanh", "Tanh": "Sigmoid", "Erf": "Tanh", "Add": "Sub", "Sub": "Add", "Mul": "Add", "Div": "Mul", "Max": "Min", "Min": "Max", "MaxPool": "AveragePool", "AveragePool": "MaxPool",
    "GlobalAveragePool": "GlobalMaxPool", "ReduceMean": "ReduceMax", "ReduceMax": "ReduceMin", "ReduceSum": "ReduceMean", "Sqrt": "Abs", "Exp": "Abs", "Sin": "Cos", "Cos": "Sin", "Softmax": "LogSoftmax", "HardSwish": "Mish",
    "Less": "Greater", "Greater": "Less", "Floor": "Ceil", "LeakyRelu": "Elu", "HardSigmoid": "Sigmoid", "ArgMax": "ArgMin", "Equal": "Less", "And": "Or", "Gelu": "Relu",
}  # fmt: skip
KINDS: dict[str, Kind] = {
    "weights": _of_tensors(_is_weight, _scaled, "scaled"), "channels": _of_tensors(_is_weight, _rolled, "two channels swapped"), "bias": _of_tensors(_is_bias, lambda array, rng: array * 0, "gone"),
    "bound": _of_tensors(lambda one: one.op == "Clip", lambda array, rng: array * 0.5 + 0.1, "moved"), "constant": _of_tensors(lambda one: one.is_float() and one.array.size == 1 and one.op not in ("Clip", "Pad", "Resize"), _scaled, "scaled"),
    "index": _of_tensors(lambda one: one.op in ("Gather", "Slice", "Pad") and one.tensor.data_type in (6, 7) and one.array.size < FEW, lambda array, rng: np.where(array > 0, array - 1, array + 1), "moved"), "epsilon": _of_attributes(lambda row, rng: setattr(row, "f", EPSILON if row.f < EPSILON else 1e-5), "epsilon"), "small constant": _of_tensors(lambda one: one.is_float() and one.array.size == 1 and 0 < one.array.max() < 1e-3, lambda array, rng: array * 0 + EPSILON, "larger"),
    "pads": _of_attributes(_moved, "pads"), "residual": _residual, "permutation": _of_attributes(_swapped, "perm"), "axis": _of_attributes(_axis, "axis", "axes"), "operator": _operator, "order": _order,
    "attribute": _of_attributes(_other, "auto_pad", "ceil_mode", "count_include_pad", "alpha", "beta", "mode", "coordinate_transformation_mode", "nearest_mode", "direction", "approximate", "scale", "largest", "exclusive", "dilations", "strides", "transA", "transB", "gamma", "cubic_coeff_a"),
}  # fmt: skip


def named(node: onnx.NodeProto) -> str:
    return node.name or next(filter(None, node.output), "")


def planted(model: onnx.ModelProto, kind: str, rng: random.Random) -> Planted | None:
    """Change a model in place; None where it has nothing of the kind."""
    found = KINDS[kind](model, rng)
    if found is None:
        return None
    site, what = found
    names = (site.node.input, site.node.output, site.path.split("/"))
    read, made, outer = (set(filter(None, part)) for part in names)
    near = set[str]()
    for _ in range(PASSED):
        beside = [node for node in site.owner.node if made.intersection(node.input) or read.intersection(node.output)]
        near |= set(map(named, beside))
        for node in (node for node in beside if node.op_type in PASSING):
            (made if made.intersection(node.input) else read).update((*node.input, *node.output))
    near |= {named(one.node) for one in sites(model) if outer.intersection(one.node.output)}
    return Planted(f"{kind} of {site.title}: {what}", named(site.node), sorted(near))
