"""Compare two runs of a model (events or .npz) operator by operator: errors, times, and where they diverge."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
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
    from irlint.rules.base import Model


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
        a, b, by_structure = _runs(args.a, args.b)
        pairs = compare(a, b, tolerance, by_structure)
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


def _runs(a: str, b: str) -> tuple[list[RunResult], list[RunResult], Callable[[], Mapping[str, str]]]:
    """Return the results of both files, and what pairs them by structure; sessions are paired by name, or the only ones with each
    other."""
    from irlint.inspection.comparison import RunResult

    (first, old), (second, new) = _results(a), _results(b)
    if len(first) == len(second) == 1:
        return next(iter(first.values())), next(iter(second.values())), partial(_by_structure, old, new)
    common = [name for name in first if name in second]
    if not common:
        raise UsageError(f"{a} and {b} have no common session")

    def joined(runs: dict[str, list[RunResult]]) -> list[RunResult]:
        return [
            RunResult(f"{name}:{r.key}", r.operator, r.value, r.seconds, r.node) for name in common for r in runs[name]
        ]

    pair = (joined(first), joined(second)) if len(common) > 1 else (first[common[0]], second[common[0]])
    return *pair, dict


def _by_structure(old: Model | None, new: Model | None) -> dict[str, str]:
    """Return the ids of events of the second run by those of the first, of two runs with the operators of one format."""
    from irlint.inspection.review.changes import differences

    if old is None or new is None or old.operators is None or old.operators is not new.operators:
        return {}
    pairs = ((pair.old, pair.new) for pair in differences(old, new).pairs)
    return {a[1].name: b[1].name for a, b in pairs if a is not None and b is not None and b[1].kind == "call"}


def _results(name: str) -> tuple[dict[str, list[RunResult]], Model | None]:
    from irlint.inspection.comparison import of_archive, of_session

    if name.lower().endswith(".npz"):
        only_regular(name)
        try:
            return {"": list(of_archive(name))}, None
        except OSError as error:
            raise UsageError(f"{name}: {plainly(error)}") from error
        except Exception as error:  # zipfile, NumPy and zlib each have their own
            raise UsageError(f"{name}: not an .npz of plain arrays: {error}") from error
    from irlint.formats.glacier.sessions import sessions_of

    model = load_model(name, "calls")
    sessions = sessions_of(model)
    if sessions is None:
        raise UsageError(
            f"{name}: expected events or an .npz; `irlint run --events FILE` writes those of a model, `irlint prove` compares models"
        )
    try:
        return {str(session.name): of_session(session) for session in sessions}, model
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from error
