"""Summarize a model: operators, parameters, inputs and outputs, FLOPs, depth, widest cut; of a run's events, the slowest operators."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from irlint.cli.model import load_model, model_file
from irlint.cli.options import add_as, add_input
from irlint.cli.output import show, show_json
from irlint.cli.status import OK
from irlint.inspection.summary import ModelPort
from irlint.text.safe import columns, led, visible
from irlint.text.words import more_than

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irlint.inspection.summary import Summary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=model_file, metavar="MODEL", help="model file of any format, or - for stdin")
    add_input(parser)
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    add_as(parser)


def run(args: argparse.Namespace) -> int:
    from irlint.formats import by_name
    from irlint.inspection import durations
    from irlint.inspection.summarized import states_of, summarized
    from irlint.inspection.types import mapping_of

    model = load_model(args.model, "nodes", args.as_format, shapes=True)
    format_, mapping = by_name(model.format), mapping_of(model)
    states = states_of(model, mapping)  # before --input closes the dimensions by which they grow
    if args.input:
        from irlint.cli.inputs import infer_for

        infer_for(model, mapping, args.input)
    summary = summarized(model, mapping, states)
    head = {"file": args.model, "format": model.format, "dialect": model.dialect}
    head.update(format_.facts(model) if format_ else ())
    metadata = format_.metadata(model) if format_ else {}
    if args.output_format == "json":
        show_json({**head, **summary.json(), **durations.record(model), "metadata": metadata})
        return OK

    title, *rest = _lines(head, summary)
    show([title, *durations.lines(model, columns(sys.stdout)), *rest, *_metadata(metadata)])
    return OK


def _lines(head: dict[str, Any], summary: Summary) -> list[str]:
    from irlint.inspection.summarized import facts

    rows = [*facts(summary)]
    found = [f"{visible(head['file'])}: {head['format']}:{head['dialect']}", ""]
    rows += [(name, text) for name, text in head.items() if name not in ("file", "format", "dialect")]
    found += [led(f"{name:12}", text) for name, text in rows]
    for title, ports in (("inputs", summary.inputs), ("outputs", summary.outputs)):
        found += ["", f"{title}: {len(ports):,}", *_listed(ports)]
    found += _states(summary)
    found += ["", f"operators: {len(summary.operators):,} kinds"]
    wide = max((len(f"{count:,}") for count in summary.operators.values()), default=0)
    found += [f"  {count:>{wide},}  {visible(op)}" for op, count in summary.operators.items()]
    return found


def _states(summary: Summary) -> list[str]:
    from irlint.inspection.summarized import cache

    states = summary.states
    if not states:
        return []
    return ["", f"states: {len(states):,}{cache(summary)}", *_listed([ModelPort(*state[:2]) for state in states])]


def _listed(ports: Sequence[ModelPort]) -> list[str]:
    from irlint.inspection.summarized import port_text

    return [f"  {port_text(port)}" for port in ports[:_SHOWN]] + more_than(_SHOWN, ports, "  ")


_SHOWN = 20  # ports, and values of a section of the metadata


def _metadata(metadata: dict[str, dict[str, str]]) -> list[str]:

    found = ["", "metadata:"] if metadata else []
    for section, pairs in metadata.items():
        listed = [f"{name}={value}" if len(value) <= 80 else f"{name}={value[:77]}..." for name, value in pairs.items()]
        shown = ", ".join(listed[:_SHOWN] + more_than(_SHOWN, listed))
        found.append(visible(f"  {section}{section and ': '}{shown}"))
    return found
