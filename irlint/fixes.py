"""Apply fixes until none is left. A fix that does not improve the file is neither applied nor offered."""

from __future__ import annotations

from bisect import bisect, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import pairwise

from irlint.codes import R
from irlint.findings import GRADES, Finding, Safety, Severity
from irlint.records import dataclass, field, replace
from irlint.text.base import Edit, Span, apply
from irlint.work import Budget

__all__ = ["Fixed", "Harm", "apply", "choose", "compose", "fix", "offered"]

MAX_ATTEMPTS, LEAST_ATTEMPTS = 60, 2  # lints spent on finding harmful fixes, as far as the file's budget goes
SHOWN = 160  # characters of the message of a new finding
MANY = 1000  # fixes of one file: more are offered untested, because each test takes as long as a lint
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

    def refusals(self) -> Iterator[tuple[Finding, int, Harm]]:
        """Return the findings whose fixes are harmful, with their positions in the original text."""
        origin = Origin(self.edits)
        for finding in self.findings:
            harm = self.refused.get(origin.key(finding)) if finding.fix is not None else None
            if harm is not None:
                yield finding, origin.of(finding.span.start), harm


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

    Safe ones come first, then proven ones, then guesses. Each round leaves fewer findings of the kind that it fixes, so that
    the loop ends.
    """
    before = lint(text)
    fixer = _Fixer(text, before, lint, budget or Budget())
    while not fixer.is_done(wanted) and (fixer.round("safe") or fixer.searching_round(search, unsafe)):
        pass
    if fixer.applied and _unreadable(fixer.findings):
        return Fixed(text, [], before, why_not="the file is still unreadable after all fixes")
    return Fixed(fixer.text, fixer.applied, fixer.findings, fixer.edits, refused=fixer.harmful)


def offered(
    text: str, findings: list[Finding], lint: Lint, search: Search | None = None, budget: Budget | None = None
) -> list[Finding]:
    """Return the findings with only those fixes that `fix` makes, and with those that a search finds."""
    if search is not None:
        findings = search(text, findings)
    if broken := _broken(findings):
        findings = [replace(f, fix=None) if _waits(f, broken) else f for f in findings]
    grades = {finding.fix.safety for finding in findings if finding.fix is not None}
    if not grades or sum(finding.fix is not None for finding in findings) > MANY:
        return findings
    known: dict[str, list[Finding]] = {text: findings}

    def once(changed: str) -> list[Finding]:
        if (found := known.get(changed)) is None:
            found = known[changed] = lint(changed)
        return found

    key = Origin([]).key
    wanted = {key(finding) for finding in findings if finding.fix is not None}  # others are offered once these are made
    budget = budget or Budget()
    outcomes = {
        unsafe: _Outcome(fix(text, once, unsafe, search, wanted, budget))
        for unsafe in sorted({safety != "safe" for safety in grades})
    }
    return [outcomes[f.fix.safety != "safe"].judge(f) if f.fix is not None else f for f in findings]


def _broken(findings: Iterable[Finding]) -> set[str | None]:
    """Return the nodes that have errors."""
    return {finding.node for finding in findings if finding.severity == Severity.ERROR}


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


class _Outcome:
    """Findings that a run of fixes removes from a text."""

    def __init__(self, fixed: Fixed) -> None:
        self.fixed = fixed
        origin = Origin(fixed.edits)
        self.left = {origin.key(finding) for finding in fixed.findings}

    def judge(self, finding: Finding) -> Finding:
        """Return the finding, without its fix if that is not made, or does harm by itself."""
        key = (finding.code, finding.message, finding.span.start)
        is_made = self.fixed.why_not is None and key not in self.left and key not in self.fixed.refused
        return finding if is_made else replace(finding, fix=None)


class _Fixer:
    """A text between rounds of fixes."""

    def __init__(self, text: str, findings: list[Finding], lint: Lint, budget: Budget) -> None:
        self.text, self.findings, self.lint, self.budget = text, findings, lint, budget
        self.applied: list[Finding] = []
        self.edits: list[Edit] = []
        self.attempts = 0  # that did harm
        self.harmful: dict[Key, Harm] = {}  # of findings whose fixes were harmful by themselves
        self.key = Origin([]).key
        self._seen = {hash(text): Harm()}  # the harm of texts that need not be tried again
        self._before = [hash(text)]  # the texts of the rounds so far
        self._guessed: set[Key] | None = None  # the findings before the first guess

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
        return unsafe and (self.round("proven") or self.round("unsafe"))

    def round(self, least: Safety) -> bool:
        """Apply one round of fixes of a grade or better; return whether it changed anything. If a batch is harmful, smaller ones are
        tried, down to one; fixes that are harmful by themselves wait until none of the others is left."""
        broken = _broken(self.findings)
        fixable = [f for f in self.findings if f.fix is not None and self._is_open(f, broken)]
        waiting = [finding for finding in fixable if self.key(finding) in self.harmful] if self.harmful else []
        self._try_alone([f for f in fixable if self.key(f) not in self.harmful] if waiting else fixable, least)
        harmless = [f for f in fixable if self.key(f) not in self.harmful] if self.harmful else fixable
        batches = [choose(waiting, least), choose(harmless, least)]
        while batches and self._may_try:
            batch = batches.pop()
            if not batch:
                continue
            harm = self._attempt(batch)
            if harm is None:
                return True
            innocent = [f for f in batch if f.node is None or f.node not in harm.nodes]
            if 0 < len(innocent) < len(batch):
                batches.append(innocent)
            elif len(batch) > 1:
                middle = len(batch) // 2
                batches += [batch[middle:], batch[:middle]]
            else:
                self.harmful[self.key(batch[0])] = harm
        return False

    @property
    def _may_try(self) -> bool:
        """Return whether another batch may be tried after those that did harm."""
        return self.attempts < (LEAST_ATTEMPTS if self.budget.characters < 0 else MAX_ATTEMPTS)

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
            if (harm := harmed(self.findings, after, same)) is not None:
                self.harmful[self.key(finding)] = harm

    def _attempt(self, batch: list[Finding]) -> Harm | None:
        """Apply the fixes of a batch. If that is harmful, change nothing."""
        fixes = {id(finding.fix.edits): finding.fix.edits for finding in batch if finding.fix}
        edits = sorted({edit for one in fixes.values() for edit in one})
        text = apply(self.text, edits)
        if hash(text) in self._seen:
            return self._seen[hash(text)]
        findings = self.lint(text)
        harm = harmed(self.findings, findings, batch)
        if harm is not None:
            self.attempts += 1
            self.budget.spend(len(text), len(findings))
            self._seen[hash(text)] = harm
            return harm
        is_guess = any(f.fix and f.fix.safety == "unsafe" for f in batch)
        if is_guess and self._guessed is None and not _unreadable(self.findings):  # which hides other findings
            self._guessed = set(map(self.key, self.findings))
        self._seen = dict.fromkeys([hash(text), *self._before], Harm())
        self._before.append(hash(text))
        self.edits = compose(self.edits, edits)
        self.key = Origin(self.edits).key
        self.text, self.findings = text, findings
        self.applied += batch
        return None


class Origin:
    """Map positions in an edited text to the original."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.starts: list[int] = []  # of each edit, in the edited text
        self.ends: list[int] = []
        self.edits = edits
        shift = 0
        for (start, end), new in edits:
            self.starts.append(start + shift)
            shift += len(new) - (end - start)
            self.ends.append(end + shift)

    def of(self, at: int) -> int:
        """Return the original offset; that of the edit for what an edit wrote."""
        k = bisect(self.starts, at) - 1
        if k < 0:
            return at
        span = self.edits[k].span
        return span.start if at < self.ends[k] else span.end + at - self.ends[k]

    def key(self, finding: Finding) -> Key:
        """Return what a finding is known by from round to round, wherever it has moved to."""
        return finding.code, finding.message, self.of(finding.span.start)


