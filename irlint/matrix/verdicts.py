"""Which releases of runtimes load a model, and why others do not: what is found for each as a target, and for none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Literal

from irlint import engine
from irlint.codes import R, Severity
from irlint.engine import Result
from irlint.findings import Finding
from irlint.formats.base import Format
from irlint.located import located
from irlint.records import NamedTuple, replace
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.targets.base import AgainstTarget, ComparedTarget

Outcome = Literal["loads", "falls back", "unknown", "refused"]
_LOCATED = 5  # reasons of a verdict that are kept
_ALL = Settings()
_NO_DIGITS = str.maketrans("", "", "0123456789.")


class TargetVerdict(NamedTuple):
    """What is known of one release."""

    target: ComparedTarget
    release: str
    outcome: Outcome
    reasons: Sequence[Finding] = ()
    more: int = 0  # reasons beyond these
    unasked: Mapping[str, int] = {}  # operators of which nothing is known there, with the number of nodes

    @property
    def has_fix(self) -> bool:
        """Return whether every reason has a fix."""
        is_whole = self.outcome == "refused" and not self.more
        return is_whole and all(one.fix is not None for one in self.reasons if one.severity >= Severity.WARNING)


def matrix(result: Result, model: Model, format_: Format, targets: Sequence[ComparedTarget]) -> list[TargetVerdict]:
    """Return the verdicts of all releases of runtimes that the format compares, the oldest first."""
    found: list[TargetVerdict] = []
    for target in targets:
        held = format_.against(model, target.name, target.releases[0] + target.provider)
        if held is None:
            found += _linted(result, target)
        else:
            found += [_verdict(model, format_, target, release) for release in target.releases]
    own = [one for one in result.findings if one.severity == Severity.ERROR]
    return [_doubted(one, own) for one in found] if own else found


def _doubted(verdict: TargetVerdict, own: Sequence[Finding]) -> TargetVerdict:
    """Return a verdict of a model that has errors of its own: whether a release loads it is not known."""
    if verdict.outcome == "refused":
        return verdict
    reasons = [*own, *verdict.reasons]
    more = verdict.more + len(reasons[_LOCATED:])
    return verdict._replace(outcome="unknown", reasons=reasons[:_LOCATED], more=more)


def _verdict(model: Model, format_: Format, target: ComparedTarget, release: str) -> TargetVerdict:
    held = format_.against(model, target.name, release + target.provider) or AgainstTarget(())
    first = sorted(held.problems, key=lambda one: -one.actual_severity)[:_LOCATED]  # what refuses the model
    found = sorted(located(model.document, first, _ALL), key=lambda one: -one.severity)
    outcome = _outcome(found, target)
    if outcome == "loads" and held.unasked:
        outcome = "unknown"
    return TargetVerdict(target, release, outcome, found, len(held.problems[_LOCATED:]) + held.more, held.unasked)


def _linted(result: Result, target: ComparedTarget) -> list[TargetVerdict]:
    """Return the verdicts of releases for each of which the file is linted: of those between two that say the same, none is."""
    known: dict[int, TargetVerdict] = {}

    def verdict(k: int) -> TargetVerdict:
        if k not in known:
            found = _found(result, target.name, target.releases[k])
            more = len(found[_LOCATED:])
            known[k] = TargetVerdict(target, target.releases[k], _outcome(found, target), found[:_LOCATED], more)
        return known[k]

    spans = [(0, len(target.releases) - 1)]
    while spans:
        first, last = spans.pop()
        is_same = _said(verdict(first)) == _said(verdict(last))
        middle = (first + last) // 2
        if is_same:
            known.update({k: verdict(last)._replace(release=target.releases[k]) for k in range(first, last)})
        elif last - first > 1:
            spans += [(first, middle), (middle, last)]
    return [known[k] for k in range(len(target.releases))]


def _found(result: Result, name: str, release: str) -> list[Finding]:
    """Return what is found only for this target."""
    request = result.request
    again = replace(request, settings=replace(request.settings, targets=((name, release),)))
    found = engine.linted(result.lines.text, again)
    known = {(one.code, one.message) for one in result.findings}
    return [one for one in found.findings if (one.code, one.message) not in known]


def _outcome(found: Sequence[Finding], target: ComparedTarget) -> Outcome:
    """Return what findings say of a release: documentation that does not list an operator gives warnings."""
    lacking = [one.severity for one in found if one.code == R.target_lacks_operator.code]
    if any(one.severity == Severity.ERROR for one in found) or Severity.WARNING in lacking:
        return "refused"
    return "falls back" if lacking and target.provider else "loads"


class Stretch(NamedTuple):
    """Releases of one target that come one after the other, with one verdict."""

    first: TargetVerdict
    last: TargetVerdict  # which says it for all

    @property
    def releases(self) -> str:
        return self.first.release if self.first is self.last else f"{self.first.release} to {self.last.release}"


def stretches(verdicts: Sequence[TargetVerdict]) -> list[Stretch]:
    """Return verdicts with those that say the same as the release before taken together."""
    groups = (list(same) for _, same in groupby(verdicts, key=_said))
    return [Stretch(same[0], same[-1]) for same in groups]


def _said(one: TargetVerdict) -> tuple[Any, ...]:
    reasons = [_told(reason) for reason in one.reasons]
    return one.target, one.outcome, reasons, one.more, dict(one.unasked)


def _told(reason: Finding) -> tuple[Any, ...]:
    """Return what tells a reason from others, without numbers: of releases, and of the versions that they read."""
    return reason.code, reason.message.translate(_NO_DIGITS), reason.span, reason.fix is None
