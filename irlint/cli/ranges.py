"""irlint run --ranges: samples to run, and the range of each value over them."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from irlint.cli.inputs import given_inputs
from irlint.cli.output import save, show_json
from irlint.cli.status import OK, UsageError
from irlint.dryrun.running.feeds import GivenInput, Settable
from irlint.formats.base import by_name
from irlint.precision.ranges import LARGEST, Ranges, ValueRange
from irlint.rules.base import Model
from irlint.text.safe import columns, put, visible
from irlint.text.words import count, share
from irlint.text.wrap import fitted, table
from irlint.view.node_data import GRADIENT

_SHOWN = 30
_HEAD = ("min", "max", "operator", "value", "")


def samples(args: argparse.Namespace, known: Settable) -> Iterator[dict[int, GivenInput]]:
    """Yield the inputs of each run: those of --input with each archive of --samples."""
    if args.samples is None:
        yield given_inputs(args.input, known)
        return
    if not args.samples.is_dir():
        raise UsageError(f"--samples {args.samples}: no such folder")
    files = sorted(path for path in args.samples.iterdir() if path.suffix.lower() == ".npz")
    if not files:
        raise UsageError(f"--samples {args.samples}: no .npz files in this folder")
    for path in files:
        yield given_inputs([*args.input, str(path)], known)


def show_ranges(args: argparse.Namespace, model: Model, ranges: Ranges) -> int:
    """Show ranges on stdout, and write node data if that is asked for."""
    if args.node_data:
        save(args.node_data, json.dumps(_node_data(model, ranges), indent=1).encode())
    if args.output_format == "json":
        show_json({"file": args.model, "runs": ranges.runs, "values": list(map(_record, ranges))})
        return OK
    every, wide = list(ranges), columns(sys.stdout)
    wrong = [one for one in every if _note(one)]
    head = f"{visible(args.model)}: {count(len(every), 'value')} in {count(ranges.runs, 'run')}"
    said = f"{len(wrong):,} of them overflow float16, saturate or are not finite" if wrong else "all fit into float16"
    shown = every if args.all else _worst(every)
    lines = [*fitted([f"{head}, {said}"], wide), "", *table([_HEAD, *map(_row, shown)], wide, right=(0, 1))]
    if len(shown) < len(every):
        lines.append(f"and {len(every) - len(shown):,} more (use --all to show them)")
    put(sys.stdout, "\n".join(lines) + "\n")
    return OK


def _worst(every: Sequence[ValueRange]) -> list[ValueRange]:
    """Return those with a note, then the largest, in the order of the run."""
    order = sorted(range(len(every)), key=lambda k: (not _note(every[k]), -every[k].largest))
    return [every[k] for k in sorted(order[:_SHOWN])]


def _row(one: ValueRange) -> tuple[str, ...]:
    ends = (f"{end:.4g}" if math.isfinite(end) else "" for end in (one.low, one.high))
    return (*ends, one.node.op, one.name, _note(one))


def _note(one: ValueRange) -> str:
    """Return what is remarkable about a value."""
    parts = (
        (one.beyond, f"{share(one.beyond, one.size)} beyond {LARGEST:g}: infinite in float16"),
        (one.ends, f"{share(one.ends, one.size)} at an end of {one.dtype}"),
        (one.odd, f"{share(one.odd, one.size)} infinite or NaN"),
    )
    return ", ".join(words for number, words in parts if number)


def _record(one: ValueRange) -> dict[str, Any]:
    is_known = one.low <= one.high
    return {
        "name": one.name,
        "node": one.node.name,
        "op": one.node.op,
        "dtype": one.dtype,
        "min": one.low if is_known else None,
        "max": one.high if is_known else None,
        "largest": one.largest,
        "elements": one.size,
        "overflow_float16": one.beyond,
        "vanish_in_float16": one.vanished,
        "saturated": one.ends,
        "not_finite": one.odd,
    }


def _node_data(model: Model, ranges: Ranges) -> dict[str, Any]:
    """Return the largest magnitude of the results of each operator as node data: `irlint graph --overlay` colors nodes by it."""
    format_ = by_name(model.format)
    ids = {} if format_ is None else format_.remarks(model).viewer_ids()
    found: dict[str, Any] = {}
    for one in ranges:
        own = ids.get((id(model.graph), one.node.index))
        if own is not None:
            data = found.setdefault(own.graph, {"name": "largest magnitude", "results": {}, "gradient": GRADIENT})
            known = data["results"].setdefault(own.node, {"value": 0.0})
            known["value"] = max(known["value"], one.largest)
    return found
