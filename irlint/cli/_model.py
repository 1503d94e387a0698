"""One model named on the command line, read for a command that shows it rather than judges it."""

from __future__ import annotations

import sys
from pathlib import Path

from irlint import engine
from irlint.cli import FOUND, UsageError
from irlint.files.read import Unreadable, read
from irlint.findings import Severity
from irlint.rules.base import Model
from irlint.text.safe import visible

_READING = ("S", "T", "R")  # rules that decide whether there is a graph to show


class Refused(Exception):
    """Why there is no model to show, in lines for stderr."""

    status = FOUND


def load(name: str, as_format: str | None = None, shapes: bool = False) -> Model:
    """The model of a file or, for `-`, of stdin, with `shapes` after the abstract dry run; Refused if its syntax or its
    references are broken.
    """
    try:
        data = sys.stdin.buffer.read() if name == "-" else read(name)
    except Unreadable as error:
        raise UsageError(f"{name}: {error}") from error
    path = None if name == "-" else Path(name)
    result = engine.lint_bytes(
        data, "<stdin>" if name == "-" else name, engine.Settings(select=_READING, shapes=shapes), as_format, path
    )
    wrong = [f for f in result.findings if f.severity == Severity.ERROR and f.code[0] in "SR"]
    if result.model is not None and not wrong:
        return result.model
    lines = [
        f"{name}:{result.lines.position(f.span.start).line}: {f.code} {f.message}" for f in wrong or result.findings
    ]
    raise Refused("\n".join(map(visible, lines)) or f"{name}: {result.why}")


def write(text: str, encoding: str = "utf-8") -> None:
    """Text to stdout, byte for byte."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(encoding, "surrogateescape" if encoding == "utf-8" else "strict"))
    sys.stdout.buffer.flush()
