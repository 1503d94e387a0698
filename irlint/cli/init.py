"""Write an irlint.yaml and a pre-commit hook for the models in a folder, and show which ones there are."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.cli._jobs import repository
from irlint.cli._status import OK, UsageError

if TYPE_CHECKING:
    from irlint.files.walk import Exclusion
    from irlint.formats.base import Format
    from irlint.report.base import FileReport

NAME = "irlint.yaml"
BASELINE = "irlint-baseline.json"
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

LISTED = """
# Known findings: only what is not in this list is reported. `{command}` {verb} it.
{mark}baseline: {file}
"""
UNLISTED = f"# baseline: {BASELINE}"

HOOK = """\
  - repo: https://github.com/irlint/irlint
    rev: v{version}
    hooks:
      - id: irlint
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=os.curdir, metavar="FOLDER", help="where (default: here)")
    parser.add_argument(
        "--baseline",
        action="store_true",
        help=f"write what is found now to {BASELINE}, so that only new findings are reported",
    )
    parser.add_argument("--no-hook", action="store_true", help=f"write no {HOOKS}")


def run(args: argparse.Namespace) -> int:
    from irlint.cli._output import output
    from irlint.cli._weights_survey import setting, survey
    from irlint.config.base import Config
    from irlint.text.safe import visible

    folder = os.path.normpath(args.folder)
    if not os.path.isdir(folder):
        raise UsageError(f"{visible(folder)}: no such folder")
    if (there := _configuration(folder)) is not None:
        if not args.baseline:
            raise UsageError(_refusal(there))
        return _add_baseline(folder, there)
    exclusion = Config(os.path.abspath(folder)).exclusion
    found = _models(folder, exclusion)
    for format_, names in found.items():
        sys.stdout.write(f"{format_.title}: {len(names)}\n")
        sys.stdout.writelines(f"  {visible(name)}\n" for name in names[:SHOWN])
        if len(names) > SHOWN:
            sys.stdout.write(f"  and {len(names) - SHOWN} more\n")
    if not found:
        sys.stdout.write("No models here yet.\n")
    path = _inside(folder, NAME)
    with output(path) as stream:
        models = ((format_, name) for format_, names in found.items() for name in names)
        stream.write(TEMPLATE + setting(survey(folder, models, exclusion), folder))
        stream.write(_listed(args.baseline))
    written = [visible(path)]
    root = None if args.no_hook else repository(folder)
    if root is not None and os.path.samefile(root, folder):
        written += _write_hook(_inside(folder, HOOKS))
    elif root is not None:
        _show_hook(os.path.join(root, HOOKS))
    what = "all models" if found else "the models that you add"
    sys.stdout.write(f"Wrote {' and '.join(written)}; `irlint {visible(folder)}` checks {what}.\n")
    return _write_baseline(folder) if args.baseline else _offer_baseline(folder)


def _listed(writes: bool) -> str:
    """Return the lines of irlint.yaml about the baseline."""
    command, verb, mark = (
        ("irlint --write-baseline", "updates", "") if writes else ("irlint init --baseline", "writes", "# ")
    )
    return LISTED.format(command=command, verb=verb, mark=mark, file=BASELINE)


def _write_baseline(folder: str, *options: str) -> int:
    from irlint.cli import check
    from irlint.cli._dispatch import parser_of
    from irlint.cli._status import FOUND

    sys.stdout.flush()
    status = check.run(parser_of("check").parse_args(["--write-baseline", "--extend-baseline", *options, "--", folder]))
    return OK if status == FOUND else status


def _add_baseline(folder: str, there: str) -> int:
    """Write the baseline of a folder that has a configuration, which is changed only where it is as init wrote it."""
    from irlint.config import ConfigError
    from irlint.config.find import load

    try:
        source = load(there)
    except ConfigError as error:
        raise UsageError(str(error)) from error
    if source is not None and source.values.get("baseline") is not None:
        return _write_baseline(folder)
    status = _write_baseline(folder, "--baseline", _inside(folder, BASELINE))
    if status == OK:
        _name_baseline(there)
    return status


