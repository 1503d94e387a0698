"""Defects of nodes, names, order, opsets, types and nested graphs, one for each function."""

from __future__ import annotations

import random
from typing import Any

import onnx
from onnx import AttributeProto, TensorProto, defs, helper

from oracle.onnx_sites import Made, Place, Site, Way, graphs, makers, opset, readers, schema, sites, some, typo

Model = onnx.ModelProto
FOREIGN = (
    "BatchNorm",
    "Linear",
    "Conv2d",
    "FullyConnected",
    "ReLU",
    "MaxPool2d",
    "Convolution",
    "Dense",
    "InnerProduct",
    "SoftMax",
    "aten::add",
)
NEW = (
    "Gelu",
    "Mish",
    "GroupNormalization",
    "LayerNormalization",
    "RMSNormalization",
    "HardSwish",
    "Celu",
    "Swish",
    "BitwiseNot",
    "CenterCropPad",
)
OLD = ("Upsample", "Scatter", "ATen", "Affine", "Crop", "ThresholdedReLU", "GivenTensorFill")


def _wired(model: Model) -> list[tuple[Site, int]]:
    return [(site, k) for site in sites(model) for k, name in enumerate(site.node.input) if name]


def input_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, _wired(model))):
        return None
    site, k = found
    old = site.node.input[k]
    site.node.input[k] = typo(rng, old)
    return Made(f"input {k} of {site.title}: {old!r} -> {site.node.input[k]!r}", (site.place,))


def output_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, [site for site in sites(model) if site.node.output and site.node.output[0]])):
        return None
    old = site.node.output[0]
    using = readers(model, old)
    site.node.output[0] = typo(rng, old)
    return Made(f"output 0 of {site.title}: {old!r} -> {site.node.output[0]!r}", (site.place, *using))


def initializer_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.initializer:
        return None
    tensor = rng.choice(model.graph.initializer)
    old, using = tensor.name, readers(model, tensor.name)
    tensor.name = typo(rng, old)
    return Made(f"initializer {old!r} -> {tensor.name!r}", (Place("initializer", (tensor.name,)), *using))


def graph_output_misspelt(model: Model, rng: random.Random) -> Made | None:
    path, graph = rng.choice(graphs(model))
    if not graph.output:
        return None
    value = rng.choice(graph.output)
    old = value.name
    value.name = typo(rng, old)
    return Made(f"graph output {old!r} -> {value.name!r}", (Place("output", (value.name,), path), *makers(model, old)))


def graph_input_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.input:
        return None
    value = rng.choice(model.graph.input)
    old, using = value.name, readers(model, value.name)
    value.name = typo(rng, old)
    return Made(f"graph input {old!r} -> {value.name!r}", (Place("input", (value.name,)), *using))


def inputs_swapped(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, [site for site in sites(model) if len(set(site.node.input)) > 1])):
        return None
    a, b = rng.sample(range(len(site.node.input)), 2)
    names = list(site.node.input)
    names[a], names[b] = names[b], names[a]
    site.node.input[:] = names
    return Made(f"inputs {a} and {b} of {site.title} swapped", (site.place,))


def _other_value(model: Model, rng: random.Random, *, is_later: bool) -> Made | None:
    found = [site for site in sites(model) if site.node.input and not site.path]
    if len(found) < 3 or not (site := some(rng, found)):
        return None
    k = rng.randrange(len(site.node.input))
    nodes = list(model.graph.node)
    pool = nodes[site.index :] if is_later else nodes[: site.index]
    values = [name for node in pool for name in node.output if name and name != site.node.input[k]]
    if not values:
        return None
    old = site.node.input[k]
    site.node.input[k] = rng.choice(values)
    return Made(
        f"input {k} of {site.title}: {old!r} -> {site.node.input[k]!r}",
        (site.place, *makers(model, site.node.input[k])),
    )


def input_of_another(model: Model, rng: random.Random) -> Made | None:
    return _other_value(model, rng, is_later=False)


def input_of_later(model: Model, rng: random.Random) -> Made | None:
    return _other_value(model, rng, is_later=True)


