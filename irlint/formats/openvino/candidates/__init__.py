"""Candidate repairs for errors in an IR: other values, ids and edges, which the search for repairs tries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from irlint.codes import R
from irlint.findings import Candidate, Finding
from irlint.formats.openvino.candidates.edges import edge_candidates, input_candidates
from irlint.formats.openvino.candidates.layers import layer_candidates, named_candidates, renumbered, root_candidates
from irlint.formats.openvino.candidates.parts import map_candidates
from irlint.formats.openvino.candidates.ports import port_candidates
from irlint.formats.openvino.candidates.site import Site
from irlint.formats.openvino.candidates.whole import removed_ports, whole_candidates
from irlint.formats.openvino.reading.layer_index import LayerIndex
from irlint.formats.openvino.reading.reader import Section
from irlint.formats.openvino.state import state_of
from irlint.repairs.attributes import attribute_candidates
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument


def candidates(model: Model, finding: Finding) -> Iterator[Candidate]:
    """Yield changes that might repair an error: at its token, in its layer, at edges into it, in related layers."""
    document, sections = model.document, state_of(model).sections
    if sections is None or not isinstance(document, XmlDocument) or finding.code == R.missing_weights.code:
        return  # the file of weights is named after the model, not by it
    layers = LayerIndex(sections)
    places = [document.place_at(span.start) for span in (finding.span, *[r.span for r in finding.related[:_RELATED]])]
    first, *others = places
    near = [_around(document, layers, first, True)]
    near += [_around(document, layers, place, False) for place in others]
    yield from chain.from_iterable(near)


_RELATED = 4  # places of one finding


def _around(document: XmlDocument, layers: LayerIndex, place: Place, is_first: bool) -> Iterator[Candidate]:
    path, part = place.path, place.part
    if (at := layers.edge(path)) is not None:
        section = layers.edges[at[:-1]]
        steps = section.edge_steps
        index = at[-1] if steps is None else steps.index(int(at[-1])) if at[-1] in steps else None
        if index is not None:
            yield from renumbered(document, section)
            yield from edge_candidates(document, section, int(index), part)
            user = section.by_id.get(section.edges[int(index)].to_layer or "")
            if is_first and user is not None:
                yield from attribute_candidates(Site(document, section, user))
        return
    if not path:
        yield from root_candidates(document)
    if (found := layers.find(path)) is None:
        return
    section, index = found
    if section.graph.nodes[index].graphs:
        yield from map_candidates(document, layers, section, index, path)
    elif section.graph.parent is not None and (home := layers.find(section.path)) is not None:
        yield from map_candidates(document, layers, *home)
    yield from _in_layer(document, section, index, path, part, is_first)


def _in_layer(
    document: XmlDocument, section: Section, index: int, path: Path, part: str, is_first: bool
) -> Iterator[Candidate]:
    layer = section.graph.nodes[index].path
    tags = [document.element(path[:depth]).tag for depth in range(len(layer) + 1, len(path) + 1)]
    if tags[:1] == ["data"]:
        at = part.removeprefix("@") if part.startswith("@") and not part.endswith(".name") else None
        yield from attribute_candidates(Site(document, section, index), at)
    elif tags[:1] in (["input"], ["output"]):
        yield from port_candidates(document, section, index, path, part)
    elif not tags:
        yield from whole_candidates(document, section, index)
        yield from layer_candidates(document, section, index, part)
        yield from attribute_candidates(Site(document, section, index))
    yield from removed_ports(document, section, index)
    yield from named_candidates(document, section, index)
    yield from input_candidates(document, section, index)
    yield from attribute_candidates(Site(document, section, index))
    if is_first:
        for maker in {source.node for source in section.graph.nodes[index].inputs if source.node >= 0}:
            yield from attribute_candidates(Site(document, section, maker))
