"""python -m fuzz.soak [--seconds N] [--seed N] [--write]: new mutants for every harness, and every hostile family doubled once.

Works without atheris. What breaks an invariant, takes too long or too much memory is a finding; its file is kept in build/soak.
"""

from __future__ import annotations

import argparse
import json
import random
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from hashlib import sha1
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.__main__ import environment
from fuzz.harnesses import harness, names
from fuzz.mutate import mutate
from fuzz.soak_worker import SECONDS
from irlint.text.words import count
from tests.hostile_families import FAMILIES

OUT = Path("build/soak")
PAGE = Path("docs/assurance.md")
BEGIN, END = "<!-- soak: make soak SOAK_WRITE=1 writes these figures -->\n", "<!-- end of soak -->\n"

HARNESS_SHARE = 0.65  # of the time, for mutants; the rest is for families
SLICE = 5.0  # seconds for a harness before the next one has its turn
PATIENCE = 120.0  # seconds for an answer: other programs may take the processor
KILOBYTES = 100  # of a member of a family; another is twice as large
MOST_GROWTH, SLACK = 1.15, 0.1  # exponent, and seconds that a clock cannot tell
MOST_SECONDS, MOST_MEMORY = 10 / 3e6, 300.0  # of each byte
NOISE = 20e6  # bytes of memory that any check may take


class Finding(NamedTuple):
    where: str
    what: str
    file: Path


class Row(NamedTuple):
    """What came of one harness."""

    name: str
    inputs: int
    seconds: float
    slowest: float  # seconds of CPU time for one input


class Worker:
    """The process that checks; another one takes its place if it dies."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def ask(self, *request: str) -> dict[str, Any]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            line = process.stdout.readline() if waiting.select(PATIENCE) else ""
        if line:
            answer = json.loads(line)
            assert isinstance(answer, dict)
            return answer
        process.kill()
        status, self._process = process.wait(), None
        return {"seconds": SECONDS, "memory": 0, "error": f"the process ended with {status}, or did not answer"}

    def _start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "fuzz.soak_worker"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, text=True, env=environment(), **pipes)  # type: ignore[call-overload]
        return self._process

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class Soak:
    def __init__(self, seed: int) -> None:
        self.seed, self.worker, self.findings = seed, Worker(), list[Finding]()
        self._current = OUT / "current"
        self._seen: set[tuple[str, str]] = set()

    def _ask(self, kind: str, name: str, data: bytes) -> dict[str, Any]:
        self._current.write_bytes(data)
        return self.worker.ask(kind, name, str(self._current))

    def report(self, where: str, what: str, data: bytes) -> None:
        """Keep a finding and its file, the first of each kind."""
        if (where, what[:40]) in self._seen:
            return
        self._seen.add((where, what[:40]))
        file = OUT / f"{where.replace(' ', '-')}-{sha1(data).hexdigest()[:10]}"
        file.write_bytes(data)
        self.findings.append(Finding(where, what, file))
        print(f"FINDING {where}: {what}\n        {file}", flush=True)

    def harnesses(self, chosen: list[str], seconds: float) -> list[Row]:
        """Give each harness its share of the time, in turns."""
        rows = {name: Row(name, 0, 0.0, 0.0) for name in chosen}
        share = seconds / max(len(chosen), 1)
        streams = {name: self._mutants(name) for name in chosen}
        while todo := [row for row in rows.values() if row.seconds < share]:
            for row in todo:
                rows[row.name] = self._turn(row, streams[row.name], min(SLICE, share - row.seconds))
        return [*rows.values()]

    def _mutants(self, name: str) -> Iterator[bytes]:
        """The seeds, and mutants of them and of mutants without end."""
        choose, seeds = random.Random(f"{self.seed} {name}"), harness(name).seeds()
        yield from choose.sample(seeds, len(seeds))
        pool = list(seeds)
        while True:
            data = mutate(choose.choice(pool), choose, seeds)
            if choose.random() < 0.05:
                pool.append(data)
            yield data

    def _turn(self, row: Row, stream: Iterator[bytes], seconds: float) -> Row:
        began, inputs, slowest = time.monotonic(), 0, row.slowest
        while time.monotonic() - began < seconds:
            data = next(stream)
            answer = self._ask("harness", row.name, data)
            inputs, slowest = inputs + 1, max(slowest, answer["seconds"])
            if answer["error"] is not None:
                self.report(row.name, answer["error"], data)
        return Row(row.name, row.inputs + inputs, row.seconds + time.monotonic() - began, slowest)

    def families(self, seconds: float) -> int:
        """Measure families in a new order until the time is up; return their number."""
        began, done = time.monotonic(), 0
        for name in random.Random(self.seed).sample([*FAMILIES], len(FAMILIES)):
            if time.monotonic() - began > seconds:
                break
            self._family(name)
            done += 1
        return done

    def _family(self, name: str) -> None:
        family = FAMILIES[name]
        size = _size(family.text, KILOBYTES * 1000)
        one, two = (_encoded(family.text(number)) for number in (size, 2 * size))
        first = self._ask("family", family.form, one)
        second = self._ask("family", family.form, two)
        slow = second["seconds"] > len(two) * MOST_SECONDS + SLACK
        grown = self._growth(family.form, one, two, first, second)
        memory = max(second["memory"] - NOISE, 0) / len(two)
        if second["error"] is not None:
            self.report(name, second["error"], two)
        elif grown is not None:
            self.report(name, f"{grown}", two)
        elif slow:
            self.report(name, f"{second['seconds']:.1f} s of CPU time for {len(two):,} bytes", two)
        elif memory > MOST_MEMORY:
            self.report(name, f"{memory:.0f} bytes of memory for each of {len(two):,} bytes", two)

    def _growth(self, form: str, one: bytes, two: bytes, *first: dict[str, Any]) -> str | None:
        """Say how time grows if that is too fast in three measurements: other programs take the processor's caches."""
        small, large = (answer["seconds"] for answer in first)
        ratio = len(two) / len(one)
        for attempt in range(3):
            if large <= small * ratio**MOST_GROWTH + SLACK:
                return None
            if attempt < 2:
                small = min(small, self._ask("family", form, one)["seconds"])
                large = min(large, self._ask("family", form, two)["seconds"])
        return f"exponent {log2(large / max(small, 1e-3)) / log2(ratio):.2f}: {small:.2f} s, then {large:.2f} s for {len(two):,} bytes"


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def _size(text: Any, size: int) -> int:
    """Return the number for which a family has about so many bytes."""
    few, many = (len(_encoded(text(number))) for number in (50, 100))
    return max(int((size - few) * 50 / max(many - few, 1)), 50) if many > few else 50


