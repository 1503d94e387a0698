"""Lint one model, infer its types, run it, and compare with the record: python judge_one.py MODEL.xml prints JSON by the line.

A line per step, so that a step that ends the process leaves what was found before it.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import agreement
import numpy as np

from irlint import api
from irlint.dryrun.infer import infer
from irlint.dryrun.running import feeds, memory
from irlint.dryrun.running.run import Failed, Unsupported, run
from irlint.settings import Settings

TIMED = 2.0  # seconds for all repetitions
SHOWN = 5
Floats = dict[int, Any]


def main() -> None:
    path = Path(sys.argv[1])
    started = time.process_time()
    model, findings = api._load(path, Settings(missing_weights="required"), None)
    told = {"lint": time.process_time() - started}
    for level in ("error", "warning"):
        texts = [f"{f.code} {f.message}" for f in findings if f.severity.name.lower() == level]
        told[f"{level}s"] = texts  # type: ignore[assignment]
    _say(**told)
    mapping = model.graph.mapping
    if mapping is None:
        _say(failed="irlint infers nothing of this model")
        return
    recorded = path.with_suffix(".types.json.gz")
    types = json.loads(gzip.decompress(recorded.read_bytes())) if recorded.exists() else {}
    if "read" in types:
        _say(types=agreement.types(model.graph, infer(model.graph, mapping), mapping, types["read"]))
    given = path.with_suffix(".in.npz")
    if not path.with_suffix(".out.npz").exists():
        return
    known = mapping.feeds(model.graph)
    with np.load(given) as arrays:
        said = feeds.by_node({name: feeds.GivenInput(array) for name, array in arrays.items()}, known)
    try:
        inputs = feeds.resolve(known, said)
        inferred = infer(model.graph, mapping, feeds.tensors(inputs))
        if "fixed" in types:
            _say(fixed=agreement.types(model.graph, inferred, mapping, types["fixed"]))
        _run(path, model.graph, mapping, inferred, feeds.values(known, inputs, 0))
    except (Failed, Unsupported, feeds.BadInput, memory.TooMuch) as error:
        _say(failed=f"{type(error).__name__}: {error}")


def _run(path: Path, graph: Any, mapping: Any, types: Any, values: Floats) -> None:
    plan = memory.plan(graph, mapping, types)
    spent: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    tied: dict[str, int] = {}

    def watch(_: Any, node: Any, operands: Any, outputs: Any, seconds: float) -> None:
        if not node.graphs:
            spent[node.op] += seconds
            counts[node.op] += 1
        if number := agreement.ties(node, operands, outputs):
            tied[node.name] = number

    started = time.process_time()
    outputs = run(graph, mapping, types, dict(values), watch)
    times = [time.process_time() - started]
    weights = path.with_suffix(".bin").stat().st_size
    _say(peak=_peak(), allowed=1.5 * (weights + plan.live + (256 << 20)), weights=weights, live=plan.live)
    _say(outputs=_compared(path.with_suffix(".out.npz"), outputs), ties=tied)
    if (plain := path.with_suffix(".plain.npz")).exists():
        _say(plain=_compared(plain, outputs))
    del outputs
    while len(times) < 2 or (sum(times) < TIMED and len(times) < 12):
        started = time.process_time()
        run(graph, mapping, types, dict(values))
        times.append(time.process_time() - started)
        if sum(times) > TIMED * 8:
            break
    total = sum(spent.values()) or 1
    most = [[op, round(seconds / total, 3), counts[op]] for op, seconds in spent.most_common(SHOWN)]
    _say(seconds=min(times), first=times[0], nodes=sum(counts.values()), most=most)


def _compared(path: Path, outputs: list[Any]) -> list[Any]:
    with np.load(path, allow_pickle=False) as archive:
        if len(archive.files) != len(outputs):
            return [f"{len(outputs)} outputs, expected {len(archive.files)}"]
        pairs = zip(archive.files, outputs, strict=True)
        return [agreement.difference(array, archive[name]) for name, array in pairs]


def _peak() -> int:
    with open("/proc/self/status") as stream:
        return int(next(line for line in stream if line.startswith("VmHWM")).split()[1]) * 1024


def _say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
