"""Candidate repairs for errors in an IR: other values, ids and edges, which the search for repairs tries."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Candidate, Finding
from irlint.formats.openvino.candidates.edges import edge_candidates, input_candidates
from irlint.formats.openvino.candidates.layers import (
    layer_candidates,
    named_candidates,
    part_candidates,
    removed_ports,
    renumbered,
    root_candidates,
)
from irlint.formats.openvino.candidates.port_maps import map_candidates
from irlint.formats.openvino.candidates.ports import port_candidates
from irlint.formats.openvino.candidates.site import IrSite
from irlint.formats.openvino.state import LayerAt, LayerIndex, state_of
from irlint.repairs.attributes import attribute_candidates
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument

_RELATED = 4  # places of one finding


def candidates(model: Model, finding: Finding) -> Iterator[Candidate]:
    """Yield changes that might repair an error: at its token, in its layer, at edges into it, in related layers."""
    document, sections = model.document, state_of(model).sections
    if not isinstance(document, XmlDocument) or finding.code == R.missing_weights.code:
        return  # the file of weights is named after the model, not by it
    layers = LayerIndex(sections)
    spans = (finding.span, *[related.span for related in finding.related[:_RELATED]])
    for k, place in enumerate([document.place_at(span.start) for span in spans]):
        yield from _around(document, layers, place, k == 0)


def _around(document: XmlDocument, layers: LayerIndex, place: Place, is_first: bool) -> Iterator[Candidate]:
    path = place.path
    if (edge := layers.edge(path)) is not None:
        yield from _of_edge(document, layers, edge, is_first)
        return
    if not path:
        yield from root_candidates(document)
    if (at := layers.find(path)) is None:
        return
    home = layers.find(at.section.path)
    if at.node.graphs:
        yield from map_candidates(document, layers, at, path)
    elif home is not None:
        yield from map_candidates(document, layers, home)
    yield from _in_layer(document, at, place, is_first)


def _of_edge(document: XmlDocument, layers: LayerIndex, path: Path, is_first: bool) -> Iterator[Candidate]:
    section = layers.edges[path[:-1]]
    index = section.edge_number(int(path[-1]))
    if index is not None:
        yield from renumbered(document, section)
        yield from edge_candidates(document, section, index)
        _, user = section.ends(section.edges[index])
        if is_first and user is not None:
            yield from attribute_candidates(IrSite(document, section, user))


def _in_layer(document: XmlDocument, at: LayerAt, place: Place, is_first: bool) -> Iterator[Candidate]:
    section, index, part = at.section, at.index, place.part
    site, depth = IrSite(document, section, index), len(at.node.path) + 1
    tag = document.element(place.path[:depth]).tag if len(place.path) >= depth else ""
    if tag == "data":
        name = part.removeprefix("@") if part.startswith("@") and not part.endswith(".name") else None
        yield from attribute_candidates(site, name)
    elif tag in ("input", "output"):
        yield from port_candidates(document, section, index, place.path, part)
    elif not tag:
        yield from part_candidates(site)
        yield from layer_candidates(site, part)
        yield from attribute_candidates(site)
    yield from removed_ports(site)
    yield from named_candidates(site)
    yield from input_candidates(document, section, index)
    yield from attribute_candidates(site)
    makers = {source.node for source in at.node.inputs if source.node >= 0} if is_first else ()
    for maker in makers:
        yield from attribute_candidates(IrSite(document, section, maker))
