"""Print a model as a flat listing: one call per line with its inputs, numbered in depth-first post-order."""

from __future__ import annotations

import argparse
import sys

from irlint.cli.model import load_model, model_file
from irlint.cli.options import add_as
from irlint.cli.output import show_json
from irlint.cli.status import OK
from irlint.inspection import NODE_TYPES, Flat, listing
from irlint.inspection.canonical import CanonicalNames
from irlint.text.safe import columns, put


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=model_file, metavar="MODEL", help="model file of any format, or - for stdin")
    parser.add_argument(
        "--node-types",
        type=node_types,
        default=NODE_TYPES,
        metavar="Call,Var,Constant",
        help="comma-separated kinds of node to show in input lists (default: all; an empty value shows none)",
    )
    parser.add_argument(
        "--canonical",
        action="store_true",
        help="use the same operator names for all formats (Relay's where they exist) and show calls that only hold data as constants",
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    add_as(parser)


def _shown(text: str) -> str:
    """Return the listing as it is, or wrapped to the width of a terminal."""
    if not sys.stdout.isatty():
        return text
    from irlint.text.wrap import fitted

    return "\n".join(fitted(text.split("\n"), columns(sys.stdout)))


def node_types(text: str) -> tuple[str, ...]:
    """Return kinds of node from a comma-separated list."""
    kinds = {kind.lower(): kind for kind in NODE_TYPES}
    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if word.lower() not in kinds:
            raise argparse.ArgumentTypeError(f"unknown kind of node `{word}`; expected one of {', '.join(NODE_TYPES)}")
    return tuple(kinds[word.lower()] for word in words)


def run(args: argparse.Namespace) -> int:
    model = load_model(args.model, "calls", args.as_format)
    flat = Flat(model.graph, args.node_types, CanonicalNames(model) if args.canonical else None)
    if args.output_format == "json":
        show_json(flat.json())
    else:
        put(sys.stdout, _shown(listing(flat, model.document)))
    return OK
