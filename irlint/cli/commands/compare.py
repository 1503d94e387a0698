"""Compare two runs of a model (events or .npz) operator by operator: errors, times, and where they diverge."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from irlint.cli.inputs import only_regular
from irlint.cli.model import load_model, only_one_stdin
from irlint.cli.output import show, show_json
from irlint.cli.status import FOUND, OK, UsageError
from irlint.cli.tolerances import add_tolerances
from irlint.files.read import plainly
from irlint.text.safe import columns, visible

if TYPE_CHECKING:
    from irlint.inspection.comparison import RunResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="file of events, or an .npz of arrays")
    parser.add_argument("b", metavar="B", help="reference: file of events, or an .npz of arrays")
    add_tolerances(parser)
    parser.add_argument("--all", action="store_true", help="show all operators instead of the 20 worst")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    from irlint.inspection.comparison import Tolerance, compare, first_divergence
    from irlint.inspection.differences import lines, record

    only_one_stdin([args.a, args.b])
    tolerance = Tolerance(args.atol, args.rtol)
    try:
        pairs = compare(*_runs(args.a, args.b), tolerance)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if pairs and not any(pair.a and pair.b for pair in pairs):
        first, second = (
            next((one.key for one in side if one), "nothing") for side in zip(*((p.a, p.b) for p in pairs), strict=True)
        )
        raise UsageError(f"{args.a} and {args.b} have no result in common: the first are {first!r} and {second!r}")
    if args.output_format == "json":
        show_json({"a": args.a, "b": args.b, **record(pairs, tolerance)})
    else:
        found = lines(pairs, tolerance, args.all, columns(sys.stdout))
        show((f"{visible(args.a)} compared with {visible(args.b)}: {found[0]}", *found[1:]))
    return OK if first_divergence(pairs) is None else FOUND


def _runs(a: str, b: str) -> tuple[list[RunResult], list[RunResult]]:
    """Return the results of both files; sessions are paired by name, or the only ones with each other."""
    from irlint.inspection.comparison import RunResult

    first, second = _results(a), _results(b)
    if len(first) == len(second) == 1:
        return next(iter(first.values())), next(iter(second.values()))
    common = [name for name in first if name in second]
    if not common:
        raise UsageError(f"{a} and {b} have no common session")

    def joined(runs: dict[str, list[RunResult]]) -> list[RunResult]:
        return [
            RunResult(f"{name}:{r.key}", r.operator, r.value, r.seconds, r.node) for name in common for r in runs[name]
        ]

    return (joined(first), joined(second)) if len(common) > 1 else (first[common[0]], second[common[0]])


def _results(name: str) -> dict[str, list[RunResult]]:
    from irlint.inspection.comparison import of_archive, of_session

    if name.lower().endswith(".npz"):
        only_regular(name)
        try:
            return {"": list(of_archive(name))}
        except OSError as error:
            raise UsageError(f"{name}: {plainly(error)}") from error
        except Exception as error:  # zipfile, NumPy and zlib each have their own
            raise UsageError(f"{name}: not an .npz of plain arrays: {error}") from error
    from irlint.formats.glacier.sessions import sessions_of

    sessions = sessions_of(load_model(name, "calls"))
    if sessions is None:
        raise UsageError(f"{name}: expected events or an .npz")
    try:
        return {str(session.name): of_session(session) for session in sessions}
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from error
