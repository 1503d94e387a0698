"""Findings: a rule broken at a span, what to say about it, and perhaps how to repair it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from irlint.codes import RuleRow
from irlint.codes import Severity as Severity
from irlint.records import NamedTuple, dataclass, field
from irlint.text.base import Document, Edit, Path, Place, Span

PROVEN = "the only likely change after which everything fits"  # why a fix is proven

Safety = Literal["safe", "proven", "unsafe"]  # docs/configuration.md defines them
GRADES: tuple[Safety, ...] = ("safe", "proven", "unsafe")  # the best first
Fixable = Safety | Literal["mixed"]  # of a rule: how safe its fixes are; mixed: some are safe, some are not


@dataclass(slots=True, frozen=True)
class Fix:
    """Edits that repair a finding. Safe: no reader that took the file before reads another model now. Proven: no reader took the
    file, and of all that was tried this is the only change after which everything fits. Unsafe: a guess."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety = "safe"

    @property
    def needs_flag(self) -> bool:
        """Return whether it is made only where unsafe fixes are asked for."""
        return self.safety == "unsafe"


# Candidates that are more likely than any others
SURE = -2
EVIDENT = -1  # the file itself supports it: by a name that is nearly the written one, or by what it says elsewhere


class Candidate(NamedTuple):
    """A change that might repair an error, to be tried. The lower its `likelihood`, the more likely it is.

    SURE: the file says twice what is meant, so that any other reading contradicts it. Proven, such a change is safe.
    EVIDENT: of all that fit, it is proven if it is the only one for which the file speaks.
    `is_guess`: nothing that is checked depends on the value, so that it is not proven where it is the only one that fits.
    `renames`: only names change, so that where others fit as well, the same is computed.
    """

    title: str
    edits: tuple[Edit, ...]
    likelihood: int = 1
    is_guess: bool = False
    renames: bool = False


class OtherPlace(NamedTuple):
    """A place in another file."""

    document: Document
    place: Place


@dataclass(slots=True, frozen=True)
class Related:
    """A note at a span; of another file if that has a name, whose document is known until a report has been made."""

    message: str
    span: Span
    file: str = ""
    document: Document | None = field(default=None, compare=False)


# Kinds of problems that tables of causes tell apart
INFERRED = "inferred"  # found by following types through the graph
INPUT = "input"  # a declaration of what an input is, where the output that it is connected to declares the right type
JOINED = "joined"  # made of two that had one cause
OTHER_VERSION = "other version"  # of what another version of the format or its operators has
EMPTY = "empty"  # of a declared size of 0


@dataclass(slots=True)
class Problem:
    """A finding as a rule states it: by place, not yet located. Cheap to make in great numbers.

    `at` is a Place or, where the rule knows better, a Span. `fix` is called only when the fix is needed.
    `severity` overrides the rule's own where the format's loader is known to be more or less strict.
    Other code decides by the fields of a problem, never by the words of its message.
    """

    rule: RuleRow
    at: Place | Span
    message: str
    node: str | None = None
    fix: Callable[[Document], Fix | None] | None = None
    related: Sequence[tuple[str, Place | Span | OtherPlace]] = ()
    severity: Severity | None = None
    more: int = 0  # problems of the rule that it stands for
    hint: str = ""  # the question at the end of the message: whether `meant` was meant
    addition: str = ""  # what others have to add to the message
    kind: str = ""  # by which tables of causes tell it from others of its rule
    key: str = ""  # that is missing
    types: tuple[str, ...] = ()  # that the value of the missing key may have in JSON
    meant: str | None = None  # what is suggested
    is_too_low: bool = False  # a number, or one of several, is below a limit
    explains: tuple[Path, ...] = ()  # what is wrong there follows from it
    taken: str = ""  # what a runtime, which takes the file despite the error, makes of it

    @property
    def text(self) -> str:
        """Return the whole message."""
        return self.message + self.hint + self.addition

    @property
    def actual_severity(self) -> Severity:
        return self.rule.severity if self.severity is None else self.severity

    @property
    def is_error(self) -> bool:
        return self.actual_severity == Severity.ERROR


@dataclass(slots=True, frozen=True)
class Finding:
    """A located problem: what reports, editors and fixes work with. Sorted by span, then code."""

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    pointer: str | None = None
    node: str | None = None
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    more: int = 0  # findings of the rule that are not listed, for which it stands
    # reports are the same without these: they are for code that offers another fix
    meant: str | None = field(default=None, compare=False)  # the name that the message suggests
    hint: str = field(default="", compare=False)  # the part of the message that suggests it
    taken: str = field(default="", compare=False)  # what a runtime that takes the file makes of it

    @property
    def order(self) -> tuple[int, int, str, str]:
        return (self.span.start, self.span.end, self.code, self.message)
