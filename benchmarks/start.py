"""How long irlint takes to begin with: nothing to do, and one small file."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import inputs
from measure import CHECK, IRLINT, ROOT, Runner, middle, ratio, turns
from tables import Table, seconds

ROUNDS = 11


def tables() -> Iterator[Table]:
    small, schema = str(inputs.nnvm(40)), str(ROOT / "schemas" / "mxnet-symbol.schema.json")
    xml, lightnet = str(inputs.layers(5)), str(inputs.lightnet_file(40))
    runners: dict[str, Runner] = {
        "python -c pass": (sys.executable, "-c", "pass"),
        "irlint --version": (*IRLINT, "--version"),
        "irlint, a symbol of 40 nodes": (*CHECK, small),
        "irlint, a LightNet file of 40 operators": (*CHECK, lightnet),
        "irlint, an IR of 42 layers": (*CHECK, xml),
        "check-jsonschema, the same symbol": (
            sys.executable, "-m", "check_jsonschema", "--no-cache", "--schemafile", schema, small,
        ),
        "ruff check, one Python file": (sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", __file__),
    }  # fmt: skip
    found = turns(runners, ROUNDS)
    empty = found["python -c pass"]
    rows = []
    for name, spent in found.items():
        taken = middle(spent)
        asked = "3" if name == "irlint --version" else "3, or 0.080 s" if name.startswith("irlint, a symbol") else ""
        rows.append((name, seconds(taken.cpu), seconds(taken.wall), f"{ratio(spent, empty):.2f}", asked))
    yield Table(
        "Start",
        "Whole processes, against a Python that does nothing.",
        ("process", "CPU s", "wall s", "CPU over `python -c pass`", "asked"),
        rows,
    )
