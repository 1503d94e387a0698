"""Drops what only follows from something else that is said of a file."""

from __future__ import annotations

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.text.base import Document, Path, Place, Span

_ASTRAY = (R.undefined_reference, R.used_before_defined, R.self_reference, R.cycle, R.index_out_of_range)
_SAYING = (
    R.undefined_reference,
    R.index_out_of_range,
    R.self_reference,
    R.cycle,
    R.unreachable_node,
    R.output_out_of_range,
    R.used_before_defined,
    R.shape_mismatch,
    R.dtype_mismatch,
    R.wrong_rank,
)  # what says most first
_HOLDERS = ("attrs", "attr", "param")


def settle(document: Document, problems: list[Problem]) -> list[Problem]:
    if len(problems) > 1:
        problems = _once_an_entry(problems)
    has_errors = any(problem.is_error for problem in problems)
    return _explained(document, problems) if has_errors and len(problems) > 1 else problems


def _once_an_entry(problems: list[Problem]) -> list[Problem]:
    """Keep the most telling problem of each wrong entry; that the right node is unused then is not a separate finding."""
    best: dict[Path, Problem] = {}
    for problem in problems:
        if problem.rule in _SAYING and (entry := _entry(problem)) is not None:
            other = best.setdefault(entry, problem)
            if _weight(problem) > _weight(other):
                best[entry] = problem
                problem.fix = problem.fix or other.fix
            elif problem is not other:
                other.fix = other.fix or problem.fix
    astray = any(problem.rule in _ASTRAY for problem in best.values()) or any(map(_lacks_inputs, problems))
    if not best and not astray:
        return problems

    def is_told(problem: Problem) -> bool:
        entry = _entry(problem)
        if entry is None:
            return astray and problem.rule is R.unreachable_node
        return problem.rule in _SAYING and best[entry] is not problem

    return [problem for problem in problems if not is_told(problem)]


def _lacks_inputs(problem: Problem) -> bool:
    """Return whether an operator has too few inputs: an unused node is then the missing one."""
    if problem.rule != R.wrong_input_count or not problem.is_error:
        return False
    return isinstance(problem.at, Place) and problem.at.path[-1:] == ("inputs",)


def _weight(problem: Problem) -> tuple[Severity, int]:
    return problem.actual_severity, -_SAYING.index(problem.rule)


def _entry(problem: Problem) -> Path | None:
    """Where the entry stands that a problem is about."""
    if not isinstance(problem.at, Place) or "inputs" not in problem.at.path:
        return None
    return problem.at.path[: problem.at.path.index("inputs") + 2]


def _explained(document: Document, problems: list[Problem]) -> list[Problem]:
    """Without what is said of values that are of a wrong type or out of range anyway, or of operators that are not known."""
    wrong: set[Path] = set()
    unknown: set[Path] = set()
    said: set[Path] = set()  # values that the reader of JSON reported itself
    for problem in problems:
        if isinstance(problem.at, Span):
            if problem.rule is R.number_out_of_range and problem.is_error:
                said.add(document.place_at(problem.at.start).path)
        else:
            if problem.rule in (R.wrong_type, R.wrong_length, R.value_not_allowed) and problem.is_error:
                wrong.add(problem.at.path)
            elif problem.rule is R.unknown_operator:
                unknown.add(problem.at.path[:-1])

    def follows(problem: Problem) -> bool:
        if not isinstance(problem.at, Place):
            return False
        path = problem.at.path
        if problem.rule is R.arg_nodes:
            unclear = any(isinstance(at, Place) and at.path[:-1] in unknown for _, at in problem.related)
            return unclear or any(other[: len(path)] == path for other in wrong)
        if path in said:
            return True
        if not problem.rule.code.startswith(("A", "O", "R")):
            return False
        if problem.rule == R.missing_attribute and any(
            (*path[:k], holder) in wrong for k in (-1, None) for holder in _HOLDERS
        ):
            return True
        return any(path[:k] in wrong for k in range(1, len(path) + 1))

    return [problem for problem in problems if not follows(problem)] if wrong or unknown or said else problems
