"""Start of the server: --stdio (the default) or --tcp PORT."""

from __future__ import annotations

import argparse
import logging
import os
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--stdio", action="store_true", help="communicate over stdin and stdout (the default)")
    how.add_argument(
        "--tcp", type=int, metavar="PORT", help="listen for one client on 127.0.0.1:PORT; 0 picks a free port"
    )
    parser.add_argument(
        "--log-level",
        choices=("error", "warning", "info", "debug"),
        default="warning",
        help="level of log messages on stderr",
    )


def run(args: argparse.Namespace) -> int:
    from irlint_lsp.server import make_server
    from irlint_lsp.transport import serve_stdio, serve_tcp

    logging.basicConfig(stream=sys.stderr, level=args.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.CRITICAL if args.log_level != "debug" else logging.DEBUG)
    server = make_server()
    try:
        status = serve_stdio(server) if args.tcp is None else serve_tcp(server, args.tcp)
    except KeyboardInterrupt:
        status = 130
    sys.stderr.flush()
    os._exit(status)  # a lint that still runs in its thread would keep the process alive


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="irlint server", description="The irlint language server.")
    add_arguments(parser)
    return run(parser.parse_args(argv))
