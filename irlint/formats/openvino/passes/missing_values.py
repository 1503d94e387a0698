"""The value of a missing attribute that a layer's declared types prove: only with it do its inputs give its outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from irlint.dryrun.errors import ShapeError
from irlint.formats.openvino.dryrun import OpenVinoMapping
from irlint.formats.openvino.inferred import agrees, is_fixed, tried
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import Node
from irlint.operators import Attribute

_NUMBERS = 17  # a stride, a dilation, an axis is smaller
_FEW = 300  # candidates
_LONGEST = 1000  # characters of the other attributes, which every trial reads again
_MOST_AXES = 8  # of a list that is tried: two values for each of them are few candidates
_LAYERS = 40  # of one graph that are tried: if more lack something, it is not a single mistake
_SPATIAL = ("strides", "dilations", "pads_begin", "pads_end", "kernel")


def proven_value(section: IrSection, node: Node, attribute: Attribute, default: str | None) -> str | None:
    """Return the default if nothing contradicts it, else the only small value that fits; None for none or several."""
    layer, known = section.layers[node.index], section.proven
    taken, made = layer.inputs.values, layer.outputs.values
    key = (node.op, node.version, attribute.name, *node.attrs.items(), *[v.type for v in (*taken, *made)], len(taken))
    if key not in known:
        known[key] = default if len(known) >= _LAYERS else _proven(section, node, attribute, default)
    return known[key]


def _proven(section: IrSection, node: Node, attribute: Attribute, default: str | None) -> str | None:
    mapping = OpenVinoMapping([section], None)

    def fits(value: str) -> bool | None:
        return _fits(mapping, section, node, {attribute.name: value})

    if default is not None and fits(default) is not False:
        return default
    if sum(map(len, node.attrs.values())) > _LONGEST:
        return None
    for candidates in _candidates(attribute, node):
        if fitting := [value for value in candidates if fits(value)]:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _fits(mapping: OpenVinoMapping, section: IrSection, node: Node, more: dict[str, str]) -> bool | None:
    """Return whether a layer with more attributes outputs what it declares; None if that is unknown."""
    attrs = {**node.attrs, **more}
    changed = Node(node.index, node.name, node.op, node.path, node.inputs, node.outputs, attrs, version=node.version)
    declared = [value.type for value in section.layers[node.index].outputs.values]
    try:
        made = tried(mapping, section, changed) or []
    except ShapeError:
        return False
    is_whole = 0 < len(declared) <= len(made) and all(type_.shape is not None for type_ in made)
    if not is_whole or not all(is_fixed(type_.shape) for type_ in declared):
        return None
    return all(agrees(said, real) for said, real in zip(declared, made, strict=False))


def _candidates(attribute: Attribute, node: Node) -> Iterator[Iterable[str]]:
    """Yield groups of values to try, the most likely first."""
    kind, least = attribute.kind, attribute.facts.get("least", 0)
    if kind == "boolean":
        yield ("true", "false")
    elif kind == "enum":
        yield attribute.values
    elif kind == "int":
        yield map(str, [*range(least, _NUMBERS), *range(-2, min(least, 0))])
    elif kind == "int[]" and (count := _axes(attribute, node)):
        yield (",".join([str(number)] * count) for number in range(least, _NUMBERS))
        numbers = range(least, least + max(2, int(_FEW ** (1 / count))))
        yield (",".join(map(str, values)) for values in product(numbers, repeat=count))


def _axes(attribute: Attribute, node: Node) -> int:
    """Return the length of a list: that of another list of the layer with one value for each axis; 0 for none, or a long one."""
    if attribute.name not in _SPATIAL:
        return 0
    count = next((node.attrs[name].count(",") + 1 for name in _SPATIAL if node.attrs.get(name)), 0)
    return count if count <= _MOST_AXES else 0
