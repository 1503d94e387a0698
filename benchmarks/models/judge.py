"""Judge irlint by what OpenVINO did: python judge.py FOLDER [FAMILY|FAMILY/NAME ...] [--out FILE] [--resume].

Runs in an environment that has irlint, a process for each model. FILE has a line of JSON per model; the summary goes to stdout.
Exit status 1: there are errors on a model that OpenVINO runs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import summary

HERE = Path(__file__).resolve().parent
SECONDS = 400
MEMORY = 14 << 30
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("chosen", nargs="*", metavar="FAMILY[/NAME]")
    parser.add_argument("--out", type=Path, default=Path("build/models.jsonl"))
    parser.add_argument("--resume", action="store_true", help="do not judge again what FILE has")
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    old = args.out.read_text().splitlines() if args.resume and args.out.exists() else []
    found = [json.loads(each) for each in old]
    known = {row["name"] for row in found}
    with args.out.open("a" if args.resume else "w") as stream:
        for path in sorted(args.folder.glob("*/*.json")):
            name = f"{path.parent.name}/{path.stem}"
            if path.suffixes != [".json"] or not path.with_suffix(".xml").exists():
                continue
            if args.chosen and name not in args.chosen and path.parent.name not in args.chosen:
                continue
            if name in known:
                continue
            row = {"family": path.parent.name, "name": name, **judged(path)}
            found.append(row)
            stream.write(json.dumps(row) + "\n")
            stream.flush()
            print(summary.line(row), flush=True)
    print(summary.text(found))
    return 1 if any(row.get("errors") and not row["record"].get("refused") for row in found) else 0


def judged(path: Path) -> dict[str, Any]:
    """Return what irlint says of a model, and OpenVINO's record of it."""
    record = json.loads(path.read_text())
    command = [sys.executable, str(HERE / "judge_one.py"), str(path.with_suffix(".xml"))]
    environment = {**os.environ, **THREADS}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, timeout=SECONDS, preexec_fn=_limited, text=True, check=False
        )
    except subprocess.TimeoutExpired:
        return {"record": record, "failed": f"timeout of {SECONDS} s"}
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    row: dict[str, Any] = {"record": record}
    for line in lines:
        row.update(line)
    if done.returncode:
        row["failed"] = f"status {done.returncode}: {done.stderr[-300:]}"
    return row


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    sys.exit(main())