def input_gone(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, [site for site in sites(model) if site.node.input])):
        return None
    k = len(site.node.input) - 1
    del site.node.input[k]
    return Made(f"input {k} of {site.title} gone", (site.place,))


def input_left_out(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, _wired(model))):
        return None
    site, k = found
    site.node.input[k] = ""
    return Made(f"input {k} of {site.title} left out", (site.place,))


def input_too_many(model: Model, rng: random.Random) -> Made | None:
    found = [
        site
        for site in sites(model)
        if site.node.input and (known := schema(model, site.node)) and known.max_input < 100
    ]
    if not (site := some(rng, found)):
        return None
    most = schema(model, site.node).max_input
    site.node.input.extend([site.node.input[0]] * (most + 1 - len(site.node.input)))
    return Made(f"{most + 1} inputs of {site.title}", (site.place,))


def output_too_many(model: Model, rng: random.Random) -> Made | None:
    found = [site for site in sites(model) if (known := schema(model, site.node)) and known.max_output < 100]
    if not (site := some(rng, found)):
        return None
    most = schema(model, site.node).max_output
    site.node.output.extend(f"more{k}" for k in range(most + 1 - len(site.node.output)))
    return Made(f"{most + 1} outputs of {site.title}", (site.place,))


def node_gone(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, sites(model))):
        return None
    names = [name for name in site.node.output if name]
    del site.owner.node[site.index]
    return Made(f"node of {names} gone", tuple(place for name in names for place in readers(model, name)))


def node_doubled(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, sites(model))):
        return None
    site.owner.node.insert(site.index + 1, site.node)
    return Made(f"{site.title} twice", (site.place, site.place._replace(index=site.index + 1)))


def node_moved(model: Model, rng: random.Random) -> Made | None:
    """Before what it takes as input, or, the other way, behind what takes its output."""
    found = [site for site in sites(model) if site.node.input and len(site.owner.node) > 1]
    if not (site := some(rng, found)):
        return None
    to = rng.randrange(len(site.owner.node))
    node = onnx.NodeProto()
    node.CopyFrom(site.node)
    place, title = site.place, site.title
    using = [place for name in node.output for place in readers(model, name)]
    del site.owner.node[site.index]
    site.owner.node.insert(to, node)
    return Made(f"{title} from {site.index} to {to}", (place._replace(index=to), *using))


def nodes_reversed(model: Model, rng: random.Random) -> Made | None:
    if len(model.graph.node) < 2:
        return None
    nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(reversed(nodes))
    return Made("nodes in reverse order", tuple(site.place for site in sites(model)))


def output_of_another(model: Model, rng: random.Random) -> Made | None:
    found = [site for site in sites(model) if site.node.output and not site.path]
    if len(found) < 2:
        return None
    one, two = rng.sample(found, 2)
    old = two.node.output[0]
    using = readers(model, old)
    two.node.output[0] = one.node.output[0]
    return Made(f"output of {two.title} named as that of {one.title}", (one.place, two.place, *using))


