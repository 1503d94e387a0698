"""Time and memory of processes that take turns: on a machine that others use as well, only such pairs can be compared."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
IRLINT = (sys.executable, "-m", "irlint")
CHECK = (*IRLINT, "check", "--isolated", "--no-cache")

_CALL = """
import resource, sys, time
{before}
cpu, wall = time.process_time(), time.perf_counter()
kept = {call}
print(time.process_time() - cpu, time.perf_counter() - wall, file=sys.stderr)
"""


class Spent(NamedTuple):
    """What one run took: seconds, and bytes of memory at the most."""

    cpu: float
    wall: float
    peak: float


class Call(NamedTuple):
    """An expression in a process of its own; importing, reading and Python's start do not count."""

    before: str  # statements
    call: str
    arguments: tuple[str, ...] = ()


Runner = Sequence[str] | Call


def run(runner: Runner) -> Spent:
    """One process, from its start to its end; or what one call in it takes."""
    if call := isinstance(runner, Call):
        command = [sys.executable, "-c", _CALL.format(before=runner.before, call=runner.call), *runner.arguments]
    else:
        command = list(runner)
    reader, writer = os.pipe()
    null = os.open(os.devnull, os.O_RDWR)
    began = time.perf_counter()
    pid = os.posix_spawnp(
        command[0],
        command,
        environment(),
        file_actions=[(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, writer, 2)],
    )
    os.close(writer)
    os.close(null)
    with os.fdopen(reader) as stream:
        errors = stream.read()
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    if os.waitstatus_to_exitcode(status) not in (0, 1) or (call and status):
        raise RuntimeError(f"{' '.join(command)[:300]} ended with {status}: {errors[-500:]}")
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    if call:
        cpu, wall = map(float, errors.split()[-2:])
        return Spent(cpu, wall, peak)
    return Spent(usage.ru_utime + usage.ru_stime, wall, peak)


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPROFILEIMPORTTIME")}
    return {**kept, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "lsp")))}


def turns(runners: Mapping[str, Runner], rounds: int, seldom: Mapping[str, int] = {}) -> dict[str, list[Spent]]:
    """All in turn, so many rounds; in every second round in the opposite order. `seldom`: those that run only in the first few."""
    found: dict[str, list[Spent]] = {name: [] for name in runners}
    for number in range(rounds):
        names = [name for name in runners if number < seldom.get(name, rounds)]
        for name in names if number % 2 else reversed(names):
            found[name].append(run(runners[name]))
    return found


def middle(spent: Sequence[Spent]) -> Spent:
    return Spent(*(median(values) for values in zip(*spent, strict=True)))


def ratio(ours: Sequence[Spent], theirs: Sequence[Spent], what: str = "cpu") -> float:
    """The median of the quotients of each round."""
    pairs = zip(ours, theirs, strict=False)  # one of them may have had fewer rounds
    return median(getattr(a, what) / getattr(b, what) for a, b in pairs)


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The k of cost ~ size**k, by least squares."""
    points = [(log(size), log(max(cost, 1e-4))) for size, cost in zip(sizes, costs, strict=True)]
    x, y = (sum(column) / len(points) for column in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
