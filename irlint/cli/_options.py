"""The options of `irlint check`."""

from __future__ import annotations

import argparse
import os

from irlint.cli._status import UsageError
from irlint.text.safe import visible

OUTPUT_FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit")
SEVERITIES = ("error", "warning", "info")
WEIGHTS = ("auto", "required", "optional")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="files or folders; - reads standard input (default: .)"
    )
    _add_rules(parser.add_argument_group("which rules"))
    _add_models(parser.add_argument_group("which models, and what for"))
    _add_repair(parser.add_argument_group("repair"))
    _add_output(parser.add_argument_group("output"))
    _add_configuration(parser.add_argument_group("configuration"))


Group = argparse._ArgumentGroup


def _add_rules(group: Group) -> None:
    def add(option: str, text: str) -> None:
        group.add_argument(option, metavar="RULE,...", action="extend", type=_words, help=text)

    add(
        "--select",
        "check these rules instead of the configured ones: codes, names, prefixes of codes, or ALL; PEDANTIC adds pedantic findings",
    )
    add("--extend-select", "check these rules too")
    add(
        "--ignore", "leave these rules out; of two words for one rule, one to select and one to ignore, the longer wins"
    )
    group.add_argument(
        "--pedantic",
        action="store_true",
        help="also report what seldom needs a change: what converters write and runtimes handle",
    )


def _add_models(group: Group) -> None:
    group.add_argument(
        "--as", dest="as_format", metavar="FORMAT[:DIALECT]", type=model_format, help="read every file as this format"
    )
    group.add_argument(
        "--stdin-filename",
        metavar="NAME",
        help="name of the text on standard input, in reports and to find its configuration",
    )
    group.add_argument(
        "--skip-unrecognized",
        action="store_true",
        help="pass over named files that are no models, instead of reporting them",
    )
    group.add_argument(
        "--force-exclude", action="store_true", help="pass over named files too that the configuration excludes"
    )
    group.add_argument(
        "--target",
        metavar="NAME=VERSION",
        action="append",
        type=_target,
        default=[],
        help="report what this runtime cannot load, e.g. openvino=2024.6; may be repeated",
    )
    group.add_argument(
        "--weights",
        choices=WEIGHTS,
        metavar="WHEN",
        help="whether missing weights (.bin, .params) are an error: required, optional, or auto: only where git tracks"
        " them or there is no repository (default: auto)",
    )
    group.add_argument(
        "--dry-run-shapes",
        action=argparse.BooleanOptionalAction,
        help="follow shapes and dtypes through the model (default: yes)",
    )


def _add_repair(group: Group) -> None:
    group.add_argument(
        "--fix", action="store_true", help="repair what can be repaired safely, then report what is left"
    )
    group.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: repairs too that may change the meaning"
    )
    group.add_argument(
        "--diff", action="store_true", help="write nothing; show what --fix would change as a unified diff"
    )


def _add_output(group: Group) -> None:
    group.add_argument(
        "--output-format", choices=OUTPUT_FORMATS, default="full", metavar="FORMAT", help=f"{', '.join(OUTPUT_FORMATS)}"
    )
    group.add_argument("--output-file", metavar="FILE", help="write the report there instead of to standard output")
    group.add_argument(
        "--statistics",
        action="store_true",
        help="count findings by rule instead of listing them, and say how long rules took",
    )
    group.add_argument(
        "--show-all", action="store_true", help="list each finding, even where others of its file say the same"
    )
    group.add_argument("--watch", action="store_true", help="check again whenever a file has changed, until Ctrl-C")
    group.add_argument(
        "--fail-on",
        choices=SEVERITIES,
        metavar="SEVERITY",
        help="exit with 1 from this severity upwards (default: error)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is found")


def _add_configuration(group: Group) -> None:
    group.add_argument(
        "--config", metavar="FILE", help="this configuration for all files, instead of the nearest to each"
    )
    group.add_argument("--isolated", action="store_true", help="no configuration file")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        help="report only what is not in this list of known findings (default: the configuration's)",
    )
    group.add_argument(
        "--write-baseline",
        action="store_true",
        help="write the baseline: all that is found if there is none yet, else only what is still found of it",
    )
    group.add_argument(
        "--extend-baseline",
        action="store_true",
        help="with --write-baseline: add what is new to the file that there is",
    )
    group.add_argument(
        "--jobs", metavar="N", type=_count, default=0, help="processes to use (default: by number of files)"
    )
    group.add_argument("--no-cache", action="store_true", help="check every file, and remember nothing")
    group.add_argument(
        "--cache-dir",
        metavar="FOLDER",
        help="where to remember what was found in files (default: .irlint_cache in the project's folder)",
    )


def verify(args: argparse.Namespace) -> None:
    """Options that do not go together."""
    if args.config and args.isolated:
        raise UsageError("--config and --isolated exclude each other")
    if args.output_file and any(_are_one(args.output_file, path) for path in args.paths):
        raise UsageError(
            f"--output-file would write the report over {visible(args.output_file)}, which is to be checked"
        )
    if args.watch and ("-" in args.paths or args.stdin_filename):
        raise UsageError("--watch cannot wait for standard input to change")
    if args.watch and args.write_baseline:
        raise UsageError("--watch and --write-baseline exclude each other")
    if args.extend_baseline and not args.write_baseline:
        raise UsageError("--extend-baseline goes with --write-baseline only")
    if args.statistics and args.output_format not in ("full", "concise", "json", "jsonl"):
        raise UsageError("--statistics goes with the output formats full, concise, json and jsonl only")


def _are_one(first: str, second: str) -> bool:
    """Whether two names stand for the same regular file."""
    try:
        return os.path.isfile(first) and os.path.samefile(first, second)
    except (OSError, ValueError):
        return False


def model_format(text: str) -> str:
    """FORMAT or FORMAT:DIALECT, both known."""
    from irlint.config.check import did_you_mean
    from irlint.formats.base import all_formats

    name, _, dialect = text.partition(":")
    if (format_ := all_formats().get(name)) is None:
        raise argparse.ArgumentTypeError(f"no format is called {name!r} ({did_you_mean(name, list(all_formats()))})")
    dialects = [known.name for known in format_.dialects]
    if dialect and dialect not in dialects:
        raise argparse.ArgumentTypeError(
            f"{name} has no dialect called {dialect!r} ({did_you_mean(dialect, dialects)})"
        )
    return text


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise argparse.ArgumentTypeError("an empty word among the rules")
    return words


def _target(text: str) -> tuple[str, str]:
    name, mark, version = text.partition("=")
    if not (name and mark and version):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VERSION")
    return name, version


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 4:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return int(text)
