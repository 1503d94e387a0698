"""Apply fixes until none is left. A fix that does not improve the file is neither applied nor offered."""

from __future__ import annotations

from bisect import bisect, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import pairwise

from irlint.codes import R
from irlint.findings import GRADES, Finding, Fix, Safety, Severity
from irlint.records import dataclass, field, replace
from irlint.text.base import Edit, apply
from irlint.text.edited import EditedText, compose
from irlint.work import Budget

__all__ = ["Fixed", "Harm", "apply", "choose", "compose", "fix", "offered"]

MAX_ATTEMPTS, LEAST_ATTEMPTS = 60, 2  # lints spent on finding harmful fixes, as far as the file's budget goes
SHOWN = 160  # characters of the message of a new finding
MANY = 1000  # fixes of one file: more are offered untested, because each test takes as long as a lint
ROUNDS = 64  # that change a file: each takes as long as a lint
ALONE = 40  # fixes of a round that are tried one by one

# Errors after which a file's own parser gives up.
UNREADABLE = frozenset(
    {
        R.syntax_error.name,
        R.trailing_text.name,
        R.too_deep.name,
        R.internal_error.name,
        R.empty_file.name,
        R.unrecognized_file.name,
        R.truncated_file.name,
        R.nul_character.name,
    }
    | {R.duplicate_xml_attribute.name, R.bare_ampersand.name, R.second_root.name, R.text_outside_root.name}
)

Lint = Callable[[str], list[Finding]]
Search = Callable[[str, list[Finding]], list[Finding]]  # adds fixes to findings without one
_BY_ITSELF = "AOST"  # codes of findings about one token: attributes, operators, syntax, structure
_RANKS = {safety: rank for rank, safety in enumerate(GRADES)}
_UNEDITED = EditedText(())
Key = tuple[str, str, int]  # of a finding: code, message, and where it would be in the original text


@dataclass
class Fixed:
    """The result of fixing. `edits` turn the original text into the fixed one."""

    text: str
    applied: list[Finding]
    findings: list[Finding]  # of the text as it is now
    edits: list[Edit] = field(default_factory=list)
    why_not: str | None = None  # why nothing was changed although there were fixes
    refused: dict[Key, Harm] = field(default_factory=dict)  # fixes that were not applied
    made: dict[Key, Fix] = field(default_factory=dict)  # the fixes that were applied, graded as they were then

    def refusals(self) -> Iterator[tuple[Finding, int, Harm]]:
        """Return the findings whose fixes are harmful, with their positions in the original text."""
        origin = EditedText(self.edits)
        for finding in self.findings:
            harm = self.refused.get(key_of(finding, origin)) if finding.fix is not None else None
            if harm is not None:
                yield finding, origin.back(finding.span.start), harm


@dataclass(frozen=True)
class Harm:
    """Why a fix is harmful: the nodes that have more errors after it, and one of the new findings."""

    nodes: frozenset[str | None] = frozenset()
    witness: Finding | None = None

    def __str__(self) -> str:
        if self.witness is None:
            return "fixes nothing"
        return f"causes {self.witness.code}: {_cut(self.witness.message)}"


def choose(findings: Iterable[Finding], least: Safety) -> list[Finding]:
    """Return findings whose fixes, of a grade or better, can be applied in one round: in file order, without overlaps."""
    chosen: list[Finding] = []
    taken: list[Edit] = []
    made: set[tuple[Edit, ...]] = set()
    same: set[int] = set()  # id() of those: one fix of a whole file may have as many edits as there are findings
    for finding in findings:
        if not finding.fix or not finding.fix.edits or _RANKS[finding.fix.safety] > _RANKS[least]:
            continue
        edits = finding.fix.edits
        if id(edits) in same or edits in made:  # several findings with the same fix
            chosen.append(finding)
        elif not _overlap(edits, taken):
            chosen.append(finding)
            made.add(edits)
            same.add(id(edits))
            for edit in edits:
                insort(taken, edit)
    return chosen


def _overlap(edits: Sequence[Edit], taken: list[Edit]) -> bool:
    """Return whether edits overlap with chosen edits, or with each other."""
    own = sorted(edits)
    if any(_clash(a, b) for a, b in pairwise(own)):
        return True
    return any(_clash(edit, other) for edit in own for other in _neighbours(edit, taken))


def _neighbours(edit: Edit, taken: list[Edit]) -> list[Edit]:
    at = bisect(taken, edit)
    return taken[max(at - 1, 0) : at + 1]


