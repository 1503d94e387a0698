"""Check all models in object stores: s3://, gs://, az://, hf://, folders."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack, closing, nullcontext
from hashlib import blake2b
from typing import TYPE_CHECKING

from irlint.cli.jobs import cache_folder, configurations_of, overrides
from irlint.cli.object_reports import ZooReports, add_since, since_of
from irlint.cli.options import (
    add_configuration,
    add_models,
    add_output,
    add_rules,
    add_run,
    refuse_both,
    reports_of,
    size_in_bytes,
    verify_configuration,
)
from irlint.cli.progress import Meter
from irlint.cli.status import UsageError, say
from irlint.cli.stored import stored_report, verify_stored, verify_writable
from irlint.report.paths import is_url
from irlint.rules.registry import verify_plugins
from irlint.text.safe import visible
from irlint.text.words import count

if TYPE_CHECKING:
    from irlint.zoo.ledger import Ledger
    from irlint.zoo.run import Shard, ZooOptions, ZooRun
    from irlint.zoo.shared_cache import SharedCache
    from irlint.zoo.work import Engine

EPILOG = """\
exit status:
  0  no findings at or above --fail-on
  1  findings at or above --fail-on
  2  invalid usage or configuration, or an object that cannot be read
  3  internal error outside of any object, or the process that checked one was killed
