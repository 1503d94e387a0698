"""What may have been meant where a symbol is wrong: other operators, values, entries. The search for repairs tries them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Candidate, Finding
from irlint.formats.nnvm.candidates.entries import entry_candidates, head_candidates
from irlint.formats.nnvm.candidates.nodes import Site, key_candidates, operator_candidates
from irlint.formats.nnvm.candidates.values import value_candidates
from irlint.formats.nnvm.codes import R
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.json import JsonDocument

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
        from irlint.formats.nnvm import shifted

        yield from shifted.candidates(model)
    places = [document.place_at(span.start) for span in (finding.span, *[r.span for r in finding.related[:_RELATED]])]
    for place in dict.fromkeys(places):
        if (at := _headed(place.path)) is not None:
            yield from head_candidates(document, at, place.path)
        elif (site := _site(model, document, place.path)) is not None:
            yield from _at(site, place, finding.code not in _OF_ATTRIBUTES)


def _headed(path: Path) -> Path | None:
    """The graph whose outputs a path is in: the outermost, or a subgraph."""
    for depth in range(len(path) - 1, -1, -1):
        if path[depth] == "heads" and (depth == 0 or path[depth - 2 : depth - 1] == ("subgraphs",)):
            return path[:depth]
    return None


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
    rest = place.path[len(site.path) :]
    if place.part == "key" and len(rest) == 1:
        yield from key_candidates(site, str(rest[0]))
    key = rest[1] if len(rest) > 1 and rest[0] == site.holder else None
    if isinstance(key, str):
        yield from value_candidates(site, key if place.part != "key" else None)
        yield from operator_candidates(site)
    elif rest[:1] == ("op",) or not rest or rest[:1] == (site.holder,):
        yield from value_candidates(site, None)
        yield from operator_candidates(site)
    if may_be_inputs:
        yield from entry_candidates(site, rest)
    if isinstance(key, str) or rest[:1] == ("inputs",):
        yield from value_candidates(site, None)
