"""From a document to findings: structure, then the graph and its subgraphs; a clean file costs one sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from irlint import schema
from irlint.findings import Problem
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.beside import path_of
from irlint.formats.nnvm.reading.graph import LazyGraph
from irlint.formats.nnvm.reading.json_values import as_dict, as_list
from irlint.formats.nnvm.reading.versions import behavior_of
from irlint.formats.nnvm.reading.view import NESTING, GraphView, lenient_view, view_of
from irlint.formats.nnvm.rules import R
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
    """Yield what is wrong with a file; fill the model's graph and operators."""
    document = model.document
    assert isinstance(document, JsonDocument)
    model.settled.update(_SETTLED)
    value, name = document.value, dialects.SCHEMAS[model.dialect]
    assert name is not None
    by = _judges(model, value)
    early = None
    if by is not None:
        from irlint.formats.nnvm.reading.sweep import early_sweep

        early = early_sweep(name, value, *by)
    is_valid = early is not None or schema.is_valid(name, value)
    has_nodes = any(isinstance(node, dict) for node in as_list(as_dict(value).get("nodes")))
    if not is_valid or not has_nodes:
        from irlint.formats.nnvm.keys import structure

        yield from structure.problems(model, name, value)
    if not has_nodes:
        return  # nothing can be said of lists that count nodes
    is_nested = early is None and '"subgraphs"' in document.text
    views = [early.view] if early is not None else list(_views(value, view_of if is_valid else lenient_view, is_nested))
    if is_valid and document.fractions:
        from irlint.formats.nnvm.keys import structure

        if found := [problem for view in views for problem in structure.fractions(model, view)]:
            yield from found
            early, views = None, list(_views(value, lenient_view, is_nested))
    model.graph = LazyGraph(model, views)
    yield from _checked(model, views, by, early)


def _checked(
    model: Model, views: list[GraphView], by: AttributeChecks | None, early: Sweep | None
) -> Iterator[Problem]:
    """Yield what is wrong with the nodes of a graph, the lists next to them, and the parameter file."""
    if by is None:
        from irlint.formats.nnvm.tvm import check

        yield from check(model, views[0])
    else:
        from irlint.formats.nnvm.passes.symbol import check as check_symbol

        yield from check_symbol(model, views, by, early)
    if path_of(model) is not None:
        from irlint.formats.nnvm.passes import weights

        yield from weights.check(model, views[0])


def _views(
    value: dict[str, Any], build: Callable[[dict[str, Any], Path], GraphView], is_nested: bool
) -> Iterator[GraphView]:
    """Yield the views of a graph and of the graphs nested in it, the outermost first."""
    queue: list[tuple[dict[str, Any], Path, bool]] = [(value, (), True)]
    for raw, path, runs in queue:
        view = build(raw, path)
        view.runs = runs
        yield view
        for i, node in enumerate(view.nodes if is_nested else ()):
            inner = runs and node["op"] in NESTING
            at = (*path, "nodes", i, "subgraphs")
            graphs = enumerate(as_list(node.get("subgraphs")))
            queue += [(graph, (*at, k), inner) for k, graph in graphs if isinstance(graph, dict)]


def _judges(model: Model, value: Any) -> AttributeChecks | None:
    """Return those of a symbol; TVM's graphs have other rules."""
    if model.dialect == dialects.TVM or not isinstance(value, dict):
        return None
    from irlint.formats.nnvm.passes.symbol import judges

    model.operators = table("nnvm" if model.dialect == dialects.CLASSIC else "mxnet")
    return judges(model, behavior_of(model, value))
