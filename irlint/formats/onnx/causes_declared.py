"""What becomes of problems of declarations by what is inferred, or declared elsewhere, and of operators that nobody declares."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.causes.relations import ANYWHERE
from irlint.causes.rows import Each, Follows, Once, Row, Which, graded
from irlint.codes import R
from irlint.findings import EMPTY, INFERRED, Problem, Severity
from irlint.formats.onnx.causes_lookup import OnnxLookup
from irlint.graph import label
from irlint.records import replace
from irlint.text.base import Path, Place

_SHOWN = 3  # followers that are notes
_DEPTH = 8  # graph, output, number, type, tensor_type, shape, dim, number


def _is_declared_size(lookup: OnnxLookup, problem: Problem) -> bool:
    """Return whether a problem is about a size that a value of the model's graph declares, where onnx looks for it."""
    path: Path = problem.at.path if isinstance(problem.at, Place) else ()
    is_size = len(path) == _DEPTH and path[1] in ("input", "output", "value_info") and path[-2] == "dim"
    return is_size and (path[1] != "value_info" or problem.node not in lookup.interface)


def _with_size(lookup: OnnxLookup, problem: Problem) -> Problem:
    size = lookup.size_at(problem)
    if size is not None:
        return replace(problem, addition=f"; its inferred size is {size}", severity=Severity.ERROR)
    clash = lookup.clashes.get(lookup.path(problem))
    if clash is None:
        return problem
    addition, related = f"; {clash.name!r}, computed from it, declares {clash.size}", [("declared here", clash.at)]
    return replace(problem, addition=addition, related=[*problem.related, *related], severity=Severity.ERROR)


def _refused(lookup: OnnxLookup, problem: Problem) -> Problem:
    shape = lookup.refused_shape(problem)
    if shape is None:
        return problem
    return replace(problem, addition=f"; onnx.checker removes none and refuses {shape}", severity=Severity.ERROR)


def _contradicted(lookup: OnnxLookup, problem: Problem) -> Problem:
    path = problem.at.path if isinstance(problem.at, Place) else ()
    is_value = path[:1] == ("graph",) and path[1:2] in (("output",), ("value_info",))
    name = lookup.document.value_at(path[:3]).get("name", "") if is_value and len(path) > 2 else ""
    node = lookup.contradicted.get(name) if name else None
    if node is None:
        return problem
    addition, at = f"; the declared shape of {label(node)} contradicts it", lookup.graph.place(node)
    related = [*problem.related, ("contradicted here", at)]
    return replace(problem, addition=addition, related=related, severity=Severity.ERROR)


def _undeclared(_: OnnxLookup, problem: Problem) -> str | None:
    """Return what is said of an operator that the configuration may declare; None of one that is misspelt."""
    return None if problem.meant or problem.hint else problem.message


def _is_size_of_nothing(lookup: OnnxLookup, problem: Problem) -> bool:
    """Return whether nothing is wrong where sizes of 0 of the model's inputs are open."""
    return problem.kind == EMPTY and lookup.fits_if_not_empty


def _emptied(lookup: OnnxLookup, problem: Problem) -> Problem | None:
    """Return the problem of a size of 0 where everything that the model outputs is empty, though it declares otherwise."""
    if problem.severity is not Severity.PEDANTIC:
        return problem
    if not lookup.outputs_nothing:
        return None
    return replace(problem, addition="; every output is empty, too", severity=Severity.WARNING)


def _with_followers(_: OnnxLookup, root: Problem, followers: list[Problem]) -> Problem:
    notes = [(follower.message, follower.at) for follower in followers[:_SHOWN]]
    severity = max(follower.actual_severity for follower in followers)
    return replace(root, related=[*root.related, *notes], severity=severity)


def _is_told_twice(_: Sequence[Problem], followers: Sequence[Problem]) -> bool:
    """Return whether a value inside is declared not to be empty. Otherwise the operator itself is reported."""
    return any(follower.rule is R.declared_shape_differs for follower in followers)


_NEGATIVE = Which((R.value_out_of_range,), most=Severity.WARNING, when=_is_declared_size)
_OF_SIZES = Which((R.declared_shape_differs, R.shape_mismatch), kinds=(INFERRED,))
_EMPTY = Which((R.value_out_of_range,), kinds=(EMPTY,))
DECLARED: tuple[Row, ...] = (
    # a size of 0 of an input: what follows from it are notes, and without any it is wrong if nothing is computed
    Follows(
        _EMPTY._replace(when=_is_size_of_nothing), ANYWHERE, _OF_SIZES, rooted=_with_followers, provided=_is_told_twice
    ),
    Each(_EMPTY, _emptied),
    # runtimes ignore negative sizes; onnx's inference (full_check, 1.23.2) refuses those that it knows better
    Each(_NEGATIVE, _with_size),
    # a declaration that onnx believes, as it does not know better, must match the others
    Each(Which((R.declared_shape_differs,), kinds=(INFERRED,), most=Severity.WARNING), _contradicted),
    # where runtimes remove dimensions and onnx's inference removes none, it refuses the shape that they output
    Each(Which((R.wrong_value_length,), kinds=(INFERRED,), most=Severity.WARNING), _refused),
    # as PyTorch cuts states of LSTMs: onnxruntime 1.32 makes one Split of them, unless it does not optimize
    Each(Which((R.wrong_rank,), when=lambda lookup, problem: lookup.is_shared_cut(problem)), graded(Severity.WARNING)),
    # a program registers an operator once
    Once(Which((R.unknown_operator,)), _undeclared),
)