def output_as_initializer(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.initializer or not (
        site := some(rng, [site for site in sites(model) if site.node.output and not site.path])
    ):
        return None
    old = site.node.output[0]
    using = readers(model, old)
    site.node.output[0] = rng.choice(model.graph.initializer).name
    return Made(
        f"output of {site.title} named as an initializer",
        (site.place, Place("initializer", (site.node.output[0],)), *using),
    )


def initializer_doubled(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.initializer:
        return None
    tensor = rng.choice(model.graph.initializer)
    model.graph.initializer.add().CopyFrom(tensor)
    return Made(f"initializer {tensor.name!r} twice", (Place("initializer", (tensor.name,)),))


def graph_input_doubled(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.input:
        return None
    value = rng.choice(model.graph.input)
    model.graph.input.add().CopyFrom(value)
    return Made(f"graph input {value.name!r} twice", (Place("input", (value.name,)),))


def graph_input_gone(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.input:
        return None
    k = rng.randrange(len(model.graph.input))
    name = model.graph.input[k].name
    del model.graph.input[k]
    return Made(f"graph input {name!r} gone", (*readers(model, name), *makers(model, name)))


def graph_outputs_gone(model: Model, rng: random.Random) -> Made | None:
    del model.graph.output[:]
    return Made("no graph outputs", (Place("head"),))


def graph_output_doubled(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.output:
        return None
    value = rng.choice(model.graph.output)
    model.graph.output.add().CopyFrom(value)
    return Made(f"graph output {value.name!r} twice", (Place("output", (value.name,)),))


def node_name_doubled(model: Model, rng: random.Random) -> Made | None:
    if len(model.graph.node) < 2:
        return None
    one, two = rng.sample(list(sites(model)), 2)
    one.node.name = two.node.name = one.node.name or "same"
    return Made(f"two nodes named {one.node.name!r}", (one.place, two.place))


def graph_name_gone(model: Model, rng: random.Random) -> Made | None:
    model.graph.name = ""
    return Made("graph without a name", (Place("head"),))


def name_shadowed(model: Model, rng: random.Random) -> Made | None:
    """A value of a nested graph with the name of one around it."""
    outer = [name for node in model.graph.node for name in node.output if name] + [
        value.name for value in model.graph.input
    ]
    inner = [
        site for site in sites(model) if site.path and site.node.output and isinstance(site.owner, onnx.GraphProto)
    ]
    if not inner or not outer:
        return None
    site = rng.choice(inner)
    old, new = site.node.output[0], rng.choice(outer)
    for reader in sites(model):
        if reader.owner is site.owner:
            reader.node.input[:] = [new if name == old else name for name in reader.node.input]
    for value in site.owner.output:
        value.name = new if value.name == old else value.name
    site.node.output[0] = new
    return Made(f"{old!r} in a nested graph named {new!r}, as outside", (site.place, *makers(model, new)))


# Operators, opsets, versions


def op_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, sites(model))):
        return None
    title = site.title
    site.node.op_type = rng.choice((typo(rng, site.node.op_type), site.node.op_type.lower(), site.node.op_type.upper()))
    return Made(f"operator of {title} -> {site.node.op_type}", (site.place,))


def op_foreign(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, sites(model))):
        return None
    title = site.title
    site.node.op_type = rng.choice(FOREIGN)
    return Made(f"operator of {title} -> {site.node.op_type}", (site.place,))


def op_of_another_opset(model: Model, rng: random.Random) -> Made | None:
    """One that comes later than the model's opset, or has gone before."""
    if not (site := some(rng, [site for site in sites(model) if not site.node.domain])):
        return None
    title, version = site.title, opset(model)
    site.node.op_type = rng.choice([name for name in (*NEW, *OLD) if not _has(name, version)] or ["Swish2"])
    return Made(f"operator of {title} -> {site.node.op_type} in opset {version}", (site.place,))


def _has(name: str, version: int) -> bool:
    try:
        return not defs.get_schema(name, version).deprecated
    except Exception:
        return False


def op_of_another_kind(model: Model, rng: random.Random) -> Made | None:
    """An operator of this opset that is no stand-in for the node's."""
    if not (site := some(rng, [site for site in sites(model) if not site.node.domain])):
        return None
    title, version = site.title, opset(model)
    names = (
        "Conv",
        "MatMul",
        "Reshape",
        "Concat",
        "Gemm",
        "LSTM",
        "Softmax",
        "Cast",
        "Loop",
        "TopK",
        "Transpose",
        "BatchNormalization",
        "Not",
        "Gather",
        "Pad",
    )
    site.node.op_type = rng.choice([name for name in names if _has(name, version) and name != site.node.op_type])
    return Made(f"operator of {title} -> {site.node.op_type}", (site.place,))


def domain_unknown(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, sites(model))):
        return None
    site.node.domain = rng.choice(("ai.onnx.m1", "com.mycompany", "ai.onnx.ml", "com.microsoft", "onnx"))
    return Made(f"domain of {site.title} -> {site.node.domain!r}", (site.place,))


def import_gone(model: Model, rng: random.Random) -> Made | None:
    if not model.opset_import:
        return None
    k = rng.randrange(len(model.opset_import))
    domain = model.opset_import[k].domain
    del model.opset_import[k]
    using = [site.place for site in sites(model) if (site.node.domain or "ai.onnx") == (domain or "ai.onnx")]
    return Made(f"opset import of {domain!r} gone", (Place("head"), Place("import", (domain,)), *using[:1]))


def import_doubled(model: Model, rng: random.Random) -> Made | None:
    if not model.opset_import:
        return None
    row = rng.choice(model.opset_import)
    model.opset_import.add(domain=row.domain, version=max(1, row.version + rng.choice((-1, 0, 1, -4))))
    return Made(f"opset import of {row.domain!r} twice", (Place("import", (row.domain,)), Place("head")))


def _import(model: Model, rng: random.Random, versions: tuple[int, ...]) -> Made | None:
    if not model.opset_import:
        return None
    row = rng.choice(model.opset_import)
    old, row.version = row.version, rng.choice(versions)
    return Made(
        f"opset of {row.domain!r} {old} -> {row.version}",
        (Place("import", (row.domain,)), Place("head"), *(site.place for site in sites(model))),
    )


def import_too_new(model: Model, rng: random.Random) -> Made | None:
    return _import(model, rng, (99, 28, 30, 1000, 2**40))


def import_too_old(model: Model, rng: random.Random) -> Made | None:
    return _import(model, rng, (0, -1, 1, 5))


def import_of_another(model: Model, rng: random.Random) -> Made | None:
    return _import(model, rng, (6, 8, 9, 10, 12, 13, 18, 21))


def ir_version(model: Model, rng: random.Random) -> Made | None:
    old = model.ir_version
    if rng.random() < 0.2:
        model.ClearField("ir_version")
    else:
        model.ir_version = rng.choice((99, 0, 1, 2, 3, 14, 15, -1, 20))
    return Made(
        f"IR version {old} -> {model.ir_version}",
        (Place("head"), *(Place("initializer", (tensor.name,)) for tensor in model.graph.initializer)),
    )


# Types


def _typed(model: Model, rng: random.Random, kind: str) -> tuple[Any, Place] | None:
    found = []
    for path, graph in graphs(model):
        values = {"input": graph.input, "output": graph.output, "value": graph.value_info}[kind]
        found += [(value, Place(kind, (value.name,), path)) for value in values if value.type.HasField("tensor_type")]
    return some(rng, found)


def _type_changed(kind: str) -> Way:
    def way(model: Model, rng: random.Random) -> Made | None:
        if not (found := _typed(model, rng, kind)):
            return None
        value, place = found
        old = value.type.tensor_type.elem_type
        others = (1, 10, 6, 7, 9, 8, 0, 11, 99)
        value.type.tensor_type.elem_type = rng.choice([number for number in others if number != old])
        where = makers(model, value.name) if kind != "input" else readers(model, value.name)
        return Made(
            f"element type of {kind} {value.name!r} {old} -> {value.type.tensor_type.elem_type}", (place, *where)
        )

    return _named(way, f"{kind}_type")


def _shape_changed(kind: str) -> Way:
    def way(model: Model, rng: random.Random) -> Made | None:
        if not (found := _typed(model, rng, kind)):
            return None
        value, place = found
        dims = value.type.tensor_type.shape.dim
        change = rng.choice(("dim", "rank+", "rank-", "zero", "negative"))
        if change == "rank+" or not dims:
            dims.add().dim_value = 3
        elif change == "rank-":
            del dims[rng.randrange(len(dims))]
        else:
            dim = rng.choice(dims)
            dim.dim_value = {"dim": (dim.dim_value or 1) + rng.choice((1, 2, 7)), "zero": 0, "negative": -5}[change]
        where = makers(model, value.name) if kind != "input" else readers(model, value.name)
        return Made(f"shape of {kind} {value.name!r}: {change}", (place, *where))

    return _named(way, f"{kind}_shape")


def _named(way: Way, name: str) -> Way:
    way.__name__ = name  # type: ignore[attr-defined]
    return way


def output_type_gone(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.output:
        return None
    value = rng.choice(model.graph.output)
    value.ClearField("type")
    return Made(f"output {value.name!r} without a type", (Place("output", (value.name,)),))


def input_type_gone(model: Model, rng: random.Random) -> Made | None:
    if not model.graph.input:
        return None
    value = rng.choice(model.graph.input)
    value.ClearField("type")
    return Made(f"input {value.name!r} without a type", (Place("input", (value.name,)), *readers(model, value.name)))


def value_contradicts(model: Model, rng: random.Random) -> Made | None:
    """A declared type for a value inside that the node does not give."""
    if not (
        site := some(rng, [site for site in sites(model) if site.node.output and site.node.output[0] and not site.path])
    ):
        return None
    name = site.node.output[0]
    if name in [value.name for value in (*model.graph.output, *model.graph.value_info)]:
        return None
    model.graph.value_info.append(
        helper.make_tensor_value_info(name, rng.choice((1, 7, 10)), [7] * rng.choice((1, 2, 3, 4, 5)))
    )
    return Made(f"value_info of {name!r} contradicts", (site.place, Place("value", (name,))))


def cast_gone(model: Model, rng: random.Random) -> Made | None:
    """A Cast left out, so that types meet that differ."""
    if not (site := some(rng, [site for site in sites(model) if site.node.op_type == "Cast"])):
        return None
    old, new = site.node.output[0], site.node.input[0]
    using = readers(model, old)
    del site.owner.node[site.index]
    for other in sites(model):
        other.node.input[:] = [new if name == old else name for name in other.node.input]
    return Made(f"Cast of {new!r} to {old!r} left out", tuple(using))


def cast_changed(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, [site for site in sites(model) if site.node.op_type == "Cast" and site.node.attribute])):
        return None
    to = site.node.attribute[0]
    old, to.i = to.i, rng.choice((0, 1, 6, 7, 9, 10, 11, 16, 77))
    return Made(f"Cast {site.node.output[0]!r} to {old} -> {to.i}", (site.place, *readers(model, site.node.output[0])))


# Nested graphs and functions


def _bodies(model: Model) -> list[tuple[Site, onnx.GraphProto]]:
    return [
        (site, attribute.g)
        for site in sites(model)
        for attribute in site.node.attribute
        if attribute.type == AttributeProto.GRAPH
    ]


def body_output_gone(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, [row for row in _bodies(model) if row[1].output])):
        return None
    site, body = found
    del body.output[rng.randrange(len(body.output))]
    return Made(f"an output of a body of {site.title} gone", (site.place, Place("output", (), _inner(site))))


