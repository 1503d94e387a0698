"""If, Loop and TensorIterator: what their port maps and back edges refer to, in the layer and in its bodies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from irlint.findings import Problem, Severity
from irlint.formats.openvino.attributes import label
from irlint.formats.openvino.layers import Layer, unsigned
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.rules.body_mapping import BodyMapping
from irlint.graph import Graph, Node
from irlint.rules.structure.missing_key import MissingKey
from irlint.text.base import Path, Place
from irlint.text.xml_tree import Element

_MAPS = {"If": (("then_port_map", "then_body"), ("else_port_map", "else_body")), "Loop": (("port_map", "body"),),
         "TensorIterator": (("port_map", "body"),)}  # fmt: skip


class Entry(NamedTuple):
    """One `<input>` or `<output>` of a port map; numbers as text, in canonical form, None where they cannot be read."""

    path: Path
    side: str
    external: str | None
    internal: str | None
    element: Element


def body_problems(sections: list[Section]) -> Iterator[Problem]:
    inner = {id(section.graph): section for section in sections}
    for section in sections:
        for node, layer in zip(section.graph.nodes, section.layers, strict=True):
            if node.op in _MAPS and (layer.element is not None or node.op):
                yield from _layer(section.graph, node, layer, inner)


def _layer(graph: Graph, node: Node, layer: Layer, inner: dict[int, Section]) -> Iterator[Problem]:
    element = layer.element
    bodies = {_tag_of(g, node, inner): inner[id(g)] for g in node.graphs}
    for map_tag, body_tag in _MAPS[node.op]:
        if body_tag not in bodies:
            yield Problem(MissingKey, graph.place(node, "node"), f"{label(node)} has no <{body_tag}>", node.name)
        found = None if element is None else element.child(map_tag)
        if found is None:
            yield Problem(
                MissingKey,
                graph.place(node, "node"),
                f"{label(node)} has no <{map_tag}>, which says what goes into the body and comes out",
                node.name,
            )
        elif body_tag in bodies and element is not None:
            path = (*node.path, element.children.index(found))
            yield from _map(graph, node, layer, bodies[body_tag], _entries(found, path), element)


def _tag_of(graph: Graph, node: Node, inner: dict[int, Section]) -> str:
    return inner[id(graph)].element.tag


def _entries(port_map: Element, path: Path) -> list[Entry]:
    entries = []
    for k, child in enumerate(port_map.children):
        if isinstance(child, Element) and child.tag in ("input", "output"):
            external = child.get("external_port_id")
            negative = external is not None and external.strip() == "-1"
            entries.append(
                Entry(
                    (*path, k),
                    child.tag,
                    "-1" if negative else unsigned(external),
                    unsigned(child.get("internal_layer_id")),
                    child,
                )
            )
    return entries


def _map(
    graph: Graph, node: Node, layer: Layer, body: Section, entries: list[Entry], element: Element
) -> Iterator[Problem]:
    inputs = [e for e in entries if e.side == "input"]
    outputs = [e for e in entries if e.side == "output"]
    for entry in entries:
        yield from _entry(node, layer, body, entry)
    yield from _fed(node, body, inputs, element)
    yield from _doubles(node, entries)
    if node.op != "If":
        yield from _back_edges(node, body, inputs, outputs, element)
    yield from _ports(graph, node, layer, inputs, outputs)
    if node.op == "Loop" and not any(e.element.get("purpose") == "execution_condition" for e in outputs):
        message = f"{label(node)}: no output of the port map has the purpose execution_condition, which tells whether to go on"
        yield Problem(BodyMapping, graph.place(node, "node"), message, node.name)


def _entry(node: Node, layer: Layer, body: Section, entry: Entry) -> Iterator[Problem]:
    ports = layer.inputs if entry.side == "input" else layer.outputs
    kind = "Parameter" if entry.side == "input" else "Result"
    if entry.external is not None and entry.external != "-1" and entry.external not in ports.index:
        have = ", ".join(p.id or "?" for p in ports.ports) or "none"
        milder = Severity.WARNING if entry.side == "output" and node.op == "If" else None
        message = f"{label(node)} has no {entry.side} port {entry.external} (it has {have})"
        yield Problem(BodyMapping, Place(entry.path, "@external_port_id"), message, node.name, severity=milder)
    elif entry.external == "0" and node.op == "If" and entry.side == "input" and ports.index.get("0") == 0:
        message = f"{label(node)}: input port 0 is the condition; a body cannot read it"
        yield Problem(BodyMapping, Place(entry.path, "@external_port_id"), message, node.name)
    elif entry.external == "-1" and (node.op != "Loop" or entry.element.get("purpose") is None):
        if entry.side == "input" or node.op != "Loop":
            message = (
                f"{label(node)}: nothing outside feeds this {kind}"
                if entry.side == "input"
                else f"{label(node)}: this Result leads nowhere"
            )
            yield Problem(
                BodyMapping, Place(entry.path, "@external_port_id"), message, node.name, severity=Severity.WARNING
            )
    if entry.internal is None:
        return
    inner = body.by_id.get(entry.internal)
    found = None if inner is None else body.graph.nodes[inner]
    if found is None or found.op != kind:
        what = "does not exist" if found is None else f"is {found.op} {found.name!r}, not a {kind}"
        message = f"{label(node)}: layer {entry.internal} of its <{body.element.tag}> {what}"
        yield Problem(BodyMapping, Place(entry.path, "@internal_layer_id"), message, node.name)
    for name in ("stride", "part_size"):
        value = entry.element.get(name)
        if value is not None and value.strip() in ("0", "-0", "+0"):
            message = (
                f"{label(node)}: {name} 0 never gets to the end of the axis; the reader or the plug-in crashes on it"
            )
            yield Problem(BodyMapping, Place(entry.path, f"@{name}"), message, node.name)


def _fed(node: Node, body: Section, inputs: list[Entry], element: Element) -> Iterator[Problem]:
    """Parameters of the body that nothing feeds."""
    fed = {e.internal for e in inputs}
    for index in body.graph.inputs:
        number = body.layers[index].id
        if number is not None and number not in fed:
            inner = body.graph.nodes[index]
            message = f"nothing feeds Parameter {inner.name!r} of the body of {label(node)}"
            yield Problem(BodyMapping, body.graph.place(index, "node"), message, node.name, severity=Severity.WARNING)


def _doubles(node: Node, entries: list[Entry]) -> Iterator[Problem]:
    seen: dict[tuple[str, str | None, str | None], Entry] = {}
    targets: dict[str, Entry] = {}
    for entry in entries:
        key = (entry.side, entry.external, entry.internal)
        first = seen.setdefault(key, entry)
        if first is not entry and entry.internal is not None and entry.element.get("axis") == first.element.get("axis"):
            message = f"{label(node)}: this entry of the port map is written twice"
            yield Problem(BodyMapping, Place(entry.path, "tag"), message, node.name, related=[("the first one", Place(first.path, "tag"))],
                          severity=Severity.WARNING)  # fmt: skip
            continue
        if entry.side == "input" and entry.internal is not None:
            other = targets.setdefault(entry.internal, entry)
            if other is not entry:
                message = f"{label(node)}: layer {entry.internal} of the body is fed twice"
                yield Problem(BodyMapping, Place(entry.path, "@internal_layer_id"), message, node.name,
                              related=[("the first time", Place(other.path, "tag"))], severity=Severity.WARNING)  # fmt: skip


def _back_edges(
    node: Node, body: Section, inputs: list[Entry], outputs: list[Entry], element: Element
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
            message = f"{label(node)} has no <back_edges>: every turn of the loop begins with the same values, nothing is carried on"
            yield Problem(BodyMapping, Place(node.path, "tag"), message, node.name, severity=Severity.WARNING)
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
            message = (
                f"Result {body.graph.nodes[index].name!r} in the body of {label(node)} leads nowhere: nothing maps it"
            )
            yield Problem(BodyMapping, body.graph.place(index, "node"), message, node.name, severity=Severity.WARNING)


def _back_edge(
    node: Node, body: Section, path: Path, source: str | None, target: str | None, mapped: dict[str | None, Entry]
) -> Iterator[Problem]:
    for number, kind, part in ((source, "Result", "@from-layer"), (target, "Parameter", "@to-layer")):
        if number is None:
            continue
        index = body.by_id.get(number)
        found = None if index is None else body.graph.nodes[index]
        if found is None or found.op != kind:
            what = "does not exist" if found is None else f"is {found.op} {found.name!r}, not a {kind}"
            message = (
                f"{label(node)}: layer {number} of its body {what}; a back edge leads from a Result to a Parameter"
            )
            milder = Severity.WARNING if part == "@to-layer" else None
            yield Problem(BodyMapping, Place(path, part), message, node.name, severity=milder)
        elif (
            part == "@to-layer" and (entry := mapped.get(number)) is not None and entry.element.get("axis") is not None
        ):
            message = f"{label(node)}: layer {number} of its body is fed slice by slice; a back edge cannot feed it too"
            yield Problem(BodyMapping, Place(path, part), message, node.name, severity=Severity.WARNING)


def _ports(graph: Graph, node: Node, layer: Layer, inputs: list[Entry], outputs: list[Entry]) -> Iterator[Problem]:
    """Ports of the layer that the port map does not mention."""
    first = {"If": 1, "Loop": 2}.get(node.op, 0)
    named = {e.external for e in inputs}
    for k, port in enumerate(layer.inputs.ports):
        if k >= first and port.id is not None and port.id not in named:
            severity = None if node.op == "TensorIterator" else Severity.WARNING
            message = f"{label(node)}: no entry of the port map takes input port {port.id} into the body"
            yield Problem(BodyMapping, graph.place(node, f"input:{k}"), message, node.name, severity=severity)
    named = {e.external for e in outputs}
    for k, port in enumerate(layer.outputs.ports):
        if port.id is not None and port.id not in named:
            message = f"{label(node)}: no entry of the port map leads to output port {port.id}"
            yield Problem(BodyMapping, graph.place(node, f"output:{k}"), message, node.name)
