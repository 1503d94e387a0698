"""Search for repairs of errors that no rule can repair: test candidates for what might have been meant.

A format proposes candidates (`Format.candidates`); each is linted with every rule on. A candidate counts if the error is gone
and there are no new ones. The only candidate without contradictions is proven, and so is the only one of them that is evident;
one of few, or the only likely one, is a guess.
A format gives a `Site`, which says how each change is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.findings import EVIDENT, SURE, Candidate, Finding, Fix, Safety, Severity
from irlint.records import NamedTuple, replace
from irlint.text.base import Edit, apply
from irlint.tools.names import is_typo
from irlint.work import Budget

if TYPE_CHECKING:
    from irlint.settings import Settings

EACH, MOST = 160, 1000  # of one error: candidates that are tried, and that are looked at
ERRORS = 8  # of one file that are searched: more than these have causes that no single change repairs
EQUALS = 3  # candidates of which the likeliest is still worth offering

# Errors that leave open what was meant: a reference may be to what is lost
_OPEN = (R.undefined_reference.code, R.used_before_defined.code, R.cycle.code)
_OF_COMPANIONS = "F"  # codes of what contradicts a model: a change to its graph repairs nothing
_SEEN = "ADW"  # codes of errors beside which all else was seen: attributes, dimensions, weights

Score = tuple[int, int, int]  # errors that are left, findings that are new, findings that are left


def wanting(findings: list[Finding]) -> list[Finding]:
    """Return errors without a repair, or with an untested one; none if the text could not be read completely."""
    errors = [f for f in findings if f.severity == Severity.ERROR]
    searched = [f for f in errors if f.code[0] != _OF_COMPANIONS]
    wanting = [f for f in searched if f.fix is None or f.fix.safety != "proven"]
    return wanting if len(errors) <= ERRORS else []


def strict(settings: Settings) -> Settings:
    """Return settings that select everything: milder findings also help to judge a repair."""
    return replace(settings, select=("ALL",), ignore=(), never=(), severities=(), pedantic=True, schemas=())


def searched(
    text: str,
    findings: list[Finding],
    strict_findings: list[Finding],
    candidates: Callable[[Finding], Iterable[Candidate]],
    lint: Callable[[str], list[Finding]],
    budget: Budget,
    taken: Collection[str] = (),
) -> list[Finding]:
    """Return the findings with the repairs that were found. `taken` are codes of errors with which readers take a file."""
    search = Search(text, strict_findings, lint, budget, taken)
    found: dict[int, Fix] = {}
    is_one_of_many = sum(f.severity > Severity.INFO for f in findings) > 1
    wanted = wanting(findings)
    for k, finding in enumerate(wanted):
        budget.share(len(wanted) - k)
        own = finding.fix
        if own is not None and own.safety == "safe" and (is_one_of_many or search.is_mended(finding, own.edits)):
            continue  # where it is all that is wrong and does harm, the rule was mistaken: what fits is something else
        first = [Candidate(own.title, own.edits, EVIDENT if _is_typo(text, finding) else 0)] if own is not None else []
        if (fix := search.best(finding, chain(first, _whole(candidates(finding))))) is not None:
            found[id(finding)] = fix
    return [replace(f, fix=found[id(f)]) if id(f) in found else f for f in findings]


def _is_typo(text: str, finding: Finding) -> bool:
    """Return whether the name that a finding suggests is nearly the one that is written."""
    if finding.meant is None or finding.code == R.unknown_operator.code:
        return False  # whether other operators are as near is known where they are tried
    return is_typo(text[slice(*finding.span)].strip("\"'`"), finding.meant)


def _whole(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates up to one whose text is incomplete."""
    try:
        yield from candidates
    except LookupError:
        return


class _Outcome(NamedTuple):
    score: Score
    errors: frozenset[tuple[str, str, str | None]]
    is_contradicted: bool  # by a new warning
    leaves_idle: bool  # something unused: it was probably meant to be used
    has_idle: bool  # also what was unused before