def body_input_gone(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, [row for row in _bodies(model) if row[1].input])):
        return None
    site, body = found
    name = body.input[-1].name
    del body.input[-1]
    return Made(f"input {name!r} of the body of {site.title} gone", (site.place, *readers(model, name)))


def body_input_added(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, _bodies(model))):
        return None
    site, body = found
    body.input.append(helper.make_tensor_value_info("one_more", TensorProto.FLOAT, [2]))
    return Made(
        f"one more input of the body of {site.title}", (site.place, Place("input", ("one_more",), _inner(site)))
    )


def body_output_type(model: Model, rng: random.Random) -> Made | None:
    if not (
        found := some(
            rng, [row for row in _bodies(model) if row[1].output and row[1].output[0].type.HasField("tensor_type")]
        )
    ):
        return None
    site, body = found
    value = rng.choice(body.output)
    if not value.type.HasField("tensor_type"):
        return None
    value.type.tensor_type.elem_type = rng.choice(
        [number for number in (1, 7, 9, 10) if number != value.type.tensor_type.elem_type]
    )
    return Made(
        f"type of output {value.name!r} of a body of {site.title}",
        (site.place, Place("output", (value.name,), _inner(site)), *makers(model, value.name)),
    )


def body_gone(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, _bodies(model))):
        return None
    site, _ = found
    k = rng.choice([k for k, attribute in enumerate(site.node.attribute) if attribute.type == AttributeProto.GRAPH])
    del site.node.attribute[k]
    return Made(f"a body of {site.title} gone", (site.place,))


