"""The time of each rule and step on clean files and on a broken one, as a share of the whole lint."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import inputs
from measure import environment
from tables import Table

ROUNDS = 5
SHOWN = 0.03  # of the lint
MUCH = 0.10

SYNTAX = "reading the syntax, and locating what was found"

# Why those may take more than a tenth of a lint that do.
REASONS = {
    "reading": "one pass that holds each node against its operator's table and each entry against the graph; nearly all rules of "
    "groups A, O, R and T report from it, so it is the time of some forty rules",
    "shapes": "the abstract dry run: the type of every value of the model, of which all rules of group D report",
    "the format's own passes": "LightNet's rules on attributes, tensors and memory, and OpenVINO's on operations, ports and weights, "
    "which share one walk over the model",
    SYNTAX: "a clean file has to be parsed, which alone takes what `json.loads` or `lxml.etree.parse` take; of 10,000 findings each is "
    "located, and so is its fix",
}


def tables() -> Iterator[Table]:
    paths = {
        "symbol, 40,000 nodes": inputs.nnvm(40_000),
        "the same, 10,000 findings": inputs.nnvm(40_000, "broken"),
        "LightNet, 20,000 operators": inputs.lightnet_file(20_000),
        "IR, 66,674 layers": inputs.layers(8334),
    }
    shares = {title: _shares(path) for title, path in paths.items()}
    steps = sorted({step for found in shares.values() for step, share in found.items() if share >= SHOWN})
    rows = [
        (
            _titled(step),
            *(f"{100 * found[step]:.0f} %" if found.get(step, 0) >= 0.005 else "" for found in shares.values()),
        )
        for step in steps
    ]
    much = [step for step in steps if any(found.get(step, 0) >= MUCH for found in shares.values())]
    reasons = "\n".join(f"- {_titled(step)}: {REASONS.get(step, 'no reason is known.')}" for step in much)
    text = f"Share of the lint in one process, start and output left out; what takes less than {SHOWN:.0%} everywhere is not shown."
    yield Table(
        "Rules and steps", text, ("rule or step", *shares), rows, f"What takes more than a tenth, and why:\n\n{reasons}"
    )


def _titled(step: str) -> str:
    from irlint.rules import registry

    rule = registry.find(step)
    return f"{step} {rule.name}" if rule else step


def _shares(path: Path) -> dict[str, float]:
    runs = []
    for _ in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, __file__, str(path)], env=environment(), stdout=subprocess.PIPE, check=True, timeout=300
        )
        runs.append(json.loads(done.stdout))
    return {step: median(run.get(step, 0.0) for run in runs) for step in runs[0]}


def main() -> None:
    """Prints the shares of one file."""
    from time import perf_counter

    from irlint.engine import Request, linted_bytes

    path = Path(sys.argv[1])
    data, times = path.read_bytes(), dict[str, float]()
    began = perf_counter()
    linted_bytes(data, Request(str(path), path=path, times=times))
    whole = perf_counter() - began
    times[SYNTAX] = whole - sum(times.values())
    print(json.dumps({step: seconds / whole for step, seconds in times.items()}))


if __name__ == "__main__":
    main()
