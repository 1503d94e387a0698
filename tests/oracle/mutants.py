"""Judge irlint by mutants of sound models: python tests/oracle/mutants.py openvino --count 2000 --seed 7 [--irlint-root PATH].

Needs IRLINT_OPENVINO_PYTHON, IRLINT_MXNET_PYTHON or IRLINT_LIGHTNET. The mutants and the runtime's verdicts are kept in --work, so that a second
checkout is judged by the same files. What is measured: recall (rejected files with an error), false errors of files that run, how
often an error is on the line of the defect, and how many rejected files --fix and --fix --unsafe-fixes bring back.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle import figures
from oracle.cases import LIST, Case, store, stored
from oracle.judges import JUDGES, PYTHONS, Judge, Verdict, available, judge
from oracle.plant import corpus, plant
from oracle.rows import MODES, Row
from oracle.sources import ROOT


def verdicts(ask: Judge, cases: Path) -> dict[str, Verdict]:
    """The runtime's verdicts of all cases."""
    listed = list(stored(cases))
    found = ask((row.path, row.base) for row in listed)
    return dict(zip((row.path.name for row in listed), found, strict=True))


def running(ask: Judge, bases: Iterable[Case], folder: Path) -> set[str]:
    """Names of the bases that run: nothing can be said of mutants of others."""
    listed = store(bases, folder)
    found = verdicts(ask, folder)
    return {row.base for row in listed if found[row.path.name].numbers is not None}


def linted(root: Path, cases: Path, out: Path) -> dict[str, dict[str, Any]]:
    """What a checkout says of all cases."""
    command = [sys.executable, str(Path(__file__).parent / "lint_worker.py")]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [*command, str(cases), str(out)], stdout=subprocess.PIPE, text=True, check=True, env=environment
    )
    return {row["path"]: row for row in map(json.loads, done.stdout.splitlines())}


def rows(ask: Judge, cases: Path, root: Path, out: Path) -> Iterator[Row]:
    known, said = verdicts(ask, cases), linted(root, cases, out)
    listed = list(stored(cases))
    wanted = [(row, mode) for row in listed for mode in MODES if said[row.path.name].get(mode)]
    files = ((out / said[row.path.name][mode], row.base) for row, mode in wanted)
    fixed: dict[str, dict[str, Verdict]] = defaultdict(dict)
    for (row, mode), verdict in zip(wanted, ask(files), strict=True):
        fixed[row.path.name][mode] = verdict
    bases = {row.base: known[row.path.name] for row in listed if not row.family}
    for row in listed:
        base = bases.get(row.base)
        if base is not None and base.numbers is not None and not known[row.path.name].is_unknown:
            yield Row(row, base, known[row.path.name], said[row.path.name], fixed[row.path.name])


def faults(found: list[Row]) -> Iterator[dict[str, Any]]:
    """Everything that a reader of the figures would want to see."""
    for row in found:
        kinds = [
            ("missed", row.is_missed),
            ("false error", row.is_false),
            ("off line", row.is_off_line),
            *((f"harmed by {mode} fixes", row.is_harmed(mode)) for mode in MODES),
            *((f"wrong {grade} fixes", row.is_wrong("safe", grade)) for grade in ("safe", "proven")),
            ("irlint fails", "failure" in row.said),
            ("not repaired", row.is_rejected and not row.loads_after("unsafe")),
        ]
        for kind in (name for name, holds in kinds if holds):
            yield {**row.said, **_told(row), "kind": kind}


def _told(row: Row) -> dict[str, Any]:
    return {
        **row.case._asdict(),
        "path": str(row.case.path),
        "verdict": row.verdict._asdict(),
        "is_same": row.is_same,
        "after": {mode: verdict._asdict() for mode, verdict in row.fixed.items()},
    }


def generated(folder: Path, seed: int) -> list[Path]:
    """IRs that the openvino wheel writes: one folder of chains of operations, one of each kind of small net."""
    if not (folder / "done").exists():
        scripts = ROOT / "tests" / "formats" / "openvino"
        for script, target, count in (("nets.py", folder / "nets", 42), ("build.py", folder / "many", 60)):
            target.mkdir(parents=True, exist_ok=True)
            command = [os.environ[PYTHONS["openvino"]], str(scripts / script), str(target), str(count), str(seed)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(folder / "many" / "one")
        (folder / "done").touch()
    return [folder / "many", *sorted((folder / "nets").iterdir())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime", choices=sorted(JUDGES))
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--irlint-root", type=Path, default=ROOT)
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "mutants", help="where files and verdicts are kept"
    )
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="folders of more models to plant defects in")
    parser.add_argument(
        "--kinds", nargs="*", default=[], help="kinds of defects, if not all: repair, legal, ... (plant.py)"
    )
    parser.add_argument("--out", type=Path, help="where to write all faults, as JSON")
    args = parser.parse_args()
    if not available(args.runtime):
        parser.error(f"{PYTHONS[args.runtime]} names no {args.runtime}")
    work, root = args.work.resolve(), args.irlint_root.resolve()
    ask = judge(args.runtime, work / f"{args.runtime}-{args.seed}-verdicts.jsonl")
    cases = work / "-".join([args.runtime, str(args.seed), str(args.count), *args.kinds])
    if not (cases / LIST).exists():
        own = generated(work / f"models-{args.seed}", args.seed) if args.runtime == "openvino" else []
        folders = [*corpus(), *args.extra, *own]
        sound = running(ask, plant(args.runtime, 0, args.seed, folders), work / f"{args.runtime}-{args.seed}-bases")
        store(plant(args.runtime, args.count, args.seed, folders, sound, args.kinds), cases)
    found = list(rows(ask, cases, root, work / f"{cases.name}-{root.parent.name}-{root.name}"))
    print(figures.table(found), figures.families(found), sep="\n\n")
    if args.out:
        args.out.write_text(json.dumps(list(faults(found)), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
