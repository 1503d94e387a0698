"""Start the language server; editors run this command."""

from __future__ import annotations

import argparse
import gc
from importlib import import_module

from irlint.cli.options import integer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--stdio", action="store_true", help="communicate over stdin and stdout (the default)")
    how.add_argument(
        "--tcp",
        type=integer(0, 65535, "a port from 0 to 65535"),
        metavar="PORT",
        help="listen for one client on 127.0.0.1:PORT; 0 picks a free port",
    )
    parser.add_argument("--log-level", choices=("error", "warning", "info", "debug"), default="warning")


def run(args: argparse.Namespace) -> int:
    gc.enable()  # off in the command line, as a run is short; a server runs for days
    status: int = import_module("irlint_lsp.main").run(args)  # by name, so that this package does not depend on it
    return status