def figures(seed: int, rows: list[Row], families: int, findings: list[Finding]) -> str:
    """Return the figures as docs/assurance.md shows them."""
    inputs, seconds = sum(row.inputs for row in rows), sum(row.seconds for row in rows)
    listed = [f"| {row.name} | {row.inputs:,} | {row.seconds:.0f} | {row.slowest:.2f} |" for row in rows]
    today = date.today()
    came = f"{inputs:,} inputs in {seconds:.0f} s, {families} of {len(FAMILIES)} hostile families doubled once"
    return "\n".join(
        [
            "| harness | inputs | seconds | slowest input (s of CPU time) |",
            "| --- | ---: | ---: | ---: |",
            *listed,
            "",
            f"{today.day} {today:%B %Y}, seed {seed}: {came}, {count(len(findings), 'finding')}.",
            "",
        ]
    )


def write(text: str) -> None:
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz.soak", description=__doc__)
    parser.add_argument("harness", nargs="*", help=f"of {', '.join(names())} (all)")
    parser.add_argument("--seconds", type=float, default=900, help="for everything (900)")
    parser.add_argument("--seed", type=int, default=None, help="of the mutants (another one for each run)")
    parser.add_argument("--write", action="store_true", help=f"write the figures into {PAGE}")
    args = parser.parse_args()
    if strange := sorted({*args.harness} - {*names()}):
        parser.error(f"no harness is called {', '.join(strange)}")
    seed = random.SystemRandom().randrange(10**9) if args.seed is None else args.seed
    print(f"seed {seed}", flush=True)
    OUT.mkdir(parents=True, exist_ok=True)
    soak = Soak(seed)
    try:
        families = 0 if args.harness else soak.families(args.seconds * (1 - HARNESS_SHARE))
        rows = soak.harnesses(args.harness or names(), args.seconds * (1 if args.harness else HARNESS_SHARE))
    finally:
        soak.worker.close()
    text = figures(seed, rows, families, soak.findings)
    print(text)
    if args.write:
        write(text)
    return 1 if soak.findings else 0


if __name__ == "__main__":
    sys.exit(main())
