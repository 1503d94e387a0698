"""irlint zoo on Dask clusters: the report is that of a run without one, whatever becomes of the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any, cast

import pytest
from rule_cases.texts import OPENVINO

from irlint.cli import main
from irlint.config import Config
from irlint.zoo.ledger import Ledger
from irlint.zoo.outcome import ObjectOutcome
from irlint.zoo.roots import Root
from irlint.zoo.run import ZooOptions, ZooRun
from irlint.zoo.work import EngineError, ZooWork, here
from zoo.corpus import write
from zoo.fatal import FatalWork

distributed = pytest.importorskip("distributed")

from irlint.zoo import dask_engine  # noqa: E402
from irlint.zoo.dask_engine import DaskEngine  # noqa: E402

DASK = (sys.executable, "-m", "dask")


class Cluster:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scheduler = self._process("scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1")
        self.address = self._said(folder / "scheduler.log", "Scheduler at:")
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_worker(self) -> None:
        self.workers.append(self._process("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"))

    def _process(self, *words: str) -> subprocess.Popen[bytes]:
        env = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3"}
        with (self.folder / f"{words[0]}.log").open("ab") as log:
            return subprocess.Popen([*DASK, *words], cwd=self.folder, env=env, stdout=log, stderr=log)

    def _said(self, log: Path, words: str) -> str:
        until = monotonic() + 30
        while monotonic() < until:
            for line in log.read_text().splitlines():
                if words in line:
                    return line.split()[-1]
            sleep(0.05)
        pytest.fail(log.read_text())

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write(folder, int(os.environ.get("IRLINT_ZOO_OBJECTS", "120")))
    return folder


def outcomes(
    models: Path, engine_of: Callable[[ZooWork], Any], watch: Callable[[int], None] = lambda _: None
) -> list[ObjectOutcome]:
    ledger = Ledger(None)
    run = ZooRun(ZooOptions((Root(str(models)),), Config(os.getcwd())), ledger)
    run.list_all()
    for number, _ in enumerate(run.lint(engine_of(run.options.work))):
        watch(number)
    found = list(run.outcomes())
    ledger.close()
    return found


def test_workers_come_and_are_killed(cluster: Cluster, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker had is done by another one; no outcome is lost, and none comes twice."""
    monkeypatch.setattr("irlint.zoo.tasks.BATCH_OBJECTS", 4)
    monkeypatch.setattr(dask_engine, "_COUNT_SECONDS", 0.0)
    cluster.add_worker()
    cluster.add_worker()
    flying = []

    def watch(number: int) -> None:
        flying.append(len(engine.flying))
        if number == 8:
            cluster.workers[0].send_signal(signal.SIGKILL)

    engine = DaskEngine(cluster.address, ZooWork((str(models),)), 1)
    try:
        assert engine.verify() <= 2
        found = outcomes(models, lambda _: engine, watch)
    finally:
        engine.close()
    assert found == outcomes(models, here)
    assert 0 < max(flying) <= 2 * dask_engine.AHEAD
    assert cluster.workers[0].wait() == -signal.SIGKILL


def test_what_a_cluster_forgets_is_done_again(cluster: Cluster, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that loses its connection for a moment finds all that it asked for cancelled."""
    monkeypatch.setattr("irlint.zoo.tasks.BATCH_OBJECTS", 4)
    if not [worker for worker in cluster.workers if worker.poll() is None]:
        cluster.add_worker()

    def watch(number: int) -> None:
        if number == 8:
            engine._client.cancel([future for future, _ in engine.flying.values()])

    engine = DaskEngine(cluster.address, ZooWork((str(models),)), 1)
    try:
        found = outcomes(models, lambda _: engine, watch)
    finally:
        engine.close()
    assert found == outcomes(models, here)


def test_the_command_line(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["zoo", str(models), "--isolated", "--no-cache", "--output-format", "json", "--jobs", "1"]
    status, expected = main(words), capsys.readouterr()
    assert (main([*words, "--scheduler", "local"]), capsys.readouterr()) == (status, expected)
    monkeypatch.setattr(dask_engine, "CONNECT", 0.5)
    assert main([*words, "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err == "irlint: cannot reach the Dask scheduler at tcp://127.0.0.1:1\n"
    assert main(["zoo", "x/y", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "requires absolute paths" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "irlint.zoo.dask_engine")
    assert main([*words, "--scheduler", "local"]) == 2
    assert (
        capsys.readouterr().err
        == "irlint: this requires distributed, which is not installed: pip install distributed\n"
    )


def test_an_object_that_kills_workers_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others of its batch are done."""
    monkeypatch.setitem(dask_engine._QUIET, "distributed.scheduler.allowed-failures", 0)
    work = FatalWork(str(tmp_path / "once"), 3)
    engine = DaskEngine("local", cast(Any, work), 1)
    try:
        done = {
            task: text
            for batch, found in engine(iter([(1, 2), (3, 4)]))
            for task, text in zip(batch, found, strict=True)
        }  # type: ignore[arg-type]
    finally:
        engine.close()
    assert done == {1: "done 1", 2: "done 2", 3: "failed 3: the process that checked it was killed", 4: "done 4"}


def test_workers_of_another_irlint_are_refused(cluster: Cluster, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are there at the start, and those that come later."""
    if not [worker for worker in cluster.workers if worker.poll() is None]:
        cluster.add_worker()
    monkeypatch.setattr(dask_engine, "_rules", lambda: "9.9.9")
    engine = DaskEngine(cluster.address, ZooWork((str(models),)), 1)
    try:
        with pytest.raises(EngineError, match=r"a Dask worker has irlint .*, this is 9\.9\.9; they must be the same"):
            outcomes(models, lambda _: engine)
        monkeypatch.undo()
        with pytest.raises(EngineError, match=r"has irlint .*, this is 9\.9\.9"):
            engine.verify()
    finally:
        engine.close()


def test_a_scheduler_that_goes_ends_the_run(cluster: Cluster, tmp_path: Path) -> None:
    """With a line; what was done is in the ledger. The last test: the cluster has no scheduler after it."""
    (tmp_path / "a.xml").write_text(OPENVINO)
    engine = DaskEngine(cluster.address, ZooWork((str(tmp_path),)), 1)
    cluster.end()
    try:
        with pytest.raises(EngineError, match="has gone"):
            outcomes(tmp_path, lambda _: engine)
    finally:
        engine.close()


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
def test_a_scheduler_that_is_stopped_is_not_waited_for(
    tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither at the start nor in the middle, though its connections stay open."""
    monkeypatch.setattr(dask_engine, "ANSWER", 2.0)
    monkeypatch.setattr(dask_engine, "CONNECT", 2.0)
    cluster = Cluster(tmp_path)
    try:
        cluster.add_worker()
        run = ZooRun(ZooOptions((Root(str(models)),), Config(os.getcwd())), Ledger(None))
        run.list_all()
        engine = DaskEngine(cluster.address, run.options.work, 1)

        def lint() -> None:
            for _ in run.lint(engine):
                cluster.scheduler.send_signal(signal.SIGSTOP)

        with pytest.raises(EngineError, match="does not answer"):
            lint()
        engine.close()
        with pytest.raises(EngineError, match="cannot reach the Dask scheduler"):
            DaskEngine(cluster.address, run.options.work, 1)
    finally:
        cluster.end()
