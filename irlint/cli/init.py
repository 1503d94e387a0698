"""Write an irlint.yaml and a pre-commit hook for the models in a folder, and show which ones there are."""

from __future__ import annotations

import argparse
import os
import sys

from irlint.cli import OK, UsageError
from irlint.cli._jobs import repository

NAME = "irlint.yaml"
HOOKS = ".pre-commit-config.yaml"
SHOWN = 10  # models of a format

TEMPLATE = """\
# yaml-language-server: $schema=https://irlint.readthedocs.io/schemas/irlint-config.schema.json
# Every key is described by `irlint schema irlint-config`, every rule by `irlint rule CODE`.

# Rules by code (R003), name (used-before-defined) or beginning of codes (R).
select: [ALL]
ignore: []

# Rules not to check in some files: {"third_party/**": [G]}
per-file-ignores: {}

# Files and folders to pass over, in the grammar of .gitignore.
extend-exclude: []

# Exit status 1 from this severity upwards: error, warning or info.
fail-on: error
"""

HOOK = """\
  - repo: https://github.com/irlint/irlint
    rev: v{version}
    hooks:
      - id: irlint
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=os.curdir, metavar="FOLDER", help="where (default: here)")
    parser.add_argument("--no-hook", action="store_true", help=f"write no {HOOKS}")


def run(args: argparse.Namespace) -> int:
    from irlint.cli._output import output
    from irlint.text.safe import visible

    folder = os.path.normpath(args.folder)
    if not os.path.isdir(folder):
        raise UsageError(f"{visible(folder)}: no such folder")
    _refuse_to_configure_twice(folder)
    found = _models(folder)
    for title, names in found.items():
        sys.stdout.write(f"{title}: {len(names)}\n")
        sys.stdout.writelines(f"  {visible(name)}\n" for name in names[:SHOWN])
        if len(names) > SHOWN:
            sys.stdout.write(f"  and {len(names) - SHOWN} more\n")
    if not found:
        sys.stdout.write("No models here yet.\n")
    path = _inside(folder, NAME)
    with output(path) as stream:
        stream.write(TEMPLATE)
    written = [visible(path)]
    root = None if args.no_hook else repository(folder)
    if root is not None and os.path.samefile(root, folder):
        written += _write_hook(_inside(folder, HOOKS))
    elif root is not None:
        _show_hook(os.path.join(root, HOOKS))
    sys.stdout.write(f"Wrote {' and '.join(written)}; `irlint {visible(folder)}` checks them all.\n")
    return OK


def _inside(folder: str, name: str) -> str:
    return name if folder == os.curdir else os.path.join(folder, name)


def _refuse_to_configure_twice(folder: str) -> None:
    """Of two configurations in a folder one would count for nothing."""
    from irlint.config import ConfigError
    from irlint.config.find import YAML_NAMES, load
    from irlint.text.safe import visible

    for path in (_inside(folder, name) for name in YAML_NAMES):
        if os.path.lexists(path):
            raise UsageError(f"{visible(path)} is there already and stays as it is")
    path = _inside(folder, "pyproject.toml")
    try:
        if os.path.isfile(path) and load(path) is not None:
            raise UsageError(f"{visible(path)} has a table [tool.irlint] already")
    except ConfigError as error:
        raise UsageError(str(error)) from error


def _write_hook(path: str) -> list[str]:
    """Writes pre-commit's configuration; one that there is stays as it is, and what to add to it is shown."""
    from irlint.cli._output import output
    from irlint.text.safe import visible

    if os.path.lexists(path):
        _show_hook(path)
        return []
    with output(path) as stream:
        stream.write(f"repos:\n{_hook()}")
    return [visible(path)]


def _show_hook(path: str) -> None:
    """What to add to pre-commit's configuration, unless it is there."""
    from irlint.files.read import Unreadable, read
    from irlint.text.safe import visible

    try:
        known = b"id: irlint" in read(path)
    except Unreadable:
        known = False
    if not known:
        sys.stdout.write(f"For the hook, add to {visible(path)} below `repos:`\n{_hook()}")


def _hook() -> str:
    from irlint import __version__

    return HOOK.format(version=__version__)


def _models(folder: str) -> dict[str, list[str]]:
    """Files that begin like models, by the title of the format that they are likeliest of."""
    from irlint import engine
    from irlint.files.read import Unreadable, read
    from irlint.formats.base import HEAD_SIZE
    from irlint.text.base import decode

    found: dict[str, list[str]] = {}
    for name in _candidates(folder):
        try:
            head = read(name, HEAD_SIZE)
        except Unreadable:
            continue
        for format_, seen in engine.recognize(decode(head)[0], name)[:1]:
            if seen.score > 0:
                found.setdefault(format_.title, []).append(name)
    return found


def _candidates(folder: str) -> list[str]:
    from irlint.config.base import Config
    from irlint.files.walk import walk
    from irlint.formats.base import extensions

    exclusion = Config(os.path.abspath(folder)).exclusion
    return sorted(walk(folder, extensions(), lambda _: exclusion, lambda path, why: None))
