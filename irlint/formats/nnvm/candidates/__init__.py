"""What may have been meant where a symbol is wrong: other operators, values, entries. The search for repairs tries them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Candidate, Finding
from irlint.formats.nnvm.candidates.parts import head_candidates, key_candidates, output_candidates, whole_candidates
from irlint.formats.nnvm.candidates.site import Site
from irlint.formats.nnvm.codes import R
from irlint.repairs.attributes import attribute_candidates
from irlint.repairs.inputs import input_candidates
from irlint.repairs.operators import operator_candidates
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.json.document import JsonDocument

_RELATED = 4  # places of one finding
_OF_ATTRIBUTES = frozenset(
    row.code
    for row in (R.unknown_attribute, R.missing_attribute, R.wrong_attribute_type, R.bool_string, R.value_not_in_enum)
)  # names and values that no input makes right


def candidates(model: Model, finding: Finding) -> Iterator[Candidate]:
    """Changes that might repair an error: at its token, in its node, in the nodes that it speaks of."""
    document, table = model.document, model.operators
    if not isinstance(document, JsonDocument) or table is None:
        return
    if finding.code == R.shifted_nodes.code and finding.fix is None:
        from irlint.formats.nnvm.passes import node_shift

        yield from node_shift.candidates(model)
    places = [document.place_at(span.start) for span in (finding.span, *[r.span for r in finding.related[:_RELATED]])]
    for place in dict.fromkeys(places):
        if (at := _headed(place.path)) is not None:
            yield from head_candidates(document, at, place.path)
        elif (site := _site(model, document, place.path)) is not None:
            yield from _at(site, place, finding.code not in _OF_ATTRIBUTES)


def _headed(path: Path) -> Path | None:
    """The graph whose outputs a path is in: the outermost, or a subgraph."""
    heads = [depth for depth, step in enumerate(path) if step == "heads"]
    graphs = [path[:depth] for depth in heads if depth == 0 or path[depth - 2 : depth - 1] == ("subgraphs",)]
    return graphs[-1] if graphs else None


def _site(model: Model, document: JsonDocument, path: Path) -> Site | None:
    """The node that a path is in, of the graph itself or of a subgraph."""
    for depth in range(len(path) - 1, 0, -1):
        index = path[depth]
        if path[depth - 1] == "nodes" and isinstance(index, int):
            nodes: Any = document.value_at(path[:depth])
            if isinstance(nodes, list) and index < len(nodes) and isinstance(nodes[index], dict):
                return Site(model, document, path[:depth], nodes, index)
    return None


def _at(site: Site, place: Place, may_be_inputs: bool) -> Iterator[Candidate]:
    """Yield candidates of a node, the likeliest first."""
    rest = place.path[len(site.path) :]
    if place.part == "key" and len(rest) == 1:
        yield from key_candidates(site, str(rest[0]))
    found = [*_of_attributes(site, rest, place.part == "key")]
    if may_be_inputs:
        found += _of_inputs(site, rest)
    yield from sorted(found, key=lambda one: one.likelihood)


def _of_attributes(site: Site, rest: Path, is_name: bool) -> Iterator[Candidate]:
    key = rest[1] if len(rest) > 1 and rest[0] == site.holder else None
    site.pointed = key if isinstance(key, str) and not is_name else None
    yield from attribute_candidates(site, site.pointed)
    if rest[:1] in ((), ("op",), (site.holder,)):
        if not site.entries and site.op != "null" and not site.attributes:
            yield Candidate(site.replacing.format("null"), site.with_operator("null"), 0)
        yield from operator_candidates(site, site.alike())


def _of_inputs(site: Site, rest: Path) -> Iterator[Candidate]:
    if not isinstance(site.node.get("inputs"), list):
        yield from whole_candidates(site)
    elif len(site.entries) <= _MOST:
        at = rest[1] if len(rest) > 1 and rest[0] == "inputs" and isinstance(rest[1], int) else None
        yield from input_candidates(site, at)
        yield from output_candidates(site, at or 0)


_MOST = 64  # entries of a node that are looked at
