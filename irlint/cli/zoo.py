"""Check all models in object stores: s3://, gs://, az://, hf://, folders."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from hashlib import blake2b
from typing import TYPE_CHECKING

from irlint.cli import _objects, _options, _stored
from irlint.cli._jobs import cache_folder, configurations_of, overrides
from irlint.cli._output import columns, has_color, output
from irlint.cli._progress import Meter, shown
from irlint.cli._say import say
from irlint.cli._status import FAILURE, FOUND, OK, USAGE, UsageError
from irlint.config import ConfigError, UnknownSelector
from irlint.findings import Severity
from irlint.report import object_report, write
from irlint.report.base import FileReport
from irlint.rules.registry import verify_plugins
from irlint.text.safe import visible
from irlint.text.words import count

if TYPE_CHECKING:
    from irlint.zoo.engines import Engine
    from irlint.zoo.ledger import Ledger
    from irlint.zoo.outcome import ObjectOutcome
    from irlint.zoo.run import Shard, ZooOptions, ZooRun
    from irlint.zoo.shared_cache import SharedCache

EPILOG = """\
exit status:
  0  no findings at or above --fail-on
  1  findings at or above --fail-on
  2  invalid usage or configuration, or an object that cannot be read
  3  internal error; the other objects are still checked
"""

PARALLEL_FROM = 64  # objects: fewer are linted before processes have started


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "urls",
        nargs="+",
        metavar="URL",
        help="stores, folders in them or objects to check: s3://BUCKET/PREFIX, gs://, az://, a folder, or any URL that fsspec knows",
    )
    _options.add_rules(parser.add_argument_group("rule selection"))
    models = parser.add_argument_group("model selection")
    _options.add_models(models)
    models.add_argument(
        "--max-size",
        metavar="BYTES",
        type=_bytes,
        default=2 << 30,
        help="report larger objects instead of reading them; K, M and G are allowed (default: 2G)",
    )
    models.add_argument(
        "--shard",
        metavar="I/N",
        type=_shard,
        help="check the I-th of N parts of the objects, for N runs at the same time; I begins at 1",
    )
    _options.add_output(reports := parser.add_argument_group("output"))
    reports.add_argument(
        "--report",
        metavar="URL",
        action="append",
        type=_stored.report,
        default=[],
        help="write a report to a store, too, such as s3://BUCKET/zoo.html; the ending of its name is the format. Can be given"
        " several times",
    )
    _objects.add_since(reports)
    _options.add_configuration(configuration := parser.add_argument_group("configuration"))
    _options.add_run(configuration)
    configuration.add_argument(
        "--cache",
        metavar="URL",
        help="keep the cache in a store instead, which all shards and machines share; nothing but this and --report is written",
    )
    configuration.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="check on the workers of a Dask scheduler such as tcp://HOST:8786; `local` starts --jobs workers here",
    )


def run(args: argparse.Namespace) -> int:
    _options.verify_configuration(args)
    if args.cache and (args.no_cache or args.cache_dir):
        raise UsageError(f"--cache cannot be used with {'--no-cache' if args.no_cache else '--cache-dir'}")
    args.reports = _options.reports_of(args)
    _objects.verify_since(args.since, [report.format for report in (*args.reports, *args.report)])
    _stored.verify(args.report)
    from irlint.zoo.engines import EngineError

    try:
        return _Zoo(args).run()
    except (ConfigError, UnknownSelector, EngineError) as error:
        raise UsageError(str(error)) from error


class _Zoo:
    """One run of `irlint zoo`."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.status = OK
        self.failing = 0  # objects with errors

    def run(self) -> int:
        from irlint.zoo.run import ZooRun

        verify_plugins()
        options = _zoo_options(self.args)
        with ExitStack() as opened:
            cluster = _cluster(self.args, options, opened)
            ledger = opened.enter_context(closing(_ledger(self.args, options)))
            cache = _shared_cache(self.args, options)
            run = ZooRun(options, ledger, cache)
            meter = Meter(self.args.quiet)
            run.list_all(lambda total: meter.show(f"listing: {total:,} objects"))
            meter.clear()
            for _ in self._shown(run, run.lint(cluster or _engine(self.args, run))):
                pass
            if cache is not None and cache.error is not None:
                say(f"{visible(_shown_url(self.args.cache))}: the cache is incomplete: {cache.error}")
            self._report(run)
        if not self.args.quiet:
            say(self._summary(run))
        return OK if self.args.exit_zero and self.status == FOUND else self.status

    def _shown(self, run: ZooRun, found: Iterator[object]) -> Iterator[object]:
        return found if self.args.quiet else shown(found, run.counts.objects, picture=Rate(run))

    def _report(self, run: ZooRun) -> None:
        from irlint.zoo.outcome import record_of

        opened = [(target, output(target.file)) for target in self.args.reports]
        opened += [(target, _stored.stored(target.file)) for target in self.args.report]
        for number, (target, destination) in enumerate(opened):
            outcomes = run.outcomes() if number else self._told(run.outcomes())
            with destination as stream:
                if target.format in object_report.FORMATS:
                    _objects.write(map(record_of, outcomes), target.format, stream, self.args.since)
                    continue
                write(
                    _reports(outcomes),
                    target.format,
                    stream,
                    color=target.file is None and has_color(stream),
                    columns=None if target.file else columns(stream),
                    show_all=self.args.show_all,
                    quiet=self.args.quiet,
                )

    def _told(self, outcomes: Iterator[ObjectOutcome]) -> Iterator[ObjectOutcome]:
        """Report what could not be read; record what affects the exit status."""
        for outcome in outcomes:
            if outcome.failure is not None:
                say(f"{visible(outcome.url)}: internal error: {outcome.failure}")
                self.status = FAILURE
            if outcome.trouble is not None:
                say(f"{visible(outcome.url)}: {outcome.trouble}")
                self.status = max(self.status, USAGE)
            if outcome.report is not None:
                severities = [entry.finding.severity for entry in outcome.report.entries]
                self.failing += Severity.ERROR in severities
                if any(severity >= outcome.report.fail_on for severity in severities):
                    self.status = max(self.status, FOUND)
            yield outcome

    def _summary(self, run: ZooRun) -> str:
        counts = run.counts
        parts = [
            f"{count(counts.models, 'model')} checked",
            f"{counts.unchanged:,} unchanged",
            f"{counts.others:,} not models",
        ]
        if counts.unread:
            parts.append(f"{counts.unread:,} not checked")
        return f"{count(counts.objects, 'object')}: {', '.join(parts)}; {self.failing:,} with errors"


