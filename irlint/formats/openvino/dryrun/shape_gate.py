"""A quick check of shapes: an IR declares the type of every value.

If each layer's declared outputs follow from the outputs that its producers declare, and its inputs agree, no type has to be inferred
through the graph.
"""

from __future__ import annotations

from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor, small
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import Value


def sound(mapping: Mapping, section: IrSection) -> bool:
    """Return whether the dry run would infer every type as declared."""
    if section.unfed or not section.graph.forward:
        return False
    return _edges_agree(section) and _make_what_they_say(mapping, section)


def _make_what_they_say(mapping: Mapping, section: IrSection) -> bool:
    try:
        return all(_makes_what_it_says(mapping, section, members) for members in section.kinds)
    except (ShapeError, Undecided, *UNFORESEEN):
        return False


def _edges_agree(section: IrSection) -> bool:
    layers = section.layers
    for node, layer in zip(section.graph.nodes, layers, strict=True):
        for (maker, output), taken in zip(node.inputs, layer.inputs.values, strict=True):
            given = layers[maker].outputs.values[output]
            if given is not taken and not _accepts(taken, given):
                return False
    return True


def _accepts(taken: Value, given: Value) -> bool:
    """Return whether an input port declares the type of its source; version 10 declares no precision."""
    return taken.type.shape == given.type.shape and taken.type.dtype in (None, given.type.dtype)


def _makes_what_it_says(mapping: Mapping, section: IrSection, members: list[int]) -> bool:
    """Return whether the inferred types of all layers of a kind match the declared ones."""
    graph, layers = section.graph, section.layers
    first, taken, made = graph.nodes[members[0]], layers[members[0]].inputs.values, layers[members[0]].outputs.values
    if first.kind != "call":
        return all(_are(made, mapping.leaf(graph, graph.nodes[k])) for k in _unlike(section, members))
    call = mapping.call_of(graph, first)
    if call is None or call.operator.nested:
        return False
    reads = call.operator.reads
    if not reads and all(value.type.dtype for value in taken):
        members = members[:1]  # they get what they say, so that one of them stands for all
    for index in members:
        operands = [
            (_read if place in reads else _given)(mapping, section, *source)
            for place, source in enumerate(graph.nodes[index].inputs)
        ]
        if not _are(made, apply(call, operands)):
            return False
    return True


def _unlike(section: IrSection, members: list[int]) -> list[int]:
    """Return one leaf of a kind for each type and shape."""
    found: dict[tuple[str | None, str | None], int] = {}
    for k in members:
        attrs = section.graph.nodes[k].attrs
        found.setdefault((attrs.get("element_type"), attrs.get("shape")), k)
    return list(found.values())


def _are(declared: tuple[Value, ...], real: tuple[Tensor, ...]) -> bool:
    return len(real) >= len(declared) and all(v.type == t.type for v, t in zip(declared, real, strict=False))


def _read(mapping: Mapping, section: IrSection, maker: int, output: int) -> Tensor:
    """Return an operand whose values matter: those of constants are known, others are left to the dry run."""
    graph, node = section.graph, section.graph.nodes[maker]
    if node.kind != "call":
        return mapping.leaf(graph, node)[output]
    given, call = _given(mapping, section, maker, output), mapping.call_of(graph, node)
    if call is None or (call.operator.follows and small(given.shape)):
        raise Undecided
    return given


def _given(mapping: Mapping, section: IrSection, maker: int, output: int) -> Tensor:
    return Tensor(*section.layers[maker].outputs.values[output].type)
