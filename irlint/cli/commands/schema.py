"""Print a published schema, or list all schemas."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from irlint.cli.output import write_exactly
from irlint.cli.status import OK, UsageError
from irlint.text.safe import put

SUFFIXES = (".schema.json", ".xsd", ".json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="name of the schema, such as irlint-config (default: list all names)"
    )


def complete() -> list[str]:
    """Return words for shell completion."""
    return list(schemas())


def run(args: argparse.Namespace) -> int:
    files = schemas()
    if args.name is None:
        put(sys.stdout, "".join(f"{name}\n" for name in files))
    else:
        write_exactly(files[_find(args.name, files)].read_bytes())
    return OK


def schemas() -> dict[str, Path]:
    """Return the files of the schemas folder by their names there."""
    from irlint.tools.installed import schemas_folder

    folder = schemas_folder()
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name.endswith(SUFFIXES)
    }


def _find(name: str, files: dict[str, Path]) -> str:
    from irlint.config.check import did_you_mean

    short = {file.removesuffix(suffix): file for suffix in SUFFIXES for file in files if file.endswith(suffix)}
    found = name if name in files else short.get(name)
    if found is None:
        raise UsageError(f"unknown schema `{name}`; {did_you_mean(name, list(short))}")
    return found
