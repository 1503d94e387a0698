"""Write the models to ask runtimes: python -m oracle.kernels.write FILE (in tests, with a Python that has onnx)."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oracle.kernels.prototypes import Prototype, prototypes
from oracle.kernels.variants import MADE_BY, Facts, Values, facts, variants

TABLE = Path(__file__).parents[3] / "schemas/operators/onnx.json"


def every() -> Iterator[tuple[str, Facts, bytes]]:
    """Yield the models of each version of each operator, with its key in the table of operators, and their facts."""
    for key, found, known in operators():
        yield from ((key, facts(one, known), one.model.SerializeToString()) for one in variants(found, known))


def operators() -> Iterator[tuple[str, list[Prototype], Values]]:
    """Yield the versions of operators, by their keys, with their prototypes and the values of their attributes."""
    table = json.loads(TABLE.read_bytes())
    for found in prototypes(table["moved"]):
        if found:
            key = key_of(found[0].schema)
            yield key, found, values(table["operators"], key)


def key_of(schema: Any) -> str:
    return f"{schema.domain}.{schema.name}-{schema.since_version}".removeprefix(".")


def values(rows: dict[str, Any], key: str) -> dict[str, list[Any]]:
    """Return the values that attributes may have, where these are few."""
    found: dict[str, list[Any]] = {}
    row = rows.get(key, {})
    while "attributes" not in row and "of" in row:
        row = rows[row["of"]]
    for one in row.get("attributes", ()):
        if one["name"] in MADE_BY:
            continue
        if one["kind"] in ("string", "int") and "values" in one:
            found[one["name"]] = one["values"]
        elif one["kind"] == "int" and one.get("default") in (0, 1):
            found[one["name"]] = [0, 1]
    return found


if __name__ == "__main__":
    records = list(every())
    Path(sys.argv[1]).write_bytes(pickle.dumps(records))
    print(f"{len(records):,} models")
