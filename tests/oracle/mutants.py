"""Judge irlint by mutants of sound models: python tests/oracle/mutants.py openvino --count 2000 --seed 7 [--irlint-root PATH].

Needs IRLINT_OPENVINO_PYTHON or IRLINT_MXNET_PYTHON. The mutants and the runtime's verdicts are kept in --work, so that a second
checkout is judged by the same files. What is measured: recall (rejected files with an error), false errors of files that run, how
often an error is on the line of the defect, and how many rejected files --fix and --fix --unsafe-fixes bring back.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle.cases import LIST, Case, Stored, store, stored
from oracle.json_defects import parts
from oracle.judges import Judge, Verdict, available, judge
from oracle.plant import corpus, plant
from oracle.sources import ROOT

MODES = ("safe", "unsafe")


class Row(NamedTuple):
    """A mutant, what the runtime says of it, of its base and of what fixing makes of it, and what irlint says."""

    case: Stored
    base: Verdict
    verdict: Verdict
    said: dict[str, Any]
    fixed: dict[str, Verdict]  # by mode; only where fixing changed the file

    @property
    def errors(self) -> list[Any]:
        return [finding for finding in self.said["findings"] if finding[0] == "error"]

    @property
    def is_rejected(self) -> bool:
        return self.verdict.stage is not None

    @property
    def is_missed(self) -> bool:
        return self.is_rejected and not self.errors

    @property
    def is_same(self) -> bool:
        """Whether the file gives what its base gives."""
        return not self.is_rejected and self.verdict.numbers == self.base.numbers

    @property
    def is_false(self) -> bool:
        """An error in a file that runs. One that gives other numbers than its base may deserve it: look."""
        return not self.is_rejected and bool(self.errors)

    @property
    def is_on_line(self) -> bool:
        """Whether an error, or what it refers to, is on the line of the defect or next to it. What is gone has no line: what it
        is gone from may be named instead, by the line that opens it."""
        wanted = [self.case.line]
        if is_removal(self.case):
            text = self.case.path.read_bytes().decode("utf-8", "replace")
            wanted += opening_line(text, self.case.line)
        return any(abs(place - line) <= 1 for place in wanted for line in self._lines)

    @property
    def is_in_node(self) -> bool:
        """Whether an error, or what it refers to, is in the layer or node of the defect."""
        first, last = node_around(self.case.path.read_bytes().decode("utf-8", "replace"), self.case.line)
        return self.is_on_line or any(first <= line <= last for line in self._lines)

    @property
    def _lines(self) -> list[int]:
        return [line for _, _, at, _, related, _ in self.errors for line in (at, *related)]

    def loads_after(self, mode: str) -> bool:
        return mode in self.fixed and self.fixed[mode].stage is None

    def is_restored(self, mode: str) -> bool:
        return self.loads_after(mode) and self.fixed[mode].numbers == self.base.numbers

    def is_harmed(self, mode: str) -> bool:
        """Whether the runtime took the file, and fails or has another model after fixing."""
        new, old = self.fixed.get(mode), self.verdict
        if new is None or not old.loads:
            return False
        if old.stage is None:
            return (new.stage, new.model, new.numbers) != (None, old.model, old.numbers)
        return not new.loads  # what is read and cannot be run means nothing yet


def is_removal(case: Stored) -> bool:
    """Whether the defect is that something is not there."""
    return case.family.endswith(("_removed", "_gone", "_dropped")) and case.format == "nnvm"


def opening_line(text: str, line: int) -> list[int]:
    """The line on which the innermost object or list of JSON around a line begins; none where its brackets do not match."""
    lines = text.splitlines(keepends=True)
    if not 0 < line <= len(lines):
        return []
    here = sum(map(len, lines[: line - 1])) + len(lines[line - 1]) - len(lines[line - 1].lstrip())
    holders = [part.value for part in parts(text) if text[part.value] in "[{" and part.value < here <= part.end - 1]
    ending = [part.value for part in parts(text) if part.end - 1 == here]  # where the last of its members was
    inside = max((value for value in holders if value not in ending), default=None)
    return [text.count("\n", 0, at) + 1 for at in (*ending, inside) if at is not None]


def node_around(text: str, line: int) -> tuple[int, int]:
    """First and last line of the layer or node that a line is in, as the usual writers lay it out."""
    first = last = 0
    for number, content in enumerate(text.splitlines(), 1):
        if content.lstrip().startswith("<layer ") or content == "    {":
            first = number
        last = number
        if number >= line and (content.strip() == "</layer>" or content.startswith("    }")):
            break
    return first, last


def verdicts(ask: Judge, cases: Path) -> dict[str, Verdict]:
    """The runtime's verdicts of all cases, asked once."""
    kept, feeds = cases / "verdicts.json", cases / "feeds.json"
    if not kept.exists():
        rows = list(stored(cases))
        found = dict(zip((row.path.name for row in rows), ask((row.path, row.base) for row in rows), strict=True))
        feeds.write_text(json.dumps(ask.feeds), encoding="utf-8")
        kept.write_text(json.dumps(found), encoding="utf-8")
    ask.feeds.update(json.loads(feeds.read_text(encoding="utf-8")))
    return {name: Verdict(*verdict) for name, verdict in json.loads(kept.read_text(encoding="utf-8")).items()}


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


