"""Pages of tables as JSON for an editor, with the line of each row, and the errors that explain what is missing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from irlint.engine import Result
from irlint.findings import Severity
from irlint.inspection.page import Page, Table
from irlint.order import CycleError
from irlint.rules.base import Model
from irlint.text.safe import visible

MOST = 20_000  # rows of a table
MOST_ERRORS = 100


def page_of(result: Result, make: Callable[[Model], Page]) -> dict[str, Any]:
    """Return the page that `make` makes of the model, or why there is none."""
    model = result.model
    if model is None:
        page = Page("", failure=result.why or "this is not a model")
    else:
        try:
            page = make(model)
        except CycleError as error:
            page = Page("", failure=f"no topological order: {error}")
        except ValueError as error:
            page = Page("", failure=str(error))
    line = partial(_line, result)
    errors = [finding for finding in result.findings if finding.severity == Severity.ERROR]
    return {
        "title": visible(page.title),
        "failure": visible(page.failure),
        "facts": [[name, visible(text)] for name, text in page.facts],
        "tables": [_table(table, line) for table in page.tables],
        "findings": [
            {"code": f.code, "message": visible(f.message), "line": result.lines.position(f.span.start).line}
            for f in errors[:MOST_ERRORS]
        ],
        "more": max(len(errors) - MOST_ERRORS, 0),
    }


def _line(result: Result, path: tuple[int | str, ...]) -> int:
    assert result.document is not None
    return result.lines.position(result.document.start(path)).line


def _table(table: Table, line: Callable[[tuple[int | str, ...]], int]) -> dict[str, Any]:
    return {
        "title": visible(table.title),
        "columns": [column._asdict() for column in table.columns],
        "rows": [[visible(cell) if isinstance(cell, str) else cell for cell in row.cells] for row in table.rows[:MOST]],
        "lines": [None if row.node is None else line(row.node.path) for row in table.rows[:MOST]],
        "more": max(len(table.rows) - MOST, 0),
    }
