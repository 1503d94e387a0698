"""List the rules: all, or those of a format."""

from __future__ import annotations

import argparse
import json
import sys

from irlint.cli._options import model_format
from irlint.cli._status import OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "format", nargs="?", type=model_format, metavar="FORMAT", help="list only the rules of a format"
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    from irlint.cli._output import columns, has_color
    from irlint.rules import page, registry

    rules = list(registry.all_rules().values())
    if args.format:
        name = args.format.partition(":")[0]
        rules = [rule for rule in rules if name in (registry.formats_of(rule) or [name])]
    if args.output_format == "json":
        sys.stdout.write(json.dumps([page.as_json(rule) for rule in rules], indent=2) + "\n")
    else:
        sys.stdout.write(page.render_list(rules, has_color(sys.stdout), columns(sys.stdout)))
    return OK
