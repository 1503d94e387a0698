"""Summarize a model: operators, parameters, inputs and outputs, FLOPs, depth, widest cut."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from irlint.cli import _model
from irlint.cli._options import model_format
from irlint.cli._status import OK, Refused
from irlint.order import CycleError

if TYPE_CHECKING:
    from irlint.dryrun.costs import Costs
    from irlint.flat.summary import Amount, ModelPort, Summary
    from irlint.rules.base import Model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="model file of any format, or - for stdin")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--as", dest="as_format", metavar="FORMAT[:DIALECT]", type=model_format, help="read the file as this format"
    )


def run(args: argparse.Namespace) -> int:
    from irlint.flat.summary import summarize

    try:
        model = _model.load(args.model, args.as_format, shapes=True)
        summary = summarize(model, _costs(model))
    except CycleError as error:
        raise Refused(f"{args.model}: {error}") from error
    head = {"file": args.model, "format": model.format, "dialect": model.dialect}
    from irlint.formats import by_name

    format_ = by_name(model.format)
    head.update(format_.facts(model) if format_ else ())
    if args.output_format == "json":
        sys.stdout.write(json.dumps({**head, **summary.json()}, indent=2) + "\n")
        return OK
    from irlint.cli._output import show

    show(_lines(head, summary))
    return OK


def _costs(model: Model) -> Costs:
    """Return FLOPs and memory, if the shapes are known."""
    from irlint.dryrun.costs import Costs, costs
    from irlint.formats import by_name

    format_ = by_name(model.format)
    mapping = format_.dryrun(model) if format_ else None
    types = model.extra.get("types")
    return Costs() if mapping is None or types is None else costs(model.graph, mapping, types)


def _lines(head: dict[str, Any], summary: Summary) -> list[str]:
    from irlint.flat.units import size
    from irlint.text.safe import visible

    parameters, stored = summary.parameters, summary.parameter_bytes
    rows = [
        ("calls", f"{summary.calls:,}" + (f" in {summary.nested_graphs + 1} graphs" if summary.nested_graphs else "")),
        ("parameters", _amount(parameters, f"{parameters.total:,}")),
        ("bytes", _amount(stored, size(stored.total))),
        ("depth", f"{summary.depth:,} calls on the longest path"),
        (
            "widest cut",
            f"{summary.cut.width:,} results alive at once"
            + (f", at {visible(summary.cut.at)}" if summary.cut.at else ""),
        ),
    ]
    if summary.costs.flops is not None:
        unsure = f", without {summary.costs.unknown:,} operators of unknown cost" if summary.costs.unknown else ""
        rows.append(("FLOPs", f"{summary.costs.flops:,}{unsure}"))
    if summary.costs.peak_bytes is not None:
        rows.append(("peak memory", size(summary.costs.peak_bytes)))
    found = [f"{visible(head['file'])}: {head['format']}:{head['dialect']}", ""]
    rows += [(name, text) for name, text in head.items() if name not in ("file", "format", "dialect")]
    found += [f"{name:12}{text}" for name, text in rows]
    for title, ports in (("inputs", summary.inputs), ("outputs", summary.outputs)):
        found += ["", f"{title}: {len(ports):,}", *(f"  {_port(port)}" for port in ports[:20])]
        if len(ports) > 20:
            found.append(f"  and {len(ports) - 20:,} more")
    found += ["", f"operators: {len(summary.operators):,} kinds"]
    wide = max((len(f"{count:,}") for count in summary.operators.values()), default=0)
    found += [f"  {count:>{wide},}  {visible(op)}" for op, count in summary.operators.items()]
    return found


def _amount(amount: Amount, total: str) -> str:
    tensors = f"{amount.tensors:,} tensor{'' if amount.tensors == 1 else 's'}"
    if amount.tensors and amount.unknown == amount.tensors:
        return f"unknown: {tensors} without a size in the file"
    return f"{total} in {tensors}" + (
        f", {amount.unknown:,} of them without a size in the file" if amount.unknown else ""
    )


def _port(port: ModelPort) -> str:
    from irlint.text.safe import visible

    shape = (
        "" if port.type.shape is None else "[" + ", ".join("?" if d is None else str(d) for d in port.type.shape) + "]"
    )
    return visible(" ".join(part for part in (port.name, port.type.dtype, shape) if part))