def _clash(a: Edit, b: Edit) -> bool:
    """Return whether two edits overlap; two insertions at one position conflict too, because their order would be a guess."""
    return (a.span.start < b.span.end and b.span.start < a.span.end) or a.span.start == b.span.start


def fix(
    text: str,
    lint: Lint,
    unsafe: bool = False,
    search: Search | None = None,
    wanted: Set[Key] | None = None,
    budget: Budget | None = None,
) -> Fixed:
    """Apply rounds of fixes that do not overlap, until none is left, or none of the findings that are wanted.

    Safe ones come first, then proven ones, then, if they are asked for, unsafe ones. Each round leaves fewer findings of the
    kind that it fixes, so that the loop ends.
    """
    before = lint(text)
    fixer = _Fixer(text, before, lint, budget or Budget())
    while not fixer.is_done(wanted) and (fixer.round("safe") or fixer.searching_round(search, unsafe)):
        pass
    if fixer.applied and _unreadable(fixer.findings):
        return Fixed(text, [], before, why_not="the file is still unreadable after all fixes")
    return Fixed(fixer.text, fixer.applied, fixer.findings, fixer.edits, refused=fixer.harmful, made=fixer.made)


def offered(
    text: str, findings: list[Finding], lint: Lint, search: Search | None = None, budget: Budget | None = None
) -> list[Finding]:
    """Return the findings with only those fixes that `fix` makes, and with those that a search finds."""
    if search is not None:
        findings = search(text, findings)
    if broken := _broken(findings):
        findings = [replace(finding, fix=None) if _waits(finding, broken) else finding for finding in findings]
    fixable = [finding for finding in findings if finding.fix is not None]
    if not 0 < len(fixable) <= MANY:
        return findings
    once = _once(lint, {text: findings})
    wanted = {key_of(finding, _UNEDITED) for finding in fixable}  # others are offered once these are made
    budget = budget or Budget()
    made = _made(fixable, lambda unsafe: fix(text, once, unsafe, search, wanted, budget))
    return [finding if finding.fix is None else replace(finding, fix=made.get(id(finding))) for finding in findings]


def _once(lint: Lint, known: dict[str, list[Finding]]) -> Lint:
    """Return a lint that looks at each text once."""

    def once(text: str) -> list[Finding]:
        if (found := known.get(text)) is None:
            found = known[text] = lint(text)
        return found

    return once


def _made(findings: list[Finding], fixed: Callable[[bool], Fixed]) -> dict[int, Fix]:
    """Return the fixes, by the id() of their findings, that are made with others of their grade and do no harm by themselves.

    What is a guess while other errors are left, and proven once these are fixed, needs no flag.
    """
    made: dict[int, Fix] = {}
    before: dict[Key, Fix] = {}
    for unsafe in (False, True):
        graded = [(id(f), key_of(f, _UNEDITED), f.fix) for f in findings if f.fix and f.fix.needs_flag == unsafe]
        outcome = fixed(unsafe) if graded else None
        if outcome is not None and outcome.why_not is None:
            origin = EditedText(outcome.edits)
            left = {key_of(finding, origin) for finding in outcome.findings} | outcome.refused.keys()
            made |= {one: _regraded(fix, before.get(key)) for one, key, fix in graded if key not in left}
            before = outcome.made
    return made


def _regraded(fix: Fix, made: Fix | None) -> Fix:
    return fix if made is None or made.title != fix.title else replace(fix, safety=made.safety)


def _broken(findings: Iterable[Finding]) -> set[str | None]:
    """Return the nodes that have errors."""
    return set(_errors(findings))


def _waits(finding: Finding, broken: set[str | None]) -> bool:
    """Return whether the fix of a milder finding has to wait for broken nodes.

    A layer may be unused only because an edge is missing, and a surplus part of a broken node may be what its error is about.
    """
    fix = finding.fix
    if fix is None or finding.severity == Severity.ERROR:
        return False
    if finding.node is not None and finding.node in broken and not any(edit.text for edit in fix.edits):
        return True
    return fix.safety == "unsafe" and finding.code[0] not in _BY_ITSELF


