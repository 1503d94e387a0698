"""Print a published schema, write it to a file or list all, or validate a file by a schema."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from irlint.cli.output import save, write_exactly
from irlint.cli.status import OK, UsageError
from irlint.text.safe import put

SUFFIXES = (".schema.json", ".xsd", ".xml", ".json")

_INCLUDE = re.compile(rb'<xs:include schemaLocation="([^"]+)"/>')
_CONTENT = re.compile(rb"<xs:schema\b[^>]*>\n?(.*?)\s*</xs:schema>", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="name of the schema, such as irlint-config (default: list all names)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write, or - for stdout (default: -)")
    parser.add_argument(
        "--validate", metavar="FILE", help="print what jsonschema or lxml says of a file, and what irlint does"
    )
    parser.add_argument(
        "--schema", metavar="NAME", help="schema for --validate: a name or a path (default: that of the file's format)"
    )
    parser.add_argument(
        "--of", choices=("file", "graph"), help="what --schema describes (default: the file, if it is JSON or XML)"
    )


def complete() -> list[str]:
    """Return words for shell completion."""
    return list(schemas())


def run(args: argparse.Namespace) -> int:
    files = schemas()
    if args.validate is None and (args.schema or args.of):
        raise UsageError(f"--{'schema' if args.schema else 'of'} requires --validate FILE")
    if args.validate is not None:
        return _validate(args, files)
    if args.name is None:
        if args.output is not None:
            raise UsageError("--output requires the name of a schema")
        put(sys.stdout, "".join(f"{name}\n" for name in files))
        return OK
    data = whole(files[_find(args.name, files)])
    if args.output in (None, "-"):
        write_exactly(data)
    else:
        save(args.output, data)
    return OK


def _validate(args: argparse.Namespace, files: dict[str, Path]) -> int:
    from irlint.cli.validation import validate

    if args.name is not None or args.output is not None:
        raise UsageError("--validate takes the schema as --schema NAME, and prints to stdout")
    is_file = args.schema is not None and args.schema not in files and Path(args.schema).is_file()
    return validate(
        args.validate, args.schema if args.schema is None or is_file else _find(args.schema, files), files, args.of
    )


def schemas() -> dict[str, Path]:
    """Return the files of the schemas folder by their names there."""
    from irlint.tools.installed import schemas_folder

    folder = schemas_folder()
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name.endswith(SUFFIXES)
    }


def whole(path: Path) -> bytes:
    """Return a schema that needs no file next to it: what an XSD includes takes the place of its `xs:include`."""
    data = path.read_bytes()
    if path.suffix != ".xsd":
        return data
    return _INCLUDE.sub(lambda match: _content(path.with_name(match[1].decode())), data)


def _content(path: Path) -> bytes:
    found = _CONTENT.search(whole(path))
    assert found is not None
    return found[1].lstrip()


def _find(name: str, files: dict[str, Path]) -> str:
    from irlint.config.check import did_you_mean

    short = {
        file.removesuffix(next(filter(file.endswith, SUFFIXES))): file for file in reversed(files)
    }  # JSON before XML
    found = name if name in files else short.get(name)
    if found is None:
        raise UsageError(f"unknown schema `{name}`; {did_you_mean(name, sorted(short))}")
    return found
