"""Explain a rule: what it checks for, why that is bad, and what to use instead."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from irlint.cli.options import model_format
from irlint.cli.output import has_color, show_json
from irlint.cli.status import OK, UsageError
from irlint.text.safe import columns, put

if TYPE_CHECKING:
    from irlint.rules.base import Rule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("rule", nargs="?", metavar="RULE", help="code (R003) or name (used-before-defined) of the rule")
    which.add_argument("--all", action="store_true", help="explain all rules")
    parser.add_argument(
        "--format",
        type=model_format,
        metavar="FORMAT",
        help="explain it for this format of models, with an example (default: onnx, if it has one)",
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def complete() -> list[str]:
    """Return words for shell completion."""
    from irlint.rules import registry

    rules = registry.all_rules()
    return [*rules, *(rule.name for rule in rules.values())]


def run(args: argparse.Namespace) -> int:
    from irlint.rules import page, registry

    rules = list(registry.all_rules().values()) if args.all else [_find(args.rule)]
    shown = (args.format or "").partition(":")[0] or None
    if shown is not None and not args.all:
        _verify(shown, rules[0])
    if args.output_format == "json":
        records = [page.as_json(rule, shown) for rule in rules]
        show_json(records if args.all else records[0])
    else:
        color, wide = has_color(sys.stdout), columns(sys.stdout)
        put(sys.stdout, "\n".join(page.render_text(rule, color, wide, shown) for rule in rules), color)
    return OK


def _find(word: str) -> type[Rule]:
    from irlint.config import unknown
    from irlint.rules import registry

    if (rule := registry.find(word)) is None:
        raise UsageError(unknown(word))
    return rule


def _verify(format_name: str, rule: type[Rule]) -> None:
    """Raise UsageError for a format in which the rule is not found."""
    from irlint.rules.page import formats_of

    if format_name not in (formats := formats_of(rule) or (format_name,)):
        raise UsageError(f"{rule.code} is not a rule for {format_name}, but for {', '.join(formats)}")