def _name_baseline(there: str) -> None:
    """Name the baseline in a configuration that has init's commented line for it; else say what to add."""
    from irlint.cli._output import output
    from irlint.text.safe import visible

    with open(there, encoding="utf-8", newline="") as file:
        text = file.read()
    lines = text.splitlines(keepends=True)
    at = [index for index, line in enumerate(lines) if line.rstrip() == UNLISTED]
    if len(at) == 1:
        lines[at[0]] = lines[at[0]].removeprefix("# ")
        written = "".join(lines).replace(_listed(False).splitlines()[1], _listed(True).splitlines()[1])
        with output(there) as stream:
            stream.write(written)
        sys.stdout.write(f"{visible(there)} now names it.\n")
    elif there.endswith(".toml"):
        line = f'baseline = "{BASELINE}"'
        sys.stdout.write(f"Add `{line}` to the table [tool.irlint] of {visible(there)}, so that every run uses it.\n")
    else:
        sys.stdout.write(f"Add `baseline: {BASELINE}` to {visible(there)}, so that every run uses it.\n")


def _offer_baseline(folder: str) -> int:
    """Say how many findings there are, and how to have only new ones reported."""
    from shlex import quote

    from irlint.cli._say import count
    from irlint.text.safe import visible

    reports = [report for report in _reports(folder) if report.entries]
    if not reports:
        return OK
    number = sum(len(report.entries) for report in reports)
    where = "" if folder == os.curdir else f" {quote(visible(folder))}"
    sys.stdout.write(
        f"Found {count(number, 'finding')} in {count(len(reports), 'file')}; `irlint init --baseline{where}` records what"
        " is found, so that only new findings are reported.\n"
    )
    return OK


def _reports(folder: str) -> Iterator[FileReport]:
    from irlint.cli._dispatch import parser_of
    from irlint.cli._jobs import jobs
    from irlint.jobs import How
    from irlint.pool import run_all

    todo = jobs(parser_of("check").parse_args(["--", folder]), lambda path, why: None)
    return (outcome.report for outcome in run_all(todo, How()) if outcome.report is not None)


def _inside(folder: str, name: str) -> str:
    return name if folder == os.curdir else os.path.join(folder, name)


def _configuration(folder: str) -> str | None:
    """Return the configuration that a folder has already: of two, one would count for nothing."""
    from irlint.config import ConfigError
    from irlint.config.find import YAML_NAMES, load

    for path in (_inside(folder, name) for name in YAML_NAMES):
        if os.path.lexists(path):
            return path
    path = _inside(folder, "pyproject.toml")
    try:
        return path if os.path.isfile(path) and load(path) is not None else None
    except ConfigError as error:
        raise UsageError(str(error)) from error


def _refusal(there: str) -> str:
    from irlint.text.safe import visible

    if there.endswith(".toml"):
        return f"{visible(there)} has a table [tool.irlint] already"
    return f"{visible(there)} is there already and stays as it is"


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
    if not os.path.lexists(path):
        sys.stdout.write(f"For the hook, create {visible(path)} with\nrepos:\n{_hook()}")
    elif not known:
        sys.stdout.write(f"For the hook, add to {visible(path)} below `repos:`\n{_hook()}")


def _hook() -> str:
    from irlint import __version__

    return HOOK.format(version=__version__)


def _models(folder: str, exclusion: Exclusion) -> dict[Format, list[str]]:
    """Files that begin like models, by the format that they are likeliest of."""
    from irlint import engine
    from irlint.files.read import Unreadable, read
    from irlint.formats.base import HEAD_SIZE
    from irlint.text.base import decode

    found: dict[Format, list[str]] = {}
    for name in _candidates(folder, exclusion):
        try:
            head = read(name, HEAD_SIZE)
        except Unreadable:
            continue
        for format_, seen in engine.recognize(decode(head)[0], name)[:1]:
            if seen.score > 0:
                found.setdefault(format_, []).append(name)
    return found


def _candidates(folder: str, exclusion: Exclusion) -> list[str]:
    from irlint.files.walk import walk
    from irlint.formats.base import extensions

    return sorted(walk(folder, extensions(), lambda _: exclusion, lambda path, why: None))
