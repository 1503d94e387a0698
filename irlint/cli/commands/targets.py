"""Show which releases of runtimes load a model, and why others do not."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from irlint.cli.model import lint_model, model_file, model_for
from irlint.cli.options import add_as
from irlint.cli.output import output, show, show_json
from irlint.cli.status import FOUND, OK, Refused, say
from irlint.text.safe import columns, put
from irlint.text.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

EPILOG = """\
exit status:
  0  a release loads the model
  1  none does, or the model has errors of its own
  2  invalid usage

measured: each release was asked to load small models of each operator. published: its documentation says so. source: its
source says what came when. `irlint check --target NAME=RELEASE` reports all that one release refuses.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=model_file, metavar="MODEL", help="model file of any format, or - for stdin")
    parser.add_argument(
        "--name", action="append", metavar="NAME", help="only this runtime, as --target names it (repeatable)"
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--json", action="store_true", help="write each release with its reasons")
    chosen.add_argument("--html", metavar="OUT.html", help="write a table of all releases to look at")
    add_as(parser)


def run(args: argparse.Namespace) -> int:
    from irlint.formats import by_name
    from irlint.matrix.verdicts import matrix
    from irlint.settings import Settings

    result = lint_model(args.model, Settings(), args.as_format)
    model = model_for("nodes", result)
    format_ = by_name(model.format)
    assert format_ is not None
    verdicts = [one for one in matrix(result, model, format_) if one.target.name in (args.name or (one.target.name,))]
    if not verdicts:
        raise Refused(
            f"{result.name}: no releases to compare: {_why(args.name, list(dict.fromkeys(one.name for one in format_.compared(model))))}"
        )
    own = [one for one in result.findings if one.severity.name == "ERROR"]
    if args.json:
        from irlint.matrix.lines import record

        show_json(record(result, verdicts))
    elif args.html:
        from irlint.matrix.page import page

        with output(args.html) as stream:
            put(stream, page(result, verdicts))
        say(f"wrote {args.html}")
    else:
        from irlint.matrix.lines import lines

        show(lines(result, verdicts, columns(sys.stdout)))
    if own:
        those = "which any of these may refuse"
        say(f"note: {result.name} has {count(len(own), 'error')} of its own, {those}: irlint {shlex.quote(args.model)}")
    return OK if not own and any(one.outcome != "refused" for one in verdicts) else FOUND


def _why(asked: Sequence[str] | None, known: Sequence[str]) -> str:
    if not known:
        return "irlint compares no runtimes of its format"
    return f"unknown runtime `{', '.join(asked or ())}`; expected {', '.join(known)}"
