"""Writes the man page irlint(1) from the parsers that also print --help: python packaging/man_page.py > irlint.1

The wheel's build runs it (hatch_build.py), so that the page is never out of date. It imports nothing but irlint's own modules.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator

from irlint import __version__
from irlint.cli.dispatch import DEFAULT, commands, parser_of

DESCRIPTION = (
    "irlint checks model files: NNVM graph JSON (MXNet, TVM), OpenVINO IR, ncnn param files, LightNet JSON IR and Glacier listings."
    " Without a command, or with `check`, it reports what is wrong in the files and folders that you name."
)
GENERAL = {"-h, --help": "show the options of irlint, or of a command", "--version": "show the version of irlint"}
FILES = {
    "irlint.yaml": "configuration of the models in this folder and below",
    "pyproject.toml": "its table [tool.irlint] is the configuration where there is no irlint.yaml",
    ".irlint_cache/": "reports of files that have not changed; --cache-dir and --no-cache change that",
}
ENVIRONMENT = {
    "NO_COLOR": "never use colors",
    "IRLINT_DEBUG": "show the traceback of an internal error",
}

EXAMPLES = {
    "irlint models/": "check a folder",
    "irlint --diff models/": "show what the safe and proven fixes would change; --fix applies them",
    "irlint rule R001": "explain a rule",
}


def man_page() -> str:
    """Return the page as roff source."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    check = parser_of(DEFAULT)
    yield f'.TH IRLINT 1 "" "irlint {__version__}" "User Commands"'
    yield from (".SH NAME", r"irlint \- find and fix what is wrong in neural\-network model files")
    yield from (".SH SYNOPSIS", r".B irlint", r"[\fIOPTION\fR...] [\fIPATH\fR...]", ".br")
    yield from (r".B irlint", r"\fICOMMAND\fR [\fIARGUMENT\fR...]", ".SH DESCRIPTION")
    yield from _filled(DESCRIPTION)
    yield ".SH OPTIONS"
    yield from _options(check, ".SS")
    yield from _table(".SS general", GENERAL)
    yield ".SH COMMANDS"
    for name in commands():
        if name != DEFAULT:
            yield from _command(parser_of(name))
    yield from _epilog(check, ".SH")
    yield from _table(".SH ENVIRONMENT", ENVIRONMENT)
    yield from _table(".SH FILES", FILES)
    yield from _table(".SH EXAMPLES", EXAMPLES)
    yield from (".SH SEE ALSO", "The documentation: https://irlint.readthedocs.io/")


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    arguments = [_argument(action) for action in parser._actions if not action.option_strings]
    yield f".SS {_bold(parser.prog)}{''.join(f' {argument}' for argument in arguments)}"
    yield from _filled((parser.description or "").strip())
    yield from _options(parser, ".PP")
    yield from _epilog(parser, ".PP")


def _argument(action: argparse.Action) -> str:
    name = _metavar(action)
    if action.nargs == "*":
        return f"[{name}...]"
    return {"+": f"{name}...", "?": f"[{name}]"}.get(str(action.nargs), name)


def _options(parser: argparse.ArgumentParser, heading: str) -> Iterator[str]:
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if not _is_hidden(action)]
        if shown and group.title not in ("options", "positional arguments"):
            yield from (f".SS {_text(group.title or '')}",) if heading == ".SS" else (heading, f"{group.title}:")
        for action in shown:
            yield from (".TP", _tag(action), *_filled(action.help or _default(action)))


def _is_hidden(action: argparse.Action) -> bool:
    return action.help == argparse.SUPPRESS or "--help" in action.option_strings


def _default(action: argparse.Action) -> str:
    return f"one of these (default: {action.default})" if action.default else "one of these"


def _tag(action: argparse.Action) -> str:
    if not action.option_strings:
        return _argument(action)
    value = "" if action.nargs == 0 else f" {_metavar(action)}"
    return ", ".join(f"{_bold(option)}{value}" for option in action.option_strings)


def _metavar(action: argparse.Action) -> str:
    choices = "|".join(map(str, action.choices or ()))
    return rf"\fI{_text(str(action.metavar or choices or action.dest.upper()))}\fR"


def _epilog(parser: argparse.ArgumentParser, heading: str) -> Iterator[str]:
    """The sections of an epilog: a title with a colon, then indented lines, kept as they are."""
    is_open = False
    for line in (parser.epilog or "").splitlines():
        if line[:1].isspace():
            if not is_open:
                yield from (".RS 4", ".nf")
                is_open = True
            yield _text(line)
            continue
        if is_open:
            yield from (".fi", ".RE")
            is_open = False
        title = line.rstrip(":")
        yield from (f".SH {_text(title.upper())}",) if heading == ".SH" else (heading, _text(line))
    if is_open:
        yield from (".fi", ".RE")


def _table(heading: str, rows: dict[str, str]) -> Iterator[str]:
    yield heading
    for name, meaning in rows.items():
        yield from (".TP", _bold(name), *_filled(meaning))


def _bold(text: str) -> str:
    return rf"\fB{_text(text)}\fR"


def _filled(text: str) -> list[str]:
    """The lines of a paragraph."""
    return list(map(_line, textwrap.wrap(_escaped(text), 78, break_long_words=False, break_on_hyphens=False)))


def _text(text: str) -> str:
    return _line(_escaped(text))


def _line(text: str) -> str:
    """A line that is text even if it begins as a request does."""
    return rf"\&{text}" if text.startswith(".") else text


def _escaped(text: str) -> str:
    """Text as roff shows it; what is in backticks is bold."""
    text = text.replace("%%", "%").replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(man_page())
