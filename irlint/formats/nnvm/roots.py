"""The root of what is wrong with a graph's own keys: the rest only follows from it, and no fix is safe beside it."""

from __future__ import annotations

from collections.abc import Callable

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.text.base import Document, Path, Place

_LISTS = (R.arg_nodes, R.node_row_ptr, R.index_out_of_range)
_REWRITTEN = ("arg_nodes", "node_row_ptr")
_COUNTING = frozenset(("arg_nodes", "heads", "node_row_ptr", "attrs"))  # whose elements are about the nodes


def settle(document: Document, problems: list[Problem]) -> list[Problem]:
    """Keep the roots, and grade fixes that rewrite a list by what else is wrong."""
    paths = [_path(document, problem) for problem in problems]
    problems = _without_what_repeats_explain(document, problems, paths)
    if any(
        p.actual_severity > Severity.INFO and p.rule.code[0] in "TS" and len(_path(document, p)) <= 1 for p in problems
    ):
        problems = [p for p in problems if not (p.rule is R.mxnet_version and p.severity == Severity.INFO)]
    _grade_fixes(document, problems)
    return problems


def _path(document: Document, problem: Problem) -> Path:
    return problem.at.path if isinstance(problem.at, Place) else document.place_at(problem.at.start).path


def _without_what_repeats_explain(document: Document, problems: list[Problem], paths: list[Path]) -> list[Problem]:
    """A key of the graph that is given twice, with different values: what its second value gets wrong follows from that."""
    repeated = {
        path[0]: problem
        for problem, path in zip(problems, paths, strict=True)
        if problem.rule is R.duplicate_key and len(path) == 1 and _differs(document, problem)
    }
    if not repeated:
        return problems
    kept = []
    for problem, path in zip(problems, paths, strict=True):
        root = repeated.get(path[0]) if path else None
        if root is None and (not path or path[0] in _COUNTING):
            root = repeated.get("nodes")
        if root is None and problem.rule is R.mxnet_version:
            root = repeated.get("attrs")
        if root is None or problem.rule is R.duplicate_key:
            kept.append(problem)
        else:
            root.severity = max(root.actual_severity, problem.actual_severity)
    return kept


def _differs(document: Document, problem: Problem) -> bool:
    try:
        fix = problem.fix(document) if problem.fix else None
    except LookupError:  # its edits touch what was repaired
        return True
    return fix is None or fix.safety != "safe"


def _grade_fixes(document: Document, problems: list[Problem]) -> None:
    """A list is only rewritten by what the nodes say where nothing else is wrong: else the nodes may be, and the list right."""
    rewriting = {id(p) for p in problems if p.rule in _LISTS and p.fix and _list_of(document, p) in _REWRITTEN}
    if rewriting and any(id(p) not in rewriting and p.actual_severity > Severity.INFO for p in problems):
        for problem in problems:
            if id(problem) in rewriting:
                problem.fix = _unsafe(problem.fix)


def _list_of(document: Document, problem: Problem) -> str | None:
    """The last key of a problem's path."""
    return next((step for step in reversed(_path(document, problem)) if isinstance(step, str)), None)


def _unsafe(fix: Callable[[Document], Fix | None] | None) -> Callable[[Document], Fix | None]:
    def unsafe(document: Document) -> Fix | None:
        found = fix(document) if fix else None
        return None if found is None else Fix(found.title, found.edits, "unsafe")

    return unsafe
