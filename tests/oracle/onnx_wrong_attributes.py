"""Defects of attributes, one for each function."""

from __future__ import annotations

import random

import onnx
from onnx import AttributeProto, defs, helper

from oracle.onnx_sites import Made, Site, Way, attributes, opset, schema, sites, some, typo

Model = onnx.ModelProto
Found = tuple[Site, AttributeProto]
STRANGE = (
    "foo",
    "dilation",
    "kernel",
    "stride",
    "padding",
    "data_format",
    "training",
    "consumed_inputs",
    "T",
    "name",
    "axes",
    "axis",
    "to",
    "scales",
)
LISTS, NUMBERS = (
    ("kernel_shape", "pads", "strides", "dilations"),
    ("axis", "group", "to", "hidden_size", "blocksize", "num_outputs", "axes", "perm", "batch_dims"),
)


def _said(found: Found, change: str) -> Made:
    site, attribute = found
    return Made(f"{attribute.name} of {site.title}: {change}", (site.place,))


def attribute_gone(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model))):
        return None
    site, attribute = found
    made = _said(found, "gone")
    site.node.attribute.remove(attribute)
    return made


def required_gone(model: Model, rng: random.Random) -> Made | None:
    needed = [
        row
        for row in attributes(model)
        if (known := schema(model, row[0].node))
        and row[1].name in known.attributes
        and known.attributes[row[1].name].required
    ]
    if not (found := some(rng, needed)):
        return None
    made = _said(found, "gone, though required")
    found[0].node.attribute.remove(found[1])
    return made


def attribute_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model))):
        return None
    _, attribute = found
    old, attribute.name = attribute.name, typo(rng, attribute.name)
    return Made(f"{old} -> {attribute.name} of {found[0].title}", (found[0].place,))


def attribute_strange(model: Model, rng: random.Random) -> Made | None:
    if not (site := some(rng, sites(model))):
        return None
    known = schema(model, site.node)
    names = [
        name
        for name in STRANGE
        if name not in {row.name for row in site.node.attribute} and not (known and name in known.attributes)
    ]
    name = rng.choice(names)
    site.node.attribute.append(helper.make_attribute(name, rng.choice(([1, 1], 1, 0.5, "x"))))
    return Made(f"{name} added to {site.title}", (site.place,))


def attribute_doubled(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model))):
        return None
    found[0].node.attribute.add().CopyFrom(found[1])
    return _said(found, "twice")


def attribute_of_another_opset(model: Model, rng: random.Random) -> Made | None:
    """One that another version of the operator has."""
    found: list[tuple[Site, str, int]] = []
    for site in sites(model):
        known = schema(model, site.node)
        if known is None:
            continue
        for version in range(1, 24):
            try:
                other = defs.get_schema(site.node.op_type, version, site.node.domain)
            except Exception:
                continue
            found += [
                (site, name, int(row.type.value))
                for name, row in other.attributes.items()
                if name not in known.attributes
            ]
    if not found:
        return None
    site, name, kind = rng.choice(found)
    values = {1: 0.5, 2: 1, 3: "x", 6: [0.5], 7: [1], 8: ["x"]}
    if kind not in values:
        return None
    site.node.attribute.append(helper.make_attribute(name, values[kind]))
    return Made(f"{name}, which {site.title} has not in opset {opset(model, site.node.domain)}", (site.place,))


def attribute_type(model: Model, rng: random.Random) -> Made | None:
    """A value of another type, and the type says so."""
    if not (found := some(rng, attributes(model, 1, 2, 3, 6, 7, 8))):
        return None
    attribute = found[1]
    values = [0.5, 1, "x", [0.5, 1.5], [1, 1], ["x"]]
    kinds = (1, 2, 3, 6, 7, 8)
    value = rng.choice([value for value, kind in zip(values, kinds, strict=True) if kind != attribute.type])
    name = attribute.name
    attribute.CopyFrom(helper.make_attribute(name, value))
    return _said(found, f"{value!r}, of another type")


def attribute_type_field(model: Model, rng: random.Random) -> Made | None:
    """A type that does not fit the value."""
    if not (found := some(rng, attributes(model))):
        return None
    _, attribute = found
    old, attribute.type = (
        attribute.type,
        rng.choice([kind for kind in (0, 1, 2, 3, 4, 6, 7, 8) if kind != attribute.type]),
    )
    return _said(found, f"type {old} -> {attribute.type}")


def attribute_empty(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model, 3, 6, 7, 8))):
        return None
    for field in ("s", "floats", "ints", "strings"):
        found[1].ClearField(field)
    return _said(found, "empty")


def enum_misspelt(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model, AttributeProto.STRING))):
        return None
    _, attribute = found
    old = attribute.s.decode("utf-8", "replace")
    attribute.s = rng.choice((typo(rng, old), old.swapcase(), "none", typo(rng, old))).encode()
    return _said(found, f"{old!r} -> {attribute.s!r}")


def number_off(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model, AttributeProto.INT))):
        return None
    _, attribute = found
    old = attribute.i
    attribute.i = rng.choice([value for value in (old + 1, old - 1, -1, 0, 7, 100, -100, 2**33) if value != old])
    return _said(found, f"{old} -> {attribute.i}")


