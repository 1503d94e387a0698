"""The habits of dmlc-core's JSON reader, which every loader of the family uses: no conforming parser."""

from __future__ import annotations

from typing import Any

from irlint.formats.nnvm.codes import R
from irlint.resources import load_json
from irlint.text.json_options import JsonOptions


def _schemas() -> list[Any]:
    from irlint.formats.nnvm.dialect import DIALECTS

    return [load_json(dialect.schema) for dialect in DIALECTS if dialect.schema]


OPTIONS = JsonOptions(
    tolerated={
        R.control_character: "info",
        R.trailing_text: "warning",
        R.duplicate_key: "warning",
        R.unusual_number: "warning",
        R.truncated_file: "warning",
        R.lone_surrogate: "warning",
        R.nul_character: "warning",
    },
    numbers=r"[+-]?[0-9]+",
    fractions=False,
    escapes='"\\nrt',
    blanks=frozenset("\v\f"),
    nul_ends_text=True,
    schemas=_schemas,
)
