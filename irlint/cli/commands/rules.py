"""List the rules: all, or those of a format."""

from __future__ import annotations

import argparse
import sys

from irlint.cli.options import model_format
from irlint.cli.output import has_color, show_json
from irlint.cli.status import OK
from irlint.text.safe import columns, put


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("format", nargs="?", type=model_format, metavar="FORMAT", help="list only the rules of a format")
    which.add_argument("--format", dest="format_", type=model_format, metavar="FORMAT", help="the same")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    from irlint.rules import page, registry

    rules = list(registry.all_rules().values())
    if chosen := args.format or args.format_:
        name = chosen.partition(":")[0]
        rules = [rule for rule in rules if name in (page.formats_of(rule) or [name])]
    if args.output_format == "json":
        show_json([page.as_json(rule) for rule in rules])
    else:
        color = has_color(sys.stdout)
        put(sys.stdout, page.render_list(rules, color, columns(sys.stdout)), color)
    return OK
