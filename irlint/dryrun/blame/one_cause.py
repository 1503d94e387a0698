"""The one cause of all errors of a graph, if there is one: an input that is connected to the wrong value, a constant or an input of the
graph, a declared type that proves a node wrong, or a dimension.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Mapping as Dictionary
from typing import Any

from irlint.codes import R
from irlint.dryrun.blame.miswired import MiswiredInput, find_miswired_input
from irlint.dryrun.blame.roots import rooted
from irlint.dryrun.blame.shared import of_one_constant
from irlint.dryrun.blame.wrong_leaf import LeafSearch, WrongLeaf
from irlint.dryrun.dims import show
from irlint.dryrun.infer import Inference, NodeShapeError
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.findings import Problem, Severity
from irlint.graph import Graph, Node, label
from irlint.records import NamedTuple, replace
from irlint.text.base import Place

_SHOWN = 3  # errors and declared types that one cause explains
_FEW = 4  # nodes whose declared types differ first, of which the severity is taken


class Cause(NamedTuple):
    """What explains errors, and what is reported of them."""

    problem: Problem | None = None  # what is reported instead of all errors
    is_all: bool = False  # it explains the declared types that differ, too
    others: Dictionary[int, Sequence[NodeShapeError]] = {}  # errors with the cause of another one, by id() of its node
    declared: Sequence[NodeShapeError] = ()  # errors that follow from the first declared type that differs
    notes: Sequence[tuple[str, Place]] = ()  # what else would match

    @property
    def is_told(self) -> bool:
        """Return whether no error is reported at its own node."""
        return self.problem is not None or bool(self.declared)

    def noted(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Yield the problem of the cause and further ones, the first of which has the notes."""
        if self.problem is not None:
            yield self.problem
        for k, problem in enumerate(problems):
            yield problem if k or self.problem is not None else self._with_notes(problem)

    def _with_notes(self, problem: Problem) -> Problem:
        errors = [(f"{label(one.node)}: {one.error.message}", one.graph.place(one.node)) for one in self.declared]
        severity = Severity.ERROR if errors else problem.severity
        return replace(problem, related=[*problem.related, *errors[:_SHOWN], *self.notes], severity=severity)


def one_cause(
    graph: Graph,
    mapping: Mapping,
    broken: Collection[int],
    found: Inference,
    mistakes: list[NodeShapeError],
    own: list[NodeShapeError],
) -> Cause:
    """Return the cause of errors; `own` are those of the graph itself."""
    wrong = find_miswired_input(graph, mapping, broken, found, own) if own else None
    if wrong is not None:
        at = graph.place(wrong.node, f"input:{wrong.k}")
        first = min(own, key=lambda mistake: mistake.node.index)
        return Cause(_misled_problem(graph, wrong, first, at))
    alike = of_one_constant(found, mistakes)
    if not mapping.declares_outputs or len(own) < len(mistakes):
        return Cause(others=alike or rooted(graph, mapping, broken, found, own))
    search = LeafSearch(graph, mapping, broken, found, own)
    leaves = search.leaves()
    if search.is_sure:
        return Cause(_leaf_problem(search, leaves[0]), True)
    notes = [_would_match(search, leaf) for leaf in leaves]
    if own and search.firsts and search.fits_as_declared():
        return Cause(declared=own, notes=notes)
    if own and leaves:
        return Cause(None, True, {id(search.mistakes[0].node): search.mistakes[1:]}, (), notes)
    return Cause(others=alike or rooted(graph, mapping, broken, found, own), notes=notes)


def _misled_problem(graph: Graph, wrong: MiswiredInput, mistake: NodeShapeError, at: Place) -> Problem:
    node, meant = wrong.node, who(wrong.meant)
    read = who(graph.nodes[node.inputs[wrong.k][0]])
    related = [("defined here, but unused", graph.place(wrong.meant))]
    if mistake.node is node:
        message = f"{label(node)}: {mistake.error.message}; did you mean {meant}?"
    else:
        message = f"{label(node)} takes {read} as input; did you mean {meant}?"
        related.insert(0, (f"{label(mistake.node)}: {mistake.error.message}", graph.place(mistake.node)))
    return Problem(mistake.error.rule, at, message, node.name, related=related, explains=(at.path,))


def who(node: Node) -> str:
    return label(node) if node.kind == "call" else repr(node.name)


def _leaf_problem(search: LeafSearch, leaf: WrongLeaf) -> Problem:
    """Return the problem of a constant or an input that explains all that is wrong."""
    graph, mapping, node = search.graph, search.mapping, leaf.node
    own = search.types[node.index][0]
    rule = search.mistakes[0].error.rule if search.mistakes else R.shape_mismatch if leaf.value else R.dtype_mismatch
    at = graph.place(node) if leaf.value is not None else graph.place(node, "type:0")
    fix = None if leaf.value is None else mapping.rewritten(node, leaf.value)
    severities = [mapping.declared_severity(graph, graph.nodes[k], 0, "sizes") for k in search.firsts[:_FEW]]
    severity = max([*severities, *(Severity.ERROR for mistake in search.mistakes[:1] if mistake.error.outputs is None)])
    message = f"expected {_wanted(leaf, own)} for {node.op.lower()} {node.name!r}, got {_given(leaf, own)}"
    related = [(f"used here by {label(leaf.user)}", graph.place(leaf.user, f"input:{leaf.k}"))]
    related += [(f"{label(one.node)}: {one.error.message}", graph.place(one.node)) for one in search.mistakes[:_SHOWN]]
    for k in search.firsts[:_SHOWN]:
        declared = graph.nodes[k].outputs[0].type
        related.append(
            (f"{label(graph.nodes[k])} is declared {declared.dtype}{show(declared.shape)}", graph.place(k, "type:0"))
        )
    return Problem(rule, at, message, node.name, fix, related, severity)


def _listed(value: Sequence[Any]) -> str:
    return f"[{', '.join(map(str, value))}]"


def _wanted(leaf: WrongLeaf, own: Tensor) -> str:
    if leaf.type is None:
        return _listed(leaf.value or ())
    return str(leaf.type.dtype) if leaf.type.dtype != own.dtype else f"shape {show(leaf.type.shape)}"


def _given(leaf: WrongLeaf, own: Tensor) -> str:
    if leaf.type is None:
        return _listed(own.value or ())
    return str(own.dtype) if leaf.type.dtype != own.dtype else show(own.shape)


def _would_match(search: LeafSearch, leaf: WrongLeaf) -> tuple[str, Place]:
    """Return the note that another value of a constant or another type of an input would match."""
    node = leaf.node
    wanted = _wanted(leaf, search.types[node.index][0])
    return f"{wanted} for {node.op.lower()} {node.name!r} would match", search.graph.place(node)
