"""Judge irlint by mutants of ONNX models: python tests/oracle/onnx_measure.py WORK --count 1500 --seed 7 [--no-fixes] [--irlint-root PATH] [--out FAULTS.json].

Needs IRLINT_ONNX_PYTHON (make oracle-onnx). Mutants and verdicts are kept in WORK, so that a second checkout is judged by the same files.

A judge whose operators or types the base itself lacks is not asked about its mutants, nor is its word counted where it says that something is not
implemented. A mutant is refused if any other judge refuses it; it is sound if all of them run it and compute what they compute for the base.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from oracle.sources import ROOT

PYTHON = "IRLINT_ONNX_PYTHON"
TESTS = Path(__file__).resolve().parents[1]
JUDGES = ("checker", "full", "ort", "openvino")
LIST = "cases.jsonl"
MODES = ("safe", "unsafe")
COLUMNS = ("files", "refused", "missed", "off node", "first off", "extra", "false", "original")
TOLERANCE = 1e-3
# Parts of messages that say nothing against a file: what a runtime lacks, and inputs of ours that a changed declaration no longer takes.
UNDECIDED = (
    "NOT_IMPLEMENTED", "does not support the following ONNX operations", "not implemented", "Not implemented", "timeout", "no input for", "Invalid input name", "Unexpected input data type",
    "Got invalid dimensions for input", "Invalid rank for input", "Required inputs", "Unsupported model IR version", "is under development and support for this is limited",
    "std::bad_alloc", "MemoryError",
)  # fmt: skip

Verdict = dict[str, dict[str, Any]]


class Row(NamedTuple):
    case: dict[str, Any]
    base: Verdict
    verdict: Verdict
    said: dict[str, Any]
    fixed: dict[str, Verdict]
    base_said: dict[str, Any]

    @property
    def asked(self) -> list[str]:
        return [judge for judge in JUDGES if self.base[judge]["stage"] is None and not is_open(self.verdict[judge])]

    @property
    def refusing(self) -> list[str]:
        return [judge for judge in self.asked if self.verdict[judge]["stage"] is not None]

    @property
    def is_refused(self) -> bool:
        return bool(self.refusing)

    @property
    def errors(self) -> list[dict[str, Any]]:
        return [finding for finding in self.said["findings"] if finding["severity"] == "error"]

    @property
    def is_missed(self) -> bool:
        return self.is_refused and not self.errors

    @property
    def is_same(self) -> bool:
        """Whether all that can run the base run the mutant, equally, and onnxruntime among them: OpenVINO alone takes old operators for new ones."""
        runs = [judge for judge in ("ort", "openvino") if judge in self.asked]
        return (
            "ort" in runs and not self.is_refused and all(same(self.verdict[judge], self.base[judge]) for judge in runs)
        )

    @property
    def is_false(self) -> bool:
        return self.is_same and bool(self.errors)

    @property
    def is_at_node(self) -> bool:
        return any(
            _meets(place, spot) for error in self.errors for spot in error["places"] for place in self.case["places"]
        )

    @property
    def told(self) -> list[dict[str, Any]]:
        """What a user is shown without asking for more, and is not shown for the base: errors and warnings, in the order of the report."""
        known = {(finding["code"], finding["message"]) for finding in self.base_said["findings"]}
        shown = [finding for finding in self.said["findings"] if finding["severity"] in ("error", "warning")]
        return [finding for finding in shown if (finding["code"], finding["message"]) not in known]

    @property
    def is_first_at_node(self) -> bool:
        """Whether the first finding itself, not a related place of it, is at the defect."""
        first = self.told[:1]
        return any(_meets(place, one["places"][0]) for one in first for place in self.case["places"])

    def loads_after(self, mode: str) -> bool:
        return mode in self.fixed and not any(
            self.fixed[mode][judge]["stage"] for judge in self.asked if not is_open(self.fixed[mode][judge])
        )

    def is_restored(self, mode: str) -> bool:
        if not self.loads_after(mode):
            return False
        return all(
            same(self.fixed[mode][judge], self.base[judge]) for judge in ("ort", "openvino") if judge in self.asked
        )

    def is_wrong(self, mode: str, grade: str) -> bool:
        """Whether fixes, some of them of a grade, make something else than the original of a file that was refused."""
        is_of_grade = any(fix[0] == grade for fix in self.said.get(f"{mode} fixes", ()))
        return self.is_refused and is_of_grade and not self.is_restored(mode)

    def is_harmed(self, mode: str) -> bool:
        """Whether what a runtime ran no longer runs, or computes something else, which is not the base's either."""
        if mode not in self.fixed:
            return False
        runs = [judge for judge in ("ort", "openvino") if judge in self.asked and judge not in self.refusing]
        new = self.fixed[mode]
        return any(
            not same(new[judge], self.verdict[judge]) and not same(new[judge], self.base[judge]) for judge in runs
        )


