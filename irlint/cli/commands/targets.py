"""Show which releases of runtimes load a model, and why others do not."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING

from irlint.cli.model import lint_model, model_file, model_for
from irlint.cli.options import add_as
from irlint.cli.output import output, show, show_json
from irlint.cli.status import FOUND, OK, Refused, UsageError, say
from irlint.codes import Severity
from irlint.text.safe import columns, put
from irlint.text.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irlint.targets.base import ComparedTarget

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
        "--name",
        action="append",
        metavar="NAME",
        help="only this runtime, such as onnxruntime,provider=cuda; can be given several times",
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
    targets = _chosen(args.name, result.name, format_.compared(model))
    verdicts = matrix(result, model, format_, targets)
    own = [one for one in result.findings if one.severity == Severity.ERROR]
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


def _chosen(names: Sequence[str] | None, file: str, known: Sequence[ComparedTarget]) -> Sequence[ComparedTarget]:
    """Return the runtimes that are asked for: by the name of a target, with its provider or for all of them."""
    if not known:
        raise Refused(f"{file}: irlint compares no runtimes of its format")
    for name in names or ():
        if not any(name in _names(one) for one in known):
            if any(one.name == name.partition("=")[0] for one in known):
                raise UsageError(f"`--name {name.partition('=')[0]}` takes no release: all are shown")
            raise UsageError(
                f"unknown runtime `{name}`; expected one of {', '.join(sorted({one.name for one in known}))}"
            )
    return [one for one in known if names is None or not _names(one).isdisjoint(names)]


def _names(target: ComparedTarget) -> set[str]:
    return {target.name, target.name + (target.provider or ",provider=cpu")}
