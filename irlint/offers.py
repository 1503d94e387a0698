"""Offer only fixes that would be applied: every fix that a rule proposes is tested first."""

from __future__ import annotations

from collections.abc import Callable, Set

from irlint import engine
from irlint.findings import Finding, Severity
from irlint.formats.base import by_name
from irlint.records import replace
from irlint.settings import Settings
from irlint.text.base import Document, Edit
from irlint.work import OF_TRIALS, Budget, Work, bounded


class TrialLinter:
    """Lints of a file after edits, and candidates for repairs."""

    def __init__(self, result: engine.Result, request: engine.Request | None = None) -> None:
        self.result = result
        encoding = "utf-8" if result.document is None else result.document.encoding
        self.request = replace(request or result.request, encoding=encoding, shown=result, times=None)
        self._searched: dict[str, list[Finding]] = {}
        self._work: Work | None = None
        self.renew()

    def renew(self) -> None:
        """Start over with a whole budget; repairs that were found stay known."""
        format_, document = by_name(self.result.format or ""), self.result.document
        whole = (
            2.0 if document is not None and document.troubles else 1.0
        )  # each trial reads broken text from its beginning
        self.budget = Budget(whole * (1.0 if format_ is None else format_.relint_cost))

    def lint(self, text: str) -> list[Finding]:
        document = self.result.document
        if document is not None and text is document.text:
            return self.result.findings
        return _parted(self._linted(text)).findings

    def search(self, text: str, findings: list[Finding]) -> list[Finding]:
        """Search for repairs of errors that have none, or only a guess. Syntax comes first: what would fit is unknown in a text
        that cannot be read completely, and each trial would have to guess at everything that is broken.
        """
        from irlint.fixes import UNREADABLE
        from irlint.repairs import wanting

        if not wanting(findings) or self.result.document is None or not self.result.certain:
            return findings
        if any(f.severity == Severity.ERROR and f.name in UNREADABLE for f in findings):
            return findings
        if text not in self._searched:
            self._searched[text] = self._search(text, findings)
        return self._searched[text]

    def _search(self, text: str, findings: list[Finding]) -> list[Finding]:
        from irlint import repairs

        if not self.budget.allows(len(text)):
            return findings
        strict = replace(self.request, settings=repairs.strict(self.request.settings))
        base = self._linted(text, strict)
        self.budget.spend(len(text))
        format_ = by_name(base.format or "")
        if format_ is None or base.model is None or base.document is None or base.document.guesses:
            return findings
        model = base.model
        found = repairs.searched(
            text,
            findings,
            base.findings,
            lambda finding: format_.candidates(model, finding),
            lambda changed: _parted(self._linted(changed, strict)).findings,
            self.budget,
            format_.taken,
        )
        _parted(base)
        return found

    def _linted(self, text: str, request: engine.Request | None = None) -> engine.Result:
        if self._work is None:
            self._work = Work(len(text), OF_TRIALS)
        with bounded(self._work):
            return engine.linted(text, request or self.request)


def _parted(result: engine.Result) -> engine.Result:
    if result.model is not None:
        result.model.take_apart()
    return result


def confirm(result: engine.Result, bench: TrialLinter | None = None) -> None:
    """Keep only fixes that --fix, or --fix --unsafe-fixes, would apply, and search for others."""
    from irlint.repairs import wanting

    if result.document is None or not (wanting(result.findings) or any(finding.fix for finding in result.findings)):
        return
    if _is_tried(result.findings, result.document.repaired):
        return
    from irlint.fixes import offered

    bench = bench or TrialLinter(result)
    try:
        with engine.no_garbage():
            found = offered(result.document.text, result.findings, bench.lint, bench.search, bench.budget)
    except Exception as error:
        result.fail(error)
        return
    is_alone = sum(finding.severity == Severity.ERROR for finding in found) == 1
    result.findings = [
        _without_other_hint(after, is_alone and before.fix is not None)
        for before, after in zip(result.findings, found, strict=True)
    ]


def _without_other_hint(finding: Finding, had_fix: bool) -> Finding:
    """Return a finding without the name that its message suggests if its fix, which was tried, writes another one, or was refused though
    nothing else is wrong."""
    meant, edits = finding.meant, () if finding.fix is None else finding.fix.edits
    if finding.hint and had_fix and finding.fix is None:
        return replace(finding, message=finding.message.replace(finding.hint, ""), hint="")
    if not finding.hint or meant is None or any(meant in edit.text for edit in edits):
        return finding
    is_renaming = any(edit.text and edit.span.start < edit.span.end for edit in edits)
    return replace(finding, message=finding.message.replace(finding.hint, ""), hint="") if is_renaming else finding


def _is_tried(findings: list[Finding], repaired: Set[Edit]) -> bool:
    """Return whether the only fixes are those that the reader assumed: linting their result would find the same."""
    fixes = [finding.fix for finding in findings if finding.fix is not None]
    if not repaired or any(f.fix is None and f.severity == Severity.ERROR for f in findings):
        return False
    return all(fix.safety == "safe" and set(fix.edits) == repaired for fix in fixes)


def repairing(result: engine.Result, suffices: Callable[[list[Finding]], bool]) -> list[str] | None:
    """Return the options of the fixes, the safest that do, after which the findings suffice; None if no fixes do."""
    if result.document is None or not result.certain or result.failed:
        return None
    from irlint import fixes

    settings = Settings(weights=result.request.settings.weights)
    whole = engine.linted(result.document.text, replace(result.request, settings=settings, shown=result))
    if whole.document is None or whole.failed:
        return None
    bench = TrialLinter(whole)
    for options in (["--fix"], ["--fix", "--unsafe-fixes"]):
        fixed = fixes.fix(whole.document.text, bench.lint, len(options) > 1, bench.search, budget=bench.budget)
        if fixed.applied and suffices(fixed.findings) and _is_writable(result.document, fixed.text):
            return options
        bench.renew()
    return None


def _is_writable(document: Document, text: str) -> bool:
    try:
        document.encoded(text)
    except ValueError:
        return False
    return True