class _Fixer:
    """A text between rounds of fixes."""

    def __init__(self, text: str, findings: list[Finding], lint: Lint, budget: Budget) -> None:
        self.text, self.findings, self.lint, self.budget = text, findings, lint, budget
        self.applied: list[Finding] = []
        self.made: dict[Key, Fix] = {}
        self.edits: list[Edit] = []
        self.attempts = 0  # that did harm
        self.harmful: dict[Key, Harm] = {}  # of findings whose fixes were harmful by themselves
        self.origin = _UNEDITED  # leads back to the text before all rounds
        self._seen = {hash(text): Harm()}  # the harm of texts that need not be tried again
        self._before = [hash(text)]  # the texts of the rounds so far
        self._guessed: set[Key] | None = None  # the findings before the first guess

    def key(self, finding: Finding) -> Key:
        return key_of(finding, self.origin)

    def is_done(self, wanted: Set[Key] | None) -> bool:
        """Return whether none of the findings that are wanted is left, in a text that can be read."""
        if wanted is None or _unreadable(self.findings):
            return False
        return not any(self.key(finding) in wanted for finding in self.findings)

    def searching_round(self, search: Search | None, unsafe: bool) -> bool:
        """Apply one round of searched repairs, the safest first; return whether it changed anything."""
        if search is not None:
            found = search(self.text, self.findings)
            if found is not self.findings:
                self.findings = found
                if self.round("safe"):
                    return True
        return self.round("proven") or (unsafe and self.round("unsafe"))

    def round(self, least: Safety) -> bool:
        """Apply one round of fixes of a grade or better; return whether it changed anything. If a batch is harmful, smaller ones are
        tried, down to one; fixes that are harmful by themselves wait until none of the others is left."""
        broken = _broken(self.findings)
        fixable = [finding for finding in self.findings if finding.fix is not None and self._is_open(finding, broken)]
        waiting, harmless = self._parted(fixable)
        self._try_alone(harmless, least)
        batches = [choose(waiting, least), choose(self._parted(harmless)[1], least)]
        while batches and self._may_try:
            batch = batches.pop()
            harm = self._attempt(batch) if batch else Harm()
            if harm is None:
                return True
            batches += self._smaller(batch, harm)
        return False

    def _parted(self, findings: list[Finding]) -> tuple[list[Finding], list[Finding]]:
        """Return the findings whose fixes are harmful by themselves, as far as that is known, and the others."""
        if not self.harmful:
            return [], findings
        harmful = [finding for finding in findings if self.key(finding) in self.harmful]
        return harmful, [finding for finding in findings if self.key(finding) not in self.harmful]

    def _smaller(self, batch: list[Finding], harm: Harm) -> list[list[Finding]]:
        """Return the batches, the last one first, to be tried instead of one that was harmful."""
        innocent = [finding for finding in batch if finding.node is None or finding.node not in harm.nodes]
        if 0 < len(innocent) < len(batch):
            return [innocent]
        if len(batch) > 1:
            middle = len(batch) // 2
            return [batch[middle:], batch[:middle]]
        self.harmful.update((self.key(finding), harm) for finding in batch)
        return []

    @property
    def _may_try(self) -> bool:
        """Return whether another batch may be tried after those that did harm, and after the rounds that changed the text."""
        return len(self._before) <= ROUNDS and self.attempts < (
            LEAST_ATTEMPTS if self.budget.characters < 0 else MAX_ATTEMPTS
        )

    def _is_open(self, finding: Finding, broken: set[str | None]) -> bool:
        """Return whether a finding may be fixed now. The consequences of a guess are not fixed by further changes."""
        is_known = self._guessed is None or self.key(finding) in self._guessed
        return finding.severity == Severity.ERROR or (is_known and not (broken and _waits(finding, broken)))

    def _try_alone(self, findings: list[Finding], least: Safety) -> None:
        """Find the fixes that are harmful by themselves, if they are few: an editor applies each of them separately."""
        chosen = choose(findings, least)
        if not 1 < len(chosen) <= ALONE or not self.budget.has(len(chosen), len(self.text)):
            return
        for finding in chosen:
            assert finding.fix is not None
            text = apply(self.text, sorted(finding.fix.edits))
            same = [other for other in chosen if other.fix is not None and other.fix.edits == finding.fix.edits]
            after = self.lint(text)
            self.budget.spend(len(text), len(after))
            if (harm := harmed(self.findings, after, same, EditedText(finding.fix.edits))) is not None:
                self.harmful[self.key(finding)] = harm

    def _attempt(self, batch: list[Finding]) -> Harm | None:
        """Apply the fixes of a batch. If that is harmful, change nothing."""
        fixes = {id(finding.fix.edits): finding.fix.edits for finding in batch if finding.fix}
        edits = sorted({edit for one in fixes.values() for edit in one})
        text = apply(self.text, edits)
        if hash(text) in self._seen:
            return self._seen[hash(text)]
        findings = self.lint(text)
        harm = harmed(self.findings, findings, batch, EditedText(edits))
        if harm is not None:
            self.attempts += 1
            self.budget.spend(len(text), len(findings))
            self._seen[hash(text)] = harm
            return harm
        is_guess = any(f.fix and f.fix.safety == "unsafe" for f in batch)
        if is_guess and self._guessed is None and not _unreadable(self.findings):  # which hides other findings
            self._guessed = set(map(self.key, self.findings))
        self.made |= {self.key(finding): finding.fix for finding in batch if finding.fix is not None}
        self._seen = dict.fromkeys([hash(text), *self._before], Harm())
        self._before.append(hash(text))
        self.edits = compose(self.edits, edits)
        self.origin = EditedText(self.edits)
        self.text, self.findings = text, findings
        self.applied += batch
        return None


