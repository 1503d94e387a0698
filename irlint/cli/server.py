"""Start the language server, as an editor does."""

from __future__ import annotations

import argparse
import gc
from importlib import import_module
from types import ModuleType

from irlint.cli._status import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--stdio", action="store_true", help="speak over standard input and output (the default)")
    how.add_argument("--tcp", type=_port, metavar="PORT", help="wait for one client on 127.0.0.1; 0 takes a free port")
    parser.add_argument("--log-level", choices=("error", "warning", "info", "debug"), default="warning")


def _port(text: str) -> int:
    if not (text.isdecimal() and len(text) <= 5 and int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a number from 0 to 65535")
    return int(text)


def run(args: argparse.Namespace) -> int:
    gc.enable()  # the command line leaves it off, as a run is short; a server lives for days
    status: int = _server().run(args)
    return status


def _server() -> ModuleType:
    """By name, so that nothing in this package depends on the server."""
    try:
        return import_module("irlint_lsp.main")
    except ModuleNotFoundError as error:
        raise UsageError(f"the language server cannot start: {error.name} is not installed") from error
