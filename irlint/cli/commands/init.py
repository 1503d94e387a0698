"""Write an irlint.yaml and a pre-commit hook for the models in a folder, and list the models."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.cli.output import output
from irlint.cli.status import FOUND, OK, UsageError
from irlint.files.read import Unreadable, read, read_or_nothing
from irlint.text.safe import put, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irlint.config.runtimes import NamedRuntime
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

# Rules by code (R003), code prefix (R) or name (used-before-defined).
select: [ALL]
ignore: []

# Rules to ignore in some files: {"third_party/**": [G]}
per-file-ignores: {}

# Files and folders to exclude, in the syntax of .gitignore.
extend-exclude: []

# Exit with status 1 if any finding is at or above this severity: error, warning or info.
fail-on: error

"""

TARGETS = """
# Runtimes that must load the models: what these releases refuse is reported. `irlint targets MODEL` compares releases.
{}"""

LISTED = """
# Baseline of known findings: only other findings are reported. `{command}` {verb} it.
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
    parser.add_argument("folder", nargs="?", default=os.curdir, metavar="FOLDER", help="folder to set up (default: .)")
    parser.add_argument(
        "--baseline",
        action="store_true",
        help=f"write the current findings to {BASELINE}, so that only new ones are reported",
    )
    parser.add_argument(
        "--git",
        action="store_true",
        help="only make `git diff` and `git difftool` show models in this repository, as text and by what changed",
    )
    parser.add_argument("--undo", action="store_true", help="with --git: remove what it wrote")
    parser.add_argument("--no-hook", action="store_true", help=f"do not write {HOOKS}")


def run(args: argparse.Namespace) -> int:
    folder = os.path.normpath(args.folder)
    if not os.path.isdir(folder):
        raise UsageError(f"{visible(folder)}: no such folder")
    if args.git or args.undo:
        return _drivers(folder, args)
    import ruamel.yaml  # noqa: F401 - do not write a configuration that cannot be read here

    from irlint.cli.weights_survey import setting, survey
    from irlint.config import Config
    from irlint.files.walk import work_tree

    if (there := _configuration(folder)) is not None:
        if not args.baseline:
            raise UsageError(_refusal(there))
        return _add_baseline(folder, there)
    _refuse_second(folder, args.baseline)
    exclusion = Config(os.path.abspath(folder)).exclusion
    found, targets = _models(folder, exclusion), _runtimes(folder)
    _show_models(found)
    path = _inside(folder, NAME)
    with output(path) as file:
        models = ((format_, name) for format_, names in found.items() for name in names)
        file.write(TEMPLATE + setting(survey(folder, models, exclusion), folder) + _targets(targets))
        file.write(_baseline_lines(args.baseline))
    written = [visible(path)]
    root = None if args.no_hook else work_tree(os.path.abspath(folder))
    if root is not None and os.path.samefile(root, folder):
        written += _write_hook(_inside(folder, HOOKS))
    elif root is not None:
        _show_hook(os.path.join(root, HOOKS))
    what = "all models" if found else "the models that you add"
    put(sys.stdout, f"Wrote {' and '.join(written)}; `irlint {visible(folder)}` checks {what}.\n")
    return (
        _write_baseline(folder, "--baseline", _inside(folder, BASELINE)) if args.baseline else _offer_baseline(folder)
    )


def _drivers(folder: str, args: argparse.Namespace) -> int:
    """Write, or remove, how git shows models."""
    from irlint.cli.git_drivers import add_drivers, remove_drivers

    if not args.git:
        raise UsageError("--undo requires --git")
    if args.baseline:
        raise UsageError("--git cannot be used with --baseline")
    (remove_drivers if args.undo else add_drivers)(folder)
    return OK


def _show_models(found: dict[Format, list[str]]) -> None:

    for format_, names in found.items():
        put(sys.stdout, f"{format_.title}: {len(names)}\n")
        put(sys.stdout, "".join(f"  {visible(name)}\n" for name in names[:SHOWN]))
        if len(names) > SHOWN:
            put(sys.stdout, f"  and {len(names) - SHOWN} more\n")
    if not found:
        put(sys.stdout, "No models found.\n")


def _runtimes(folder: str) -> list[NamedRuntime]:
    """Return the runtimes that the folder's files name, and say which releases of them are models checked for."""
    from irlint.config.build import target_trouble
    from irlint.config.runtimes import runtimes

    troubles = [(one, target_trouble(one.name, one.release)) for one in runtimes(folder)]
    for one, trouble in troubles:
        of = f"{one.name} {one.release}, which {visible(one.file)} names"
        put(sys.stdout, f"Target: {of}\n" if trouble is None else f"No target for {one.file}: {trouble}\n")
    return [one for one, trouble in troubles if trouble is None]


def _targets(found: Sequence[NamedRuntime]) -> str:
    """Return the lines of irlint.yaml about targets."""
    lines = [f'  {one.name}: "{one.release}"  # as {one.file} says\n' for one in found]
    return TARGETS.format("targets:\n" + "".join(lines) if lines else '# targets: {onnxruntime: "1.17"}\n')


def _baseline_lines(writes: bool) -> str:
    """Return the lines of irlint.yaml about the baseline."""
    command, verb, mark = (
        ("irlint --write-baseline", "updates", "") if writes else ("irlint init --baseline", "writes", "# ")
    )
    return LISTED.format(command=command, verb=verb, mark=mark, file=BASELINE)


