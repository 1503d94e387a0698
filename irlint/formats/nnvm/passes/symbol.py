"""MXNet symbols and classic NNVM graphs: what loading, inference and bind refuse, as far as that can be decided without shapes."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.passes.examine import Examiner
from irlint.formats.nnvm.passes.operands import LoaderBehavior
from irlint.formats.nnvm.passes.variables import VariableCheck
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.graph import LazyGraph
from irlint.formats.nnvm.reading.sweep import Sweep, sweep
from irlint.formats.nnvm.reading.view import NESTING, GraphView
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.state import state_of
from irlint.operators import OperatorTable
from irlint.records import NamedTuple, replace
from irlint.rules.base import Model

# What mxnet 1.9.1 refuses only when it binds: a graph that no operator runs is loaded with it
_AT_BIND = frozenset(
    (
        R.wrong_input_count,
        R.output_out_of_range,
        R.subgraph_interface,
        R.control_dependencies,
        R.variable_with_inputs,
    )
)


class AttributeChecks(NamedTuple):
    """Who says what is wrong with the attributes of operators and of variables."""

    examiner: Examiner
    variable: VariableCheck


def judges(model: Model, era: LoaderBehavior) -> AttributeChecks:
    assert model.operators is not None
    return AttributeChecks(Examiner(model.operators, era), VariableCheck(era))


def check(model: Model, views: list[GraphView], by: AttributeChecks, early: Sweep | None = None) -> Iterator[Problem]:
    """Every view in turn: one sweep, then only what it points at. `early`: the sweep of the first view, if it is done."""
    outer, variable = by
    inner = Examiner(outer.table, LoaderBehavior()) if len(views) > 1 else outer  # nested graphs are never upgraded
    is_special = False
    for at, view in enumerate(views):
        examiner = inner if view.path else outer
        seen = sweep(view, examiner, variable) if at or early is None else early
        is_special = is_special or not seen.reachable.isdisjoint(seen.special)
        if len(views) == 1:
            state_of(model).sweep = seen
        found = _view(model, views, at, seen, examiner, variable)
        yield from _of_target(model, view, seen, outer.table, found if view.runs else _loaded_only(found))
    if not is_special:  # what nothing depends on is never run
        model.settled.update((R.self_reference, R.cycle))
    if model.dialect != dialects.CLASSIC:
        from irlint.formats.nnvm.reading.versions import check as check_version

        yield from check_version(model, views[0])


def _of_target(
    model: Model, view: GraphView, seen: Sweep, table: OperatorTable, found: Iterator[Problem]
) -> Iterator[Problem]:
    """Yield the problems of a graph as the release of MXNet has them that the user names."""
    if not model.targets or model.dialect == dialects.CLASSIC:
        yield from found
        return
    from irlint.formats.nnvm.passes import releases

    if (release := releases.declared(model)) is None:
        yield from found
    else:
        yield from releases.without_former(found, view, release)
        yield from releases.check(view, seen, table, release)


def _loaded_only(problems: Iterator[Problem]) -> Iterator[Problem]:
    """Yield the problems of a graph that no operator runs, with those that only binding would refuse as warnings."""
    for problem in problems:
        if problem.rule in _AT_BIND:
            yield replace(problem, severity=Severity.WARNING)
        elif problem.rule != R.empty_model:  # nothing uses its outputs
            yield problem


def _view(
    model: Model, views: list[GraphView], at: int, seen: Sweep, examiner: Examiner, variable: VariableCheck
) -> Iterator[Problem]:
    from irlint.formats.nnvm.keys import lists
    from irlint.formats.nnvm.passes.swapped import swapped

    view = views[at]
    yield from lists.check(view, seen)
    yield from swapped(view, seen)
    if seen.suspects or view.broken:
        from irlint.formats.nnvm.passes.nodes import FaultsInGraph

        yield from FaultsInGraph(view, seen, examiner).problems(model, variable)
    if seen.special or not seen.all_used or not view.heads or view.broken or seen.odd_heads:
        from irlint.formats.nnvm.passes.references import reference_problems

        graph = LazyGraph(model, views, at) if at else model.graph
        yield from reference_problems(model, graph, view, seen)
    if not seen.unique_names:
        from irlint.formats.nnvm.passes.references import name_problems

        yield from name_problems(view, seen, examiner.table)
    if seen.odd:
        from irlint.formats.nnvm.keys import unusual

        yield from unusual.check(model, view, seen)
    if not NESTING.isdisjoint(seen.ops):
        from irlint.formats.nnvm.passes import control_flow

        yield from control_flow.check(view, seen, examiner)
