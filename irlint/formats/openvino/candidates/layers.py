"""Other types, opsets and ids for a layer, and the parts that it lacks as far as the rest of the file determines them."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.candidates.ends import declared_types, edges_at, end_of, ports_named
from irlint.formats.openvino.candidates.site import IrSite
from irlint.formats.openvino.candidates.writing import adding, line_before, port_text, side_text, with_attribute
from irlint.formats.openvino.reading import opsets
from irlint.formats.openvino.reading.layers import TYPE_OF, IrEdge, IrLayer, unsigned
from irlint.formats.openvino.reading.reader import IrSection
from irlint.graph import Type
from irlint.repairs.operators import operator_candidates
from irlint.text.base import Edit, Span
from irlint.text.numbers import decimal
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

_MOST = 16  # ids of one kind that are tried
_IDLE = 8  # layers that no edge names
_EXTENSION = "extension"  # the opset of operators that name none
_PORTS = 32  # of one side that may be removed


def layer_candidates(site: IrSite, part: str) -> Iterator[Candidate]:
    """Yield other attributes for the start tag of a layer."""
    element, section, layer, word = site.element, site.section, site.layer, part.removesuffix(".name")
    if word == "@id" or element.attribute("id") is None:
        numbers = sorted(_undefined(section), key=int)
        yield from (with_attribute(element, "id", number) for number in numbers[:_MOST])
        last = max((int(number) for number in (*section.by_id, *numbers) if number is not None), default=-1)
        yield with_attribute(element, "id", str(last + 1), 1)
    if element.attribute("name") is None:
        yield with_attribute(element, "name", f"{layer.type}_{layer.id}", 1)
    if word in ("@version", "@type", "tag"):
        is_own = layer.version == _EXTENSION  # a library may register its operators
        found = (with_attribute(element, "version", version, k) for version, k in _versions(section, layer))
        yield from (one._replace(is_guess=is_own) for one in found)
        yield from operator_candidates(site)


def named_candidates(site: IrSite) -> Iterator[Candidate]:
    """Yield the type in the layer's name: converters name layers like MatMul_12."""
    exact = opsets.type_named(site.name)
    if exact is not None and exact != site.op:
        yield with_attribute(site.element, "type", exact)


def root_candidates(document: XmlDocument) -> Iterator[Candidate]:
    """Yield other attributes for the root element."""
    root = document.element(())
    if root.tag == "net":
        yield from (with_attribute(root, "version", version, k) for k, version in enumerate(("11", "10")))


def _undefined(section: IrSection) -> list[str]:
    """Return ids that edges use and no layer has."""
    return [number for number in section.named if number is not None and number not in section.by_id]


def renumbered(document: XmlDocument, section: IrSection) -> Iterator[Candidate]:
    """Yield an id that edges use and no layer has, for a layer that no edge uses, or the layer's id for the edge that uses it.

    Both lead to the same graph; the edge is wrong if it is the only one and the layer's own id is in step with its neighbors.
    """
    numbers = _undefined(section)
    idle = [k for k, layer in enumerate(section.layers) if layer.id not in section.named]
    users = [
        (k, end) for k, end in section.dangling if section.edges[k].id_at(end) in numbers and end.endswith("-layer")
    ]
    for index in idle[:_IDLE] if len(numbers) == 1 else ():
        own, likelihood = section.layers[index].id, SURE if len(idle) == 1 else 1
        if (
            own
            and len(users) == 1
            and section.is_in_step(index, own)
            and section.is_in_step(index, numbers[0]) is False
        ):
            edge, end = users[0]
            yield with_attribute(document.element(section.edge_path(edge)), end, own, likelihood)
        else:
            yield with_attribute(document.element(section.graph.nodes[index].path), "id", numbers[0], likelihood)