"""

DEFAULT = "overview"  # output format
PARALLEL_FROM = 64  # objects: fewer are linted before processes have started


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "urls",
        nargs="+",
        metavar="URL",
        help="stores, folders in them or objects to check: s3://BUCKET/PREFIX, gs://, az://, a folder, or any URL that fsspec knows",
    )
    add_rules(parser.add_argument_group("rule selection"))
    models = parser.add_argument_group("model selection")
    add_models(models)
    models.add_argument(
        "--max-size",
        metavar="SIZE",
        type=size_in_bytes,
        default=2 << 30,
        help="report larger objects instead of reading them, such as 500M (default: 2GiB)",
    )
    models.add_argument(
        "--shard",
        metavar="I/N",
        type=_shard,
        help="check the I-th of N parts of the objects, for N runs at the same time; I begins at 1",
    )
    add_output(reports := parser.add_argument_group("output"), DEFAULT)
    reports.add_argument(
        "--report",
        metavar="URL",
        action="append",
        type=stored_report,
        default=[],
        help="write a report to a store, too, such as s3://BUCKET/zoo.html; the ending of its name is the format. Can be given"
        " several times",
    )
    add_since(reports, "show what changed since an earlier report, a file or URL of --output-format jsonl")
    reports.add_argument(
        "--new-only",
        action="store_true",
        help="with --since: report, and fail on, new findings only; jsonl and html reports stay complete",
    )
    add_configuration(configuration := parser.add_argument_group("configuration"))
    add_run(configuration)
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
    verify_configuration(args)
    refuse_both(args, "--cache", ["--no-cache", "--cache-dir"])
    from irlint.zoo.stores import refusal

    for url in (*args.urls, *([args.cache] if args.cache else [])):
        if (why := refusal(url)) is not None:
            raise UsageError(why)
    args.reports = reports_of(args, DEFAULT)
    if args.new_only and args.since is None:
        raise UsageError("--new-only requires --since REPORT")
    verify_stored(args.report)
    with ExitStack() as opened:
        return _Zoo(args, opened).run()


class _Zoo:
    """One run of `irlint zoo`."""

    def __init__(self, args: argparse.Namespace, opened: ExitStack) -> None:
        self.args = args
        self._earlier = since_of(args.since, opened, [report.file for report in (*args.reports, *args.report)])

    def run(self) -> int:
        verify_plugins()
        options = _zoo_options(self.args)
        with ExitStack() as opened:
            cluster = _cluster(self.args, options, opened)
            run = self._linted(options, cluster, opened)
            reports = ZooReports(self.args, self._earlier)
            reports.write(run)
        if not self.args.quiet:
            if reports.since is not None:
                say(reports.since)
            say(_summary(run, reports.verdict.failing))
        return reports.verdict.exit_status(self.args.exit_zero)

    def _linted(self, options: ZooOptions, cluster: Engine | None, opened: ExitStack) -> ZooRun:
        """Return a run whose ledger has everything. If that cannot be kept, on a full disk for example, it starts again without."""
        from sqlite3 import Error

        from irlint.zoo.ledger import Ledger

        ledger = _ledger(self.args, options)
        try:
            return self._run(options, opened.enter_context(closing(ledger)), cluster)
        except Error as error:
            if ledger.path is None:
                raise
            say(f"{visible(ledger.path)}: {error}; starting again without it")
            ledger.discard()
            return self._run(options, opened.enter_context(closing(Ledger(None))), cluster)

    def _run(self, options: ZooOptions, ledger: Ledger, cluster: Engine | None) -> ZooRun:
        from irlint.cli.progress import Rate, rate_shown
        from irlint.zoo.run import ZooRun

        cache = _shared_cache(self.args, options)
        run = ZooRun(options, ledger, cache)
        meter = Meter(self.args.quiet)
        run.list_all(lambda total: meter.show(f"listing: {total:,} objects"))
        meter.clear()
        with nullcontext() if self.args.quiet else rate_shown(Rate(run.counts)):
            try:
                for _ in run.lint(cluster or _engine(self.args, run)):
                    pass
            except KeyboardInterrupt:
                if not self.args.no_cache:
                    say("interrupted; the same command goes on from here")
                raise
        if cache is not None and cache.error is not None:
            say(f"{visible(_shown_url(self.args.cache))}: the cache is incomplete: {cache.error}")
        return run


def _summary(run: ZooRun, failing: int) -> str:
    counts = run.counts
    parts = [f"{count(counts.models, 'model')}{f', {failing:,} with errors' if failing else ''}"]
    if counts.unread:
        parts.append(f"{counts.unread:,} not checked")
    parts.append(f"{counts.fresh:,} read, {counts.unchanged:,} unchanged")
    return f"{count(counts.listed, 'object')}: {'; '.join(parts)}"


def _zoo_options(args: argparse.Namespace) -> ZooOptions:
    from irlint.zoo.roots import roots_of
    from irlint.zoo.run import Shard, ZooOptions

    config = configurations_of(args).of_folder(os.getcwd())
    return ZooOptions(
        roots_of(args.urls), config, overrides(args), args.as_format, args.shard or Shard(), args.max_size
    )


def _ledger(args: argparse.Namespace, options: ZooOptions) -> Ledger:
    """Return the ledger of these URLs; one that is forgotten if there is to be no cache, or if it cannot be written."""
    from sqlite3 import Error

    from irlint.zoo.ledger import Ledger, LedgerInUse

    if args.no_cache or args.cache:
        return Ledger(None)
    from irlint.cache import prepare

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
    except Error:  # it cannot be written
        return Ledger(None)


def _shared_cache(args: argparse.Namespace, options: ZooOptions) -> SharedCache | None:
    if not args.cache:
        return None
    from irlint.zoo.roots import open_store
    from irlint.zoo.shared_cache import SharedCache
    from irlint.zoo.stores import StoreError

    try:
        store = open_store(args.cache)
        verify_writable(store, args.cache)
        return SharedCache(store, options.shard.number)
    except StoreError as error:
        raise UsageError(f"{visible(_shown_url(args.cache))}: {error}") from error


def _shown_url(url: str) -> str:
    from irlint.zoo.stores import shown

    return shown(url)


def _absolute(url: str) -> str:
    return url if is_url(url) else os.path.abspath(url)


def _engine(args: argparse.Namespace, run: ZooRun) -> Engine:
    from irlint.jobs.pool import processors
    from irlint.zoo.work import here, in_pool

    processes = args.jobs or (processors() if run.counts.objects >= PARALLEL_FROM else 1)
    work = run.options.work
    return here(work) if processes <= 1 else in_pool(work, processes)


def _cluster(args: argparse.Namespace, options: ZooOptions, opened: ExitStack) -> Engine | None:
    """Return the engine of --scheduler, which `opened` closes, before minutes are spent on listings."""
    if not args.scheduler:
        return None
    from irlint.jobs.pool import processors
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
