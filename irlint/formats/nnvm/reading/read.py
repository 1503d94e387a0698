"""From a document to findings: structure, then the graph and its subgraphs; a clean file costs one sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from irlint import schema
from irlint.findings import Problem
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.beside import path_of
from irlint.formats.nnvm.reading.graph import LazyGraph
from irlint.formats.nnvm.reading.stamp import era_of
from irlint.formats.nnvm.reading.view import NESTING, GraphView, lenient_view, view_of
from irlint.operators import table
from irlint.rules.base import Model
from irlint.text.base import Path
from irlint.text.json.document import JsonDocument

if TYPE_CHECKING:
    from irlint.formats.nnvm.passes.symbol import AttributeChecks
    from irlint.formats.nnvm.reading.sweep import Sweep

# Rules that this format judges in its own passes
_SETTLED = (R.undefined_reference, R.used_before_defined, R.empty_name)


def read(model: Model) -> Iterator[Problem]:
    document = model.document
    assert isinstance(document, JsonDocument)
    model.settled.update(_SETTLED)
    value = document.value
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        from irlint.formats.nnvm.keys import structure

        yield structure.wrapped(document)
        return
    name = dialects.SCHEMAS[model.dialect]
    assert name is not None
    by = _judges(model, value)
    early: Sweep | None = None
    if by is not None:
        from irlint.formats.nnvm.reading.sweep import early_sweep

        early = early_sweep(name, value, *by)
    valid = early is not None or schema.is_valid(name, value)
    if not valid and not (value is None and document.troubles):
        from irlint.formats.nnvm.keys import structure

        yield from structure.problems(model, name, value)
    if not isinstance(value, dict):
        return
    if not _has_nodes(value):  # nothing can be said of lists that count nodes
        if value.get("nodes") == []:
            from irlint.formats.nnvm.keys import structure

            yield structure.without_nodes()
        return
    nested = early is None and '"subgraphs"' in document.text
    views = [early.view] if early is not None else list(_views(value, view_of if valid else lenient_view, nested))
    if valid and document.fractions:
        from irlint.formats.nnvm.keys import structure

        fractions = [problem for view in views for problem in structure.fractions(model, view)]
        if fractions:
            yield from fractions
            early = None
            views = list(_views(value, lenient_view, nested))
    model.graph = LazyGraph(model, views)
    if by is None:
        from irlint.formats.nnvm.tvm.executor import check

        yield from check(model, views[0], valid)
    else:
        from irlint.formats.nnvm.passes.symbol import check as check_symbol

        yield from check_symbol(model, views, by, early)
    if path_of(model) is not None:
        from irlint.formats.nnvm.passes import weights

        yield from weights.check(model, views[0])


def _has_nodes(value: dict[str, Any]) -> bool:
    nodes = value.get("nodes")
    return isinstance(nodes, list) and any(isinstance(node, dict) for node in nodes)


def _views(
    value: dict[str, Any], build: Callable[[dict[str, Any], Path], GraphView], nested: bool
) -> Iterator[GraphView]:
    """The views of a graph and of the graphs nested in it, the outermost first."""
    queue: list[tuple[dict[str, Any], Path, bool]] = [(value, (), True)]
    for raw, path, runs in queue:
        view = build(raw, path)
        view.runs = runs
        yield view
        for i, node in enumerate(view.nodes if nested else ()):
            graphs = node.get("subgraphs")
            if isinstance(graphs, list):
                inner = runs and node["op"] in NESTING
                at = (*path, "nodes", i, "subgraphs")
                queue += [(g, (*at, k), inner) for k, g in enumerate(graphs) if isinstance(g, dict)]


def _judges(model: Model, value: Any) -> AttributeChecks | None:
    """Those of a symbol; TVM's graphs have other rules."""
    if model.dialect == dialects.TVM or not isinstance(value, dict):
        return None
    from irlint.formats.nnvm.passes.symbol import judges

    model.operators = table("nnvm" if model.dialect == dialects.CLASSIC else "mxnet")
    return judges(model, era_of(model, value))
