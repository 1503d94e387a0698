"""Check each hostile family at a few megabytes in a process of its own: `python -m tests.hostile_measure [--growth] [WORD ...]`.

Prints CPU seconds, bytes of memory for each byte of the file, and the exit status. With --growth also the exponent of what
twice as much costs, where that can be told.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from math import log2
from pathlib import Path
from typing import NamedTuple

from rule_cases.texts import LIGHTNET

from tests.hostile.family import Family
from tests.hostile_families import FAMILIES

BYTES = 3_000_000
MOST_SECONDS, MOST_MEMORY, MOST_GROWTH = 10.0, 300.0, 1.15
LIMIT_SECONDS, LIMIT_BYTES = 30, 6_000_000_000
ENOUGH = 0.3  # seconds that tell more than the noise of the machine
SUFFIXES = {
    "openvino": ".xml",
    "nnvm": ".json",
    "lightnet": ".json",
    "glacier": ".txt",
    "ncnn": ".param",
    "onnx": ".onnx",
}
SETTINGS = {"toml": "pyproject.toml", "yaml": "irlint.yaml"}


class Cost(NamedTuple):
    size: int  # bytes of the file
    seconds: float
    memory: float  # bytes for each byte of the file
    status: int  # a negative one: the signal that ended the process

    @property
    def is_ok(self) -> bool:
        return self.status in (0, 1, 2) and self.seconds <= MOST_SECONDS and self.memory <= MOST_MEMORY


def of_bytes(family: Family, size: int) -> bytes:
    """Return the member of a family whose file has about so many bytes."""
    one, two = (len(_encoded(family.text(count))) for count in (1000, 2000))
    count = int((size - one) / max((two - one) / 1000, 0.1)) + 1000
    return _encoded(family.text(max(count, 1)))


def _encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def cost(form: str, data: bytes, folder: str, idle: int = 0) -> Cost:
    """Return what a check of a file costs; `idle` is the memory that a check of hardly anything takes."""
    path = Path(folder, SETTINGS.get(form) or f"model{SUFFIXES.get(form, '.txt')}")
    path.write_bytes(data)
    words = ["--as", form, str(path)]
    if form in SETTINGS:
        model = Path(folder, "small.json")
        model.write_text(LIGHTNET, encoding="utf-8")
        words = ["--config", str(path), str(model)]
    command = [sys.executable, "-m", "irlint", "check", "--no-cache", "--output-format", "json", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=_limit)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    path.unlink()
    memory = max(usage.ru_maxrss * 1024 - idle, 0) / len(data)
    return Cost(len(data), usage.ru_utime + usage.ru_stime, memory, process.returncode)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="families whose names contain one of these words")
    parser.add_argument("--bytes", type=int, default=BYTES)
    parser.add_argument("--growth", action="store_true")
    args = parser.parse_args()
    names = [name for name in FAMILIES if not args.words or any(word in name for word in args.words)]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        sample = LIGHTNET.encode()
        idle = int(cost("lightnet", sample, folder).memory * len(sample))
        for name in names:
            family = FAMILIES[name]
            found = cost(family.form, of_bytes(family, args.bytes), folder, idle)
            is_ok, words = found.is_ok, ""
            if args.growth and found.seconds >= ENOUGH:
                half = cost(family.form, of_bytes(family, args.bytes // 2), folder, idle)
                growth = log2(found.seconds / max(half.seconds, 0.01))
                is_ok, words = is_ok and growth <= MOST_GROWTH, f" {growth:5.2f}"
            bad += not is_ok
            mark = "" if is_ok else "  <--"
            print(f"{found.seconds:7.2f} s {found.memory:6.0f} B/B {found.status:4d}{words}  {name}{mark}", flush=True)
    print(f"{len(names)} families, {bad} of them too much")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
