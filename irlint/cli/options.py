"""The options of `irlint check`."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable

from irlint.cli.status import UsageError
from irlint.records import NamedTuple
from irlint.report import DEFAULT, FORMATS
from irlint.text.safe import visible

RULES = "RULE,..."  # the values of options that take selectors
REPORT = "FORMAT[:FILE]"
SEVERITIES = ("error", "warning", "info")
WEIGHTS = ("auto", "required", "optional")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files or folders to check, or - for stdin (default: .)"
    )
    parser.add_argument(
        "--show-files", action="store_true", help="list the files that would be checked, without checking them"
    )
    add_rules(parser.add_argument_group("rule selection"))
    _add_models(parser.add_argument_group("model selection"))
    _add_repair(parser.add_argument_group("fixes"))
    _add_output(parser.add_argument_group("output"))
    _add_configuration(parser.add_argument_group("configuration"))


Group = argparse._ArgumentGroup


def add_rules(group: Group) -> None:
    def add(option: str, text: str) -> None:
        group.add_argument(option, metavar=RULES, action="extend", type=_words, help=text)

    add(
        "--select",
        "comma-separated list of rules to check instead of the configured ones: codes, code prefixes, names, or ALL; PEDANTIC adds"
        " pedantic findings",
    )
    add("--extend-select", "like --select, but in addition to the configured rules")
    add(
        "--ignore",
        "comma-separated list of rules to disable; if a rule is both selected and ignored, the more specific wins",
    )
    group.add_argument(
        "--pedantic",
        action="store_true",
        help="report pedantic findings, too: what converters write and runtimes handle, and what rarely needs a change",
    )


def _add_models(group: Group) -> None:
    group.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="file name for stdin, used in reports and to find the configuration",
    )
    group.add_argument(
        "--skip-unrecognized",
        action="store_true",
        help="skip files given on the command line that are not models, instead of reporting them",
    )
    group.add_argument(
        "--force-exclude", action="store_true", help="apply excludes to files given on the command line, too"
    )
    add_models(group)
    group.add_argument(
        "--tracked-weights",
        action="store_true",
        help="report weights files that git does not track although they are here, as a commit would lack them",
    )


def add_as(group: Group | argparse.ArgumentParser, what: str = "the file") -> None:
    group.add_argument(
        "--as", dest="as_format", metavar="FORMAT[:DIALECT]", type=model_format, help=f"read {what} as this format"
    )


def add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=SHAPE[:DTYPE]",
        help="shape of an input, such as 1,3,224,224, if the model leaves it open",
    )


def add_models(group: Group) -> None:
    add_as(group, "all files")
    group.add_argument(
        "--target",
        metavar="NAME=VERSION",
        action="append",
        type=_target,
        default=[],
        help="report what this version of a runtime cannot load, such as openvino=2024.6; can be given several times",
    )
    group.add_argument(
        "--weights",
        choices=WEIGHTS,
        metavar="WHEN",
        help="how to report missing weights files (.bin, .data, .params): required (error), optional (not at all), or auto (error"
        " if git tracks the file or there is no repository, else warning) (default: auto)",
    )
    group.add_argument(
        "--dry-run-shapes",
        action=argparse.BooleanOptionalAction,
        help="infer shapes and dtypes of the whole model (default: enabled)",
    )


def _add_repair(group: Group) -> None:
    group.add_argument(
        "--fix", action="store_true", help="apply safe and proven fixes to files, then report the remaining findings"
    )
    group.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: include unsafe fixes, which are guesses"
    )
    group.add_argument(
        "--diff", action="store_true", help="show what --fix would change as a unified diff, without changing files"
    )
    group.add_argument(
        "--add-ignore",
        metavar="REASON",
        help="suppress every finding in its file, with a comment or an attribute; the reason is optional, and follows an"
        " equals sign: --add-ignore=REASON",
    )


def _add_output(group: Group) -> None:
    add_output(group)
    group.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="say on stderr how each file was read, and which configuration applies",
    )
    group.add_argument(
        "--statistics",
        action="store_true",
        help="show the number of findings per rule and the time that rules took, instead of the findings",
    )
    group.add_argument("--watch", action="store_true", help="check again whenever a file changes; stop with Ctrl-C")
    group.add_argument("--exit-non-zero-on-fix", action="store_true", help="exit with status 1 if --fix changed a file")


def add_output(group: Group, default: str = DEFAULT) -> None:
    group.add_argument(
        "--output-format",
        action="append",
        type=_report,
        dest="reports",
        metavar=REPORT,
        help=f"{', '.join(FORMATS)} (default: {default}); with FILE the report is written there. Can be given several times"
        " to write several reports",
    )
    group.add_argument(
        "--output-file", metavar="FILE", help="write the report whose format has no FILE to FILE instead of stdout"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="show findings and errors only")
    group.add_argument(
        "--show-all",
        action="store_true",
        help="show every finding instead of one of several similar ones in a file, and every note",
    )
    group.add_argument(
        "--fail-on",
        choices=SEVERITIES,
        metavar="LEVEL",
        help="exit with status 1 if any finding is at or above LEVEL: error, warning or info (default: error)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with status 0 even if there are findings")


def _add_configuration(group: Group) -> None:
    add_configuration(group)
    add_baseline(group)
    add_run(group)


def add_baseline(group: Group) -> None:
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="report only findings that are not in this baseline (default: `baseline` of the configuration)",
    )
    group.add_argument(
        "--write-baseline",
        action="store_true",
        help="write all findings to a new baseline, or remove entries that are no longer found from an existing one",
    )
    group.add_argument(
        "--extend-baseline",
        action="store_true",
        help="with --write-baseline: add new findings to an existing baseline, too",
    )


def add_configuration(group: Group) -> None:
    group.add_argument(
        "--config", metavar="FILE", help="configuration file for all files, instead of the nearest one to each"
    )
    group.add_argument("--isolated", action="store_true", help="ignore all configuration files")


def add_run(group: Group) -> None:
    group.add_argument(
        "--jobs",
        metavar="N",
        type=integer(1, 9999, "a number of processes"),
        default=0,
        help="number of processes (default: by number of files)",
    )
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    group.add_argument(
        "--cache-dir",
        metavar="FOLDER",
        help="folder of the cache (default: .irlint_cache in the project's folder)",
    )


# Options that cannot be combined with others, in the order in which they are refused; stdin: with `-`, or with a name for it
_EXCLUDES = {
    "--show-files": ("--fix", "--diff", "--watch", "--add-ignore", "--statistics", "--write-baseline"),
    "--quiet": ("--verbose",),
    "--add-ignore": ("--fix", "--diff", "--watch", "--statistics", "--write-baseline", "stdin"),
    "--watch": ("stdin", "--write-baseline"),
}


def verify(args: argparse.Namespace) -> None:
    """Refuse options that cannot be combined."""
    verify_configuration(args)
    _verify_reports(args)
    for option, others in _EXCLUDES.items():
        refuse_both(args, option, others)
    _verify_reason(args.add_ignore or "")
    if args.extend_baseline and not args.write_baseline:
        raise UsageError("--extend-baseline requires --write-baseline")
    if args.statistics and not all(FORMATS[report.format].has_statistics for report in args.reports):
        raise UsageError("--statistics requires --output-format full, concise, json or jsonl")


# What `verify` and a run of the command ask for, and other commands that report findings as `irlint check` does not have
ABSENT = {
    "show_files": False, "fix": False, "unsafe_fixes": False, "diff": False, "add_ignore": None, "statistics": False, "watch": False,
    "exit_non_zero_on_fix": False, "stdin_filename": None, "skip_unrecognized": False, "force_exclude": False, "verbose": False,
    "jobs": 1, "no_cache": True, "cache_dir": None,
}  # fmt: skip


def _verify_reports(args: argparse.Namespace) -> None:
    """Refuse reports where none is written, and those that would overwrite a model; `reports` become those to write."""
    named = [report for report in args.reports or () if report.file]
    for option in ("--show-files", "--diff", "--add-ignore"):
        if _is_given(args, option) and (named or len(args.reports or ()) > 1):
            raise UsageError(f"{option} writes no report: --output-format cannot be used with it")
    args.reports = reports_of(args)
    for report in args.reports:
        if report.file and any(_are_one(report.file, path) for path in args.paths):
            raise UsageError(f"the report would overwrite {visible(report.file)}, which is one of the files to check")


def refuse_both(args: argparse.Namespace, option: str, others: Iterable[str]) -> None:
    """Refuse an option together with any of the others."""
    for other in others:
        if _is_given(args, option) and _is_given(args, other):
            raise UsageError(f"{option} cannot be used with {other}")


def verify_configuration(args: argparse.Namespace) -> None:
    refuse_both(args, "--config", ["--isolated"])


def reports_of(args: argparse.Namespace, default: str = DEFAULT) -> list[ReportTarget]:
    """Return the reports to write; --output-file is the file of the one that names none."""
    reports: list[ReportTarget] = args.reports or [ReportTarget(default, None)]
    open_ones = [report.format for report in reports if report.file is None]
    if len(open_ones) > 1:
        raise UsageError(
            f"--output-format {open_ones[0]} and {open_ones[1]} would both be written to"
            f" {visible(args.output_file) if args.output_file else 'stdout'}; use {open_ones[1]}:FILE"
        )
    if args.output_file and not open_ones:
        raise UsageError("--output-file has no report to write: each --output-format names its own file")
    reports = [report if report.file else ReportTarget(report.format, args.output_file) for report in reports]
    files = [os.path.realpath(report.file) for report in reports if report.file]
    if twice := next((file for file in files if files.count(file) > 1), None):
        raise UsageError(f"two reports would be written to {visible(twice)}")
    return reports


def _is_given(args: argparse.Namespace, option: str) -> bool:
    if option == "stdin":
        return "-" in args.paths or bool(args.stdin_filename)
    return getattr(args, option[2:].replace("-", "_")) not in (None, False)


def _verify_reason(reason: str) -> None:
    for part in ("--", "]", "\n", "*/", '"', "\\"):
        if part in reason:
            raise UsageError(f"--add-ignore: a reason cannot contain `{visible(part)}`")


def _are_one(first: str, second: str) -> bool:
    """Return whether two names refer to the same regular file."""
    try:
        return os.path.isfile(first) and os.path.samefile(first, second)
    except (OSError, ValueError):
        return False


def model_format(text: str) -> str:
    """Return FORMAT or FORMAT:DIALECT as given if both are known."""
    from irlint.config.check import did_you_mean
    from irlint.formats.base import all_formats

    name, _, dialect = text.partition(":")
    if (format_ := all_formats().get(name)) is None:
        raise argparse.ArgumentTypeError(f"unknown format `{name}`; {did_you_mean(name, list(all_formats()))}")
    dialects = [known.name for known in format_.dialects]
    if dialect and dialect not in dialects:
        raise argparse.ArgumentTypeError(f"unknown dialect `{dialect}` of {name}; {did_you_mean(dialect, dialects)}")
    return text


class ReportTarget(NamedTuple):
    """A report to write: its format, and its file unless it is written to stdout."""

    format: str
    file: str | None


def _report(text: str) -> ReportTarget:
    name, mark, file = text.partition(":")
    if name not in FORMATS:
        from irlint.config.check import did_you_mean

        raise argparse.ArgumentTypeError(f"unknown output format `{name}`; {did_you_mean(name, [*FORMATS])}")
    if mark and not file:
        raise argparse.ArgumentTypeError(f"expected a file after `{text}`")
    from irlint.report.paths import is_url

    if is_url(file):
        raise argparse.ArgumentTypeError(f"expected a file after `{name}:`; `irlint zoo --report URL` writes to stores")
    return ReportTarget(name, None if file in ("", "-") else file)


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise argparse.ArgumentTypeError("expected rules separated by commas, got an empty one")
    return words


def _target(text: str) -> tuple[str, str]:
    name, mark, version = (part.strip() for part in text.partition("="))
    if not (name and mark and version):
        raise argparse.ArgumentTypeError(f"expected NAME=VERSION, got `{text}`")
    return name, version


def integer(least: int, most: int, what: str) -> Callable[[str], int]:
    """Return what reads an integer in a range; `what` is expected where there is none."""

    def read(text: str) -> int:
        if text.isdecimal() and len(text) <= len(str(most)) and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"expected {what}, got `{text}`")

    return read


def seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected an integer of at least 0, got `{text}`")
    return int(text)


def size_in_bytes(text: str) -> int:
    """Read a number of bytes: `800`, `500M`, `800MB` and `2GiB` count in units of 1024."""
    found = re.fullmatch(r"(?ai)(\d{1,15}(?:\.\d{0,15})?) ?([kmgtp]?)(?:i?b)?", text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 2GiB, got `{text}`")
    return int(float(found[1]) * 1024 ** " kmgtp".index(found[2].lower() or " "))
