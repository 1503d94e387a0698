"""What every kind of companion is: a format of files without a graph, whose rules may look at the models that a file is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath

from irlint.companions.report import Report
from irlint.findings import Problem
from irlint.formats.base import Format
from irlint.rules.base import Model


class Companion(Format):
    """One kind of companions."""

    is_companion = True

    def read(self, model: Model) -> Iterator[Problem]:
        """Yield what is wrong in the file by itself."""
        report = Report(model.document)
        self.alone(model, report)
        return iter(report.found)

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        """Yield where the file contradicts what is next to it, if its own syntax is right."""
        report = Report(model.document)
        if model.path is not None and model.opens is not None and not model.document.guesses:
            self.beside(model, model.path, report)
        return iter(report.found)

    def alone(self, model: Model, report: Report) -> None:
        """Report what is wrong in the file by itself."""

    def beside(self, model: Model, path: FilePath, report: Report) -> None:
        """Report where the file contradicts what is next to it. `model.opens` reads a model."""
