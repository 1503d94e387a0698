"""Print a model as text: of a binary its textual form, to which the lines of findings refer; or its graph as JSON."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from irlint.cli.options import add_as
from irlint.cli.status import OK, UsageError, say
from irlint.text.safe import columns, put, put_json, visible
from irlint.tools.installed import is_installed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from irlint.cli.model import model_file

    parser.add_argument("file", type=model_file, metavar="FILE", help="a model, or - for stdin")
    add_as(parser)
    parser.add_argument(
        "--output-format",
        choices=("text", "json"),
        default="text",
        help="json: the graph, in the form that schemas with `of: graph` describe",
    )
    parser.add_argument(
        "--json", dest="output_format", action="store_const", const="json", help="the same as --output-format json"
    )
    parser.add_argument(
        "--textconv",
        action="store_true",
        help="for git: add a line with a digest for each weight, and print a file that is not a model as it is",
    )


def run(args: argparse.Namespace) -> int:
    if args.textconv:
        return _show_to_git(args)
    if args.output_format == "json":
        return _show_graph(args)
    from irlint.cli.model import lint_model, refusal, verify_is_model
    from irlint.findings import Severity
    from irlint.settings import Settings

    result = lint_model(args.file, Settings(select=("S",), shapes=False), args.as_format)
    if result.document is None:
        verify_is_model(result)
        raise refusal(result, "text", ())
    put(sys.stdout, _shown(result.document.text))
    for finding in [f for f in result.findings if f.severity == Severity.ERROR and result.document.is_binary][:1]:
        say(f"{visible(args.file)}: what could be read is shown: {finding.code} {visible(finding.message)}")
    return OK


def _shown(text: str) -> str:
    """Return the text as it is, on a terminal with long lists of numbers folded: line numbers stay."""
    if not sys.stdout.isatty():
        return text
    from irlint.text.wrap import folded

    room = columns(sys.stdout) or 80
    return "\n".join(folded(line) if len(line) > room else line for line in text.split("\n"))


def _show_graph(args: argparse.Namespace) -> int:
    import json

    from irlint.cli.model import load_model
    from irlint.user_schemas.graph_form import GraphForm

    value = GraphForm(load_model(args.file, "nodes", args.as_format, shapes=True)).value
    put_json(sys.stdout, json.dumps(value, indent=2) + "\n")
    return OK


def _show_to_git(args: argparse.Namespace) -> int:
    """Print a file for `git diff`, which ends where this command does not succeed."""
    from irlint.cli.model import READING
    from irlint.cli.output import write_exactly
    from irlint.engine import Request, linted_bytes
    from irlint.inspection.types import type_text
    from irlint.inspection.weights import weights
    from irlint.records import replace

    data, path = _fetched(args.file)
    result = linted_bytes(data, Request(args.file, replace(READING, shapes=False), args.as_format, path))
    if result.document is None or result.failed:
        write_exactly(data)
        return OK
    put(sys.stdout, result.document.text)
    if result.model is not None and is_installed("numpy"):
        rows = ((row.name, type_text(row.type), row.sha256) for row in weights(result.model) if row.sha256)
        put(sys.stdout, "".join(f"# {name}: {kind}, sha256 {digest[:16]}\n" for name, kind, digest in rows))
    return OK


def _fetched(name: str) -> tuple[bytes, Path | None]:
    """Return a file, for a pointer of Git LFS the one that it stands for if that is here."""
    from irlint.files.read import Unreadable, read
    from irlint.files.revisions import GitError, GitRepository
    from irlint.files.side_files import is_pointer

    try:
        data = read(name)
    except Unreadable as error:
        raise UsageError(f"{visible(name)}: {error}") from error
    if not is_pointer(data):
        return data, Path(name)
    try:
        with GitRepository(os.curdir).fetched(data, "") as file:
            return file.read(), None
    except (GitError, Unreadable):
        return data, None
