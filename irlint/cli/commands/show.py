"""Print a model as text: of a binary its textual form, to which the lines of findings refer."""

from __future__ import annotations

import argparse
import sys

from irlint.cli.options import add_as
from irlint.cli.status import OK, Refused
from irlint.text.safe import put


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a model, or - for stdin")
    add_as(parser)


def run(args: argparse.Namespace) -> int:
    from irlint.cli.model import lint_model
    from irlint.settings import Settings

    result = lint_model(args.file, Settings(select=("S",), shapes=False), args.as_format)
    if result.document is None:
        raise Refused(f"{args.file}: {result.why}")
    put(sys.stdout, result.document.text)
    return OK
