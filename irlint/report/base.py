"""Input of reports: findings with lines and columns, and the text around each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from irlint.engine import Result
from irlint.findings import Finding, Fix, Related, Severity
from irlint.records import NamedTuple, dataclass, field, replace
from irlint.report.excerpt import Excerpt, cut, new, piece
from irlint.rules import registry
from irlint.text.base import Lines, Span
from irlint.text.safe import brief

TYPE_CHECKING = False

if TYPE_CHECKING:
    from irlint.report.fix_lines import FixLines

TOKEN_SIZE = 200
NAME_SIZE = 1000
POINTER_SIZE = 10_000
GARBAGE = 0.3  # of the beginning of a model file: control characters and bytes that are no UTF-8
ROOM = 100  # characters of a line that can be shortened, without a terminal
SHOWN_RELATED = 4  # a duplicate of a thousand others is shown with the first few; the JSON report has all of them


class LineRange(NamedTuple):
    """1-based lines and columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(slots=True, frozen=True)
class ReportedFinding:
    """A finding with its places as lines and columns."""

    finding: Finding
    url: str | None  # of the rule's page, if irlint's own documentation has one
    at: LineRange
    token: str  # the text at the span, or its beginning
    excerpt: Excerpt
    edits: tuple[LineRange, ...] = ()  # one for each edit of the fix
    related: tuple[tuple[LineRange, Excerpt], ...] = ()  # one for each related place
    change: FixLines | None = None  # that the fix makes, unless it only replaces the token, which the excerpt has

    @property
    def fix_lines(self) -> FixLines | None:
        """Return the lines that the fix changes; None if there is no fix, or they cannot be shown."""
        fix = self.finding.fix
        if fix is None or self.change is not None or (len(fix.edits), self.edits) != (1, (self.at,)):
            return self.change
        from irlint.report.fix_lines import of_excerpt

        return of_excerpt(self.excerpt, fix)


@dataclass(slots=True, frozen=True)
class FileReport:
    """One file's findings as plain data: small, picklable, the same for every output format."""

    name: str
    format: str | None
    dialect: str | None
    entries: tuple[ReportedFinding, ...]
    fail_on: Severity = Severity.ERROR  # from which severity on a finding makes the run fail
    known: int = 0  # findings that a baseline has, which are not among the entries


@dataclass
class Totals:
    """Totals of a report."""

    files: int = 0
    files_with_findings: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    pedantic: int = 0
    safe_fixes: int = 0
    proven_fixes: int = 0
    unsafe_fixes: int = 0  # that only --unsafe-fixes makes
    known: int = 0  # findings that baselines have
    fixed_in: Mapping[str, int] = field(default_factory=dict)  # how many findings were fixed in each file that changed
    fixed_proven: int = 0  # of those
    rules: dict[tuple[str, str], int] = field(default_factory=dict)  # findings by code and name
    first: tuple[Severity, str, str] | None = (
        None  # the most severe finding, the first of them: its code and the format of its file
    )
    said_of_lines: dict[str, None] = field(default_factory=dict)  # what formats say of the lines of their files
    others: Mapping[str, int] = field(
        default_factory=dict
    )  # models that irlint does not check, by the name of their format

    @property
    def fixed(self) -> int:
        return sum(self.fixed_in.values())

    @property
    def findings(self) -> int:
        return self.errors + self.warnings + self.infos + self.pedantic

    def add(self, report: FileReport) -> None:
        self.files += 1
        self.known += report.known
        if not report.entries:
            return
        self.files_with_findings += 1
        self._note(report)
        severities = [entry.finding.severity for entry in report.entries]
        self.errors += severities.count(Severity.ERROR)
        self.warnings += severities.count(Severity.WARNING)
        self.infos += severities.count(Severity.INFO)
        self.pedantic += severities.count(Severity.PEDANTIC)
        safeties = [fix.safety for entry in report.entries if (fix := entry.finding.fix) is not None]
        self.safe_fixes += safeties.count("safe")
        self.proven_fixes += safeties.count("proven")
        self.unsafe_fixes += safeties.count("unsafe")
        for rule, number in Counter([(entry.finding.code, entry.finding.name) for entry in report.entries]).items():
            self.rules[rule] = self.rules.get(rule, 0) + number

    def _note(self, report: FileReport) -> None:
        """Keep what the summary says beside numbers."""
        from irlint.formats.base import by_name

        if (format_ := by_name(report.format or "")) is None:
            return
        if (said := said_of_lines(report)) is not None:
            self.said_of_lines[said] = None
        documented = [entry.finding for entry in report.entries if entry.url is not None]
        worst = max(documented, key=lambda finding: finding.severity, default=None)
        if worst is not None and (self.first is None or worst.severity > self.first[0]):
            self.first = worst.severity, worst.code, format_.name