def condition_type(model: Model, rng: random.Random) -> Made | None:
    """A number where If or Loop takes a condition."""
    found = [site for site in sites(model) if site.node.op_type in ("If", "Loop") and len(site.node.input)]
    if not (site := some(rng, found)):
        return None
    numbers = [tensor.name for tensor in model.graph.initializer if tensor.data_type == TensorProto.FLOAT]
    names = numbers + [
        value.name for value in model.graph.input if value.type.tensor_type.elem_type == TensorProto.FLOAT
    ]
    if not names:
        return None
    k = 0 if site.node.op_type == "If" else min(1, len(site.node.input) - 1)
    site.node.input[k] = rng.choice(names)
    return Made(f"condition of {site.title} is {site.node.input[k]!r}", (site.place,))


def _inner(site: Site) -> str:
    return f"{site.path}/{next(iter(site.node.output), '')}"


def function_gone(model: Model, rng: random.Random) -> Made | None:
    if not model.functions:
        return None
    k = rng.randrange(len(model.functions))
    name = model.functions[k].name
    del model.functions[k]
    return Made(f"function {name!r} gone", tuple(site.place for site in sites(model) if site.node.op_type == name))


def function_doubled(model: Model, rng: random.Random) -> Made | None:
    if not model.functions:
        return None
    function = rng.choice(model.functions)
    model.functions.add().CopyFrom(function)
    return Made(f"function {function.name!r} twice", (Place("function", (function.name,)),))