class _TriedCandidate(NamedTuple):
    score: Score
    likelihood: int  # lower is more likely
    order: int
    title: str
    edits: tuple[Edit, ...]
    is_guess: bool
    renames: bool


class Search:
    """The search in one text: `lint` reports every problem after edits, whatever the settings ignore."""

    def __init__(
        self,
        text: str,
        findings: list[Finding],
        lint: Callable[[str], list[Finding]],
        budget: Budget,
        taken: Collection[str] = (),
    ) -> None:
        self.text, self.lint, self.taken = text, lint, taken
        self.before = findings
        self.known = Counter(map(_key, findings))
        self.nodes = Counter(f.node for f in findings if f.severity == Severity.ERROR)
        self.wrong = {_key(f) for f in findings if f.severity == Severity.ERROR}
        self.has_idle = _has_idle(findings)
        self.budget = budget
        self._texts: dict[tuple[Edit, ...], int] = {}  # the text that edits lead to, as its hash
        self._outcomes: dict[int, _Outcome | None] = {}  # of each such text

    def best(self, finding: Finding, candidates: Iterable[Candidate]) -> Fix | None:
        """Return the repair of an error, if one candidate is better than all others."""
        tried: dict[int, _TriedCandidate] = {}  # by the text that they lead to
        compared: set[int] = set()
        untried = None  # the likelihood of the likeliest that was not
        for order, candidate in enumerate(filter(_changes, candidates)):
            edits = tuple(sorted(candidate.edits))
            after = self._text(edits)
            if after not in compared and len(compared) == EACH:
                untried = min(candidate.likelihood, candidate.likelihood if untried is None else untried)
                if order == MOST:
                    break
                continue
            compared.add(after)
            outcome = self._outcome(edits)
            if after not in self._outcomes:  # the budget is spent
                untried = min(candidate.likelihood, candidate.likelihood if untried is None else untried)
            elif outcome is not None and self._mends(finding, outcome):
                is_guess = candidate.is_guess or self._is_doubtful(finding, candidate, outcome)
                _, _, likelihood, _, renames = candidate
                one = _TriedCandidate(outcome.score, likelihood, order, candidate.title, edits, is_guess, renames)
                tried[after] = _joined(one, tried.get(after, one))
        return _chosen(list(tried.values()), len(compared) > 1, untried)

    def _is_doubtful(self, finding: Finding, candidate: Candidate, outcome: _Outcome) -> bool:
        """Return whether a change that fits proves nothing."""
        if candidate.likelihood > EVIDENT and (finding.taken or finding.code in self.taken or finding.code in _OPEN):
            # or readers compute with what is written; of a cycle, what nothing else uses is where it was to begin
            return finding.code != R.cycle.code or outcome.has_idle or not self.has_idle
        if outcome.has_idle and finding.code == R.undefined_reference.code:
            return True  # what nothing uses may be what an undefined name meant
        return any(_is_garbled(edit.text) for edit in candidate.edits)

    def is_mended(self, finding: Finding, edits: tuple[Edit, ...]) -> bool:
        """Return whether edits remove an error without contradictions."""
        outcome = self._outcome(tuple(sorted(edits)))
        return self.budget.is_spent or (outcome is not None and _key(finding) not in outcome.errors)

    def _mends(self, finding: Finding, outcome: _Outcome) -> bool:
        """Return whether an error is gone, and nothing contradicts the change. Unreadable text hides other errors: there, new
        warnings need not come from the change.
        """
        is_contradicted = outcome.leaves_idle or (finding.code[0] in _SEEN and outcome.is_contradicted)
        return _key(finding) not in outcome.errors and not is_contradicted

    def _text(self, edits: tuple[Edit, ...]) -> int:
        if edits not in self._texts:
            self._texts[edits] = hash(apply(self.text, edits))
        return self._texts[edits]

    def _outcome(self, edits: tuple[Edit, ...]) -> _Outcome | None:
        after = self._text(edits)
        if after not in self._outcomes:
            if not self.budget.search(len(self.text)):
                return None
            self._outcomes[after] = self._judged(apply(self.text, edits))
        return self._outcomes[after]

    def _judged(self, text: str) -> _Outcome | None:
        """Return the score of a text; None if it is not better."""
        if text == self.text:
            return None
        after = self.lint(text)
        self.budget.spend(0, len(after))
        # what only became milder, because nothing uses the node any more, is as wrong as before
        errors = [f for f in after if f.severity == Severity.ERROR or _key(f) in self.wrong]
        nodes = Counter(f.node for f in errors)
        if len(errors) >= self.nodes.total() or any(nodes[node] > self.nodes[node] for node in nodes):
            return None
        new = Counter(map(_key, after)) - self.known
        milder = {_key(f) for f in after if f.severity == Severity.WARNING or _is_small_loss(f)}
        is_contradicted = not milder.isdisjoint(new)
        leaves_idle = any(code.startswith("G") for code, _, _ in new)
        score = (len(errors), new.total(), len(after))
        return _Outcome(score, frozenset(map(_key, errors)), is_contradicted, leaves_idle, _has_idle(after))


