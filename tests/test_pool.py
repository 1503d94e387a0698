"""What is handed out to worker processes together: every file once, heavy ones first, no process left waiting at the end."""

from __future__ import annotations

import subprocess
import sys
from heapq import heapify, heappop, heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irlint.jobs.workers import MAX_CHUNK, chunks

WEIGHTS = st.lists(st.integers(1, 10_000) | st.just(5_000_000), max_size=200)


@given(WEIGHTS, st.integers(1, 64))
def test_every_file_is_handed_out_once(weights: list[int], processes: int) -> None:
    handed = list(chunks(weights, processes))
    assert sorted(at for chunk in handed for at in chunk) == list(range(len(weights)))
    assert all(0 < len(chunk) <= MAX_CHUNK for chunk in handed)


@pytest.mark.parametrize("processes", [2, 8])
@pytest.mark.parametrize("rare", [1, 3, 10])
def test_processes_end_at_the_same_time(processes: int, rare: int) -> None:
    """Even if the largest files are the last ones by name."""
    weights = [100] * 1000 + [20_000] * rare * processes
    free = [0] * processes
    heapify(free)
    for chunk in chunks(weights, processes):
        heappush(free, heappop(free) + sum(weights[at] for at in chunk))
    assert max(free) <= 1.05 * sum(weights) / processes


def test_small_files_share_a_message() -> None:
    assert len(list(chunks([1] * 5000, 2))) < 5000 / MAX_CHUNK * 1.2


KILLED = """
import os, signal, sys
from irlint.settings import Settings
from irlint.jobs.workers import in_processes
from irlint.jobs import Job, JobOptions

if __name__ == "__main__":
    jobs = [Job(f"{k}.json", Settings(), data=b"{}") for k in range(200)]
    outcomes = in_processes(jobs, JobOptions(), 4)
    next(outcomes)
    print("begun", flush=True)
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_workers_do_not_outlive_a_parent_that_is_killed(name: str) -> None:
    """They hold its standard output: a reader waits until the last of them is gone."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, name],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert done.stdout == b"begun\n"
    assert done.stderr == b""
