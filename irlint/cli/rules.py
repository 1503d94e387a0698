"""List all rules."""

from __future__ import annotations

import argparse
import json
import sys

from irlint.cli._status import OK


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    from irlint.cli._output import columns, has_color
    from irlint.rules import page, registry

    rules = registry.all_rules().values()
    if args.output_format == "json":
        sys.stdout.write(json.dumps([page.as_json(rule) for rule in rules], indent=2) + "\n")
    else:
        sys.stdout.write(page.render_list(rules, has_color(sys.stdout), columns(sys.stdout)))
    return OK
