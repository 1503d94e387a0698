"""Bytes that are no UTF-8: MXNet copies names as they are; its Python front end decodes those of variables and outputs only."""

from __future__ import annotations

from typing import Any

from irlint.findings import Problem, Severity
from irlint.rules.syntax.invalid_utf8 import InvalidUtf8
from irlint.text.base import Document, Place


def settle(document: Document, value: Any, problems: list[Problem]) -> None:
    """A warning where nobody decodes the text."""
    for problem in problems:
        if problem.rule is InvalidUtf8:
            start = document.span(problem.at).start if isinstance(problem.at, Place) else problem.at.start
            path = document.place_at(start).path
            if len(path) == 3 and path[0] == "nodes" and path[2] == "name" and not _listed(value, path[1]):
                problem.severity = Severity.WARNING


def _listed(value: Any, index: Any) -> bool:
    """Whether a node's name is one of an argument or of an output."""
    try:
        return value["nodes"][index]["op"] == "null" or any(entry[0] == index for entry in value["heads"])
    except (LookupError, TypeError):
        return True
