"""Dispatch of arguments to commands, which are the files of `commands`, and of their errors to a message and an exit status."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NoReturn, TextIO

from irlint.cli.status import FAILURE, FOUND, USAGE, Refused, UsageError, say
from irlint.text.safe import put
from irlint.tools import UserError

DEFAULT = "check"
_COMMANDS = os.path.join(os.path.dirname(__file__), "commands")
ALIASES = {"explain": "rule"}  # other names, by which some look for a command


def commands() -> list[str]:
    """Return all commands by name."""
    names = (entry.partition(".")[0] for entry in os.listdir(_COMMANDS) if entry.endswith(".py"))
    return sorted(name for name in names if not name.startswith("_"))


_LONG_VERSIONS = [{version, verbose} for version in ("--version", "-V") for verbose in ("-v", "--verbose")]
MANY_FILES = (
    "check",
    "breaking",
    "zoo",
    "merge",
)  # commands that go on after a fault in one file, which is a finding of this file
BROKEN_PIPE, INTERRUPTED = 128 + 13, 128 + 2  # exit statuses of shells for processes ended by these signals


def guarded(arguments: list[str]) -> int:
    """Run a command; no exception leaves this function."""
    _open_closed_streams()
    try:
        return _flushed(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except UserError as error:
        say(*error.args)
        return USAGE
    except Refused as refused:
        say(*refused.args)
        return FOUND
    except Exception as error:
        return failed(error, FAILURE if _command(arguments) in MANY_FILES else FOUND)
    finally:
        _let_go(sys.stderr)
        gc.freeze()  # what is left lives until the end, which is near: no search through all of it
        gc.enable()


def _flushed(arguments: list[str]) -> int:
    """Return a command's exit status after its output is written, argparse's help included."""
    try:
        status = dispatch(arguments)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else USAGE
    sys.stdout.flush()
    return status


def dispatch(arguments: list[str]) -> int:
    """Run the command that the first argument names, else `check`."""
    if not arguments or arguments in (["-h"], ["--help"], ["help"]):
        stream = sys.stdout if arguments else sys.stderr
        put(stream, overview())
        return 0 if arguments else USAGE
    if arguments[0] == "help" and len(arguments) == 2 and arguments[1] in (*commands(), *ALIASES):
        arguments = [arguments[1], "--help"]  # as other tools with commands have it
    if {*arguments} in _LONG_VERSIONS:
        put(sys.stdout, "\n".join(details()) + "\n")
        return 0
    name = _command(arguments)
    if arguments[0] in commands() or arguments[0] in ALIASES:
        arguments = arguments[1:]
    module = import_module(f"irlint.cli.commands.{name}")
    args = parser_of(name).parse_args(arguments)
    from irlint.cli import output

    output.color_choice = args.color
    if not arguments and (hint := _of_path(name)):
        say(hint)
    status: int = module.run(args)
    return status


def _of_path(command: str) -> str:
    """Return how to check a file or folder that has the name of a command; nothing if there is none."""
    if command == DEFAULT or not os.path.exists(command):
        return ""
    what = "folder" if os.path.isdir(command) else "file"
    return f"`{command}` is a command; to check the {what} of this name, run `irlint check {command}`"


def _command(arguments: list[str]) -> str:
    first = arguments[0] if arguments else DEFAULT
    return ALIASES.get(first) or (first if first in commands() else DEFAULT)


class CommandParser(argparse.ArgumentParser):
    """A parser that reports errors in one sentence."""

    value_optional: tuple[str, ...] = ()  # options whose value can only follow an equals sign: the next word is a path

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        end = args.index("--") if "--" in args else len(args)
        words = [f"{word}=" if word in self.value_optional else word for word in args[:end]]
        return super().parse_known_args([*words, *args[end:]], namespace)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = ", ".join(map(str, action.choices))
            raise argparse.ArgumentError(action, f"unknown value `{value}`; expected one of {known}")

    def error(self, message: str) -> NoReturn:
        hint = _of_path(self.prog.rpartition(" ")[2])
        raise UsageError(f"{message}{self._hint(message)} (see `{self.prog} --help`)", *([hint] if hint else []))

    def _hint(self, message: str) -> str:
        """Return a suggestion for an unknown option."""
        unknown = re.match(r"unrecognized arguments: (--[\w-]+)", message)
        if unknown is None:
            return self._more_than_one(message)
        from irlint.operators import nearest

        name = unknown[1].lstrip("-")
        if place := next((a.metavar for a in self._actions if not a.option_strings and a.dest == name), None):
            return f"; give {place} without `{unknown[1]}`"
        close = nearest(unknown[1], [*self._option_string_actions, "--version"])
        return f"; did you mean `{close}`?" if close else ""

    def _more_than_one(self, message: str) -> str:
        """Return what a command takes that was given more."""
        taken = [a.metavar for a in self._actions if not a.option_strings and a.nargs in (None, "?")]
        is_more = message.startswith("unrecognized arguments: ") and not message[24:].startswith("-")
        what = f"at most {' and '.join(map(str, taken))}" if len(taken) > 1 else f"one {taken and taken[0]}"
        return f"; expected {what}" if is_more and taken else ""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Asks for the terminal's width itself: argparse would import shutil for it, whether help is wanted or not.

    Lists are indented, and stay line by line where the terminal has room for it.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_columns() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from irlint.text.wrap import fitted, wrap

        joined = re.sub(r"(?<=[^\n:])\n(?=\w)", " ", text)  # lines of one paragraph
        return "".join(
            f"{indent}{line}\n"
            for written in joined.splitlines()
            for line in (fitted([written], width) if written[:1].isspace() else wrap(written, width))
        )


def _columns() -> int:
    """Return the width of help texts."""
    from irlint.text.safe import columns

    return min(columns(sys.stdout) or 80, 120)


def parser_of(name: str) -> CommandParser:
    """Return a command's parser."""
    module = import_module(f"irlint.cli.commands.{name}")
    parser = CommandParser(
        prog=f"irlint {name}",
        description=module.__doc__,
        epilog=getattr(module, "EPILOG", None),
        allow_abbrev=False,
        formatter_class=Formatter,
    )
    module.add_arguments(parser)
    parser.value_optional = getattr(module, "VALUE_OPTIONAL", ())
    groups = {group.title: group for group in parser._action_groups}
    groups.get("output", parser).add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        metavar="WHEN",
        help="auto (on terminals; NO_COLOR and FORCE_COLOR override), always or never (default: auto)",
    )
    return parser


