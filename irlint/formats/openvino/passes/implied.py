"""The value of a missing attribute that a layer's declared types prove: only with it do its inputs give its outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.tensor import Tensor
from irlint.formats.openvino.blame import agrees
from irlint.formats.openvino.dryrun.mapping import OpenVinoMapping
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node
from irlint.operators import Attribute

_NUMBERS = 17  # a stride, a dilation, an axis is smaller
_FEW = 300  # candidates
_LAYERS = 40  # of one graph that are tried: if more lack something, it is not a single mistake


def implied(section: Section, node: Node, attribute: Attribute, default: str | None) -> str | None:
    """Return the default if nothing contradicts it, else the only small value that fits; None for none or several."""
    layer, known = section.layers[node.index], section.implied
    taken, made = layer.inputs.values, layer.outputs.values
    key = (node.op, node.version, attribute.name, *node.attrs.items(), *[v.type for v in (*taken, *made)], len(taken))
    if key not in known:
        known[key] = default if len(known) >= _LAYERS else _implied(section, node, attribute, default)
    return known[key]


def _implied(section: Section, node: Node, attribute: Attribute, default: str | None) -> str | None:
    trial = _Trial(section, node, attribute.name)
    if default is not None and trial.fits(default) is not False:
        return default
    for candidates in _candidates(attribute, node):
        if fitting := [value for value in candidates if trial.fits(value)]:
            return fitting[0] if len(fitting) == 1 else None
    return None


class _Trial:
    """One layer with one attribute set."""

    def __init__(self, section: Section, node: Node, name: str) -> None:
        layer = section.layers[node.index]
        self.mapping = OpenVinoMapping([section], None)
        self.section, self.node, self.name = section, node, name
        self.taken = [Tensor(*value.type) for value in layer.inputs.values]
        self.made = [value.type for value in layer.outputs.values]

    def fits(self, value: str) -> bool | None:
        """Return whether the layer's inferred types match the declared ones; None if that is unknown."""
        node = self.node
        attrs = {**node.attrs, self.name: value}
        changed = Node(
            node.index, node.name, node.op, node.path, node.inputs, node.outputs, attrs, version=node.version
        )
        try:
            call = self.mapping.call(self.section.graph, changed)
            outputs = apply(call, self.taken) if call is not None and not node.graphs else ()
        except (Undecided, *UNFORESEEN):
            return None
        except ShapeError:
            return False
        if not self.made or len(outputs) < len(self.made) or any(tensor.shape is None for tensor in outputs):
            return None
        pairs = list(zip(self.made, outputs, strict=False))
        if any(said.shape is None or None in said.shape for said, _ in pairs):
            return None
        return all(agrees(said, real.type) for said, real in pairs)


def _candidates(attribute: Attribute, node: Node) -> Iterator[Iterable[str]]:
    """Yield groups of values to try, the likeliest first."""
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


_SPATIAL = ("strides", "dilations", "pads_begin", "pads_end", "kernel")


def _axes(attribute: Attribute, node: Node) -> int:
    """Return the length of a list: that of another list of the layer with one value for each axis."""
    if attribute.name not in _SPATIAL:
        return 0
    return next((node.attrs[name].count(",") + 1 for name in _SPATIAL if node.attrs.get(name)), 0)
