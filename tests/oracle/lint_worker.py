"""python lint_worker.py CASES OUT: lint and repair every case with the irlint that PYTHONPATH names; a JSON object per case.

Repaired files are written to OUT, next to links to the weights, where the runtimes can read them.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import made_fixes

from irlint import engine, jobs
from irlint.findings import Severity
from irlint.jobs import one_file
from irlint.settings import Settings

CASES, OUT = map(Path, sys.argv[1:3])
PATIENCE = 60  # seconds for one file
MODES = {"safe": one_file.JobOptions(fix=True), "unsafe": one_file.JobOptions(fix=True, unsafe=True)}


def repaired(path: Path, data: bytes, mode: str) -> str | None:
    """The name of the file that --fix makes of it; None if it changes nothing."""
    made_fixes.taken()
    outcome = one_file.check(one_file.Job(str(path), Settings(), data=data), MODES[mode])
    if outcome.failure:
        raise RuntimeError(outcome.failure)
    if outcome.data is None or outcome.data == data:
        return None
    target = OUT / f"{path.stem}-{mode}{path.suffix}"
    target.write_bytes(outcome.data)
    weights, link = path.with_suffix(".bin"), target.with_suffix(".bin")
    if weights.exists() and not link.exists():
        link.symlink_to(weights.resolve())
    return target.name


def judged(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    result = engine.lint_bytes(data, path.name, path=path)
    place = result.lines.position
    found = [
        [
            str(f.severity),
            f.code,
            place(f.span.start).line,
            f.message,
            [place(related.span.start).line for related in f.related],
            [f.fix.safety, f.fix.title] if f.fix else None,
        ]
        for f in result.findings
    ]
    offers = {f.fix.safety for f in result.findings if f.fix and f.fix.edits}
    row: dict[str, Any] = {"path": path.name, "findings": found}
    is_broken = any(f.severity == Severity.ERROR for f in result.findings)  # for which repairs are searched
    for mode in MODES:
        row[mode] = repaired(path, data, mode) if is_broken or offers else None
        row[f"{mode} fixes"] = made_fixes.taken() if row[mode] else []
    return row


def _late(*_: object) -> None:
    raise TimeoutError(f"irlint takes more than {PATIENCE} seconds")


def main() -> None:
    made_fixes.record()
    OUT.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGALRM, _late)
    for line in (CASES / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        path = CASES / json.loads(line)["path"]
        signal.alarm(PATIENCE)
        try:
            row = judged(path)
        except Exception as error:
            row = {"path": path.name, "findings": [], "failure": jobs.describe(error)}
        signal.alarm(0)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
