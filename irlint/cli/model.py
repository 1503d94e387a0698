"""One model named on the command line, read for a command that shows it rather than judges it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from irlint import engine
from irlint.cli.status import Refused, UsageError
from irlint.engine import Result
from irlint.files.read import Unreadable, read
from irlint.findings import Severity
from irlint.order import CycleError
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.text.words import more_than

_READING = ("S", "T", "R")  # rules that decide whether there is a graph to show
_SAID = 10  # findings that a refusal names


def lint_model(name: str, settings: Settings, as_format: str | None = None) -> Result:
    """Return the result of linting a file or, for `-`, stdin."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else read(name, mapped=True)
    except Unreadable as error:
        raise UsageError(f"{name}: {error}") from error
    path = None if name == "-" else Path(name)
    return engine.lint_bytes(data, "<stdin>" if name == "-" else name, settings, as_format, path)


def load_model(name: str, as_format: str | None = None, shapes: bool = False) -> Model:
    """The model of a file or, for `-`, of stdin, with `shapes` after the abstract dry run; Refused if its syntax or its
    references are broken, or if its structure leaves no call of it.
    """
    result = lint_model(name, Settings(select=_READING, shapes=shapes), as_format)
    errors = [f for f in result.findings if f.severity == Severity.ERROR]
    wrong = [f for f in errors if f.code[0] in "SR"]
    if result.model is not None and not wrong and (not errors or result.model.graph.nodes):
        return result.model
    found = wrong or errors or result.findings
    lines = [f"{name}:{result.lines.position(f.span.start).line}: {f.code} {f.message}" for f in found[:_SAID]]
    lines += more_than(_SAID, found, f"{name}: ")
    raise Refused(*(lines or [f"{name}: {result.why}"]))


@contextmanager
def acyclic(before: str = "") -> Iterator[None]:
    """Refuse a model whose nodes have no order; `before` is what the message begins with."""
    try:
        yield
    except CycleError as error:
        raise Refused(f"{before}{error}") from error


def only_one_stdin(names: list[str]) -> None:
    """Refuse several uses of stdin, which can be read once."""
    if names.count("-") > 1:
        raise UsageError("expected - at most once: stdin can be read only once")
