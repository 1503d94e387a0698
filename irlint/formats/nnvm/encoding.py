"""Bytes that are not UTF-8: most readers copy them unchanged; only MXNet's Python API decodes some names."""

from __future__ import annotations

from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.text.base import Document, Place


def settle(document: Document, value: Any, problems: list[Problem]) -> None:
    """Downgrade them to warnings: mxnet 1.9.1 loads such a file, infers shapes, binds and runs it."""
    for problem in problems:
        if problem.rule is R.invalid_utf8:
            start = document.span(problem.at).start if isinstance(problem.at, Place) else problem.at.start
            path = document.place_at(start).path
            problem.severity = Severity.WARNING
            if len(path) == 3 and path[0] == "nodes" and path[2] == "name" and _is_listed(value, path[1]):
                problem.message += "; MXNet loads it, but its Python API cannot list this name"


def _is_listed(value: Any, index: Any) -> bool:
    """Return whether a node's name is that of an argument or an output."""
    try:
        return value["nodes"][index]["op"] == "null" or any(entry[0] == index for entry in value["heads"])
    except (LookupError, TypeError):
        return False
