"""One model named on the command line, read for a command that shows it rather than judges it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from irlint import engine
from irlint.cli.status import Refused, UsageError, say
from irlint.engine import Result
from irlint.files.read import Unreadable, read
from irlint.formats.base import all_formats, by_name, models_of
from irlint.inspection.needs import ORDERED, inferred_doubts, note, verdict
from irlint.order import CycleError, post_order
from irlint.records import replace
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.text.safe import Command
from irlint.text.words import more_than

if TYPE_CHECKING:
    from irlint.findings import Finding

_RULES = ("S", "T", "R")  # that decide whether there is a graph to show
READING = Settings(select=_RULES)
_SAID = 10  # findings that a refusal names
_NOTED = 3  # errors that are left aside and named


def lint_model(name: str, settings: Settings, as_format: str | None = None) -> Result:
    """Return the result of linting a file or, for `-`, stdin."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else read(name, mapped=True)
    except Unreadable as error:
        raise UsageError(f"{name}: {error}") from error
    path = None if name == "-" else Path(name)
    return engine.lint_bytes(data, "<stdin>" if name == "-" else name, settings, as_format, path)


def model_file(name: str) -> str:
    """Return the model that an argument names: the file itself, the only model of a folder or of a file of weights."""
    path = Path(name)
    if name == "-":
        return name
    if path.is_dir():
        if (model := engine.model_of(name)) is not None:
            return model
        raise UsageError(f"{name}: {engine.of_folder(name)}")
    found = [str(owner) for owner in models_of(path)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{name}: weights of {len(found)} models; expected one of {', '.join(found)}")
    return name


def load_model(name: str, question: str, as_format: str | None = None, shapes: bool = False) -> Model:
    """Return the model of a file or, for `-`, of stdin, with `shapes` after the abstract dry run, if the file answers the question:
    see `needs.QUESTIONS`."""
    return model_for(question, lint_model(name, replace(READING, shapes=shapes), as_format))


def model_for(question: str, result: Result) -> Model:
    """Return the model of a linted file, with notes about errors that are left aside; Refused if others stop the question."""
    verify_is_model(result)
    model = result.model
    found = verdict(question, result.findings, by_name(result.format or ""))
    if model is None or found.stopping or (found.aside and not model.graph.nodes):
        raise refusal(result, question, found.stopping or found.aside or result.findings)
    if question in ORDERED:
        try:
            post_order(model.graph)
        except CycleError as error:
            raise refusal(result, question, (), f"no topological order: {error}") from error
    lines = [f"note: {_said(result, finding, '')}; {note(question, finding)}" for finding in found.aside[:_NOTED]]
    say(*lines, *more_than(_NOTED, found.aside, f"note: {result.name}: "))
    return model


def verify_is_model(result: Result) -> None:
    """Refuse a file that is none, or that is about a model."""
    if result.document is None and not result.failed:
        raise Refused(f"{result.name}: {next((one.message for one in result.findings), result.why)}")
    if result.model is not None and result.model.format not in all_formats():
        raise Refused(f"{result.name}: not a model: {result.why}")


def refusal(result: Result, question: str, wrong: Sequence[Finding], why: str = "") -> Refused:
    """Return the refusal of a file for these findings; its last line ends with the command that repairs it."""
    options = _repairing(result, question)
    is_certain = options == ["--fix"]  # of a guess, the name that is suggested may be no part
    said = [_said(result, finding, finding.hint if is_certain else "") for finding in wrong[:_SAID]]
    lines = said + more_than(_SAID, wrong, f"{result.name}: ")
    remedies = [] if result.failed else [_command(result, options)]  # no fix helps where irlint itself has failed
    return Refused(*(lines or [f"{result.name}: {why or result.why}"]), *remedies)


def _said(result: Result, finding: Finding, hint: str) -> str:
    """Return a finding in one line; with the name that it suggests only where that was tried, as irlint check does."""
    message = finding.message.replace(finding.hint, hint) if finding.hint else finding.message
    return f"{result.name}:{place(result, finding.span.start)}: {finding.code} {message}"


def place(result: Result, offset: int) -> str:
    at = result.lines.position(offset)
    return f"{at.line}:{at.column}"


def remedy(result: Result, question: str) -> Command:
    """Return a line with the command after which the file answers the question; with the one that shows its findings if none does."""
    return _command(result, _repairing(result, question))


def _repairing(result: Result, question: str) -> list[str] | None:
    from irlint.offers import repairing

    format_ = by_name(result.format or "")
    doubts = inferred_doubts(question, result.findings)
    return repairing(
        result,
        lambda findings: (
            not verdict(question, findings, format_).stopping and inferred_doubts(question, findings) <= doubts
        ),
    )


def _command(result: Result, options: list[str] | None) -> Command:
    as_format = result.request.as_format
    what = "see all findings" if options is None else "repair it"
    words = [*(options or ()), *(["--as", as_format] if as_format else [])]
    name = "-" if result.request.path is None else result.name
    name = f"./{name}" if name.startswith("-") and name != "-" else name
    return Command(f"to {what}: ", shlex.join(["irlint", *words, name]))


def only_one_stdin(names: list[str]) -> None:
    """Refuse several uses of stdin, which can be read once."""
    if names.count("-") > 1:
        raise UsageError("expected - at most once: stdin can be read only once")
