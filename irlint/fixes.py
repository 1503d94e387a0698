"""Applies fixes until nothing changes; what a fix writes must re-lint without the finding and without new errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from irlint.findings import Finding, Severity
from irlint.text.base import Edit, apply

__all__ = ["Fixed", "apply", "choose", "fix"]

MAX_ROUNDS = 50


@dataclass
class Fixed:
    text: str
    applied: list[Finding]
    findings: list[Finding]  # of the text as it is now


def choose(findings: Iterable[Finding], unsafe: bool) -> list[Finding]:
    """Findings whose fixes can be made in one round: in file order, none touching another's text."""
    chosen: list[Finding] = []
    taken: list[Edit] = []
    candidates = [f for f in findings if f.fix and f.fix.edits and (unsafe or f.fix.safety == "safe")]
    for finding in candidates:
        assert finding.fix
        new = [edit for edit in finding.fix.edits if edit not in taken]
        if not new or not any(_clash(a, b) for a in new for b in taken):
            chosen.append(finding)
            taken += new
    return chosen


def _clash(a: Edit, b: Edit) -> bool:
    """Whether two edits overlap; two insertions at one point clash too, as their order would be a guess."""
    return (a.span.start < b.span.end and b.span.start < a.span.end) or a.span.start == b.span.start


def fix(text: str, lint: Callable[[str], list[Finding]], unsafe: bool = False) -> Fixed:
    """Round after round of non-overlapping fixes; a round that makes things worse is redone one fix at a time."""
    findings = lint(text)
    applied: list[Finding] = []
    refused: set[tuple[str, str]] = set()
    for _ in range(MAX_ROUNDS):
        chosen = [f for f in choose(findings, unsafe) if (f.code, f.message) not in refused]
        if not chosen:
            break
        step = _round(text, findings, chosen, lint)
        if step is None:
            for finding in chosen:
                if (step := _round(text, findings, [finding], lint)) is not None:
                    chosen = [finding]
                    break
                refused.add((finding.code, finding.message))
            else:
                continue
        text, findings = step
        applied += chosen
    return Fixed(text, applied, findings)


def _round(
    text: str, before: list[Finding], chosen: list[Finding], lint: Callable[[str], list[Finding]]
) -> tuple[str, list[Finding]] | None:
    """The text after these fixes and its findings; None if nothing changed or something got worse."""
    edits = {edit for finding in chosen if finding.fix for edit in finding.fix.edits}
    new = apply(text, edits)
    if new == text:
        return None
    after = lint(new)
    if _weight(after) > _weight(before) or _syntax(after) > _syntax(before):
        return None
    return new, after


def _weight(findings: list[Finding]) -> int:
    return sum(f.severity == Severity.ERROR for f in findings)


def _syntax(findings: list[Finding]) -> int:
    return sum(f.severity == Severity.ERROR and f.code.startswith("S") for f in findings)
