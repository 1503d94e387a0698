"""A quick look at shapes: an IR declares the type of every value. Where each layer makes what it declares of what those before it
declare, and its inputs say nothing else, no type has to be followed through the graph.
"""

from __future__ import annotations

from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.tensor import Tensor, small
from irlint.formats.openvino.dryrun import OpenVinoMapping
from irlint.formats.openvino.reader import Section
from irlint.graph import Value


def sound(mapping: OpenVinoMapping, section: Section) -> bool:
    """Whether the dry run would find every type as it is declared."""
    if section.unfed or not section.graph.forward:
        return False
    try:
        return all(_makes_what_it_says(mapping, section, members) for members in section.kinds)
    except (ShapeError, Undecided, *UNFORESEEN):
        return False


def _makes_what_it_says(mapping: OpenVinoMapping, section: Section, members: list[int]) -> bool:
    """Whether all layers of a kind make values of the types that they declare."""
    graph, layers = section.graph, section.layers
    first, taken, made = graph.nodes[members[0]], layers[members[0]].inputs.values, layers[members[0]].outputs.values
    if first.kind != "call":
        return all(_are(made, mapping.leaf(graph, graph.nodes[k])) for k in _unlike(section, members))
    call = mapping.call_of(graph, first)
    if call is None or call.operator.nested:
        return False
    reads = call.operator.reads
    seen: set[tuple[int, ...]] = set()
    for index in members:
        inputs = graph.nodes[index].inputs
        given = [layers[maker].outputs.values[output] for maker, output in inputs]
        types = tuple(map(id, given))
        if types in seen and not reads:
            continue
        seen.add(types)
        operands = [
            _read(mapping, section, *source) if place in reads else Tensor(*value.type)
            for place, (source, value) in enumerate(zip(inputs, given, strict=True))
        ]
        if not all(map(_accepts, taken, given)) or not _are(made, apply(call, operands)):
            return False
    return True


def _unlike(section: Section, members: list[int]) -> list[int]:
    """One of those leaves of a kind that are of one type and shape."""
    found: dict[tuple[str | None, str | None], int] = {}
    for k in members:
        attrs = section.graph.nodes[k].attrs
        found.setdefault((attrs.get("element_type"), attrs.get("shape")), k)
    return list(found.values())


def _accepts(taken: Value, given: Value) -> bool:
    """Whether an input port declares what it gets; in version 10 it declares no precision."""
    return taken is given or (taken.type.shape == given.type.shape and taken.type.dtype in (None, given.type.dtype))


def _are(declared: tuple[Value, ...], real: tuple[Tensor, ...]) -> bool:
    return len(real) >= len(declared) and all(v.type == t.type for v, t in zip(declared, real, strict=False))


def _read(mapping: OpenVinoMapping, section: Section, maker: int, output: int) -> Tensor:
    """An operand whose elements matter: those of constants are known, those that layers make are left to the dry run."""
    graph, node = section.graph, section.graph.nodes[maker]
    if node.kind != "call":
        return mapping.leaf(graph, node)[output]
    type_ = section.layers[maker].outputs.values[output].type
    call = mapping.call_of(graph, node)
    if call is None or (call.operator.follows and small(type_.shape)):
        raise Undecided
    return Tensor(*type_)
