"""The habits of dmlc-core's JSON reader, which every loader of the family uses: no conforming parser."""

from __future__ import annotations

from typing import Any

from irlint.formats.nnvm.rules import R
from irlint.text.json.options import JsonOptions
from irlint.tools.installed import load_json


def _schemas() -> list[Any]:
    from irlint.formats.nnvm.reading.dialect import DIALECTS

    return [load_json(dialect.schema) for dialect in DIALECTS if dialect.schema]


def _claims(value: Any) -> bool:
    from irlint.formats.nnvm.reading.dialect import dialect_of

    return dialect_of(value) is not None


OPTIONS = JsonOptions(
    tolerated={
        # mxnet 1.9.1 takes a raw tab and 0x01 in a string; a raw line end it refuses
        R.control_character: "info",
        # mxnet 1.9.1, TVM 0.9.0: what comes after the first object is not read
        R.trailing_text: "warning",
        # mxnet 1.9.1: the last one counts, 'relu' then 'tanh' runs tanh; TVM 0.9.0 does so, too
        R.duplicate_key: "warning",
        R.unusual_number: "warning",
        # mxnet 1.9.1, TVM 0.9.0: the last brace may be missing; what is lost with the file's end is lost silently
        R.truncated_file: "warning",
        R.lone_surrogate: "warning",
        R.nul_character: "warning",
    },
    # mxnet 1.9.1: 03 and +3 are read; 3.0, 3e0, 0x3 and NaN are refused
    numbers=r"[+-]?[0-9]+",
    fractions=False,
    # mxnet 1.9.1, TVM 0.9.0: "unknown string escape" for \u, and in mxnet for \/ and \b, though JSON has them
    escapes='"\\nrt',
    blanks=frozenset("\v\f"),
    nul_ends_text=True,
    schemas=_schemas,
    claims=_claims,
)
