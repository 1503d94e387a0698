"""Measures irlint against what a user would run instead: python benchmarks [--only PART...] [--write docs/benchmarks.md]

Parts: start, lint, onnx_models, folder, editor, dryrun, rules. `make bench` runs all of them in a Python that has every peer.
"""

from __future__ import annotations

import argparse
import compileall
import os
import platform
import sys
from datetime import datetime, timezone
from importlib import import_module, metadata
from pathlib import Path

from measure import ROOT
from tables import render

PARTS = ("start", "lint", "onnx_models", "folder", "editor", "dryrun", "rules")
PEERS = ("check-jsonschema", "ruff", "lxml", "openvino", "onnx", "onnxruntime", "polygraphy", "numpy")

TOP = """\
# Benchmarks

Output of `make bench` on {date}, on {machine}.

Every row compares irlint with one peer. Both run in turn on the same machine, and a ratio is the median of the ratios of all pairs:
below 1, irlint takes less. Compare CPU times: the machine had other work, too (a load of {load:.0f} at the start). `asked`
is the target for the ratio. Peaks of 20 MB and less are those of the measuring program.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page to be written")
    args = parser.parse_args()
    for package in ("irlint", "lsp"):
        compileall.compile_dir(ROOT / package, quiet=1)
    sys.path[:0] = [str(ROOT)]
    date = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    page = [TOP.format(date=date, machine=machine(), load=os.getloadavg()[0])]
    print(page[0])
    for part in args.only:
        for table in import_module(part).tables():
            page.append(render(table))
            print(page[-1], flush=True)
    if args.write:
        args.write.write_text("\n".join(page), encoding="utf-8")


def machine() -> str:
    """What it ran on, in words."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = names[0] if names else cpu
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in PEERS)
    return f"{os.cpu_count()} processors ({cpu}), {platform.system()}, Python {platform.python_version()}, {versions}"


if __name__ == "__main__":
    main()