def _reports(outcomes: Iterator[ObjectOutcome]) -> Iterator[FileReport]:
    return (outcome.report for outcome in outcomes if outcome.report is not None)


class Rate:
    """The picture of a run's progress: objects and bytes a second, and the time that is left at this rate."""

    def __init__(self, run: ZooRun, clock: Callable[[], float] | None = None) -> None:
        from time import monotonic

        self._counts, self._clock = run.counts, clock or monotonic
        self._began = self._clock()

    def __call__(self, done: int, total: int) -> str:
        counts = self._counts
        seconds = max(self._clock() - self._began, 1e-3)
        at = min(counts.done, total)
        speed = counts.fresh_size / seconds
        words = f"{at:,} of {total:,} objects, {done / seconds:.0f}/s, {speed / 1e6:.1f} MB/s"
        return f"{words}, {_time((counts.size - counts.done_size) / speed)} left" if speed else words


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 0):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _zoo_options(args: argparse.Namespace) -> ZooOptions:
    from irlint.zoo.roots import roots_of
    from irlint.zoo.run import Shard, ZooOptions

    config = configurations_of(args).of_folder(os.getcwd())
    return ZooOptions(
        roots_of(args.urls), config, overrides(args), args.as_format, args.shard or Shard(), args.max_size
    )


def _ledger(args: argparse.Namespace, options: ZooOptions) -> Ledger:
    """Return the ledger of these URLs; one that is forgotten if there is to be no cache, or if it cannot be written."""
    from irlint.zoo.ledger import Ledger, LedgerInUse

    if args.no_cache or args.cache:
        return Ledger(None)
    from irlint.cache.store import prepare

    folder = cache_folder(args)
    try:
        prepare(folder)
    except OSError:
        return Ledger(None)
    named = "\n".join((*(f"{_absolute(url)} {only}" for url, only in options.roots), repr(tuple(options.shard))))
    digest = blake2b(named.encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()
    path = os.path.join(folder, f"zoo-{digest}.sqlite")
    try:
        return Ledger(path)
    except LedgerInUse as error:
        raise UsageError(
            f"another run uses {visible(path)}; wait for it, or use another --cache-dir, --shard or --no-cache"
        ) from error


def _shared_cache(args: argparse.Namespace, options: ZooOptions) -> SharedCache | None:
    if not args.cache:
        return None
    from irlint.zoo.open_store import open_store
    from irlint.zoo.shared_cache import SharedCache
    from irlint.zoo.stores import StoreError

    try:
        return SharedCache(open_store(args.cache), options.shard.number)
    except StoreError as error:
        raise UsageError(f"{visible(_shown_url(args.cache))}: {error}") from error


def _shown_url(url: str) -> str:
    from irlint.zoo.stores import shown

    return shown(url)


def _absolute(url: str) -> str:
    return url if "://" in url else os.path.abspath(url)


def _engine(args: argparse.Namespace, run: ZooRun) -> Engine:
    from irlint.pool import processors
    from irlint.zoo.engines import here, in_pool

    processes = args.jobs or (processors() if run.counts.objects >= PARALLEL_FROM else 1)
    work = run.options.work
    return here(work) if processes <= 1 else in_pool(work, processes)


def _cluster(args: argparse.Namespace, options: ZooOptions, opened: ExitStack) -> Engine | None:
    """Return the engine of --scheduler, which `opened` closes, before minutes are spent on listings."""
    if not args.scheduler:
        return None
    from irlint.pool import processors
    from irlint.zoo.dask_engine import LOCAL, DaskEngine

    if args.scheduler != LOCAL and (relative := [url for url in options.urls if url != _absolute(url)]):
        raise UsageError(f"--scheduler ADDRESS requires absolute paths: workers have other folders; got {relative[0]}")
    engine = opened.enter_context(closing(DaskEngine(args.scheduler, options.work, args.jobs or processors())))
    if not engine.verify() and not args.quiet:
        say(f"the Dask scheduler at {args.scheduler} has no workers yet; waiting for them")
    return engine


def _shard(text: str) -> Shard:
    from irlint.zoo.run import Shard

    number, mark, of = text.partition("/")
    if not (mark and number.isdecimal() and of.isdecimal() and len(of) < 7 and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f"expected I/N with I from 1 to N, got `{text}`")
    return Shard(int(number), int(of))


def _bytes(text: str) -> int:
    digits, unit = (text[:-1], text[-1:].upper()) if text[-1:].upper() in ("K", "M", "G") else (text, "")
    if not digits.isdecimal() or len(digits) > 15:
        raise argparse.ArgumentTypeError(f"expected a number of bytes such as 500M, got `{text}`")
    return int(digits) << {"": 0, "K": 10, "M": 20, "G": 30}[unit]