def _has_idle(findings: list[Finding]) -> bool:
    return any(f.code[0] == "G" or f.code == R.unused_weights.code for f in findings)


def _is_small_loss(finding: Finding) -> bool:
    """Return whether a finding is about a constant that nothing uses, of a kind that is not worth a warning by itself."""
    return finding.severity == Severity.PEDANTIC and finding.code == R.unused_weights.code


def _joined(one: _TriedCandidate, other: _TriedCandidate) -> _TriedCandidate:
    """Return the more likely of two candidates for one text. What is not evident is a guess if one of them says so."""
    best = min(one, other)
    return best._replace(is_guess=best.is_guess or (best.likelihood > EVIDENT and (one.is_guess or other.is_guess)))


def _key(finding: Finding) -> tuple[str, str, str | None]:
    return finding.code, finding.message, finding.node


def _is_garbled(text: str) -> bool:
    """Return whether a text has bytes that are not UTF-8, as a damaged name has."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def _changes(candidate: Candidate) -> bool:
    return bool(candidate.edits)


def _chosen(tried: list[_TriedCandidate], is_compared: bool, untried: int | None) -> Fix | None:
    """Return the best repair of an error; `untried` is the likelihood of the most likely candidate that was not tried.

    Without others that were tried as well, only what is evident is proven. While some were not, only what is more likely than these by
    more than one step.
    """
    if not tried:
        return None
    equals = _equals(sorted(tried, key=lambda one: one[:3]))
    best = equals[0]
    likely = [one for one in equals if one.likelihood == best.likelihood]
    is_whole = is_compared and len(equals) == 1 and (untried is None or untried > best.likelihood + 1)
    is_only = len(likely) == 1 and (best.likelihood <= EVIDENT or is_whole)
    grade = _grade(best, is_compared, untried) if is_only else None
    return Fix(best.title, best.edits, grade or "unsafe") if grade or len(likely) <= EQUALS else None


def _equals(tried: list[_TriedCandidate]) -> list[_TriedCandidate]:
    """Return those that are as good as the first, without other names for what another one computes."""
    equals = [one for one in tried if one.score == tried[0].score]
    return [one for one in equals if not one.renames] or equals


def _grade(only: _TriedCandidate, is_compared: bool, untried: int | None) -> Safety | None:
    """Return the grade of the only likely candidate; None if it is still a guess, or not everything fits."""
    if only.score[:2] != (0, 0) or (untried is not None and untried <= only.likelihood):
        return None
    if is_compared and only.likelihood == SURE:
        return "safe"  # others that fit as well say the same in the other place
    return None if only.is_guess else "proven"
