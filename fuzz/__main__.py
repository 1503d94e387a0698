"""python -m fuzz [HARNESS...] [--seconds N]: runs each harness for its share of the time and prints what came of it."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from fuzz.harnesses import names

OUT = Path("build/fuzz")
GRACE = 900  # seconds for starting, and for the input that is being tried when time is up


class Came(NamedTuple):
    """What came of one harness."""

    name: str
    executions: int
    seconds: float
    well: bool
    log: Path


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("harness", nargs="*", help=f"of {', '.join(names())} (all)")
    parser.add_argument("--seconds", type=int, default=60, help="for all harnesses together (60)")
    parser.add_argument("--jobs", type=int, default=1, help="harnesses that run side by side (1)")
    args = parser.parse_args()
    chosen = args.harness or names()
    if strange := sorted({*chosen} - {*names()}):
        parser.error(f"no harness is called {', '.join(strange)}")
    if find_spec("atheris") is None:
        print(
            "SKIPPED: nothing was fuzzed, atheris is not installed (it has wheels for CPython on Linux)",
            file=sys.stderr,
        )
        return 0
    share = max(1, args.seconds * args.jobs // len(chosen))
    found = []
    with ThreadPoolExecutor(args.jobs) as pool:
        for came in pool.map(lambda name: fuzz(name, share), chosen):
            found.append(came)
            print(f"{came.name:16} {came.executions:9,} executions in {came.seconds:6.0f} s  ", end="")
            print("no finding" if came.well else f"BROKEN, see {came.log}", flush=True)
    return 0 if all(came.well for came in found) else 1


def fuzz(name: str, seconds: int) -> Came:
    """One harness in a process of its own, beginning with fresh seeds and with what earlier runs found worth keeping."""
    folder = OUT / name
    shutil.rmtree(folder / "seeds", ignore_errors=True)
    for part in ("seeds", "corpus", "broken"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    began, log = time.monotonic(), folder / "log"
    options = [
        f"-max_total_time={seconds}",
        "-seed=1",
        "-timeout=600",
        "-rss_limit_mb=2048",
        "-max_len=100000",
        "-print_final_stats=1",
    ]
    command = [sys.executable, "-m", "fuzz.guided", name, str(folder / "seeds"), *options]
    with log.open("wb") as out:
        places = [f"-artifact_prefix={folder}/broken/", str(folder / "corpus"), str(folder / "seeds")]
        try:
            done = subprocess.run(
                [*command, *places],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                timeout=seconds + GRACE,
                env=environment(),
                check=False,
            )
            well = done.returncode == 0
        except subprocess.TimeoutExpired:
            well = False
    return Came(name, _executions(log.read_text("utf-8", "replace")), time.monotonic() - began, well, log)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [".", "lsp", os.environ.get("PYTHONPATH")]))}


def _executions(log: str) -> int:
    """The number that libFuzzer says last."""
    said = re.findall(r"(?:number_of_executed_units: |^#)(\d+)", log, re.MULTILINE)
    return int(said[-1]) if said else 0


if __name__ == "__main__":
    sys.exit(main())
