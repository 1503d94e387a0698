"""List supported formats, or explain how a file is recognized."""

from __future__ import annotations

import argparse
from typing import Any

from irlint.cli.output import show, show_json
from irlint.cli.status import FOUND, OK, UsageError
from irlint.files.read import Unreadable, read
from irlint.settings import Settings
from irlint.text.safe import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="explain the format of this file")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    if args.file is not None:
        return _explain(args.file, args.output_format)
    formats = _formats()
    if args.output_format == "json":
        show_json(formats)
        return OK

    for format_ in formats:
        show([f"{format_['name']:10}{format_['title']} ({', '.join(format_['extensions'])})"])
        show(f"  {dialect['name']:14}{dialect['title']}" for dialect in format_["dialects"])
    return OK


def _formats() -> list[dict[str, Any]]:
    from irlint.formats.base import shown_order

    return [
        {
            "name": format_.name,
            "title": format_.title,
            "extensions": list(format_.extensions),
            "dialects": [dialect._asdict() for dialect in format_.dialects],
        }
        for format_ in shown_order().values()
    ]


def _explain(name: str, output_format: str) -> int:
    """Explain how each format judges the beginning of a file, and the recognized format of the whole."""
    import os
    from pathlib import Path

    from irlint import engine
    from irlint.text.base import decode

    if os.path.isdir(name):
        raise UsageError(f"{visible(name)}: {engine.of_folder(name)}")
    try:
        data = read(name)
    except Unreadable as error:
        raise UsageError(f"{visible(name)}: {error}") from error
    said = engine.recognize(decode(data)[0], name)
    result = engine.lint_bytes(data, name, Settings(select=("S",), shapes=False), path=Path(name))
    if output_format == "json":
        candidates = [{"format": format_.name, **seen._asdict()} for format_, seen in said]
        record = {"file": name, "format": result.format, "dialect": result.dialect, "why": result.why}
        show_json({**record, "candidates": candidates})
        return OK if result.format else FOUND

    verdict = f"{result.format}:{result.dialect}" if result.format else "not a supported model file"
    show([f"{visible(name)}: {verdict}", f"  because: {visible(result.why)}"])
    if result.format and not result.certain:
        show([f"  not certain, so no fixes are offered; use --as {result.format} if the format is right"])
    words = ("no", "perhaps", "likely", "certain")
    show(f"  {format_.name:10}{words[seen.score]}: {visible(seen.why)}" for format_, seen in said)
    return OK if result.format else FOUND
