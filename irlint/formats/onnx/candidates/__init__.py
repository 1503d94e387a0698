"""Candidate repairs for errors in an ONNX model: other names, values, types and operators, which the search for repairs tries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from irlint.findings import Candidate, Finding
from irlint.formats.onnx.candidates.attributes import attribute_candidates
from irlint.formats.onnx.candidates.external import external_candidates
from irlint.formats.onnx.candidates.graphs import body_candidates, graph_candidates, twin_candidates
from irlint.formats.onnx.candidates.inputs import input_candidates, output_candidates
from irlint.formats.onnx.candidates.operators import operator_candidates
from irlint.formats.onnx.candidates.site import Site, Whole
from irlint.formats.onnx.candidates.tensors import tensor_candidates
from irlint.formats.onnx.candidates.types import type_candidates
from irlint.formats.onnx.document import OnnxDocument
from irlint.rules.base import Model
from irlint.text.base import Path

_RELATED = 5  # places of one finding


def candidates(model: Model, document: OnnxDocument, finding: Finding) -> Iterator[Candidate]:
    """Yield changes that might repair an error: at its place, at those it refers to, and at what these depend on, likeliest first."""
    whole = Whole(model, document)
    spans = [finding.span, *(related.span for related in finding.related[:_RELATED])]
    paths = list(dict.fromkeys(document.place_at(span.start).path for span in spans))
    found = chain.from_iterable(_around(whole, path, finding, k == 0) for k, path in enumerate(paths))
    yield from sorted(found, key=lambda one: one.likelihood)


def _around(whole: Whole, path: Path, finding: Finding, is_first: bool) -> Iterator[Candidate]:
    yield from twin_candidates(whole, path)
    yield from graph_candidates(whole, path, finding)
    yield from type_candidates(whole, path)
    site = whole.site(path)
    if site is None:
        return
    if not site.is_call:
        yield from external_candidates(site)
        yield from tensor_candidates(site)
        return
    yield from _of_call(site, path[len(site.path) :], is_first)


def _of_call(site: Site, rest: Path, is_first: bool) -> Iterator[Candidate]:
    yield from input_candidates(site, rest)
    yield from output_candidates(site)
    yield from attribute_candidates(site, rest)
    yield from operator_candidates(site)
    yield from body_candidates(site)
    for k in range(len(site.node.inputs)):
        source = site.source(k)
        if source is None or source.op == "Outer":
            continue
        home = Site(site.whole, site.graph, source)
        if not home.is_call or source.op == "Constant":
            yield from tensor_candidates(home)
        elif is_first:
            yield from (one._replace(likelihood=one.likelihood + 3) for one in attribute_candidates(home, ()))