class Options(NamedTuple):
    """Options of a report."""

    color: bool
    unsafe_fixes: bool
    root: Path
    totals: Totals  # complete once every file has been drawn
    columns: int | None = None  # of the terminal; None if programs read the report
    show_all: bool = False  # findings that say the same thing are not folded into one
    quiet: bool = False  # no summary
    can_fix: bool = True  # whether the command has --fix


def said_of_lines(report: FileReport) -> str | None:
    """Return what the format says of the lines of a binary, which are not those of the file; None if they are."""
    from irlint.formats.base import by_name

    format_ = by_name(report.format or "")
    return None if format_ is None else format_.shown_lines.get(report.dialect or "")


def locate(result: Result, fail_on: Severity = Severity.ERROR) -> FileReport:
    """Return the report of one linted file."""
    findings = result.findings
    if not findings:  # the text of a binary is not made for nobody
        return FileReport(result.name, result.format, result.dialect, (), fail_on)
    lines = result.lines
    documented = registry.documented(result.format)
    names = {finding.name for finding in findings}
    urls = {name: registry.url(name, result.format) if name in documented else None for name in names}
    show = _Places(lines, is_shown=not _is_garbage(result))
    entries = [_entry(show, finding, urls[finding.name]) for finding in findings]
    return FileReport(result.name, result.format, result.dialect, tuple(entries), fail_on)


def _entry(show: _Places, finding: Finding, url: str | None) -> ReportedFinding:
    span = start, end = finding.span
    if len(finding.node or "") > NAME_SIZE or len(finding.pointer or "") > POINTER_SIZE:
        finding = _named_briefly(finding)
    at, excerpt = show.next(span)
    fix, related = finding.fix, finding.related
    if any(place.document is not None for place in related):  # reports are plain data
        finding = replace(finding, related=tuple(replace(place, document=None) for place in related))
    edits: tuple[LineRange, ...] = ()
    change = None
    if fix is not None and len(fix.edits) == 1 and fix.edits[0].span == span:
        edits, change = (at,), show.change(fix)[1] if at.end_line > at.line else None
    elif fix is not None:
        edits, change = show.change(fix)
    return ReportedFinding(
        finding,
        url,
        at,
        show.text[start : min(end, start + TOKEN_SIZE)],
        excerpt,
        edits,
        tuple([_shown(show, place, k < SHOWN_RELATED) for k, place in enumerate(related)]) if related else (),
        change,
    )


def _shown(show: _Places, place: Related, is_shown: bool) -> tuple[LineRange, Excerpt]:
    places = show if place.document is None else _Places(place.document.lines)
    return places.related(place.span, is_shown)


def _is_garbage(result: Result) -> bool:
    """Return whether a file is binary, so that an excerpt would be unreadable."""
    from irlint.text.sniff import is_binary

    return is_binary(result.lines.text, GARBAGE if result.format else 0.0)


class _Places:
    """Lines, columns and excerpts of spans of a text."""

    def __init__(self, lines: Lines, is_shown: bool = True) -> None:
        self.lines, self.text, self.is_shown = lines, lines.text, is_shown
        self._simple = "\r" not in self.text and not self.text.startswith("\ufeff")
        self._last = (0, 1)  # an offset, and the number of its line
        self._changes: dict[int, tuple[tuple[LineRange, ...], FixLines | None]] = {}  # by the `id` of the fix

    def next(self, span: Span) -> tuple[LineRange, Excerpt]:
        """Return positions of spans in order, each counted from the one before."""
        if not self.is_shown:
            return self.range(span), ()
        start, end = span
        last, number = self._last
        if not self._simple or start < last:
            return self.range(span), cut(self.lines, span)
        number += self.text.count("\n", last, start)
        self._last = start, number
        found = piece(self.text, span, number)
        if found is None:
            return self.range(span), cut(self.lines, span)
        column = found.start + 1
        return new(LineRange, (number, column, number, column + end - start)), found

    def related(self, span: Span, is_shown: bool) -> tuple[LineRange, Excerpt]:
        at = self.range(span)
        if not (is_shown and self.is_shown):
            return at, ()
        found = piece(self.text, span, at.line, context=0) if self._simple else None
        return at, found or cut(self.lines, span, context=0)

    def change(self, fix: Fix) -> tuple[tuple[LineRange, ...], FixLines | None]:
        """Return where a fix edits, and what it changes. Findings may share a large one."""
        if (found := self._changes.get(id(fix))) is None:
            from irlint.report.fix_lines import of_text

            edits = tuple([self.range(edit.span) for edit in fix.edits])
            found = self._changes[id(fix)] = edits, of_text(self.lines, fix) if self.is_shown else None
        return found

    def range(self, span: Span) -> LineRange:
        first, last = self.lines.positions(*span)
        return LineRange(*first, *last)


def _named_briefly(finding: Finding) -> Finding:
    """Shorten long keys and names, which a report would contain once per finding."""
    node = None if finding.node is None else brief(finding.node, NAME_SIZE)
    pointer = finding.pointer if len(finding.pointer or "") <= POINTER_SIZE else None
    return replace(finding, node=node, pointer=pointer)