def overview() -> str:
    """Return what `irlint --help` shows."""
    from irlint.text.wrap import table, wrap

    wide = _columns()
    rows = "".join(
        f"{line}\n" for line in table([("", name, title(name)) for name in commands()], wide, has_prose=True)
    )
    what = "irlint: a linter for neural-network model files."
    return (
        "\n".join(wrap(what, wide)) + "\n"
        "\nusage: irlint PATH...            check files and folders (same as irlint check)\n"
        "       irlint COMMAND --help     show the options of a command\n"
        f"\ncommands:\n{rows}"
        "\noptions:\n  -h, --help  show this help\n  --version   show the version; with -v also those of packages\n"
    )


def title(command: str) -> str:
    """Return the first line of a command's docstring, read without importing the command."""
    with open(os.path.join(_COMMANDS, f"{command}.py"), encoding="utf-8") as file:
        line = file.readline()
    found = re.match(r'"""(.*?)(?:"""|$)', line)
    return found[1] if found else ""


def failed(error: Exception, status: int = FAILURE) -> int:
    """Report an error and return the exit status: `status` for one of irlint's own."""
    if isinstance(error, ImportError):
        from irlint.tools.installed import missing_package

        if (package := missing_package(error)) is not None:
            say(f"this requires {package.name}, which is not installed: pip install {package.name}")
            return USAGE
    if isinstance(error, OSError) and error.filename is None:
        _let_go(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return BROKEN_PIPE
        say(f"cannot write the output: {(error.strerror or str(error)).lower()}")
        return USAGE
    if os.environ.get("IRLINT_DEBUG"):
        from traceback import format_exception

        put(sys.stderr, "".join(format_exception(error)))
        return status
    from irlint.tools import bug_report, words_of

    say(f"internal error: {words_of(error)} {bug_report(error)} (set IRLINT_DEBUG=1 for a traceback)")
    return status


def _let_go(stream: TextIO) -> None:
    """Redirect a broken stream to nowhere, so that Python's last flush reports no error."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open_closed_streams() -> None:
    """Replace closed standard streams by sinks, so that no other file gets their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def details() -> Iterator[str]:
    """Yield the lines of `irlint --version -v`: where irlint and Python are, and which packages are installed."""
    import platform

    import irlint
    from irlint.tools.installed import PACKAGES, installed_version

    yield f"irlint {irlint.__version__}"
    rows = [
        ("folder", "", os.path.dirname(irlint.__file__)),
        ("python", platform.python_version(), sys.executable),
        *((package.name, installed_version(package) or "-", package.purpose) for package in PACKAGES),
    ]
    first, second = (max(len(row[k]) for row in rows) for k in (0, 1))
    for name, found, note in rows:
        absent = " (not installed)" if found == "-" else ""
        yield f"{name:{first}}  {found:{second}}  {note}{absent}"
