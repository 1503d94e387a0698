"""Audit every fix that irlint offers: [PYTHONPATH=CHECKOUT] python tests/fix_audit.py FOLDER... [--out FAILURES.json].

A folder is what tests/oracle/plant.py writes, or any folder of models. Of each file: is every fix that is offered also made, does
each fix that is made alone leave fewer errors than there were, and is a file that may be none of ours left alone?
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from irlint import engine, fixes, jobs
from irlint.findings import Finding, Severity
from irlint.formats.base import HEAD_SIZE, Head, all_formats
from irlint.jobs import one_file
from irlint.settings import Settings

CERTAIN = 3
MOST_SINGLE = 40  # fixes of one file that are tried alone

REFUSED, WORSE, NO_BETTER, UNVEILED, NEW_FINDING, NOT_OURS, CRASH = (
    "offered but refused", "new errors after a fix", "no fewer errors after a fix", "errors come to light after a fix",
    "new finding after a fix", "changed though not certain", "irlint fails",
)  # fmt: skip
KINDS = (REFUSED, WORSE, NO_BETTER, NEW_FINDING, NOT_OURS, CRASH)  # broken syntax may have hidden what comes to light


class Failure(NamedTuple):
    """One fix that is not as it should be."""

    kind: str
    safety: str
    code: str
    severity: str
    message: str
    title: str
    after: str  # what is found afterwards
    path: str


class Audited(NamedTuple):
    failures: list[Failure]
    offered: Counter[str]  # by safety
    made: Counter[str]


def audit(path: Path) -> Audited:
    """Failures of all fixes that are offered for a file. Nothing on disk is changed."""
    found = Audited([], Counter(), Counter())
    try:
        result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
        if result.document is not None:
            before = _checked(path, jobs.JobOptions())
            offers = [f for f in before.findings if f.fix and f.fix.edits]
            found.offered.update(f.fix.safety for f in offers if f.fix)
            found.failures.extend(_alone(path, result, offers))
            for unsafe in (False, True):
                found.failures.extend(_together(path, result, before, unsafe, found.made))
    except Exception as error:
        found.failures.append(Failure(CRASH, "", "", "", jobs.describe(error), "", "", str(path)))
    return found


class _Checked(NamedTuple):
    """What the command line says of a file, and how many fixes it made."""

    findings: list[Finding]
    fixed: int
    note: str | None


def _checked(path: Path, how: jobs.JobOptions) -> _Checked:
    outcome = one_file.check(jobs.Job(str(path), Settings(), data=path.read_bytes()), how)
    if outcome.report is None:
        raise RuntimeError(outcome.failure or outcome.trouble or "no report")
    return _Checked([entry.finding for entry in outcome.report.entries], outcome.fixed, outcome.note)


def _failure(kind: str, finding: Finding, path: Path, after: str) -> Failure:
    assert finding.fix is not None
    severity, fix = str(finding.severity), finding.fix
    return Failure(kind, fix.safety, finding.code, severity, finding.message, fix.title, after, str(path))


def _together(
    path: Path, result: engine.Result, before: _Checked, unsafe: bool, made: Counter[str]
) -> Iterator[Failure]:
    """--fix, or --fix --unsafe-fixes: what was offered and is still found was refused."""
    after = _checked(path, jobs.JobOptions(fix=True, unsafe=unsafe))
    made[f"--fix{' --unsafe-fixes' * unsafe}"] += after.fixed
    if after.fixed and not is_certain(result):
        yield Failure(NOT_OURS, "unsafe" if unsafe else "safe", "", "", result.why, "", "", str(path))
    left = Counter(map(_likeness, after.findings))
    for finding in reversed(before.findings):
        left[_likeness(finding)] -= 1
        is_left = left[_likeness(finding)] >= 0
        if is_left and finding.fix is not None and finding.fix.edits and (finding.fix.safety != "safe") == unsafe:
            yield _failure(REFUSED, finding, path, after.note or f"{after.fixed} others were made")


def _likeness(finding: Finding) -> tuple[str, str, str | None]:
    return finding.code, finding.message, finding.node


def is_certain(result: engine.Result) -> bool:
    """Whether the file is for sure of the format that it was read as."""
    assert result.document is not None
    format_ = all_formats()[str(result.format)]
    text = result.document.text
    head = format_.recognize(Head(result.name, text[:HEAD_SIZE], len(text) <= HEAD_SIZE))
    whole = format_.dialect_of(result.document)
    return max(head.score if head else 0, whole.score if whole else 0) >= CERTAIN


def _alone(path: Path, result: engine.Result, offers: list[Finding]) -> Iterator[Failure]:
    """Every fix by itself, as an editor makes it."""
    assert result.document is not None
    text, encoding = result.document.text, result.document.encoding
    done: set[Any] = set()
    for finding in offers:
        edits = finding.fix.edits if finding.fix else ()
        if edits in done or len(done) >= MOST_SINGLE:
            continue
        done.add(edits)
        after = engine.linted(fixes.apply(text, sorted(edits)), engine.Request(path.name, path=path, encoding=encoding))
        verdict = _verdict(finding, result.findings, after.findings)
        if verdict is not None:
            yield _failure(verdict, finding, path, _news(result.findings, after.findings))


def _verdict(finding: Finding, before: list[Finding], after: list[Finding]) -> str | None:
    old, new = _errors(before), _errors(after)
    is_error = finding.severity == Severity.ERROR
    if new > old or (is_error and new == old):
        if _unreadable(before):
            return UNVEILED if _unreadable(after) < _unreadable(before) else WORSE if new > old else NO_BETTER
        return WORSE if new > old else NO_BETTER
    fresh = _fresh(before, after)
    return NEW_FINDING if not is_error and any(severity >= finding.severity for _, severity, _ in fresh) else None


def _errors(findings: Iterable[Finding]) -> int:
    return sum(f.severity == Severity.ERROR for f in findings)


def _unreadable(findings: Iterable[Finding]) -> int:
    return sum(f.severity == Severity.ERROR and f.code[0] == "S" for f in findings)


def _fresh(before: list[Finding], after: list[Finding]) -> Counter[tuple[str, Severity, str | None]]:
    """Code, severity and node of what is found afterwards and was not before."""
    kinds = [Counter((f.code, f.severity, f.node) for f in found) for found in (before, after)]
    return kinds[1] - kinds[0]


def _news(before: list[Finding], after: list[Finding]) -> str:
    """What is said afterwards and was not before, errors first."""
    said = {(f.code, f.message) for f in before}
    fresh = sorted((f for f in after if (f.code, f.message) not in said), key=lambda f: -f.severity)
    return "; ".join(f"{f.code} {f.severity}: {f.message}" for f in fresh[:3]) or "the same findings"


def models(folder: Path, largest: int) -> list[Path]:
    """All files of a folder that may be models."""
    suffixes = (".xml", ".json", ".txt", ".jsonl")
    return sorted(p for p in folder.rglob("*") if p.suffix in suffixes and p.is_file() and p.stat().st_size <= largest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, help="where to write all failures, as JSON")
    parser.add_argument("--largest", type=int, default=300_000, help="bytes of a file that is worth the time (300000)")
    args = parser.parse_args()
    failures: list[Failure] = []
    for folder in args.folder:
        offered: Counter[str] = Counter()
        made: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        files = models(folder, args.largest)
        for path in files:
            found = audit(path)
            failures += found.failures
            offered += found.offered
            made += found.made
            kinds.update(f"{kind} ({safety})" for kind, safety in {(f.kind, f.safety) for f in found.failures})
            kinds.update(f"{f.kind} ({f.safety}), fixes" for f in found.failures)
        print(f"{folder}: {len(files)} files; offered {dict(offered)}, made {dict(made)}")
        for kind, number in sorted(kinds.items()):
            print(f"  {number:6} {kind}")
    if args.out:
        args.out.write_text(json.dumps([f._asdict() for f in failures], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
