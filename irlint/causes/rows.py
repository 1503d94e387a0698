"""The rows of a format's table of causes, and what applies them.

A row says which problems are roots, which of the others are their followers by where they are, and what becomes of both. Rows are
applied in their order. Each costs time linear in the number of problems: followers look their root up in an index.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from typing import Any, Protocol

from irlint.causes.relations import Relation
from irlint.codes import RuleRow
from irlint.findings import Problem, Severity
from irlint.records import NamedTuple, replace

Change = Callable[[Any, Problem], "Problem | None"]  # what becomes of a problem; None: it is left out
PairChange = Callable[
    [Any, Problem, Problem], "Problem | None"
]  # what becomes of a follower (the last), given its root


class Which(NamedTuple):
    """The problems that a row is about; all conditions must hold."""

    rules: tuple[RuleRow, ...] = ()  # if empty: of any rule
    groups: str = ""  # first letters of codes
    kinds: tuple[str, ...] = ()
    part: str = ""  # the beginning of the part that they are at
    least: Severity = Severity.PEDANTIC
    most: Severity = Severity.ERROR
    when: Callable[[Any, Problem], bool] | None = None

    def holds(self, lookup: Any, problem: Problem) -> bool:
        return (
            (not self.rules or problem.rule in self.rules)
            and (not self.groups or problem.rule.code[0] in self.groups)
            and (not self.kinds or problem.kind in self.kinds)
            and (not self.part or getattr(problem.at, "part", "").startswith(self.part))
            and self.least <= problem.actual_severity <= self.most
            and (self.when is None or self.when(lookup, problem))
        )

    def among(self, lookup: Any, problems: Iterable[Problem]) -> list[Problem]:
        return [problem for problem in problems if self.holds(lookup, problem)]

    def is_possible(self, rules: Set[RuleRow]) -> bool:
        """Return whether problems of these rules can be meant."""
        if self.groups and all(rule.code[0] not in self.groups for rule in rules):
            return False
        return not self.rules or not rules.isdisjoint(self.rules)


class Row(Protocol):
    """One line of a table."""

    @property
    def first(self) -> Which:
        """Return the problems without which the row changes nothing."""

    def applied(self, lookup: Any, problems: list[Problem]) -> list[Problem]:
        """Return the problems as the row leaves them."""


class Each(NamedTuple):
    """What becomes of problems by themselves."""

    first: Which
    becomes: Change

    def applied(self, lookup: Any, problems: list[Problem]) -> list[Problem]:
        found = self.first.among(lookup, problems)
        return changed(problems, {id(problem): self.becomes(lookup, problem) for problem in found})


def gone(*_: Any) -> None:
    """What becomes of a problem that is left out."""


class Follows(NamedTuple):
    """What becomes of problems that follow from another, and of that one."""

    first: Which  # the roots
    relation: Relation
    followers: Which = Which()
    becomes: PairChange = gone
    rooted: Callable[[Any, Problem, list[Problem]], Problem | None] | None = None  # what a root with followers becomes
    milder: bool = False  # only followers that are no more severe than their root
    provided: Callable[[Sequence[Problem], Sequence[Problem]], bool] | None = None  # of all roots and all followers

    def applied(self, lookup: Any, problems: list[Problem]) -> list[Problem]:
        roots, followers = self.first.among(lookup, problems), self.followers.among(lookup, problems)
        if not roots or not followers or (self.provided is not None and not self.provided(roots, followers)):
            return problems
        root_of = self.relation.finder(lookup, roots)
        new: dict[int, Problem | None] = {}
        groups: dict[int, list[Problem]] = {}
        for follower in followers:
            root = root_of(follower)
            if root is None or root is follower or (self.milder and follower.actual_severity > root.actual_severity):
                continue
            after = self.becomes(lookup, root, follower)
            if after is not follower:
                new[id(follower)] = after
                groups.setdefault(id(root), []).append(follower)
        if self.rooted is not None:
            new |= {id(root): self.rooted(lookup, root, groups[id(root)]) for root in roots if id(root) in groups}
        return changed(problems, new)


class Once(NamedTuple):
    """Of problems with the same key one is kept: the weightiest, else the first."""

    first: Which
    key: Callable[[Any, Problem], Hashable]  # None: the problem has no equals
    weight: Callable[[Problem], Any] | None = None
    joined: Callable[[Any, Problem, Problem], Problem] | None = None  # what the one that is kept (the first) becomes

    def applied(self, lookup: Any, problems: list[Problem]) -> list[Problem]:
        best: dict[Hashable, Problem] = {}
        new: dict[int, Problem | None] = {}
        origin: dict[Hashable, int] = {}
        for problem in self.first.among(lookup, problems):
            if (key := self.key(lookup, problem)) is None:
                continue
            kept, other = best.get(key, problem), problem
            if kept is other:
                best[key], origin[key] = problem, id(problem)
                continue
            if self.weight is not None and self.weight(other) > self.weight(kept):
                kept, other = other, kept
                new[origin[key]], origin[key] = None, id(kept)
            else:
                new[id(other)] = None
            best[key] = new[origin[key]] = kept if self.joined is None else self.joined(lookup, kept, other)
        return changed(problems, new)


def changed(problems: list[Problem], new: dict[int, Problem | None]) -> list[Problem]:
    """Return the problems with some, by id(), replaced or left out."""
    if not new:
        return problems
    return [after for problem in problems if (after := new.get(id(problem), problem)) is not None]


def graded(severity: Severity) -> Change:
    """Return what gives problems a severity."""
    return lambda _, problem: replace(problem, severity=severity)


def severest(_: Any, root: Problem, followers: list[Problem]) -> Problem:
    """Return a root that is as severe as its severest follower."""
    return replace(root, severity=max(problem.actual_severity for problem in (root, *followers)))


def apply(rows: Iterable[Row], lookup: Any, problems: list[Problem]) -> list[Problem]:
    """Return what a table of rows makes of the problems of a file."""
    rules = {problem.rule for problem in problems}
    for row in rows:
        if row.first.is_possible(rules) and (after := row.applied(lookup, problems)) is not problems:
            problems, rules = after, {problem.rule for problem in after}
    return problems
