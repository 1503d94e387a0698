"""Count sequences of n operators in models and events, to find a network's patterns and where its time goes."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from irlint.cli.model import load_model, model_file, only_one_stdin
from irlint.cli.options import add_as, integer
from irlint.cli.output import save, show_json
from irlint.cli.status import FOUND, OK, Refused, UsageError, say
from irlint.text.safe import columns, put
from irlint.text.words import count

if TYPE_CHECKING:
    from irlint.inspection.ngrams import Trace

_positive = integer(1, 999_999_999, "an integer of at least 1")

EPILOG = """examples:
  irlint ngrams model.onnx -n 3
  irlint ngrams a.onnx b.xml -n 2 --along edges --plot ngrams.svg
  irlint ngrams run.jsonl --by time

exit status: 0 success, 1 no file could be read or some were skipped, 2 invalid usage"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "models", nargs="+", type=model_file, metavar="MODEL", help="model files of any format, or files of events"
    )
    parser.add_argument(
        "-n", type=_positive, default=3, metavar="N", help="number of operators in a sequence (default: 3)"
    )
    parser.add_argument(
        "--along",
        choices=("order", "edges"),
        default="order",
        help="count windows over calls in order of their ids, or paths along the graph's edges (default: order)",
    )
    parser.add_argument(
        "--by",
        choices=("count", "time"),
        default="count",
        help="rank by number or by time; time requires events (default: count)",
    )
    parser.add_argument(
        "--top", type=_positive, metavar="K", help="show the first K (default: 20; in a plot 30, in JSON all)"
    )
    parser.add_argument("--plot", metavar="FILE.svg|png", help="draw the table to FILE (PNG requires irlint[plot])")
    parser.add_argument("--canonical", action="store_true", help="use the same operator names for all formats")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    add_as(parser, "the files")


def _traces(args: argparse.Namespace) -> tuple[list[Trace], int]:
    """Return what was found in the models, and how many of several are skipped."""
    from irlint.inspection.ngrams import traces

    found: list[Trace] = []
    skipped = 0
    for name in args.models:
        try:
            found += traces(load_model(name, "calls", args.as_format), name, args.canonical)
        except (Refused, UsageError) as error:
            if len(args.models) == 1 or (skipped := skipped + 1) == len(args.models):
                raise
            say(*error.args, f"{name}: skipped")
    return found, skipped


def run(args: argparse.Namespace) -> int:
    from irlint.inspection.ngrams import table

    if args.plot and not args.plot.lower().endswith((".svg", ".png")):
        raise UsageError(f"--plot: expected an .svg or .png file, got `{args.plot}`")
    only_one_stdin(args.models)
    found, skipped = _traces(args)
    try:
        result = table(found, args.n, args.along, args.by)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if args.plot:
        _plot(result, args.top or 30, args.plot)
    if args.output_format == "json":
        show_json(_record(result, args.top))
        return FOUND if skipped else OK
    from irlint.inspection.chart import lines

    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    shown = lines(result, args.top or 20, columns(sys.stdout), plain)
    if not result.rows:
        shown += ["", _none(found, args.n, args.along)]
    put(sys.stdout, "\n".join(shown) + "\n")
    return FOUND if skipped else OK


def _none(found: list[Trace], n: int, along: str) -> str:
    """Return why there are no sequences."""
    longest, which = max(len(trace.names) for trace in found), "model" if len(found) == 1 else "largest model"
    what = f"no {'path' if along == 'edges' else 'sequence'} of {count(n, 'operator')}"
    return f"{what}: the {which} has {count(longest, 'operator')}"


def _record(result: Any, top: int | None) -> dict[str, Any]:
    return {
        "n": result.n,
        "along": result.along,
        "by": result.by,
        "models": list(result.labels),
        "ngrams": [
            {
                "ngram": list(row.gram),
                "counts": [tally.count for tally in row.tallies],
                "seconds": [tally.seconds for tally in row.tallies] if result.by == "time" else None,
            }
            for row in result.rows[:top]
        ],
    }


def _plot(result: Any, top: int, name: str) -> None:
    from irlint.inspection.picture import draw
    from irlint.inspection.scene import png, svg

    scene = draw(result, top)
    save(name, png(scene) if name.lower().endswith(".png") else svg(scene).encode())
