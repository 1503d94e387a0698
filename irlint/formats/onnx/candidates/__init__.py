"""Candidate repairs for errors in an ONNX model: other names, values, types and operators, which the search for repairs tries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from irlint.codes import R
from irlint.findings import Candidate, Finding
from irlint.formats.onnx.candidates.external import external_candidates
from irlint.formats.onnx.candidates.graphs import body_candidates, graph_candidates, twin_candidates
from irlint.formats.onnx.candidates.imports import import_candidates
from irlint.formats.onnx.candidates.lost import lost_candidates
from irlint.formats.onnx.candidates.model import WholeModel
from irlint.formats.onnx.candidates.nodes import (
    attribute_candidates,
    cast_candidates,
    operator_candidates,
    output_cast_candidates,
)
from irlint.formats.onnx.candidates.quantized import quantized_candidates
from irlint.formats.onnx.candidates.site import OnnxSite, site_at
from irlint.formats.onnx.candidates.tensors import tensor_candidates
from irlint.formats.onnx.candidates.types import as_declared, type_candidates
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.repairs.inputs import input_candidates, output_candidates
from irlint.rules.base import Model
from irlint.text.base import Path

_RELATED = 5  # places of one finding
_INPUTS = 16  # of the graph whose declarations are doubted at a distance
_DECLARED = (R.declared_shape_differs.code, R.declared_dtype_differs.code)


def candidates(model: Model, document: OnnxDocument, finding: Finding) -> Iterator[Candidate]:
    """Yield changes that might repair an error: at its place, at those it refers to, and at what these depend on, most likely first."""
    if finding.code == R.target_lacks_operator.code:
        return  # what the target loads instead computes something else
    whole = WholeModel(model, document)
    spans = [finding.span, *(related.span for related in finding.related[:_RELATED])]
    paths = list(dict.fromkeys(document.place_at(span.start).path for span in spans))
    found = chain.from_iterable(_around(whole, path, finding, path == paths[0]) for path in paths)
    yield from sorted(found, key=lambda one: one.likelihood)


def _around(whole: WholeModel, path: Path, finding: Finding, is_first: bool) -> Iterator[Candidate]:
    yield from type_candidates(whole, path)
    yield from import_candidates(whole, path)
    yield from twin_candidates(whole, path)
    yield from graph_candidates(whole, path)
    yield from output_cast_candidates(whole, path)
    if finding.code in _DECLARED and is_first:
        yield from _behind(whole, path)
    site = site_at(whole, path)
    if site is None or site.is_name:
        return
    if site.is_call:
        yield from _of_call(site, path[len(site.path) :], is_first)
        return
    yield from external_candidates(site)
    yield from tensor_candidates(site)
    yield from _of_parent(site)


def _behind(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield candidates for what a declared type does not match: attributes of the node that outputs the value, and types of inputs.

    A number after which the inferred type is exactly the declared one is more likely than a wrong declaration.
    """
    name = _declared_name(whole, path)
    for graph, node in whole.nodes.values():
        if node.kind == "call" and any(value.name == name for value in node.outputs):
            site = OnnxSite(whole, graph, node)
            for one in attribute_candidates(site, ()):
                yield one._replace(likelihood=max(one.likelihood - 2, 0))
            yield from input_candidates(site)
            for maker in dict.fromkeys(source[0] for source in node.inputs):
                if maker >= 0 and graph.nodes[maker].op == "Initializer":
                    yield from tensor_candidates(OnnxSite(whole, graph, graph.nodes[maker]))
    for k in range(len(whole.document.tree.get("graph", {}).get("input", ())[:_INPUTS])):
        yield from _less_likely(type_candidates(whole, ("graph", "input", k)), 2)
        yield from as_declared(whole, ("graph", "input", k), path)


def _less_likely(candidates: Iterator[Candidate], by: int) -> Iterator[Candidate]:
    return (one._replace(likelihood=one.likelihood + by) for one in candidates)


def _declared_name(whole: WholeModel, path: Path) -> str:
    """Return the name of the innermost declaration that a path is in."""
    items = [path[:size] for size in range(len(path), 1, -1) if isinstance(path[size - 1], int)]
    values = map(whole.document.value_at, items)
    return next((str(value["name"]) for value in values if isinstance(value, dict) and "name" in value), "")


def _of_parent(site: OnnxSite) -> Iterator[Candidate]:
    """Yield candidates for the call whose body a site is in."""
    parent = site.graph.parent
    if parent is not None and (home := site.whole.homes.get(id(parent))) is not None:
        yield from body_candidates(OnnxSite(site.whole, home, parent))


def _of_call(site: OnnxSite, rest: Path, is_first: bool) -> Iterator[Candidate]:
    at = rest[1] if len(rest) > 1 and rest[0] == "input" else None
    yield from quantized_candidates(site)
    yield from lost_candidates(site)
    yield from input_candidates(site, at if isinstance(at, int) else None)
    yield from output_candidates(site)
    yield from attribute_candidates(site, rest)
    yield from operator_candidates(site)
    yield from cast_candidates(site)
    yield from body_candidates(site)
    yield from _of_parent(site)
    makers = [site.source(k) for k in range(len(site.node.inputs))]
    for maker in [one for one in makers if one is not None and one.op != "Outer"]:
        home = OnnxSite(site.whole, site.graph, maker)
        if not home.is_call or maker.op == "Constant":
            yield from tensor_candidates(home)
        elif is_first:
            yield from _less_likely(attribute_candidates(home, ()), 3)
