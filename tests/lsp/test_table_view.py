"""Rows of a table in the editor: order, filter, CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from lsp.javascript import evaluated

TABLE = {
    "title": "",
    "columns": [{"name": "node", "kind": "text"}, {"name": "share", "kind": "number"}],
    "rows": [["conv10", "9.5 %"], ["conv2", "10.0 %"], ["Relu", "-"], ["conv2", "0.5 %"]],
    "lines": [1, 2, None, 4],
    "more": 0,
}


def rows(text: str, order: dict[str, Any] | None = None) -> list[int]:
    asked = "code.shownRows(given.table, given.text, given.order ?? undefined)"
    found: list[int] = evaluated("view/rows.ts", asked, {"table": TABLE, "text": text, "order": order})
    return found


def test_numbers_in_names_are_compared_as_numbers() -> None:
    assert rows("", {"column": 0, "down": False}) == [1, 3, 0, 2]
    assert rows("", {"column": 0, "down": True}) == [2, 0, 1, 3]


def test_shares_are_compared_as_numbers_and_none_is_the_least() -> None:
    assert rows("", {"column": 1, "down": True}) == [1, 0, 3, 2]
    assert rows("", {"column": 1, "down": False}) == [2, 3, 0, 1]


def test_a_filter_keeps_rows_that_contain_every_word() -> None:
    assert rows("") == [0, 1, 2, 3]
    assert rows("CONV 5") == [0, 3]
    assert rows("none of these") == []


def test_csv_is_read_back_as_it_was() -> None:
    cells = [["a,b", 'say "x"'], ["line\nend", 12], ["", "</script>"]]
    text = evaluated("view/csv.ts", 'code.csv(["one", "two"], given)', cells)
    assert list(csv.reader(io.StringIO(text))) == [["one", "two"], *([str(cell) for cell in row] for row in cells)]
