"""What every kind of companion is: a format of files without a graph, whose rules may look at the models that a file is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions import demands
from irlint.companions.consequences import remaining
from irlint.companions.lists import labels_at, mentions
from irlint.companions.ports import Ports
from irlint.companions.report import ModelHint, Report
from irlint.companions.tokenizer import largest_id, read_json
from irlint.files.side_files import file_source
from irlint.findings import Problem
from irlint.formats.base import CERTAIN, Dialect, Format, Recognition
from irlint.formats.navigation import Choice
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Document, Place, Span
from irlint.text.numbers import decimal
from irlint.text.prototext.typing import Typed
from irlint.tools.installed import load_json

_MOST = 64  # folders that are looked at


class Companion(Format):
    """One kind of companions."""

    is_companion = True
    why = ""  # how a file is recognized
    rows = ""  # its table in schemas/companions
    functions: Mapping[str, Callable[..., Any]] = {}  # that the expressions of the table use
    quote = '"'  # around names

    def __init_subclass__(cls) -> None:
        cls.dialects = (Dialect(cls.name, cls.title),)

    @cached_property
    def table(self) -> Mapping[str, Any]:
        """What the files have to fulfil by themselves."""
        found: Mapping[str, Any] = load_json(f"companions/{self.rows}.json") if self.rows else {}
        return found

    def state(self) -> list[ModelHint]:
        return []

    def dialect_of(self, document: Document) -> Recognition | None:
        return Recognition(CERTAIN, self.why)

    def read(self, model: Model) -> Iterator[Problem]:
        """Yield what is wrong in the file by itself."""
        report, tree = self._report(model), model.document.value_at(())
        yield from self._by_schema(tree, model.document)
        if "demands" in self.table:
            demands.check(tree, self.table, report, self.functions)
        self.alone(tree, report)
        yield from report.found

    def _report(self, model: Model) -> Report:
        return Report(model.document, model.state, self.quote, self.table.get("safe", ()))

    def _by_schema(self, tree: Any, document: Document) -> Iterator[Problem]:
        """Yield what a published JSON Schema does not allow."""
        if "schema" in self.table:
            from irlint.schema import problems

            named = (
                {key: value for key, value in tree.items() if isinstance(key, str)} if isinstance(tree, dict) else tree
            )
            for problem in problems(self.table["schema"], named):  # whose fixes are written in JSON
                yield problem if document.syntax == "json" else replace(problem, fix=None)

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        """Yield where the file contradicts what is next to it, if its own syntax and structure are right."""
        report = self._report(model)
        guesses, is_typed = model.document.guesses, not any(problem.rule == R.wrong_type for problem in problems)
        if model.path is not None and model.opens is not None and is_typed and guesses <= {()}:
            tree = model.document.value_at(())
            if "beside" in self.table:
                demands.check(tree, self.table, report, _around(model.path), "beside")
            first = len(report.found)
            self.beside(tree, model, model.path, report)
            report.found = remaining(problems, report.found[:first], report.found[first:])
        return iter(() if guesses else report.found)  # where the rest cannot be read, editors still want the hints

    def hints(self, model: Model, offset: int) -> Iterator[tuple[list[str], Iterator[Choice], Span]]:
        """Yield what editors show and offer at an offset, each with the span that a choice replaces."""
        document: Document = model.document
        paths = [document.place_at(near).path for near in (offset, max(offset - 1, 0))]  # also at the end of a value
        for at, note, choices, part in model.state:
            is_here = at and any(path[: len(at)] == at for path in paths)
            for place in (Place(at), Place(at, "key")) if is_here else ():
                if (span := document.span(place)).start <= offset <= span.end:
                    fitting = choices if place.part == part else ()
                    yield [note] if note else [], (Choice(text, "value", note) for text in fitting), span
                    break
        if (found := self.typed(document.text, offset)) is not None:
            yield [], (Choice(text, "attribute") for text in found.texts), found.span

    def typed(self, text: str, offset: int) -> Typed | None:
        """Return what the syntax of a file allows at an offset."""
        return None

    def alone(self, tree: Any, report: Report) -> None:
        """Report what else is wrong in a file by itself."""

    def inside(self, tree: dict[str, Any], model: Ports, report: Report) -> None:
        """Report where the same keys, written into a model, contradict it."""

    def value_inside(self, text: str) -> Any:
        """Return a value of metadata in a model, as `inside` takes it."""
        return text

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        """Report where a file contradicts what is next to its path. `model.opens` reads a model."""


def versions_in(folder: FilePath) -> list[str]:
    return sorted((name for name in file_source().names(folder) if decimal(name) is not None), key=int)


def _around(path: FilePath) -> dict[str, Any]:
    """Return what the expressions of a table know of the folder of a file."""
    folder = path.parent
    return {
        "file": path.name,
        "folder": folder.name,
        "folders": versions_in(folder),
        "there": lambda file: is_there(folder / file),
        "has_like": lambda home, file: _has_like(folder / home, file),
        "stated": cache(lambda file, pattern: demands.first(read_json(folder / file).value, pattern)),
        "last_token": cache(lambda: largest_id(folder)),
        "mentions": lambda file, word: mentions(folder / file, word),
        "are_served": lambda names: all(versions_in(folder.parent / name) for name in sorted(names)[:_MOST]),
        "labels": lambda file: len(labels_at(folder, file)),
    }


def _has_like(folder: FilePath, file: str) -> bool:
    """Return whether a folder has files of a kind: in git, folders are often without models."""
    return any(FilePath(name).suffix == FilePath(file).suffix for name in file_source().names(folder))


def is_there(path: FilePath) -> bool:
    """Return whether a file exists; what is outside the folder is not looked for."""
    return ".." in path.parts or path.name in file_source().names(path.parent)