def key_of(finding: Finding, origin: EditedText) -> Key:
    """Return what a finding is known by from round to round, wherever it has moved to."""
    return finding.code, finding.message, origin.back(finding.span.start)


def harmed(before: list[Finding], after: list[Finding], batch: list[Finding], origin: EditedText) -> Harm | None:
    """Return the harm of a batch of fixes: what is worse, or not better, after it; None if there is none. `origin` leads from the
    text after it back to the one before."""
    least = max(finding.severity for finding in batch)
    is_better = _from(after, least) < _from(before, least)
    nodes: frozenset[str | None] = frozenset()
    if _unreadable(before) or _unreadable(after):
        is_better = _is_more_readable(before, after, batch, is_better)
    elif not any(finding.more for finding in before):  # else which of the others are listed changes
        nodes = _worse(before, after, batch)
    return None if is_better and not nodes else Harm(nodes, _witness(before, after, batch, origin))


def _is_more_readable(before: list[Finding], after: list[Finding], batch: list[Finding], is_less: bool) -> bool:
    """Return whether an unreadable file is better after fixes; `is_less`: there are fewer findings of their kind.

    A safe fix may reveal errors that were hidden before. If a guess reveals more errors, it was a bad guess.
    """
    unreadable, left = _unreadable(before), _unreadable(after)
    is_guess = any(finding.fix and finding.fix.safety != "safe" for finding in batch)
    if left > unreadable or (is_guess and _errors(after).total() > _errors(before).total()):
        return False
    return left < unreadable or is_less


def _worse(before: list[Finding], after: list[Finding], batch: list[Finding]) -> frozenset[str | None]:
    """Return the nodes that have more errors after fixes, or as many although one of them was to be fixed."""
    old, new = _errors(before), _errors(after)
    mended = {finding.node for finding in batch if finding.node is not None and finding.severity == Severity.ERROR}
    return frozenset(node for node in {*new, *mended} if new[node] > old[node] - (node in mended))


def _errors(findings: Iterable[Finding]) -> Counter[str | None]:
    """Return the number of errors of each node."""
    return Counter(finding.node for finding in findings if finding.severity == Severity.ERROR)


def _from(findings: Iterable[Finding], least: Severity) -> int:
    return sum(max(finding.more, 1) for finding in findings if finding.severity >= least)


def _witness(before: list[Finding], after: list[Finding], batch: list[Finding], origin: EditedText) -> Finding | None:
    """Return the worst of the new findings. What was to be fixed and is said again in other words, at its place, is not new."""
    known = Counter((f.code, f.message, f.node) for f in before)
    new: list[Finding] = []
    for finding in after:
        key = (finding.code, finding.message, finding.node)
        if known[key] <= 0 and not any(_is_left(finding, one, origin) for one in batch):
            new.append(finding)
        known[key] -= 1
    return max(new, key=lambda finding: finding.severity, default=None)


def _is_left(finding: Finding, fixed: Finding, origin: EditedText) -> bool:
    """Return whether a finding after fixes is one that was to be fixed: of its rule, and at its node or its place."""
    if finding.code != fixed.code:
        return False
    is_of_node = finding.node is not None and finding.node == fixed.node
    return is_of_node or fixed.span.start <= origin.back(finding.span.start) <= fixed.span.end


def _unreadable(findings: Iterable[Finding]) -> int:
    return sum(f.severity == Severity.ERROR and f.name in UNREADABLE for f in findings)


def _cut(message: str) -> str:
    return message if len(message) <= SHOWN else f"{message[:SHOWN].rsplit(None, 1)[0]} ..."