def is_open(verdict: dict[str, Any]) -> bool:
    return verdict["stage"] is not None and any(words in verdict["message"] for words in UNDECIDED)


def _meets(place: dict[str, Any], spot: list[Any]) -> bool:
    _, is_head, names = spot
    return bool(set(place["names"]) & set(names)) or (is_head and place["kind"] in ("head", "import"))


def same(one: dict[str, Any], two: dict[str, Any]) -> bool:
    a, b = one.get("outputs"), two.get("outputs")
    if a is None or b is None:
        return one["stage"] is None and two["stage"] is None and a is b
    return len(a) == len(b) and all(_alike(x, y) for x, y in zip(a, b, strict=True))


def _alike(one: Any, two: Any) -> bool:
    if isinstance(one, str) or isinstance(two, str):
        return bool(one == two)
    if one["shape"] != two["shape"] or one["dtype"] != two["dtype"]:
        return False
    scale = max([1e-6, *(abs(value) for value in two["values"] if abs(value) < 1e30)])
    return all(
        x == y or (x != x and y != y) or abs(x - y) <= TOLERANCE * scale
        for x, y in zip(one["values"], two["values"], strict=True)
    )


# Running it


def oracle(*arguments: str, lines: Iterable[dict[str, Any]] | None = None) -> str:
    """Run a module of ours in the oracle's Python."""
    given = None if lines is None else "".join(f"{json.dumps(line)}\n" for line in lines)
    command = [os.environ[PYTHON], "-W", "ignore", "-m", *arguments]
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True, cwd=TESTS)
    return done.stdout


def verdicts(jobs: list[dict[str, Any]], work: Path) -> list[Verdict]:
    os.environ.setdefault("IRLINT_ONNX_VERDICTS", str(work / "verdicts.jsonl"))
    return [json.loads(line) for line in oracle("oracle.onnx_judge", lines=jobs).splitlines()]


def linted(root: Path, cases: Path, *options: str) -> list[dict[str, Any]]:
    command = [sys.executable, str(Path(__file__).with_name("onnx_lint.py")), str(cases), *options]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "PYTHONPATH": str(root)}
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def rows(cases: Path, work: Path, root: Path = ROOT, *options: str) -> Iterator[Row]:
    listed = [json.loads(line) for line in (cases / LIST).read_text(encoding="utf-8").splitlines()]
    known = verdicts([{"path": str(cases / case["path"]), "feeds": case["feeds"]} for case in listed], work)
    said = linted(root, cases, *options)
    bases = {case["base"]: verdict for case, verdict in zip(listed, known, strict=True) if not case["family"]}
    own = {case["base"]: said[k] for k, case in enumerate(listed) if not case["family"]}
    wanted = [
        (k, mode, {"path": str((cases / case["path"]).with_name(said[k][mode])), "feeds": case["feeds"]})
        for k, case in enumerate(listed) for mode in MODES if case["family"] and said[k].get(mode)
    ]  # fmt: skip
    fixed: dict[int, dict[str, Verdict]] = defaultdict(dict)
    for (k, mode, _), verdict in zip(wanted, verdicts([job for *_, job in wanted], work), strict=True):
        fixed[k][mode] = verdict
    for k, case in enumerate(listed):
        yield Row(case, bases[case["base"]], known[k], said[k], fixed[k], own[case["base"]])


def figures(found: list[Row]) -> dict[str, float]:
    refused = [row for row in found if row.is_refused]
    seen = [row for row in refused if row.errors and row.case["places"]]
    numbers: dict[str, float] = {
        "files": len(found), "refused": len(refused), "missed": sum(row.is_missed for row in found), "recall %": share(refused, lambda row: bool(row.errors)),
        "at node %": share(seen, lambda row: row.is_at_node), "first at node %": share(seen, lambda row: row.is_first_at_node),
        "findings a file": round(sum(len(row.told) for row in refused) / len(refused), 2) if refused else 0.0, "sound": sum(row.is_same for row in found), "false errors": sum(row.is_false for row in found),
    }  # fmt: skip
    for judge in JUDGES:
        numbers[f"by {judge}"] = sum(judge in row.refusing for row in found)
        alone = [row for row in refused if row.refusing == [judge]]
        numbers[f"{judge} alone"] = len(alone)
        numbers[f"{judge} alone: missed"] = sum(row.is_missed for row in alone)
    for mode in MODES:
        numbers[f"{mode}: loads %"] = share(refused, lambda row, mode=mode: row.loads_after(mode))
        numbers[f"{mode}: original %"] = share(refused, lambda row, mode=mode: row.is_restored(mode))
        numbers[f"{mode}: harmed"] = sum(row.is_harmed(mode) for row in found)
        numbers[f"{mode}: proven"] = sum(
            any(fix[0] == "proven" for fix in row.said.get(f"{mode} fixes", ())) for row in refused
        )
        for grade in ("safe", "proven"):
            numbers[f"{mode}: wrong {grade}"] = sum(row.is_wrong(mode, grade) for row in found)
    numbers["irlint fails"] = sum("failure" in row.said for row in found)
    return numbers


