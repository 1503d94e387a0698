"""The setting `weights`: how severe it is that a model's weights are not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from irlint.findings import Problem, RuleInfo, Severity
from irlint.text.base import Place

if TYPE_CHECKING:
    from irlint.rules.base import Model

Weights = Literal["auto", "required", "optional"]

_NOTE = "set `weights: optional` in irlint.yaml if weights are not kept in the repository"


def missing(model: Model, rule: type[RuleInfo], at: Place, message: str, path: str | os.PathLike[str]) -> Problem:
    """Return the finding about a weights file that is not there."""
    return _problem(model, rule, at, message, lambda: is_expected(path))


def pointer(model: Model, rule: type[RuleInfo], at: Place, message: str) -> Problem:
    """Return the finding about a weights file that is a Git LFS pointer: a checkout without the large files has those."""
    return _problem(model, rule, at, message, lambda: False)


def _problem(model: Model, rule: type[RuleInfo], at: Place, message: str, is_error: Callable[[], bool]) -> Problem:
    if model.missing_weights == "optional":
        return Problem(rule, at, message, severity=Severity.PEDANTIC)
    if model.missing_weights == "required":
        return Problem(rule, at, message, severity=Severity.ERROR)
    severity = Severity.ERROR if is_error() else Severity.WARNING
    return Problem(rule, at, message, related=[(_NOTE, at)], severity=severity)


def is_expected(path: str | os.PathLike[str]) -> bool:
    """Return whether a file that is not there should be: where git tracks it, and outside of any repository.

    A file that a sparse checkout leaves out, and one of which the index cannot tell, may rightly be missing.
    """
    from irlint.files.git import repository

    path = os.fspath(path)
    found = repository(os.path.dirname(os.path.abspath(path)))
    return found is None or (found.tracks(path) is True and not found.skips(path))
