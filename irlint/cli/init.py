"""Write an irlint.yaml and a pre-commit hook for the models in a folder, and show which ones there are."""

from __future__ import annotations

import argparse
import os
import sys

from irlint.cli import OK, UsageError

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
    from irlint.config.find import YAML_NAMES
    from irlint.text.safe import visible

    folder = args.folder
    if not os.path.isdir(folder):
        raise UsageError(f"{visible(folder)}: no such folder")
    for path in (os.path.join(folder, name) for name in YAML_NAMES):
        if os.path.lexists(path):
            raise UsageError(f"{visible(path)} is there already and stays as it is")
    found = _models(folder)
    for title, names in found.items():
        sys.stdout.write(f"{title}: {len(names)}\n")
        sys.stdout.writelines(f"  {visible(name)}\n" for name in names[:SHOWN])
        if len(names) > SHOWN:
            sys.stdout.write(f"  and {len(names) - SHOWN} more\n")
    if not found:
        sys.stdout.write("No models here yet.\n")
    path = os.path.join(folder, NAME)
    with output(path) as stream:
        stream.write(TEMPLATE)
    written = [visible(path)]
    if not args.no_hook and os.path.lexists(os.path.join(folder, ".git")):
        written += _write_hook(os.path.join(folder, HOOKS))
    sys.stdout.write(f"Wrote {' and '.join(written)}; `irlint {visible(folder)}` checks them all.\n")
    return OK


def _write_hook(path: str) -> list[str]:
    """Writes pre-commit's configuration; one that there is stays as it is, and what to add to it is shown."""
    from irlint import __version__
    from irlint.cli._output import output
    from irlint.files.read import Unreadable, read
    from irlint.text.safe import visible

    hook = HOOK.format(version=__version__)
    if not os.path.lexists(path):
        with output(path) as stream:
            stream.write(f"repos:\n{hook}")
        return [visible(path)]
    try:
        known = b"id: irlint" in read(path)
    except Unreadable:
        known = False
    if not known:
        sys.stdout.write(f"For the hook, add to {visible(path)} below `repos:`\n{hook}")
    return []


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