def share(group: list[Row], fits: Callable[[Row], bool]) -> float:
    return round(100 * sum(map(fits, group)) / len(group), 1) if group else 0.0


def table(found: list[Row]) -> str:
    """Figures of the bases, of all mutants and of each kind."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        groups[row.case["family"].partition(" ")[0] or "bases"].append(row)
        if row.case["family"]:
            groups["all"].append(row)
    columns = {name: figures(group) for name, group in sorted(groups.items())}
    names = list(next(iter(columns.values())))
    lines = [f"{'':24}" + "".join(f"{name:>11}" for name in columns)]
    return "\n".join(
        lines + [f"{name:24}" + "".join(f"{column[name]:11g}" for column in columns.values()) for name in names]
    )


def families(found: list[Row]) -> str:
    """A line for each family of mutants, the worst first."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        groups[row.case["family"]].append(row)
    lines = []
    for family, group in sorted(
        groups.items(), key=lambda pair: (-sum(row.is_missed or row.is_false for row in pair[1]), pair[0])
    ):
        refused = [row for row in group if row.is_refused]
        off = sum(bool(row.errors) and not row.is_at_node for row in refused if row.case["places"])
        first_off = sum(bool(row.errors) and not row.is_first_at_node for row in refused if row.case["places"])
        counts = (
            len(group),
            len(refused),
            sum(row.is_missed for row in group),
            off,
            first_off,
            sum(max(len(row.told) - 1, 0) for row in refused),
            sum(row.is_false for row in group),
            sum(row.is_restored("unsafe") for row in refused),
        )
        lines.append(f"{family:42}" + "".join(f"{count:10}" for count in counts))
    return "\n".join(["".join([f"{'family':42}", *(f"{word:>10}" for word in COLUMNS)]), *lines])


def faults(found: list[Row]) -> Iterator[dict[str, Any]]:
    for row in found:
        kinds = [
            ("missed", row.is_missed), ("false error", row.is_false), ("off node", row.is_refused and bool(row.errors and row.case["places"]) and not row.is_at_node),
            ("first off node", row.is_refused and bool(row.errors and row.case["places"]) and not row.is_first_at_node), ("many findings", row.is_refused and len(row.told) > 1),
            *((f"harmed by {mode} fixes", row.is_harmed(mode)) for mode in MODES),
            *((f"wrong {grade} fixes", row.is_wrong("safe", grade)) for grade in ("safe", "proven")), ("irlint fails", "failure" in row.said),
            ("not repaired", row.is_refused and not row.is_restored("unsafe")),
        ]  # fmt: skip
        for kind in (name for name, holds in kinds if holds):
            words = {
                judge: f"{row.verdict[judge]['stage']}: {row.verdict[judge]['message'][:250]}" for judge in row.refusing
            }
            yield {
                "kind": kind,
                **row.case,
                "refused by": words,
                "errors": row.errors,
                "told": row.told,
                "fixes": row.said.get("safe fixes"),
                "after": {
                    judge: [said["stage"], said.get("message")] for judge, said in row.fixed.get("safe", {}).items()
                },
                "failure": row.said.get("failure"),
            }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--no-fixes", action="store_true", help="only lint: much faster")
    parser.add_argument("--irlint-root", type=Path, default=ROOT)
    parser.add_argument("--out", type=Path, help="where to write all faults, as JSON")
    args = parser.parse_args()
    work = args.work.resolve()
    cases = work / f"mutants-{args.seed}-{args.count}"
    if not (cases / LIST).exists():
        oracle("oracle.onnx_mutants", str(cases), str(args.count), str(args.seed))
    found = list(rows(cases, work, args.irlint_root.resolve(), *(["--no-fixes"] if args.no_fixes else [])))
    print(table(found), families([row for row in found if row.case["family"]]), sep="\n\n")
    if args.out:
        args.out.write_text(json.dumps(list(faults(found)), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