def harmed(before: list[Finding], after: list[Finding], batch: list[Finding]) -> Harm | None:
    """Return the harm of a batch of fixes: what is worse, or not better, after it; None if there is none.

    A safe fix of an unreadable file may reveal errors that were hidden before. If a guess reveals more errors, it was a
    bad guess.
    """
    old = Counter(f.node for f in before if f.severity == Severity.ERROR)
    new = Counter(f.node for f in after if f.severity == Severity.ERROR)
    least = max(finding.severity for finding in batch)
    is_less = _from(after, least) < _from(before, least)
    unreadable, left = _unreadable(before), _unreadable(after)
    if unreadable or left:
        guessed = any(f.fix and f.fix.safety != "safe" for f in batch)
        no_worse = left <= unreadable and (not guessed or new.total() <= old.total())
        return None if no_worse and (left < unreadable or is_less) else Harm(witness=_witness(before, after))
    if any(finding.more for finding in before):
        return None if is_less else Harm(witness=_witness(before, after))  # which of the others are listed changes
    mended = {f.node for f in batch if f.node is not None and f.severity == Severity.ERROR}
    nodes = frozenset(node for node in {*new, *mended} if new[node] > old[node] - (node in mended))
    if nodes:
        return Harm(nodes, _witness(before, after))
    return None if is_less else Harm(witness=_witness(before, after))


