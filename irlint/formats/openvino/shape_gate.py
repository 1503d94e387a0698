"""A quick look at shapes: an IR declares the type of every value, and where each layer makes what it declares of what its inputs
declare, and edges join equal types, nothing has to be followed through the graph.
"""

from __future__ import annotations

from collections.abc import Sequence

from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.mapping import Call
from irlint.dryrun.tensor import Tensor, small
from irlint.formats.openvino.dryrun import OpenVinoMapping
from irlint.formats.openvino.reader import Section
from irlint.graph import Type


def sound(mapping: OpenVinoMapping, section: Section) -> bool:
    """Whether the dry run would find every type as it is declared."""
    if section.unfed or not section.graph.forward or not _edges_agree(section):
        return False
    try:
        return all(_is_right(mapping, section, members) for members in section.kinds)
    except (ShapeError, Undecided, *UNFORESEEN):
        return False


def _edges_agree(section: Section) -> bool:
    layers = section.layers
    for node, layer in zip(section.graph.nodes, layers, strict=True):
        for (maker, output), taken in zip(node.inputs, layer.inputs.values, strict=True):
            given = layers[maker].outputs.values[output]
            if given is not taken and given != taken:
                return False
    return True


def _is_right(mapping: OpenVinoMapping, section: Section, members: list[int]) -> bool:
    """Whether layers of a kind make what they declare."""
    graph, first = section.graph, section.graph.nodes[members[0]]
    declared = [value.type for value in section.layers[members[0]].outputs.values]
    if first.kind != "call":
        others = {} if first.kind == "var" else {_said(graph.nodes[k].attrs): k for k in members}
        return all(
            [t.type for t in mapping.leaf(graph, graph.nodes[k])] == declared for k in (*others.values(), first.index)
        )
    call = mapping.call_of(graph, first)
    if call is None or call.operator.nested:
        return False
    return all(_gives(mapping, section, k, call, declared) for k in (members if call.operator.reads else members[:1]))


def _said(attrs: dict[str, str]) -> tuple[str | None, str | None]:
    """What the type of a constant follows from."""
    return attrs.get("element_type"), attrs.get("shape")


def _gives(mapping: OpenVinoMapping, section: Section, index: int, call: Call, declared: Sequence[Type]) -> bool:
    taken = section.layers[index].inputs.values
    operands = [
        _read(mapping, section, *source) if place in call.operator.reads else Tensor(*value.type)
        for place, (source, value) in enumerate(zip(section.graph.nodes[index].inputs, taken, strict=True))
    ]
    outputs = apply(call, operands)
    return len(outputs) >= len(declared) and all(t.type == type_ for t, type_ in zip(outputs, declared, strict=False))


def _read(mapping: OpenVinoMapping, section: Section, maker: int, output: int) -> Tensor:
    """An operand whose elements matter; those of constants are known, those that layers make are followed by the dry run alone."""
    graph, node = section.graph, section.graph.nodes[maker]
    if node.kind != "call":
        return mapping.leaf(graph, node)[output]
    type_ = section.layers[maker].outputs.values[output].type
    call = mapping.call_of(graph, node)
    if call is None or (call.operator.follows and small(type_.shape)):
        raise Undecided
    return Tensor(*type_)
