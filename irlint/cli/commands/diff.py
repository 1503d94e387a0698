"""Show what changed between two models: nodes, attributes, weights and edges, and the types that changed as a consequence."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irlint.cli.dispatch import parser_of
from irlint.cli.model import READING, load_model, model_file, model_for, only_one_stdin
from irlint.cli.options import add_as
from irlint.cli.output import show, show_json
from irlint.cli.revisions import VersionPair, add_against, changed_models, holds_model, of_git
from irlint.cli.status import FOUND, OK, USAGE, Refused, UsageError, say
from irlint.files.read import Unreadable, read
from irlint.files.revision_files import RevisionFiles
from irlint.files.revisions import GitError, GitRepository
from irlint.files.side_files import reading_from
from irlint.formats.base import models_of
from irlint.inspection.review.changes import differences
from irlint.inspection.review.changes_report import lines, markdown, record
from irlint.inspection.review.difference import Difference
from irlint.inspection.review.mermaid import diagram
from irlint.records import NamedTuple, replace
from irlint.text.safe import put, visible
from irlint.tools.installed import is_installed

EPILOG = """\
lines begin with:
  + - ~  nodes that were added, removed, or changed
  =      what is written in another way, counted

Between two formats, `= Sigmoid, Mul -> Swish` says that a place of the network has other operators. irlint runs such
places, and operators without weights, on a few numbers; `irlint prove` runs both models.

`N % apart` is the largest difference of two numbers of a weight, relative to the largest number that it has.

exit status: 0 no differences, 1 differences (also if there are only lines with `=`), 2 invalid usage, or a file that is
not compared
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="OLD NEW",
        help="two versions of a model, in the same format or in two, - for stdin; with --against the models to compare",
    )
    add_against(parser)
    parser.add_argument("--no-weights", action="store_true", help="do not compare the values of weights")
    parser.add_argument("--output-format", choices=("text", "json", "markdown"), default="text")
    parser.add_argument(
        "--diagram",
        action="store_true",
        help="with --output-format markdown: add a Mermaid diagram of the changed nodes, which GitHub and GitLab draw",
    )
    parser.add_argument(
        "--difftool",
        metavar="NAME",
        help="for git difftool: OLD and NEW are versions of this file; name it if it is not a model, and do not fail",
    )
    add_as(parser, "both files")


def run(args: argparse.Namespace) -> int:
    if args.against is not None:
        return _against(args)
    if len(args.paths) != 2:
        raise UsageError("expected two files, OLD and NEW, or --against REV")
    if args.difftool is not None:
        return _for_git(args)
    try:
        return _of_two(args)
    except Refused as refused:
        say(*map(str, refused.args))
        return USAGE


def _of_two(args: argparse.Namespace) -> int:
    only_one_stdin(args.paths)
    old, new = args.paths = [model_file(name) for name in args.paths]
    if os.devnull in args.paths:  # as git names a file that one side does not have
        _write([_Shown(None if old == os.devnull else old, None if new == os.devnull else new)], args)
        return FOUND
    before, after = (load_model(name, "nodes", args.as_format, shapes=True) for name in args.paths)
    found = differences(before, after, _weights(args), network=True)
    _write([_Shown(old, new, found)], args)
    return OK if found.is_empty else FOUND


def _for_git(args: argparse.Namespace) -> int:
    """Compare two versions of any file of a repository."""
    try:
        versions = {name: read(name) for name in args.paths if name != os.devnull}
        if any(holds_model(data, name) for name, data in versions.items()):
            _of_versions(args)
        else:
            show([_said_of_other(Path(args.difftool), args.paths, versions)])
    except Refused as refused:
        say(*map(str, refused.args))
    except (Unreadable, UsageError) as error:
        say(f"{visible(args.difftool)}: {error}")
    return OK


def _of_versions(args: argparse.Namespace) -> None:
    """Compare two versions of a model that git wrote somewhere, with the files next to them."""
    if os.devnull in args.paths:
        _of_two(args)
        return
    try:
        repository = GitRepository(os.curdir)
    except GitError:
        _of_two(args)
        return
    try:
        (old, before), (new, after) = (of_git(path, args.difftool, repository) for path in args.paths)
        with reading_from(RevisionFiles(*filter(None, (before, after)))):
            models = [model_for("nodes", one.lint(replace(READING, shapes=True), args.as_format)) for one in (old, new)]
            found = differences(models[0], models[1], _weights(args), network=True)
            _write([_Shown(old.name, new.name, found)], args)
    finally:
        repository.close()