def _from(findings: Iterable[Finding], least: Severity) -> int:
    return sum(max(finding.more, 1) for finding in findings if finding.severity >= least)


def _witness(before: list[Finding], after: list[Finding]) -> Finding | None:
    """Return the worst of the new findings."""
    known = Counter((f.code, f.message, f.node) for f in before)
    new: list[Finding] = []
    for finding in after:
        key = (finding.code, finding.message, finding.node)
        if known[key] <= 0:
            new.append(finding)
        known[key] -= 1
    return max(new, key=lambda finding: finding.severity, default=None)


def _unreadable(findings: Iterable[Finding]) -> int:
    return sum(f.severity == Severity.ERROR and f.name in UNREADABLE for f in findings)


def _cut(message: str) -> str:
    return message if len(message) <= SHOWN else f"{message[:SHOWN].rsplit(None, 1)[0]} ..."


def compose(first: Iterable[Edit], second: Iterable[Edit]) -> list[Edit]:
    """Compose two consecutive rounds of edits into one."""
    first = sorted(first)
    pieces = _Pieces(first)
    result: list[Span | str] = []
    at = 0
    for span, new in sorted(second):
        result += pieces.take(span.start - at)
        pieces.take(span.end - span.start)
        result.append(new)
        at = span.end
    return list(_edits([*result, *pieces.rest()]))


class _Pieces:
    """An edited text as ranges of the old text and new strings; the last range is open-ended."""

    def __init__(self, edits: list[Edit]) -> None:
        pieces: list[Span | str] = []
        at = 0
        for span, new in edits:
            pieces += [Span(at, span.start), new]
            at = span.end
        self._stack = [Span(at, _END), *reversed(pieces)]

    def take(self, size: int) -> list[Span | str]:
        """Return the next `size` characters."""
        taken: list[Span | str] = []
        while size > 0:
            piece = self._stack.pop()
            length = len(piece) if isinstance(piece, str) else piece.end - piece.start
            if length > size:
                head, rest = _split(piece, size)
                self._stack.append(rest)
                piece, length = head, size
            taken.append(piece)
            size -= length
        return taken

    def rest(self) -> Iterator[Span | str]:
        return reversed(self._stack)


_END = 1 << 62  # the end of the old text, whatever its size


def _split(piece: Span | str, size: int) -> tuple[Span | str, Span | str]:
    if isinstance(piece, str):
        return piece[:size], piece[size:]
    return Span(piece.start, piece.start + size), Span(piece.start + size, piece.end)


def _edits(pieces: Iterable[Span | str]) -> Iterator[Edit]:
    """Return the edits of the old text that produce these ranges and strings."""
    at, new = 0, ""
    for piece in pieces:
        if isinstance(piece, str):
            new += piece
        elif piece.start < piece.end:
            if new or piece.start > at:
                yield Edit(Span(at, piece.start), new)
            at, new = piece.end, ""