def figures(found: list[Row]) -> dict[str, float]:
    rejected = [row for row in found if row.is_rejected]
    accepted = [row for row in found if not row.is_rejected]
    seen = [row for row in rejected if row.errors and row.case.line]
    numbers: dict[str, float] = {
        "files": len(found),
        "rejected": len(rejected),
        "missed": sum(row.is_missed for row in found),
        "recall %": _share(sum(bool(row.errors) for row in rejected), len(rejected)),
        "accepted": len(accepted),
        "same as base": sum(row.is_same for row in found),
        "false errors": sum(row.is_false for row in found),
        "false, same": sum(row.is_false and row.is_same for row in found),
        "line %": _share(sum(row.is_on_line for row in seen), len(seen)),
        "node %": _share(sum(row.is_in_node for row in seen), len(seen)),
    }
    for mode in MODES:
        numbers[f"{mode}: loads %"] = _share(sum(row.loads_after(mode) for row in rejected), len(rejected))
        numbers[f"{mode}: original %"] = _share(sum(row.is_restored(mode) for row in rejected), len(rejected))
        numbers[f"{mode}: harmed"] = sum(row.is_harmed(mode) for row in found)
    numbers["fails"] = sum("failure" in row.said for row in found)
    return numbers


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def table(found: list[Row]) -> str:
    """Figures of each group of families, and of all."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        if row.case.family:
            groups["all mutants"].append(row)
            groups[row.case.family.partition(" ")[0]].append(row)
            if row.is_rejected:
                groups[f"rejected at {row.verdict.stage}"].append(row)
        else:
            groups["bases"].append(row)
    columns = {name: figures(group) for name, group in sorted(groups.items())}
    names = list(next(iter(columns.values())))
    lines = [f"{'':20}" + "".join(f"{name:>18}" for name in columns)]
    lines += [f"{name:20}" + "".join(f"{column[name]:18g}" for column in columns.values()) for name in names]
    return "\n".join(lines)


def families(found: list[Row]) -> str:
    """A line for each family with rejected files: how many, how many are missed, load again and give the original's outputs."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        if row.is_rejected:
            groups[row.case.family].append(row)
    lines = [f"{'family':40} rejected  missed  --fix: loads, original  --unsafe-fixes: loads, original"]
    for family, group in sorted(groups.items(), key=lambda pair: -len(pair[1])):
        counts = [
            sum(test(row, mode) for row in group) for mode in MODES for test in (Row.loads_after, Row.is_restored)
        ]
        missed = sum(row.is_missed for row in group)
        lines.append(
            f"{family:40} {len(group):8}  {missed:6}  {counts[0]:12}, {counts[1]:8}  {counts[2]:21}, {counts[3]:8}"
        )
    return "\n".join(lines)


def faults(found: list[Row]) -> Iterator[dict[str, Any]]:
    """Everything that a reader of the figures would want to see."""
    for row in found:
        kinds = [
            ("missed", row.is_missed),
            ("false error", row.is_false),
            *((f"harmed by {mode} fixes", row.is_harmed(mode)) for mode in MODES),
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime", choices=("openvino", "mxnet"))
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--irlint-root", type=Path, default=ROOT)
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "mutants", help="where files and verdicts are kept"
    )
    parser.add_argument("--extra", type=Path, nargs="*", default=[], help="folders of more models to plant defects in")
    parser.add_argument("--out", type=Path, help="where to write all faults, as JSON")
    args = parser.parse_args()
    if not available(args.runtime):
        parser.error(f"no Python with {args.runtime}: see judges.py")
    ask, work, root = judge(args.runtime), args.work.resolve(), args.irlint_root.resolve()
    cases = work / f"{args.runtime}-{args.seed}-{args.count}"
    if not (cases / LIST).exists():
        folders = [*corpus(), *args.extra]
        sound = running(ask, plant(args.runtime, 0, args.seed, folders), work / f"{args.runtime}-{args.seed}-bases")
        store(plant(args.runtime, args.count, args.seed, folders, sound), cases)
    found = list(rows(ask, cases, root, work / f"{cases.name}-{root.name}"))
    print(table(found), families(found), sep="\n\n")
    if args.out:
        args.out.write_text(json.dumps(list(faults(found)), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
