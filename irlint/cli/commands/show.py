"""Print a model as text: of a binary its textual form, to which the lines of findings refer; or its graph as JSON."""

from __future__ import annotations

import argparse
import sys

from irlint.cli.options import add_as
from irlint.cli.status import OK
from irlint.text.safe import columns, put, put_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from irlint.cli.model import model_file

    parser.add_argument("file", type=model_file, metavar="FILE", help="a model, or - for stdin")
    add_as(parser)
    parser.add_argument(
        "--json", action="store_true", help="print the graph in the JSON form that schemas with `of: graph` describe"
    )


def run(args: argparse.Namespace) -> int:
    if args.json:
        return _show_graph(args)
    from irlint.cli.model import lint_model, refusal
    from irlint.settings import Settings

    result = lint_model(args.file, Settings(select=("S",), shapes=False), args.as_format)
    if result.document is None:
        raise refusal(result, "text", ())
    put(sys.stdout, _shown(result.document.text))
    return OK


def _shown(text: str) -> str:
    """Return the text as it is, on a terminal with long lists of numbers folded: line numbers stay."""
    if not sys.stdout.isatty():
        return text
    from irlint.text.wrap import folded

    room = columns(sys.stdout) or 80
    return "\n".join(folded(line) if len(line) > room else line for line in text.split("\n"))


def _show_graph(args: argparse.Namespace) -> int:
    import json

    from irlint.cli.model import load_model
    from irlint.user_schemas.graph_form import GraphForm

    value = GraphForm(load_model(args.file, "nodes", args.as_format, shapes=True)).value
    put_json(sys.stdout, json.dumps(value, indent=2) + "\n")
    return OK