def _write_baseline(folder: str, *options: str) -> int:
    from irlint.cli.commands import check
    from irlint.cli.dispatch import parser_of

    sys.stdout.flush()
    status = check.run(parser_of("check").parse_args(["--write-baseline", "--extend-baseline", *options, "--", folder]))
    return OK if status == FOUND else status


def _add_baseline(folder: str, there: str) -> int:
    """Write the baseline of a folder that has a configuration, which is changed only where it is as init wrote it."""
    from irlint.config.find import load

    source = load(there)
    if source is not None and source.values.get("baseline") is not None:
        return _write_baseline(folder)
    status = _write_baseline(folder, "--baseline", _inside(folder, BASELINE))
    if status == OK:
        _name_baseline(there)
    return status


def _name_baseline(there: str) -> None:
    """Uncomment init's line for the baseline in a configuration; else print what to add."""

    with open(there, encoding="utf-8", newline="") as file:
        text = file.read()
    lines = text.splitlines(keepends=True)
    at = [index for index, line in enumerate(lines) if line.rstrip() == UNLISTED]
    if len(at) == 1:
        lines[at[0]] = lines[at[0]].removeprefix("# ")
        written = "".join(lines).replace(_baseline_lines(False).splitlines()[1], _baseline_lines(True).splitlines()[1])
        with output(there) as file:
            file.write(written)
        put(sys.stdout, f"Added it to {visible(there)}.\n")
    elif there.endswith(".toml"):
        line = f'baseline = "{BASELINE}"'
        put(sys.stdout, f"Add `{line}` to the table [tool.irlint] of {visible(there)} to use it in every run.\n")
    else:
        put(sys.stdout, f"Add `baseline: {BASELINE}` to {visible(there)} to use it in every run.\n")


def _offer_baseline(folder: str) -> int:
    """Print how many findings there are and how to report only new ones."""
    from shlex import quote

    from irlint.text.words import count

    reports = [report for report in _reports(folder) if report.entries]
    if not reports:
        return OK
    number = sum(len(report.entries) for report in reports)
    where = "" if folder == os.curdir else f" {quote(visible(folder))}"
    put(
        sys.stdout,
        f"Found {count(number, 'finding')} in {count(len(reports), 'file')}; run `irlint init --baseline{where}` to"
        " record them, so that only new findings are reported.\n",
    )
    return OK


def _reports(folder: str) -> Iterator[FileReport]:
    from irlint.cli.dispatch import parser_of
    from irlint.cli.jobs import jobs
    from irlint.jobs import JobOptions
    from irlint.jobs.pool import run_all

    todo = jobs(parser_of("check").parse_args(["--", folder]), lambda path, why: None)
    return (outcome.report for outcome in run_all(todo, JobOptions()) if outcome.report is not None)


def _inside(folder: str, name: str) -> str:
    return os.path.normpath(os.path.join(folder, name))


def _configuration(folder: str) -> str | None:
    """Return the configuration that a folder already has: of two, one would be ignored."""
    from irlint.config.find import YAML_NAMES, load

    for path in (_inside(folder, name) for name in YAML_NAMES):
        if os.path.lexists(path):
            return path
    path = _inside(folder, "pyproject.toml")
    return path if os.path.isfile(path) and load(path) is not None else None


def _refusal(there: str) -> str:
    what = "has a table [tool.irlint]" if there.endswith(".toml") else "exists"
    return f"{visible(there)} already {what}; edit it, or run `irlint init --baseline` to record the findings of today"


def _refuse_second(folder: str, is_baseline: bool) -> None:
    """Refuse to write a configuration that would replace the one of a folder above: settings of two are not merged."""
    from irlint.config.find import Configurations

    above = Configurations().of_folder(os.path.abspath(folder)).path
    if above is None:
        return
    there = visible(os.path.relpath(above))
    own, here = visible(_inside(folder, NAME)), "this folder" if folder == os.curdir else visible(folder)
    if is_baseline:
        root = visible(os.path.relpath(os.path.dirname(above)))
        raise UsageError(f"{there} applies to {here}, too; run `irlint init --baseline {root}`")
    raise UsageError(
        f"{there} applies to {here}, too, and {own} would replace it; edit {there}, or copy it to {own} and change the copy"
    )


def _write_hook(path: str) -> list[str]:
    """Write pre-commit's configuration; if there is one, print what to add to it."""

    if os.path.lexists(path):
        _show_hook(path)
        return []
    with output(path) as file:
        file.write(f"repos:\n{_hook()}")
    return [visible(path)]


def _show_hook(path: str) -> None:
    """Print what to add to pre-commit's configuration, unless it is there."""

    if not os.path.lexists(path):
        put(sys.stdout, f"To add the pre-commit hook, create {visible(path)} with\nrepos:\n{_hook()}")
    elif b"id: irlint" not in read_or_nothing(path):
        put(sys.stdout, f"To add the pre-commit hook, add to {visible(path)} below `repos:`\n{_hook()}")


def _hook() -> str:
    from irlint import __version__

    return HOOK.format(version=__version__)


def _models(folder: str, exclusion: Exclusion) -> dict[Format, list[str]]:
    """Return files that begin like models, by their most likely formats."""
    from irlint import engine
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
    from irlint.companions import endings, named_like
    from irlint.files.walk import walk
    from irlint.formats.base import extensions
    from irlint.text.others import ending

    ours = extensions()
    found = walk(folder, ours | endings(), lambda _: exclusion, lambda path, why: None)
    return sorted(name for name in found if ending(name) in ours or named_like(name))
