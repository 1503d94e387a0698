"""The reference of the command line, made of the parsers that also print --help."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from markup import code, definitions, inline

from irlint.cli.dispatch import CommandParser, commands, parser_of

_HEAD = """\
---
description: The commands of irlint and their options.
---

# Commands

`irlint PATH...` is short for `irlint check PATH...`. `irlint COMMAND --help` prints this in the terminal.
"""


def page() -> str:
    return "\n\n".join([_HEAD, *(_command(name, parser_of(name)) for name in commands())]) + "\n"


def _command(name: str, parser: CommandParser) -> str:
    parts = [f"## irlint {name}", parser.description or "", f"```text\n{_usage(parser)}\n```"]
    for group in parser._action_groups:
        if rows := list(_rows(name, group)):
            title = "arguments" if group.title == "positional arguments" else group.title or ""
            # as HTML: "Options" of every command would fill the table of contents
            parts += [f'<h3 id="{name}-{title.replace(" ", "-")}">{title.capitalize()}</h3>', definitions(rows)]
    if parser.epilog:
        parts.append(f"```text\n{parser.epilog.strip()}\n```")
    return "\n\n".join(parts)


def _usage(parser: CommandParser) -> str:
    """Return the command and its arguments; the options follow one by one."""
    arguments = [parser._get_formatter()._format_args(a, a.dest) for a in parser._get_positional_actions()]
    return " ".join([parser.prog, "[OPTIONS]", *arguments])


def _rows(command: str, group: argparse._ArgumentGroup) -> Iterator[tuple[str, str, str]]:
    for action in group._group_actions:
        if isinstance(action, argparse._HelpAction) or action.help == argparse.SUPPRESS:
            continue
        yield f"{command}-{action.dest.replace('_', '-')}", _term(action), inline(action.help or "")


def _term(action: argparse.Action) -> str:
    value = ""
    if action.nargs != 0:
        value = str(action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper()))
    if not action.option_strings:
        return code(value)
    return ", ".join(code(f"{option} {value}".strip()) for option in action.option_strings)
