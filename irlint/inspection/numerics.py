"""Which nodes of a new version of a model compute other values than those of the old one, or have other weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import partial

from irlint.codes import R
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.weights import values
from irlint.findings import Problem, Severity
from irlint.formats.base import all_formats
from irlint.graph import Graph, Node, above
from irlint.inspection.folding.folded import Folding, is_folded
from irlint.inspection.identity import structure
from irlint.inspection.review.changes import differences
from irlint.inspection.review.difference import NodePair
from irlint.inspection.types import mapping_of
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.text.base import Place
from irlint.text.words import count
from irlint.tools.installed import is_installed

_COMPUTING = {"operator", "attribute", "input"}  # changes of a node that change what it computes
_HELD = {"attribute", "type"}  # changes of a constant whose values are not there


def numeric_problems(
    old: Model, new: Model, outputs: Sequence[tuple[int, int]], settings: Settings
) -> Iterator[Problem]:
    """Report what computes other values, and other weights: one problem of each rule. `outputs` are the nodes, old and new, of the
    outputs of both versions."""
    row = R.changed_weights  # also compared where only --pedantic would show it
    is_wanted = settings.wants(row.code, row.name, Severity.INFO) or settings.wants(*row)
    has_weights = is_wanted and is_installed("numpy")
    pairs = differences(old, new, weights=has_weights).pairs
    needed = _needed(old.graph, [before for before, _ in outputs]) | _needed(new.graph, [after for _, after in outputs])
    changed = [pair for pair in pairs if _computes(pair, needed, (old.graph, new.graph))]
    computing = [_place(pair) for pair in _unexplained(old, new, pairs, changed)]
    weights = [_place(pair) for pair in filter(partial(_differ, mapping_of(new)), pairs)] if has_weights else []
    for rule, places, what in (
        (R.changed_computation, computing, "node"),
        (R.changed_computation, _functions(old, new), "function"),
        (R.changed_weights, weights, "node"),
    ):
        if places:
            first = next((place for place in places if place.path), Place(()))
            words = "with other weights" if rule is R.changed_weights else "computed in another way"
            yield Problem(rule, first, f"{count(len(places), what)} {words}")


def _unexplained(old: Model, new: Model, pairs: Sequence[NodePair], changed: Sequence[NodePair]) -> Sequence[NodePair]:
    """Return changed nodes without those that an optimizer changes."""
    if is_installed("numpy") and (changed or any(map(is_folded, pairs))):
        return Folding(old, new, pairs).unexplained(changed)
    return changed


def _functions(old: Model, new: Model) -> list[Place]:
    """Return the functions that both files have, with other bodies. Calls of those that only one has are nodes that changed."""
    format_ = all_formats()[new.format]
    before, after = _bodies(old), _bodies(new)
    changed = [name for name in after if name in before and {*before[name]} != {*after[name]}]
    numbers = {graph.name: k for k, graph in enumerate(new.functions)}
    return [format_.metadata_place(new, "functions", str(numbers[name])) or Place(()) for name in changed]


def _bodies(model: Model) -> dict[str, list[str | None]]:
    """Return hashes of the bodies of functions by name: functions of several domains may share one."""
    found: dict[str, list[str | None]] = {}
    for graph in model.functions:
        found.setdefault(graph.name, []).append(structure(model, graph))
    return found


def _needed(graph: Graph, outputs: Sequence[int]) -> set[int]:
    """Return the id() of the nodes that outputs depend on."""
    return {id(graph.nodes[index]) for index in above(graph, *outputs) | {*outputs}}


def _place(pair: NodePair) -> Place:
    return Place(()) if pair.new is None else pair.new[0].place(pair.new[1], "name")


def _computes(pair: NodePair, needed: Set[int], outermost: tuple[Graph, Graph]) -> bool:
    """Return whether a node computes other values. One that is new, or gone, matters if an output of both versions needs it."""
    graph, node = pair.new or pair.old or (None, None)
    if node is None or node.kind != "call":
        return False
    if pair.status in ("added", "removed"):
        return id(node) in needed or not any(graph is one for one in outermost)
    return any(change.what in _COMPUTING for change in pair.changes)


def _differ(mapping: Mapping | None, pair: NodePair) -> bool:
    """Return whether a node has other weights: a constant, or a call that holds some."""
    if pair.old is None or pair.new is None:
        return False
    node, what = pair.new[1], {change.what for change in pair.changes}
    return "weights" in what or (node.kind == "const" and _is_unread(mapping, node, what))


def _is_unread(mapping: Mapping | None, node: Node, what: Set[str]) -> bool:
    """Return whether a constant is another one as far as can be seen without its values. A name is a part of what it holds."""
    return bool(what & _HELD) and "name" not in what and values(mapping, node) is None
