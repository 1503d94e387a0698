"""The steps that find problems, in order, and which of them can be skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from irlint.codes import R, RuleRow, rows
from irlint.findings import INFERRED, Fix, Problem, Severity
from irlint.records import replace
from irlint.rules import registry

if TYPE_CHECKING:
    from irlint.formats.base import Format
    from irlint.rules.base import Model, Rule
    from irlint.rules.declared import DeclaredRule
    from irlint.rules.walk import Visitor
    from irlint.settings import Settings
    from irlint.text.base import Document, Trouble


MOST = (
    10_000  # problems of one rule and severity in one file that are listed: a hostile file has one for every other byte
)


class ListedProblems:
    """Keeps the first problems of each rule and counts the others, so that memory does not grow with their number."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, int], int] = {}
        self._first: dict[tuple[str, int], Problem] = {}  # of those that are not kept

    def kept(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        counts = self._counts
        for problem in problems:
            key = problem.rule.code, +problem.actual_severity  # an int, because hashing an enum member is slow
            number = counts[key] = counts.get(key, 0) + 1
            if number <= MOST:
                yield problem
            else:
                self._first.setdefault(key, problem)

    def rest(self, kept: Iterable[Problem]) -> list[Problem]:
        """Return a problem for each rule with others, if any of those that were kept are left: they may all have had one cause."""
        if not self._first:
            return []
        left = {problem.rule.code for problem in kept}
        found = []
        for key, first in self._first.items():
            if key[0] in left:
                more = self._counts[key] - MOST
                words = f"{more:,} more findings of this rule are not listed"
                found.append(Problem(first.rule, first.at, words, severity=first.severity, more=more))
        return found


class Steps:
    """The steps of one model's lint.

    A step is skipped if no selected rule is in one of its groups and there are no problems so far: it could neither add nor
    change a finding. It runs when the model or its types are requested, because it completes the graph.
    """

    def __init__(self, format_: Format, model: Model, settings: Settings) -> None:
        self.format, self.model, self.settings = format_, model, settings
        self.listed = ListedProblems()
        self.left: list[Callable[[], object]] = []
        self.incomplete = False  # some values could not be computed, because NumPy is not installed

    def problems(self, checkpoint: Callable[[], None]) -> list[Problem]:
        """Yield the problems of all selected rules, and many of others: the settings are applied later."""
        model = self.model
        if found := self._conflicts():
            self.left.append(lambda: self._read(lambda: None))
            return found
        problems = list(self.listed.kept(map(_from_trouble, model.document.troubles)))
        rules, declared = self._plugged(), self._declared()
        if rules or declared or problems or self._has_checks() or self._needs(self.format.reading_tells):
            problems += self._read(checkpoint)
            rules = self._checks(True) + rules
            problems += self._checked(rules, checkpoint)
            if problems:  # findings of other rules may be its cause
                problems += self._checked(self._checks(False), checkpoint)
        else:
            self.left.append(lambda: self._read(lambda: None))
        problems = self._typed(problems, checkpoint)
        checkpoint()
        problems += self._timed("late checks", self.format.late_checks(model, problems))
        if not any(problem.is_error for problem in problems):
            problems += self._values() + self._precision()
        visiting = [rule for rule in rules if rule.visits]
        return problems + self._walked(visiting, declared) if visiting or declared else problems

    def _conflicts(self) -> list[Problem]:
        """Return the conflicts of git in a text with syntax errors: the errors follow from them."""
        document = self.model.document
        if document.is_binary or not any(trouble.rule == R.syntax_error for trouble in document.troubles):
            return []
        from irlint.text.conflicts import conflicts

        return list(self.listed.kept(map(_from_trouble, conflicts(document.text))))

    def take_rest(self) -> None:
        """Run the skipped steps."""
        while self.left:
            self.left.pop(0)()

    def by_schemas(self) -> list[Problem]:
        """Return the problems by the configuration's schemas. None of them is the cause or the consequence of another."""
        schemas = self.settings.schemas
        if not schemas or not self._is_wanted(R.user_schema):
            return []
        from irlint.user_schemas import problems

        if any(schema.of == "graph" for schema in schemas):
            self.take_rest()
        return self._timed("schemas of the configuration", problems(self.model, schemas))

    def left_out(self) -> list[Problem]:
        """Return the files next to the model that a commit would lack, if the settings ask for them."""
        model = self.model
        if not model.in_commit or model.path is None or not self._is_wanted(R.missing_weights):
            return []
        from irlint.missing_weights import left_out

        return self._timed("files that git tracks", left_out(model, self.format.side_files(model.path, model.options)))

    def _needs(self, groups: str | None) -> bool:
        """Return whether a selected rule is in one of the groups."""
        if groups is None:
            return True
        return any(row.code[0] in groups and self._is_wanted(row) for row in rows(registry.table(self.format.name)))

    def _has_checks(self) -> bool:
        """Return whether a selected rule has a check of its own."""
        return any(self._is_wanted(check.row) for check in registry.checks(self.format.name))

    def _checks(self, wanted: bool) -> list[type[Rule]]:
        """Return the rules with a check of their own that the reader has not run; the selected ones, or the others."""
        left = [c for c in registry.checks(self.format.name) if c.row not in self.model.settled]
        return [check.rule for check in left if self._is_wanted(check.row) == wanted]  # it imports the check

    def _checked(self, rules: list[type[Rule]], checkpoint: Callable[[], None]) -> list[Problem]:
        problems = []
        for rule in rules:
            checkpoint()
            problems += self._timed(rule.code, rule.check(self.model))
        return problems

    def _plugged(self) -> list[type[Rule]]:
        """Return the selected rules of other packages."""
        rules = (rule for rule in registry.plugin_rules() if not rule.formats or self.format.name in rule.formats)
        return [rule for rule in rules if self._is_wanted(rule)]

    def _is_wanted(self, rule: RuleRow | type[Rule]) -> bool:
        return self.settings.wants(rule.code, rule.name)

    def _declared(self) -> list[DeclaredRule]:
        """Return the selected rules of the configuration."""
        wants = self.settings.wants
        return [r for r in self.settings.declared if wants(r.code, r.name) and r.match.of_model(self.model)]

    def _read(self, checkpoint: Callable[[], None]) -> list[Problem]:
        problems = self._timed("reading", self.format.read(self.model))
        checkpoint()
        return problems + self._timed("the format's own passes", self.format.checks(self.model))

    def _typed(self, problems: list[Problem], checkpoint: Callable[[], None]) -> list[Problem]:
        """Return the problems after inference, if that is due now."""
        if not self.settings.shapes or self.model.document.guesses:
            return problems
        checkpoint()
        if problems or self._needs(self.format.types_tell):
            return self._with_types(problems)
        self.left.append(lambda: self._with_types([]))
        return problems

    def _with_types(self, problems: list[Problem]) -> list[Problem]:
        """Return the problems after inference."""
        model = self.model
        with self._noting_numpy():
            found = self._timed("shapes", _shape_problems(self.format, model, problems))
        for problem in found:
            problem.kind = INFERRED
        return problems + found

    def _values(self) -> list[Problem]:
        """Return the problems with values of weights, which are read only for rules that are selected by name."""
        if self.settings.select == ("ALL",):
            return []  # the common case
        from irlint.dryrun.running.weight_values import RULES, value_problems

        named = replace(self.settings, pedantic=False)  # asking for all pedantic findings does not ask for these
        mapping = None
        if any(named.wants(row.code, row.name, row.severity) for row in RULES):
            mapping = self.format.dryrun(self.model)
        if mapping is None:
            return []
        with self._noting_numpy():
            return self._timed("values of weights", value_problems(self.model.graph, mapping))

    def _precision(self) -> list[Problem]:
        """Return the constants that do not survive the precision of the target. All weights are read for it."""
        if not self.model.targets:
            return []  # the common case
        from irlint.targets.precision import TARGET

        if TARGET not in self.model.targets:
            return []
        from irlint.precision.constants import RULES, precision_problems

        if not any(self._is_wanted(row) for row in RULES):
            return []
        with self._noting_numpy():
            return self._timed("precision", precision_problems(self.model))

    def _timed(self, what: str, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems that are listed, and record the time it took to find them if requested."""
        times = self.model.times
        if times is None:
            return list(self.listed.kept(problems))
        from time import perf_counter

        began = perf_counter()
        found = list(self.listed.kept(problems))
        times[what] = times.get(what, 0.0) + perf_counter() - began
        return found

    @contextmanager
    def _noting_numpy(self) -> Iterator[None]:
        from irlint.dryrun.lazy import np

        np.missed = False
        yield
        self.incomplete |= np.missed

    def _walked(self, rules: list[type[Rule]], declared: list[DeclaredRule]) -> list[Problem]:
        """Yield the problems of rules that visit nodes; with one walk per rule if their times are requested."""
        from irlint.rules.base import Context
        from irlint.rules.declared import DeclaredVisitor
        from irlint.rules.walk import RuleVisitor, walk

        context = Context(self.model, self.take_rest)
        visitors: list[tuple[str, Visitor]]
        visitors = [
            *((rule.code, RuleVisitor(rule)) for rule in rules),
            *((rule.code, DeclaredVisitor(rule)) for rule in declared),
        ]
        if self.model.times is None:
            return list(self.listed.kept(walk([visitor for _, visitor in visitors], context)))
        return [problem for code, visitor in visitors for problem in self._timed(code, walk([visitor], context))]


def _shape_problems(format_: Format, model: Model, before: list[Problem]) -> Iterator[Problem]:
    """Yield the problems that inference finds."""
    mapping = format_.dryrun(model)
    if mapping is not None:
        from irlint.dryrun.check import shape_problems

        yield from shape_problems(model, mapping, before)


def _from_trouble(trouble: Trouble) -> Problem:
    fix = None
    if trouble.edits is not None:
        edits = trouble.edits

        def fix(_: Document) -> Fix:
            return Fix(trouble.title, tuple(edits()), trouble.safety)

    severity = Severity.parse(trouble.level) if trouble.level else None
    return Problem(
        trouble.rule, trouble.span, trouble.message, fix=fix, related=list(trouble.related), severity=severity
    )