def function_recursive(model: Model, rng: random.Random) -> Made | None:
    if not model.functions:
        return None
    function = rng.choice(model.functions)
    node = rng.choice(function.node)
    node.op_type, node.domain = function.name, function.domain
    function.opset_import.add(domain=function.domain, version=1)
    del node.attribute[:]
    using = [site.place for site in sites(model) if site.node.op_type == function.name]
    return Made(f"function {function.name!r} calls itself", (*using, Place("function", (function.name,))))


def function_output_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not model.functions:
        return None
    function = rng.choice(model.functions)
    old = function.output[0]
    function.output[0] = typo(rng, old)
    return Made(
        f"output {old!r} of function {function.name!r} -> {function.output[0]!r}",
        (Place("function", (function.name,)), Place("output", (function.output[0],))),
    )


def function_import_gone(model: Model, rng: random.Random) -> Made | None:
    if not model.functions:
        return None
    function = rng.choice(model.functions)
    del function.opset_import[:]
    using = [site.place for site in sites(model) if site.owner is function]
    return Made(f"function {function.name!r} without opset imports", (Place("function", (function.name,)), *using))


WAYS: tuple[Way, ...] = (
    input_misspelt, output_misspelt, initializer_misspelt, graph_output_misspelt, graph_input_misspelt, inputs_swapped, input_of_another, input_of_later, input_gone, input_left_out,
    input_too_many, output_too_many, node_gone, node_doubled, node_moved, nodes_reversed, output_of_another, output_as_initializer, initializer_doubled, graph_input_doubled, graph_input_gone,
    graph_outputs_gone, graph_output_doubled, node_name_doubled, graph_name_gone, name_shadowed, op_misspelt, op_foreign, op_of_another_opset, op_of_another_kind, domain_unknown, import_gone,
    import_doubled, import_too_new, import_too_old, import_of_another, ir_version, _type_changed("input"), _type_changed("output"), _type_changed("value"), _shape_changed("input"),
    _shape_changed("output"), _shape_changed("value"), output_type_gone, input_type_gone, value_contradicts, cast_gone, cast_changed, body_output_gone, body_input_gone, body_input_added,
    body_output_type, body_gone, condition_type, function_gone, function_doubled, function_recursive, function_output_misspelt, function_import_gone,
)  # fmt: skip
