"""irlint zoo against a real S3 server: what it finds, what a second run costs, and what is left of a run that is killed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import pytest

from zoo.conftest import SECRET, S3Server
from zoo.corpus import write

COUNT = int(os.environ.get("IRLINT_ZOO_OBJECTS", "120"))
KEYS = "import sys; from irlint.cli import main; sys.exit(main())"


def irlint(folder: Path, environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KEYS, *words, "--isolated"]
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def bucket(s3: S3Server) -> Path:
    folder = s3.folder / "models"
    write(folder, COUNT)
    return folder


def findings(text: str, root: str) -> list[str]:
    return sorted(json.dumps(found, sort_keys=True).replace(root, "") for found in json.loads(text))


def summary(done: subprocess.CompletedProcess[str]) -> str:
    assert SECRET not in done.stdout + done.stderr
    return done.stderr.splitlines()[-1]


def test_a_bucket_is_a_folder(s3: S3Server, bucket: Path, tmp_path: Path) -> None:
    """The same findings as of the folder that the server shows, and nothing left to do for a second run."""
    options = ("--output-format", "json", "--jobs", "2")
    local = irlint(tmp_path, {}, "check", str(bucket), "--no-cache", *options)
    first = irlint(tmp_path, s3.environment, "zoo", "s3://models", *options)
    assert first.returncode == local.returncode == 1, first.stderr
    assert findings(first.stdout, "s3://models/") == findings(local.stdout, f"{bucket}/") != []
    began = monotonic()
    second = irlint(tmp_path, s3.environment, "zoo", "s3://models", *options)
    print(f"second run: {monotonic() - began:.2f} s")
    assert second.stdout == first.stdout
    assert "; 0 read, " in summary(second)


def test_shards_share_a_cache_in_a_store(s3: S3Server, bucket: Path, tmp_path: Path) -> None:
    (s3.folder / "cache").mkdir()
    before = {path: path.stat().st_mtime_ns for path in bucket.rglob("*")}
    options = ("--output-format", "json", "--jobs", "1", "--cache", "s3://cache/a")
    parts = [irlint(tmp_path, s3.environment, "zoo", "s3://models", *options, "--shard", f"{k}/2") for k in (1, 2)]
    whole = irlint(tmp_path, s3.environment, "zoo", "s3://models", *options)
    assert "; 0 read, " in summary(whole)
    assert findings(whole.stdout, "") == sorted(findings(parts[0].stdout, "") + findings(parts[1].stdout, ""))
    assert min(len(json.loads(part.stdout)) for part in parts) > 0
    assert len(list((s3.folder / "cache").rglob("*.gz"))) == 2
    assert {path: path.stat().st_mtime_ns for path in bucket.rglob("*")} == before
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif("IRLINT_ZOO_OBJECTS" not in os.environ, reason="rclone can be busy for minutes: make zoo runs it")
def test_a_run_that_is_killed_goes_on(s3: S3Server, bucket: Path, tmp_path: Path) -> None:
    goes_on_after_a_kill(tmp_path, s3.environment, "s3://models", COUNT)


def test_a_run_over_a_folder_that_is_killed_goes_on(tmp_path: Path) -> None:
    write(tmp_path / "models", 400)
    goes_on_after_a_kill(tmp_path, {}, "models", 400)


def goes_on_after_a_kill(folder: Path, environment: dict[str, str], url: str, count: int) -> None:
    """What was committed is not linted again. The journal has 220 bytes for an object that is listed, and then its outcome."""
    if sys.platform == "win32":
        pytest.skip("other signals")
    command = [sys.executable, "-c", KEYS, "zoo", url, "--isolated", "--jobs", "2", "--output-format", "json"]
    env = {**os.environ, **environment}
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        until = monotonic() + 60
        while monotonic() < until and run.poll() is None:
            journal = next(folder.glob(".irlint_cache/*-wal"), None)
            if journal is not None and journal.stat().st_size > 250 * count + 60_000:
                break
            sleep(0.01)
        run.send_signal(signal.SIGKILL)
    (path,) = folder.glob(".irlint_cache/*.sqlite")
    with closing(sqlite3.connect(path)) as ledger:
        kept = ledger.execute("SELECT count(*) FROM outcomes").fetchone()[0]
    done = irlint(folder, environment, "zoo", url, "--output-format", "json", "--jobs", "2")
    assert f" read, {kept} unchanged" in summary(done)
    again = irlint(folder, environment, "zoo", url, "--no-cache", "--output-format", "json")
    assert done.stdout == again.stdout
    print(f"{kept} outcomes were kept")
    assert kept > 0
    assert " 0 read, " not in summary(done)
