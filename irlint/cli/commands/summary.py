"""Summarize a model: operators, parameters, inputs and outputs, FLOPs, depth, widest cut; of events, the slowest operators."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from irlint.cli.model import load_model, model_file
from irlint.cli.options import add_as
from irlint.cli.output import show, show_json
from irlint.cli.status import OK, UsageError
from irlint.inspection.summary import ModelPort
from irlint.text.safe import columns, visible
from irlint.text.words import more_than

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irlint.dryrun.mapping import Mapping
    from irlint.inspection.summary import Summary
    from irlint.rules.base import Model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=model_file, metavar="MODEL", help="model file of any format, or - for stdin")
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=SHAPE[:DTYPE]",
        help="shape of an input, such as 1,3,224,224, if the model leaves it open",
    )
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
        _infer(model, mapping, args.input)
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


def _infer(model: Model, mapping: Mapping | None, words: Sequence[str]) -> None:
    """Infer the model's types again, for the shapes of --input."""
    from irlint.cli.inputs import given_inputs
    from irlint.dryrun.infer import infer
    from irlint.dryrun.running.examples import suggestion
    from irlint.dryrun.running.feeds import disagreement, resolve, settable, tensors
    from irlint.dryrun.running.states import initial

    if mapping is None:
        raise UsageError(f"--input: irlint infers no shapes of {model.format} ({model.dialect})")
    known = settable(mapping, model.graph)
    said = given_inputs(words, known)
    inputs = resolve(known.used(said), said, partial(suggestion, known))
    given = tensors(inputs)
    types = infer(model.graph, mapping, given)
    if types.all_mistakes() and (why := disagreement(known.feeds, inputs.types)):
        raise UsageError(f"--input: {why}; give both the same length")
    if begun := initial(mapping.states(model.graph), types, model.graph):
        types = infer(model.graph, mapping, {**given, **begun})
    model.types = types


def _lines(head: dict[str, Any], summary: Summary) -> list[str]:
    from irlint.inspection.summarized import facts

    rows = [*facts(summary)]
    found = [f"{visible(head['file'])}: {head['format']}:{head['dialect']}", ""]
    rows += [(name, text) for name, text in head.items() if name not in ("file", "format", "dialect")]
    found += [f"{name:12}{text}" for name, text in rows]
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
