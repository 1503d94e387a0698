"""GitHub workflow commands: annotations at the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from irlint.findings import Severity
from irlint.report.alike import Group, grouped, more
from irlint.report.base import FileReport, Options
from irlint.text.safe import emit, visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice", Severity.PEDANTIC: "notice"}


def write(files: Iterable[FileReport], stream: TextIO, options: Options) -> None:
    for file in files:
        for group in grouped(file.entries, options.show_all):
            emit(stream, _command(file, group))


def _command(file: FileReport, group: Group) -> str:
    finding, at = group.entry.finding, group.entry.at
    words = f"title={_property(f'irlint {finding.code} {finding.name}')},file={_property(file.name)}"
    words += f",line={at.line},endLine={at.end_line}"
    if at.end_line == at.line:  # GitHub takes columns only within one line
        words += f",col={at.column},endColumn={at.end_column}"
    message = f"{file.name}:{at.line}:{at.column}: {finding.code} {finding.message}"
    if group.lines:
        message += f"; {more(group)}"
    return f"::{_COMMANDS[finding.severity]} {words}::{_data(message)}\n"


def _data(text: str) -> str:
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
