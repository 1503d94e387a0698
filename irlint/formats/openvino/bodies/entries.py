"""If, Loop and TensorIterator: what their port maps and back edges refer to, in the layer and in its bodies."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from irlint.dryrun.dims import show
from irlint.findings import Problem, Severity
from irlint.formats.openvino.bodies.ports import gap, input_ports, output_ports
from irlint.formats.openvino.bodies.slices import MapEntry, port_map, slice_problems
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, Layer, dtype_of, unsigned
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Graph, Node, Shape, Type, label
from irlint.records import replace
from irlint.text.base import Path, Place
from irlint.text.xml.tree import Element

if TYPE_CHECKING:
    from irlint.formats.openvino.blame import Blame
    from irlint.formats.openvino.reading.binfile import BinFile

_MAPS = {"If": (("then_port_map", "then_body"), ("else_port_map", "else_body")), "Loop": (("port_map", "body"),),
         "TensorIterator": (("port_map", "body"),)}  # fmt: skip


def body_problems(sections: list[Section], binary: BinFile | None, silent: Container[int]) -> Iterator[Problem]:
    """Report mistakes in port maps and back edges.

    `silent` holds id() of layers that are not checked.
    """
    inner = {id(section.graph): section for section in sections}
    for section in sections:
        for node, layer in zip(section.graph.nodes, section.layers, strict=True):
            if node.op in _MAPS and id(node) not in silent:
                yield from _layer(section.graph, node, layer, inner, _taken(section.graph, node, binary))


def sliced_problems(sections: list[Section], blame: Blame) -> Iterator[Problem]:
    """Report mistakes in the slices of loops, using inferred shapes."""
    inner = {id(section.graph): section for section in sections}
    for section in sections if len(sections) > 1 else ():
        for node, layer in zip(section.graph.nodes, section.layers, strict=True):
            if node.graphs and node.op in ("Loop", "TensorIterator") and layer.element is not None:
                found = layer.element.child("port_map")
                if found is not None:
                    path = (*node.path, layer.element.children.index(found))
                    yield from _slices(section, node, layer, inner[id(node.graphs[0])], port_map(found, path), blame)


def fed_problems(sections: list[Section], blame: Blame) -> Iterator[Problem]:
    """Report Parameters of bodies whose attributes contradict the inferred type, although their ports do not."""
    from irlint.formats.openvino.blame import agrees
    from irlint.formats.openvino.dryrun.mapping import OpenVinoMapping

    mapping = OpenVinoMapping(sections, None)
    for section in sections[1:]:
        graph = section.graph
        for index in graph.inputs:
            real, node = blame.real(section, index, 0), graph.nodes[index]
            own = mapping.leaf(graph, node)[0].type
            if real is None or node.op != "Parameter" or agrees(own, real) or not node.outputs:
                continue
            if agrees(node.outputs[0].type, real):
                yield _otherwise(graph, node, own, real)


def _otherwise(graph: Graph, node: Node, own: Type, real: Type) -> Problem:
    if own.dtype is not None and real.dtype is not None and own.dtype != real.dtype:
        declared = node.attrs.get("element_type")
        message = f"declared type `{declared}` of {label(node)} does not match inferred type {real.dtype}"
        return Problem(
            R.declared_dtype_differs,
            graph.place(node, "attr:element_type"),
            message,
            node.name,
            severity=Severity.WARNING,
        )
    declared = node.attrs.get("shape")
    message = f"declared shape `{declared}` of {label(node)} does not match inferred shape {show(real.shape)}"
    return Problem(
        R.declared_shape_differs, graph.place(node, "attr:shape"), message, node.name, severity=Severity.WARNING
    )


def _slices(
    section: Section, node: Node, layer: Layer, body: Section, entries: list[MapEntry], blame: Blame
) -> list[Problem]:
    def outer(entry: MapEntry) -> Shape | None:
        place = layer.inputs.index.get(entry.external or "") if entry.side == "input" else None
        if place is None or node.inputs[place][0] < 0:
            return None
        real = blame.real(section, *node.inputs[place])
        return None if real is None else real.shape

    def inside(entry: MapEntry) -> Shape | None:
        index = body.by_id.get(entry.internal or "")
        if index is None or entry.side == "input" or not body.graph.nodes[index].inputs:
            return None
        maker, output = body.graph.nodes[index].inputs[0]
        real = blame.real(body, maker, output) if maker >= 0 else None
        return None if real is None else real.shape

    found = list(slice_problems(node, entries, outer, inside))
    odd = next((e for e in entries if found and _fed_otherwise(body, e, blame)), None)
    if odd is not None and found[0].at[0] != odd.path:
        found[0] = replace(found[0], at=Place(odd.path, "tag"), related=[("detected here", found[0].at)])
    return found


def _fed_otherwise(body: Section, entry: MapEntry, blame: Blame) -> bool:
    """Return whether the inferred shape of a body Parameter differs from the declared one."""
    index = body.by_id.get(entry.internal or "") if entry.side == "input" else None
    if index is None or not body.graph.nodes[index].outputs:
        return False
    real, declared = blame.real(body, index, 0), body.graph.nodes[index].outputs[0].type.shape
    shape = None if real is None else real.shape
    return shape is not None and declared is not None and shape != declared


def _taken(graph: Graph, node: Node, binary: BinFile | None) -> str | None:
    """Return the port map of the branch that an If with a constant condition takes; the reader does not check the other one."""
    maker = node.inputs[0][0] if node.op == "If" and node.inputs else -1
    if maker < 0 or graph.nodes[maker].kind != "const" or binary is None:
        return None
    offset, type_ = unsigned(graph.nodes[maker].attrs.get("offset")), graph.nodes[maker].attrs.get("element_type")
    value = binary.read(int(offset), 1) if offset is not None and type_ == "boolean" else None
    return None if not value else "then_port_map" if value[0] else "else_port_map"


def _layer(graph: Graph, node: Node, layer: Layer, inner: dict[int, Section], taken: str | None) -> Iterator[Problem]:
    from irlint.formats.openvino.passes.belongs import element_gap

    element = layer.element
    bodies = {_tag_of(g, node, inner): inner[id(g)] for g in node.graphs}
    if not bodies and meaning(node.op, node.version or "").operation is None:
        return  # which is no such operation
    elsewhere = _ports_of_else(node, element)
    for map_tag, body_tag in _MAPS[node.op]:
        if body_tag not in bodies:
            gap = [] if element is None else [element_gap(element, body_tag)]
            message = f"missing `<{body_tag}>` in {label(node)}"
            yield Problem(R.missing_key, graph.place(node, "node"), message, node.name, related=gap)
        found = None if element is None else element.child(map_tag)
        if found is None:
            yield Problem(
                R.missing_key,
                graph.place(node, "node"),
                f"missing `<{map_tag}>` in {label(node)}",
                node.name,
                related=[] if element is None else [element_gap(element, map_tag)],
                severity=Severity.WARNING if taken not in (None, map_tag) else None,
            )
        elif body_tag in bodies and element is not None:
            path = (*node.path, element.children.index(found))
            yield from _map(
                graph,
                node,
                layer,
                bodies[body_tag],
                port_map(found, path),
                element,
                None if taken is None else taken == map_tag,
                elsewhere,
            )
            elsewhere = {port.id for port in layer.inputs.ports}  # what no branch takes is reported for the first


def _ports_of_else(node: Node, element: Element | None) -> set[str | None]:
    found = element.child("else_port_map") if node.op == "If" and element is not None else None
    return set() if found is None else {e.external for e in port_map(found, ()) if e.side == "input"}


def _tag_of(graph: Graph, node: Node, inner: dict[int, Section]) -> str:
    return inner[id(graph)].element.tag


def _map(
    graph: Graph,
    node: Node,
    layer: Layer,
    body: Section,
    entries: list[MapEntry],
    element: Element,
    taken: bool | None,
    elsewhere: set[str | None],
) -> Iterator[Problem]:
    """Check one port map.

    `taken`: whether a constant condition takes this branch; None if that is not known. `elsewhere`: see `input_ports`.
    """
    inputs = [e for e in entries if e.side == "input"]
    outputs = [e for e in entries if e.side == "output"]
    for entry in entries:
        yield from _inner(node, body, entry)
    yield from input_ports(graph, node, layer, entries, elsewhere)
    yield from output_ports(graph, node, layer, entries, taken is False)
    yield from _fed(node, body, inputs, bool(taken))
    yield from _counter(node, body, inputs)
    yield from _doubles(node, body, entries)
    if node.op == "If":
        return
    yield from _back_edges(node, body, inputs, outputs, element)
    if node.op == "Loop":
        yield from _condition(graph, node, body, entries)


def _condition(graph: Graph, node: Node, body: Section, entries: list[MapEntry]) -> Iterator[Problem]:
    """Check that the body of a Loop outputs the execution condition."""
    outputs = [e for e in entries if e.side == "output"]
    found = next((e for e in outputs if e.purpose == "execution_condition"), None)
    if found is None:
        loose = next((e for e in outputs if e.external == "-1"), None)
        message = f"no output in the port map of {label(node)} has the purpose `execution_condition`"
        at = graph.place(node, "node") if loose is None else Place(loose.path, "tag")
        yield Problem(R.body_mapping, at, message, node.name, related=gap(entries, "output", None))
        return
    index = body.by_id.get(found.internal or "")
    ports = body.layers[index].inputs.ports if index is not None else ()
    if ports and len(ports[0].dims or ()) > 1:
        rank = len(ports[0].dims or ())
        message = f"expected a single value for the execution condition of {label(node)}, got rank {rank}"
        yield Problem(R.body_mapping, Place(found.path, "@internal_layer_id"), message, node.name)


def _inner(node: Node, body: Section, entry: MapEntry) -> Iterator[Problem]:
    """Check the body layer that an entry names."""
    if entry.internal is None:
        return
    kind = "Parameter" if entry.side == "input" else "Result"
    index = body.by_id.get(entry.internal)
    found = None if index is None else body.graph.nodes[index]
    if found is not None and index is not None:
        if found.op == kind or (kind == "Parameter" and found.op.lower() == "parameter"):
            return
        if _unknown(found):
            body.live[index] = 1  # its type has a finding, and it does matter
            return
    elif entry.internal in body.lost:
        return
    where = f"in `<{body.element.tag}>` of {label(node)}"
    message = f"undefined layer id {entry.internal} {where}"
    if found is not None:
        message = f"expected a {kind} for layer id {entry.internal} {where}, got {label(found)}"
    related = [("in this body", Place(body.path, "tag"))] if found is None else []
    yield Problem(R.body_mapping, Place(entry.path, "@internal_layer_id"), message, node.name, related=related)


def _unknown(node: Node) -> bool:
    return not node.op or meaning(node.op, node.version or "").operation is None


_COUNTS = frozenset(("i32", "i64", "u32", "u64", "i16", "u16"))  # what the CPU plug-in makes i32 of


def _counter(node: Node, body: Section, inputs: list[MapEntry]) -> Iterator[Problem]:
    """Check that the Parameter for the iteration counter holds a single integer."""
    for entry in inputs:
        index = body.by_id.get(entry.internal or "") if entry.purpose == "current_iteration" else None
        if index is None or body.graph.nodes[index].op != "Parameter":
            continue
        attrs = body.graph.nodes[index].attrs
        if attrs.get("element_type", "i64").lower() not in _COUNTS:
            given = attrs["element_type"]
            message = f"expected `i32` or `i64` for the iteration counter of {label(node)}, got `{given}`"
            yield Problem(R.body_mapping, body.graph.place(index, "attr:element_type"), message, node.name)
        shape = attrs.get("shape", "").strip("[] ")
        if shape not in ("", "1"):
            message = f"expected a single value for the iteration counter of {label(node)}, got shape `{shape}`"
            yield Problem(R.body_mapping, body.graph.place(index, "attr:shape"), message, node.name)


def _fed(node: Node, body: Section, inputs: list[MapEntry], inlined: bool) -> Iterator[Problem]:
    """Report Parameters of the body without an entry; if the body is inlined, the model cannot be compiled."""
    fed = {e.internal for e in inputs}
    for index in body.graph.inputs:
        number = body.layers[index].id
        if number is not None and number not in fed:
            inner = body.graph.nodes[index]
            message = f"no port map entry leads to Parameter {inner.name!r} in the body of {label(node)}"
            severity = None if inlined and body.live[index] else Severity.WARNING
            yield Problem(R.body_mapping, body.graph.place(index, "node"), message, node.name, severity=severity)


def _counter_meant(body: Section, entry: MapEntry, other: MapEntry, fed: dict[str, MapEntry]) -> bool:
    """Return whether the iteration counter, the second of two entries for one Parameter, is the right one."""
    idle = [k for k in body.graph.inputs if body.layers[k].id not in fed]
    ports = body.layers[idle[0]].outputs.ports if idle else ()
    return entry.purpose is not None and bool(ports) and len(ports[0].dims or ()) > 1


def _doubles(node: Node, body: Section, entries: list[MapEntry]) -> Iterator[Problem]:
    seen: dict[tuple[str, str | None, str | None], MapEntry] = {}
    targets: dict[str, MapEntry] = {}
    for entry in entries:
        key = (entry.side, entry.external, entry.internal)
        first = seen.setdefault(key, entry)
        if first is not entry and entry.internal is not None and entry.element.get("axis") == first.element.get("axis"):
            message = f"duplicate port map entry of {label(node)}"
            at, related = Place(entry.path, "tag"), [("first defined here", Place(first.path, "tag"))]
            yield Problem(R.body_mapping, at, message, node.name, related=related, severity=Severity.WARNING)
            continue
        if entry.side == "input" and entry.internal is not None:
            other = targets.setdefault(entry.internal, entry)
            if other is not entry:
                counts = "current_iteration" in (entry.purpose, other.purpose)
                wrong, right = (other, entry) if _counter_meant(body, entry, other, targets) else (entry, other)
                message = f"duplicate port map input for layer {entry.internal} in the body of {label(node)}"
                yield Problem(R.body_mapping, Place(wrong.path, "@internal_layer_id"), message, node.name,
                              related=[("also mapped here", Place(right.path, "tag"))],
                              severity=None if counts else Severity.WARNING)  # fmt: skip


def _back_edges(
    node: Node, body: Section, inputs: list[MapEntry], outputs: list[MapEntry], element: Element
) -> Iterator[Problem]:
    back = element.child("back_edges")
    used = {e.internal for e in outputs}
    if back is None:
        sliced = any(e.element.get("axis") is not None or e.element.get("purpose") is not None for e in inputs)
        last = [
            e
            for e in outputs
            if e.external != "-1" and e.element.get("axis") is None and e.element.get("purpose") is None
        ]
        if last or not sliced:
            message = f"missing `<back_edges>` in {label(node)}; every iteration starts with the same values"
            yield Problem(R.body_mapping, Place(node.path, "tag"), message, node.name, severity=Severity.WARNING)
    else:
        base = (*node.path, element.children.index(back))
        mapped = {e.internal: e for e in inputs}
        for k, edge in enumerate(back.children):
            if not isinstance(edge, Element) or edge.tag != "edge":
                continue
            path = (*base, k)
            source, target = unsigned(edge.get("from-layer")), unsigned(edge.get("to-layer"))
            used.add(source)
            yield from _back_edge(node, body, path, source, target, mapped)
    for number in (body.layers[k].id for k in range(len(body.layers)) if body.graph.nodes[k].op == "Result"):
        if number is not None and number not in used:
            index = body.by_id[number]
            message = f"unused Result {body.graph.nodes[index].name!r} in the body of {label(node)}"
            yield Problem(
                R.body_mapping, body.graph.place(index, "node"), message, node.name, severity=Severity.WARNING
            )


def _back_edge(
    node: Node, body: Section, path: Path, source: str | None, target: str | None, mapped: dict[str | None, MapEntry]
) -> Iterator[Problem]:
    ends = [body.graph.nodes[body.by_id[n]].op if n in body.by_id else None for n in (source or "", target or "")]
    if ends == ["Parameter", "Result"]:
        message = f"reversed back edge in {label(node)}, from a Parameter to a Result; OpenVINO ignores it"
        yield Problem(R.body_mapping, Place(path, "tag"), message, node.name, severity=Severity.WARNING)
        return
    dropped = target is not None and ends[1] != "Parameter"  # then the reader does not look where it comes from
    wrong = False
    for number, kind, part in ((source, "Result", "@from-layer"), (target, "Parameter", "@to-layer")):
        index = body.by_id.get(number or "")
        found = None if index is None else body.graph.nodes[index]
        if number in body.lost:
            wrong = True
        elif found is not None and index is not None and _unknown(found):
            body.live[index] = 1
            wrong = True
        elif number is not None and (found is None or found.op != kind):
            wrong = True
            where = f"in a back edge of {label(node)}"
            message = f"undefined layer id {number} {where}"
            if found is not None:
                message = f"expected a {kind} for layer id {number} {where}, got {label(found)}"
            milder = Severity.WARNING if dropped else None
            yield Problem(R.body_mapping, Place(path, part), message, node.name, severity=milder)
    if wrong or source is None or target is None:
        return
    entry = mapped.get(target)
    if entry is not None and entry.axis is not None:
        message = f"layer {target} in the body of {label(node)} has both a sliced input and a back edge"
        yield Problem(
            R.body_mapping,
            Place(entry.path, "@axis"),
            message,
            node.name,
            related=[("back edge", Place(path, "tag"))],
            severity=Severity.WARNING,  # OpenVINO 2026.4.1 runs it
        )
    elif entry is not None and entry.external == "-1":
        message = f"layer {target} in the body of {label(node)} has a back edge but no initial value"
        yield Problem(R.body_mapping, Place(path, "@to-layer"), message, node.name)
    else:
        yield from _carried(node, body, path, source, target)


def _carried(node: Node, body: Section, path: Path, source: str, target: str) -> Iterator[Problem]:
    """Report a back edge whose declared type differs from that of the Parameter it leads to."""
    given, attrs = body.layers[body.by_id[source]].inputs.ports, body.graph.nodes[body.by_id[target]].attrs
    type_ = str(attrs.get("element_type", "")).lower()  # what ports declare of a Parameter is not looked at
    dtype = dtype_of(given[0].precision) if given else None
    if dtype is None or ELEMENT_TYPES.get(type_) in (None, dtype):
        return
    message = (
        f"back edge of {label(node)} connects {given[0].precision} to a Parameter of type `{type_}`;"
        " OpenVINO converts the value in every iteration"
    )
    yield Problem(R.body_mapping, Place(path, "@from-layer"), message, node.name, severity=Severity.WARNING)