def _said_of_other(path: Path, paths: list[str], versions: dict[str, bytes]) -> str:
    """Return what a file is that is not a model."""
    sizes = (f"{len(versions[name]):,} bytes" if name in versions else "no file" for name in paths)
    name, (old, new) = visible(str(path)), sizes
    if owner := next(iter(models_of(path)), None):
        commit = _commit_of(paths[0], str(path)) or "HEAD"
        compared = f"`irlint diff --against {commit} {visible(str(owner))}` compares them with the work tree"
        return f"{name}: weights of {visible(owner.name)}: {old} -> {new}; {compared}"
    return f"{name}: not a model: {old} -> {new}"


def _commit_of(path: str, name: str) -> str | None:
    """Return the last commit in which a file has the content of one elsewhere; None if that is not known."""
    try:
        repository = GitRepository(os.curdir)
        found = repository.holding(path, name.replace(os.sep, "/"), ()) if path != os.devnull else []
    except GitError:
        return None
    return found[0][0][:10] if found else None


class _Shown(NamedTuple):
    """The comparison of two files; None in the place of a name where there is no such file."""

    old: str | None
    new: str | None
    found: Difference | None = None
    is_renamed: bool = False

    @property
    def is_worth_a_line(self) -> bool:
        return self.is_renamed or self.is_different

    @property
    def is_different(self) -> bool:
        return self.found is None or not self.found.is_empty

    def record(self) -> dict[str, Any]:
        return {"old": self.old, "new": self.new, **(record(self.found) if self.found is not None else {})}

    def lines(self) -> list[str]:
        return lines(self.found) if self.found is not None else [self.word()]

    def markdown(self, with_diagram: bool) -> list[str]:
        if self.found is not None:
            drawn = diagram(self.found) if with_diagram else []
            return [
                *markdown(self.found, str(self.old), str(self.new)),
                *(["", "```mermaid", *drawn, "```"] if drawn else ()),
            ]
        name = self.name.replace("`", "'")  # there is no way to write one in code
        return [f"`{name}`: {self.word()}"]

    def word(self) -> str:
        return "new model" if self.old is None else "removed"

    @property
    def name(self) -> str:
        return visible(self.new or self.old or "")


def _against(args: argparse.Namespace) -> int:
    """Compare the models of a repository that changed since a revision."""
    status = OK

    def complain(name: str, why: str) -> None:
        nonlocal status
        say(f"{visible(name)}: {why}")
        status = USAGE

    as_check = parser_of("check").parse_args([])
    shown = []
    with changed_models(args.against, args.paths, as_check, complain) as pairs:
        for pair in pairs:
            try:
                old, new = (of and of.name for of in (pair.old, pair.new))
                shown.append(_Shown(old, new, _compared(pair, args), pair.is_renamed))
            except Refused as refused:
                say(*map(str, refused.args))
                status = max(status, FOUND)
            except Unreadable as error:
                complain(pair.job.name, str(error))
    _write([one for one in shown if one.is_worth_a_line], args)
    return max(status, FOUND if any(one.is_different for one in shown) else OK)


def _compared(pair: VersionPair, args: argparse.Namespace) -> Difference | None:
    if pair.old is None or pair.new is None:
        return None
    settings = replace(READING, options=pair.job.settings.options)
    before, after = (model_for("nodes", of.lint(settings, args.as_format)) for of in (pair.old, pair.new))
    return differences(before, after, _weights(args), network=True)


def _weights(args: argparse.Namespace) -> bool:
    if args.no_weights or is_installed("numpy"):
        return not args.no_weights
    say("weights not compared: that requires numpy, which is not installed (pip install numpy)")
    args.no_weights = True
    return False


def _write(shown: list[_Shown], args: argparse.Namespace) -> None:
    """Write comparisons: one by itself, or a list of those against a revision."""
    is_list = args.against is not None
    if args.output_format == "json":
        records = [one.record() for one in shown]
        show_json(records if is_list else records[0])
    elif args.output_format == "markdown":
        put(sys.stdout, "\n\n".join("\n".join(one.markdown(args.diagram)) for one in shown) + "\n")
    elif not is_list:  # git names no file
        show([f"{visible(args.difftool)}:", *_indented(shown[0])] if args.difftool is not None else shown[0].lines())
    else:
        for one in shown:
            renamed = f" (was {visible(one.old)})" if one.is_renamed and one.old is not None else ""
            show([f"{one.name}{renamed}:", *_indented(one)])
        if not shown:
            show([f"no models changed since {visible(args.against)}"])


def _indented(one: _Shown) -> Iterator[str]:
    return (f"  {line}" for line in one.lines())