def _versions(section: IrSection, layer: IrLayer) -> Iterator[tuple[str, int]]:
    """Yield opsets with the type, one per definition: the opset of other layers of the type first, then the nearest."""
    exact = opsets.exact_type(layer.type)
    homes = [] if exact is None else opsets.opsets_with(exact)
    others = [other.version for other in section.layers if other.type == layer.type and other is not layer]
    usual = others if exact is not None else []
    near = decimal("".join(c for c in layer.version if c in "0123456789"), 3) or 1
    if opsets.is_near(near):
        homes.sort(key=lambda name: abs(int(name[5:]) - near))
    else:
        usual_one = opsets.usual((other.version for other in section.layers), homes)
        homes.sort(key=lambda name: name != usual_one)
    seen = {None, opsets.meaning(layer.type, layer.version).operation}
    for version in dict.fromkeys((*usual, *homes)):
        operation = opsets.meaning(layer.type, version).operation
        if operation not in seen:
            seen.add(operation)
            yield version, int(version not in usual)


def part_candidates(site: IrSite) -> Iterator[Candidate]:
    """Yield missing parts of a layer: `<data>` of Parameters, ports."""
    element, section, number = site.element, site.section, site.layer.id
    at, gap = element.tag_end, _gap(site.document, element)
    if site.op == "Parameter" and site.data is None:
        yield from _with_data(site, at, gap)
    if element.child("input") is None:
        taken = {edge.to_port: _type_at_source(section, edge) for edge in edges_at(section, number, "input")}
        if taken:
            yield adding("Add `<input>`", at, side_text("input", taken, gap))
    if element.child("output") is None:
        made = {port: _type_at_targets(section, number, port) for port in ports_named(section, number, "output")}
        if made:
            end = len(site.document.text[: element.close].rstrip())
            yield adding("Add `<output>`", end, side_text("output", made, gap))


def _gap(document: XmlDocument, element: Element) -> str:
    line = line_before(document, element.start)
    return line and f"{line}\t"


def _with_data(site: IrSite, at: int, gap: str) -> Iterator[Candidate]:
    type_ = next(declared_types(site.section, site.index), Type())
    if type_.shape is not None and type_.dtype in TYPE_OF:
        dims = ",".join("?" if dim is None else str(dim) for dim in type_.shape)
        yield adding("Add `<data>`", at, f'{gap}<data shape="{dims}" element_type="{TYPE_OF[type_.dtype]}"/>')


def _type_at_source(section: IrSection, edge: IrEdge) -> Type:
    end = end_of(section, edge, "output")
    return Type() if end is None else end.type


def _type_at_targets(section: IrSection, layer: str | None, port: str | None) -> Type:
    """Return the type that the consumers of an output declare."""
    edges = [edge for edge in edges_at(section, layer, "output") if edge.from_port == port]
    ends = (end_of(section, edge, "input") for edge in edges)
    return next((end.type for end in ends if end is not None), Type())


def removed_ports(site: IrSite) -> Iterator[Candidate]:
    """Yield the layer without a port that is a duplicate or unused by edges."""
    text = site.document.text
    for side in ("input", "output"):
        named, parent = ports_named(site.section, site.layer.id, side), site.element.child(side)
        twins: dict[str | None, Element] = {}
        for port in parent.elements("port")[:_PORTS] if parent is not None else ():
            number = unsigned(port.get("id"))
            twin = twins.setdefault(number, port)
            if twin is not port or number not in named:
                is_same = twin is not port and text[twin.start : twin.end] == text[port.start : port.end]
                edit = Edit(Span(len(text[: port.start].rstrip()), port.end), "")
                yield Candidate(f"Remove port {port.get('id')}", (edit,), SURE if is_same else 1)


def added_port(
    document: XmlDocument, section: IrSection, index: int, side: str, port: str, type_: Type
) -> Iterator[Candidate]:
    """Yield another port for a side of a layer, after those with lower ids."""
    parent = document.element(section.graph.nodes[index].path).child(side)
    if parent is None:
        return
    ports = parent.elements("port")
    lower = [other for other in ports if int(unsigned(other.get("id")) or port) < int(port)]
    at = lower[-1].end if lower else parent.tag_end
    gap = line_before(document, ports[0].start) if ports else ""
    yield adding(f"Add port {port}", at, port_text(port, type_, gap))
