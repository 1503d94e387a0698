"""If, Loop and TensorIterator: what their port maps and back edges refer to, in the layer and in its bodies."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from typing import TYPE_CHECKING

from irlint.dryrun.dims import show
from irlint.findings import Problem, Severity
from irlint.formats.openvino.bodies.port_maps import MapEntry, PortMap, port_map
from irlint.formats.openvino.bodies.ports import input_ports, output_ports
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.formats.openvino.state import LayerAt
from irlint.graph import Node, Shape, label
from irlint.records import replace
from irlint.text.base import Place

if TYPE_CHECKING:
    from irlint.formats.openvino.inferred import InferredTypes
    from irlint.formats.openvino.reading.binfile import BinFile

_MAPS = {"If": (("then_port_map", "then_body"), ("else_port_map", "else_body")), "Loop": (("port_map", "body"),),
         "TensorIterator": (("port_map", "body"),)}  # fmt: skip
_COUNTS = frozenset(("i32", "i64", "u32", "u64", "i16", "u16"))  # what the CPU plug-in makes i32 of
_INNER_ID = "@internal_layer_id"


def body_problems(sections: list[IrSection], binary: BinFile | None, silent: Container[int]) -> Iterator[Problem]:
    """Report mistakes in port maps and back edges.

    `silent` holds id() of layers that are not checked.
    """
    inner = {id(section.graph): section for section in sections}
    for section in sections:
        for node in section.graph.nodes:
            if node.op in _MAPS and id(node) not in silent:
                yield from _layer(LayerAt(section, node.index), inner, _taken(section, node, binary))


def sliced_problems(sections: list[IrSection], inferred: InferredTypes) -> Iterator[Problem]:
    """Report mistakes in the slices of loops, using inferred shapes."""
    inner = {id(section.graph): section for section in sections}
    for section in sections if len(sections) > 1 else ():
        for node in section.graph.nodes:
            if node.graphs and node.op in ("Loop", "TensorIterator"):
                mapped = PortMap(LayerAt(section, node.index), inner[id(node.graphs[0])])
                yield from _slices(mapped, inferred)


def fed_problems(sections: list[IrSection], inferred: InferredTypes) -> Iterator[Problem]:
    """Report Parameters of bodies whose attributes contradict the inferred type, although their ports do not."""
    from irlint.formats.openvino.dryrun import OpenVinoMapping
    from irlint.formats.openvino.inferred import agrees

    mapping = OpenVinoMapping(sections, None)
    for section in sections[1:]:
        graph = section.graph
        for node in (graph.nodes[index] for index in graph.inputs):
            real, own = inferred.real(section, node.index, 0), mapping.leaf(graph, node)[0].type
            if node.op != "Parameter" or agrees(own, real) or not node.outputs:
                continue
            if agrees(node.outputs[0].type, real):
                is_other = own.dtype not in (None, real.dtype) and real.dtype is not None
                word, name = ("type", "element_type") if is_other else ("shape", "shape")
                rule = R.declared_dtype_differs if is_other else R.declared_shape_differs
                found = real.dtype if is_other else show(real.shape)
                message = (
                    f"declared {word} `{node.attrs.get(name)}` of {label(node)} does not match inferred {word} {found}"
                )
                at = graph.place(node, f"attr:{name}")
                yield Problem(rule, at, message, node.name, severity=Severity.WARNING)


def _slices(mapped: PortMap, inferred: InferredTypes) -> list[Problem]:
    from irlint.formats.openvino.bodies.slices import Slices

    def outer(entry: MapEntry) -> Shape | None:
        place = mapped.layer.inputs.index.get(entry.external) if entry.side == "input" else None
        return None if place is None else inferred.at_input(mapped.owner.section, mapped.node, place).shape

    def inside(entry: MapEntry) -> Shape | None:
        node = mapped.inner(entry.internal) if entry.side == "output" else None
        return None if node is None else inferred.at_input(mapped.body, node).shape

    found = list(Slices(mapped, outer, inside).problems())
    odd = next((entry for entry in mapped.inputs if found and _is_fed_otherwise(mapped, entry, inferred)), None)
    if odd is not None and found[0].at[0] != odd.path:
        found[0] = replace(found[0], at=odd.place(), related=[("detected here", found[0].at)])
    return found


def _is_fed_otherwise(mapped: PortMap, entry: MapEntry, inferred: InferredTypes) -> bool:
    """Return whether the inferred shape of a body Parameter differs from the declared one."""
    node = mapped.inner(entry.internal)
    if node is None or not node.outputs:
        return False
    shape, declared = inferred.real(mapped.body, node.index, 0).shape, node.outputs[0].type.shape
    return shape is not None and declared is not None and shape != declared


def _taken(section: IrSection, node: Node, binary: BinFile | None) -> str | None:
    """Return the port map of the branch that an If with a constant condition takes; the reader does not check the other one."""
    maker = node.inputs[0][0] if node.op == "If" and node.inputs else -1
    if maker < 0 or section.graph.nodes[maker].kind != "const" or binary is None:
        return None
    attrs = section.graph.nodes[maker].attrs
    value = binary.value(attrs) if attrs.get("element_type") == "boolean" else None
    return None if not value else "then_port_map" if value[0] else "else_port_map"


def _layer(at: LayerAt, inner: dict[int, IrSection], taken: str | None) -> Iterator[Problem]:
    bodies = {inner[id(graph)].element.tag: inner[id(graph)] for graph in at.node.graphs}
    if not bodies and meaning(at.node.op, at.node.version).operation is None:
        return  # which is no such operation
    elsewhere = {entry.external for entry in port_map(at.layer, "else_port_map") if entry.side == "input"}
    for map_tag, body_tag in _MAPS[at.node.op]:
        if body_tag not in bodies:
            yield _missing(at, body_tag)
        if at.layer.parts.child(map_tag) is None:
            yield _missing(at, map_tag, error_if(taken in (None, map_tag)))
        elif body_tag in bodies:
            yield from _map(PortMap(at, bodies[body_tag]), None if taken is None else taken == map_tag, elsewhere)
            elsewhere = {port.id for port in at.layer.inputs.ports}  # what no branch takes is reported for the first


def _missing(at: LayerAt, tag: str, severity: Severity | None = None) -> Problem:
    from irlint.formats.openvino.passes.missing_parts import element_gap

    gap = [] if at.layer.element is None else [element_gap(at.layer.element, tag)]
    message, place = f"missing `<{tag}>` in {label(at.node)}", at.graph.place(at.index, "node")
    return Problem(R.missing_key, place, message, at.node.name, related=gap, severity=severity)


def _map(mapped: PortMap, taken: bool | None, elsewhere: Collection[str | None]) -> Iterator[Problem]:
    """Check one port map.

    `taken`: whether a constant condition takes this branch; None if that is not known. `elsewhere`: see `input_ports`.
    """
    for entry in mapped.entries:
        yield from _inner(mapped, entry)
    yield from input_ports(mapped, elsewhere)
    yield from output_ports(mapped, taken is False)
    yield from _unfed(mapped, bool(taken))
    yield from _counter(mapped)
    yield from _doubles(mapped)
    if mapped.node.op != "If":
        from irlint.formats.openvino.bodies.back_edges import back_edges

        yield from back_edges(mapped)
    if mapped.node.op == "Loop":
        yield from _condition(mapped)


def _condition(mapped: PortMap) -> Iterator[Problem]:
    """Check that the body of a Loop outputs the execution condition."""
    found = next((e for e in mapped.outputs if e.purpose == "execution_condition"), None)
    if found is None:
        loose = next((e.place() for e in mapped.outputs if e.external == "-1"), None)
        message = f"no output in the port map of {mapped.who} has the purpose `execution_condition`"
        at = loose or mapped.owner.graph.place(mapped.node, "node")
        yield mapped.problem(at, message, related=mapped.gap("output", None))
        return
    node = mapped.inner(found.internal)
    ports = mapped.body.layers[node.index].inputs.ports if node is not None else ()
    if ports and ports[0].rank > 1:
        message = f"expected a single value for the execution condition of {mapped.who}, got rank {ports[0].rank}"
        yield mapped.problem(found.place(_INNER_ID), message)


def _inner(mapped: PortMap, entry: MapEntry) -> Iterator[Problem]:
    """Check the body layer that an entry names."""
    if entry.internal is None:
        return
    kind, found = "Parameter" if entry.side == "input" else "Result", mapped.inner(entry.internal)
    op = "" if found is None else found.op
    is_right = op == kind or (entry.side == "input" and op.lower() == "parameter")
    if is_right or mapped.is_reported(entry.internal):
        return
    message = mapped.misfit(entry.internal, kind, f"in `<{mapped.body.element.tag}>` of {mapped.who}")
    related = [("in this body", Place(mapped.body.path, "tag"))] if found is None else []
    yield mapped.problem(entry.place(_INNER_ID), message, related=related)


def _counter(mapped: PortMap) -> Iterator[Problem]:
    """Check that the Parameter for the iteration counter holds a single integer."""
    for entry in mapped.inputs:
        node = mapped.inner(entry.internal) if entry.purpose == "current_iteration" else None
        if node is None or node.op != "Parameter":
            continue
        given, shape = node.attrs.get("element_type", "i64"), node.attrs.get("shape", "").strip("[] ")
        if given.lower() not in _COUNTS:
            message = f"expected `i32` or `i64` for the iteration counter of {mapped.who}, got `{given}`"
            yield mapped.problem(mapped.inner_place(node, "attr:element_type"), message)
        if shape not in ("", "1"):
            message = f"expected a single value for the iteration counter of {mapped.who}, got shape `{shape}`"
            yield mapped.problem(mapped.inner_place(node, "attr:shape"), message)


def _unfed(mapped: PortMap, is_inlined: bool) -> Iterator[Problem]:
    """Report Parameters of the body without an entry; if the body is inlined, the model cannot be compiled."""
    body, fed = mapped.body, {entry.internal for entry in mapped.inputs} | {None}
    for index in body.graph.inputs:
        if body.layers[index].id not in fed:
            node = body.graph.nodes[index]
            message = f"no port map entry leads to Parameter {node.name!r} in the body of {mapped.who}"
            severity = error_if(is_inlined and body.live[index])
            yield mapped.problem(mapped.inner_place(node), message, severity=severity)


def _doubles(mapped: PortMap) -> Iterator[Problem]:
    """Report duplicate entries, and inputs of one Parameter."""
    seen: dict[tuple[str, str | None, str | None], MapEntry] = {}
    targets: dict[str | None, MapEntry] = {}
    for entry in (entry for entry in mapped.entries if entry.internal is not None):
        first = seen.setdefault((entry.side, entry.external, entry.internal), entry)
        if first is not entry and entry.axis == first.axis:
            message, related = f"duplicate port map entry of {mapped.who}", [("first defined here", first.place())]
            yield mapped.problem(entry.place(), message, related=related, severity=Severity.WARNING)
        elif entry.side == "input" and (other := targets.setdefault(entry.internal, entry)) is not entry:
            counts = "current_iteration" in (entry.purpose, other.purpose)
            wrong, right = (other, entry) if _is_counter(mapped, entry, targets) else (entry, other)
            message = f"duplicate port map input for layer {entry.internal} in the body of {mapped.who}"
            related = [("also mapped here", right.place())]
            yield mapped.problem(wrong.place(_INNER_ID), message, related=related, severity=error_if(counts))


def _is_counter(mapped: PortMap, entry: MapEntry, fed: Container[str | None]) -> bool:
    """Return whether the iteration counter, the second of two entries for one Parameter, is the right one."""
    body = mapped.body
    idle = [body.layers[k].outputs.ports for k in body.graph.inputs if body.layers[k].id not in fed][:1]
    return entry.purpose is not None and any(ports and ports[0].rank > 1 for ports in idle)
