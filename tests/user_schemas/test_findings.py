"""Findings of users' schemas in all formats: token, message, severity and node, in-process and on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli.helpers import spawn

from irlint.engine import Result, lint_bytes
from user_schemas.findings import ROWS, Row, written
from user_schemas.marked import configured, marked
from user_schemas.models import MODELS

SEVERITIES = ("error", "warning", "info")
_BY = re.compile(r" \(by s(\d+)\)$")


def _entry(number: int, row: Row) -> dict[str, Any]:
    files = MODELS[row.model][0]
    return {"schema": f"s{number}", "files": files, "of": row.of, "severity": SEVERITIES[number % 3]}


def _result(folder: Path, number: int, row: Row) -> Result:
    name, data = MODELS[row.model]
    config = json.dumps({"schemas": [_entry(number, row)]})
    configurations = configured(folder, {f"s{number}": written(row.schema)}, config)
    path = str(folder / name)
    return lint_bytes(data, path, configurations.of_folder(str(folder)).settings(path))


@pytest.mark.parametrize(("number", "row"), [*enumerate(ROWS)])
def test_tokens(number: int, row: Row, tmp_path: Path) -> None:
    result = _result(tmp_path, number, row)
    text = marked(result)
    assert all(part in text for part in row.marked), text
    assert text.count("«") - result.text.count("«") == sum(part.count("«") for part in row.marked)
    assert {(f.code, f.severity.name.lower()) for f in result.findings} == {("T008", SEVERITIES[number % 3])}
    first = result.findings[0]
    assert row.message in first.message, first.message
    assert _BY.search(first.message)
    assert first.node == row.node


def test_command_line(tmp_path: Path) -> None:
    """All of them in one run: lines and columns are those of the texts that `irlint show` prints."""
    expected = []
    for number, row in enumerate(ROWS):
        (tmp_path / str(number)).mkdir()
        result = _result(tmp_path / str(number), number, row)
        name = MODELS[row.model][0]
        expected += [
            (name, number, *result.lines.position(f.span.start)[:2], *result.lines.position(f.span.end)[:2], f.message)
            for f in result.findings
        ]
    folder = tmp_path / "all"
    folder.mkdir()
    schemas = {f"s{number}": written(row.schema) for number, row in enumerate(ROWS)}
    config = {"schemas": [_entry(number, row) for number, row in enumerate(ROWS)], "weights": "optional"}
    configured(folder, schemas, json.dumps(config))
    for name, data in MODELS.values():
        (folder / name).write_bytes(data)
    done = spawn("check", str(folder), "--output-format", "json", "--show-all", "--no-cache")
    assert done.status == 1, done.err
    found = []
    for finding in done.findings:
        assert finding["code"] == "T008", finding
        number = int(_BY.search(finding["message"])[1])  # type: ignore[index]
        assert finding["severity"] == SEVERITIES[number % 3]
        where = (finding[key] for key in ("line", "column", "end_line", "end_column"))
        found.append((Path(finding["file"]).name, number, *where, finding["message"]))
    assert sorted(found) == sorted(expected)