def axis_off(model: Model, rng: random.Random) -> Made | None:
    """An axis, a number of groups or the like that the input has not."""
    if not (found := some(rng, [row for row in attributes(model, AttributeProto.INT) if row[1].name in NUMBERS])):
        return None
    _, attribute = found
    old, attribute.i = attribute.i, rng.choice((7, -7, 20, 3))
    return _said(found, f"{old} -> {attribute.i}") if old != attribute.i else None


def list_item(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, [row for row in attributes(model, AttributeProto.INTS) if row[1].ints])):
        return None
    _, attribute = found
    k = rng.randrange(len(attribute.ints))
    old = attribute.ints[k]
    attribute.ints[k] = rng.choice([value for value in (old + 1, old - 1, 0, -1, old * 2 + 3, -3, 100) if value != old])
    return _said(found, f"item {k} {old} -> {attribute.ints[k]}")


def kernel_item(model: Model, rng: random.Random) -> Made | None:
    """kernel_shape, pads, strides or dilations."""
    if not (
        found := some(
            rng, [row for row in attributes(model, AttributeProto.INTS) if row[1].name in LISTS and row[1].ints]
        )
    ):
        return None
    _, attribute = found
    k = rng.randrange(len(attribute.ints))
    old = attribute.ints[k]
    attribute.ints[k] = rng.choice([value for value in (0, -1, old + 1, 50) if value != old])
    return _said(found, f"item {k} {old} -> {attribute.ints[k]}")


def list_shorter(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, [row for row in attributes(model, AttributeProto.INTS) if row[1].ints])):
        return None
    del found[1].ints[-1]
    return _said(found, "one item less")


def list_longer(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, [row for row in attributes(model, AttributeProto.INTS) if row[1].ints])):
        return None
    found[1].ints.append(found[1].ints[-1])
    return _said(found, "one item more")


def permutation(model: Model, rng: random.Random) -> Made | None:
    if not (
        found := some(
            rng,
            [row for row in attributes(model, AttributeProto.INTS) if row[1].name == "perm" and len(row[1].ints) > 1],
        )
    ):
        return None
    _, attribute = found
    old = list(attribute.ints)
    a, b = rng.sample(range(len(old)), 2)
    if rng.random() < 0.5:
        attribute.ints[a] = old[b]
    else:
        attribute.ints[a], attribute.ints[b] = old[b], old[a]
    return _said(found, f"{old} -> {list(attribute.ints)}")


def group_off(model: Model, rng: random.Random) -> Made | None:
    found = [site for site in sites(model) if site.node.op_type in ("Conv", "ConvTranspose")]
    if not (site := some(rng, found)):
        return None
    kept = [row for row in site.node.attribute if row.name != "group"]
    old = next((row.i for row in site.node.attribute if row.name == "group"), 1)
    value = rng.choice([value for value in (0, -1, 2, 3, 5) if value != old])
    kept = [AttributeProto.FromString(row.SerializeToString()) for row in kept]
    del site.node.attribute[:]
    site.node.attribute.extend([*kept, helper.make_attribute("group", value)])
    return Made(f"group of {site.title} {old} -> {value}", (site.place,))


def tensor_attribute(model: Model, rng: random.Random) -> Made | None:
    """The value of a Constant or the like, whose sizes do not fit."""
    if not (found := some(rng, attributes(model, AttributeProto.TENSOR))):
        return None
    tensor = found[1].t
    if rng.random() < 0.5 or not tensor.raw_data:
        tensor.dims.append(5)
        return _said(found, "one dimension more than its data")
    tensor.raw_data = tensor.raw_data[: len(tensor.raw_data) // 2]
    return _said(found, "half of its data")


def tensor_attribute_gone(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model, AttributeProto.TENSOR))):
        return None
    found[1].ClearField("t")
    return _said(found, "no tensor")


def float_off(model: Model, rng: random.Random) -> Made | None:
    if not (found := some(rng, attributes(model, AttributeProto.FLOAT))):
        return None
    _, attribute = found
    old, attribute.f = attribute.f, rng.choice((float("nan"), float("inf"), -1.0, 0.0, 1e30))
    return _said(found, f"{old} -> {attribute.f}")


def reference_outside(model: Model, rng: random.Random) -> Made | None:
    """A reference to an attribute of a function, outside of any."""
    if not (
        found := some(rng, [row for row in attributes(model, 1, 2, 3, 7) if isinstance(row[0].owner, onnx.GraphProto)])
    ):
        return None
    for field in ("f", "i", "s", "ints"):
        found[1].ClearField(field)
    found[1].ref_attr_name = "alpha"
    return _said(found, "refers to an attribute `alpha`")


WAYS: tuple[Way, ...] = (
    attribute_gone, required_gone, attribute_misspelt, attribute_strange, attribute_doubled, attribute_of_another_opset, attribute_type, attribute_type_field, attribute_empty, enum_misspelt,
    number_off, axis_off, list_item, kernel_item, list_shorter, list_longer, permutation, group_off, tensor_attribute, tensor_attribute_gone, float_off, reference_outside,
)  # fmt: skip
