"""Show what changed between two models: nodes, attributes, weights and edges, and the types that changed as a consequence."""

from __future__ import annotations

import argparse
import sys

from irlint.cli.model import load_model, model_file, only_one_stdin
from irlint.cli.options import add_as
from irlint.cli.output import show, show_json
from irlint.cli.status import FOUND, OK, say
from irlint.text.safe import put
from irlint.tools.installed import is_installed

EPILOG = "exit status: 0 no differences, 1 differences, 2 invalid usage"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", type=model_file, metavar="OLD", help="model file of any format, or - for stdin")
    parser.add_argument(
        "new", type=model_file, metavar="NEW", help="later version of the model, or the same model in another format"
    )
    parser.add_argument("--no-weights", action="store_true", help="do not compare the values of weights")
    parser.add_argument("--output-format", choices=("text", "json", "markdown"), default="text")
    add_as(parser, "both files")


def run(args: argparse.Namespace) -> int:
    from irlint.inspection.changes import differences
    from irlint.inspection.changes_report import lines, markdown, record

    only_one_stdin([args.old, args.new])
    old, new = (load_model(name, "nodes", args.as_format, shapes=True) for name in (args.old, args.new))
    weights = not args.no_weights
    if weights and not is_installed("numpy"):
        say("weights not compared: that requires numpy, which is not installed (pip install numpy)")
        weights = False
    found = differences(old, new, weights)
    if args.output_format == "json":
        show_json({"old": args.old, "new": args.new, **record(found)})
    else:
        if args.output_format == "text":
            show(lines(found))
        else:
            put(sys.stdout, "\n".join(markdown(found, args.old, args.new)) + "\n")
    return OK if found.is_empty else FOUND
