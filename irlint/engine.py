"""lint(text) -> findings. The only module that defines the order of steps."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.findings import Finding, Problem, Related, Severity
from irlint.formats.base import HEAD_SIZE, LIKELY, Format, Head, Recognition, all_formats, is_certain
from irlint.records import dataclass, replace
from irlint.rules.base import Model
from irlint.rules.registry import verify_plugins
from irlint.settings import Settings
from irlint.steps import Steps
from irlint.suppressions import silence, unused
from irlint.text.base import Document, Lines, Place, Span, decode
from irlint.text.json.sound import forget
from irlint.text.leading import after_leading
from irlint.text.safe import brief
from irlint.work import Work, bounded, missed

if TYPE_CHECKING:
    from irlint.findings import Safety


LONG = 1000  # characters of a message


@dataclass
class Result:
    """The result of linting one file."""

    name: str
    findings: list[Finding]
    document: Document | None = None
    format: str | None = None
    dialect: str | None = None
    why: str = ""  # how the format was recognised, or what the file seems to be instead
    known: Model | None = None
    suppressed: int = 0
    text: str = ""  # of a file that is not a document
    certain: bool = True  # False: the file may be another program's, so that no fix is offered in it
    withheld: frozenset[Safety] = frozenset()  # how safe the fixes are that are not offered for this reason
    steps: Steps | None = None
    failed: bool = False  # an exception ended the check or the search for repairs

    @property
    def model(self) -> Model | None:
        """Return the model, after running the skipped steps, because they complete its graph and its types."""
        if self.steps is not None and self.steps.left:
            try:
                with no_garbage():
                    self.steps.take_rest()
            except Exception as error:
                self.fail(error)
                self.known = self.steps = None
        return self.known

    def fail(self, error: Exception) -> None:
        """Add the finding for an exception; fixes are not offered, as nobody knows what else is wrong."""
        self.findings = [_of_exception(error), *(replace(finding, fix=None) for finding in self.findings)]
        self.failed = True

    @property
    def incomplete(self) -> bool:
        """Return whether some values could not be computed, because NumPy is not installed."""
        return self.steps is not None and self.steps.incomplete

    @cached_property
    def lines(self) -> Lines:
        """Return the positions of the file's lines, even if it could not be opened as a model."""
        return self.document.lines if self.document is not None else Lines(self.text)


def _of_exception(error: Exception) -> Finding:
    """Return the finding for an exception in the check of one file, so that others are still checked.

    `Exception` is caught, MemoryError and RecursionError included. Ctrl-C and a lint that the language server gives up derive
    from BaseException and pass. The tests set IRLINT_RAISE, with which every exception passes, so that none of them passes
    thanks to this net. Raise PluginError instead if a plug-in cannot be loaded: no file is to blame for that.
    """
    if os.environ.get("IRLINT_RAISE"):
        raise error
    from traceback import print_exception

    from irlint.tools.bugs import bug_report, words_of

    all_formats()
    verify_plugins()
    if os.environ.get("IRLINT_DEBUG"):
        print_exception(error)
    rule = R.internal_error
    message = f"internal error in irlint: {words_of(error)} {bug_report(error)}"
    return Finding(rule.code, rule.name, rule.severity, message, Span(0, 0))


def recognize(text: str, name: str, only: str | None = None) -> list[tuple[Format, Recognition]]:
    """Return the possible formats of the file, likeliest first; last, with score 0, those that recognize it as something else."""
    start = after_leading(text)
    if start < HEAD_SIZE // 2 or start == len(text):
        start = 0  # the first result may matter, too
    head = Head(name, text[start : start + HEAD_SIZE], len(text) <= start + HEAD_SIZE)
    found = []
    for format_ in all_formats().values():
        if only is not None and format_.name != only:
            continue
        if (seen := format_.recognize(head)) is not None:
            found.append((format_, seen))
        elif only is not None:
            found.append((format_, Recognition(1, "the format was set explicitly")))
    return sorted(found, key=lambda pair: -pair[1].score)


def deserves_reading(head: bytes, name: str, only: str | None = None) -> bool:
    """Return whether a file that starts like this may be a model, or is still undecided."""
    text = decode(head)[0]
    if any(seen.score > 0 for _, seen in recognize(text, name, only)):
        return True
    return len(head) >= HEAD_SIZE and after_leading(text) > len(text) - 4  # possibly the start of a comment


def lint_bytes(
    data: bytes,
    name: str = "<text>",
    settings: Settings = Settings(),
    as_format: str | None = None,
    path: Path | None = None,
    times: dict[str, float] | None = None,
    checkpoint: Callable[[], None] = lambda: None,
) -> Result:
    """Lint the bytes of one file. `times` collects the seconds that each rule took; `checkpoint` is that of `lint`."""
    try:
        with no_garbage(), bounded(Work(len(data))):
            if (found := opened(data, name, as_format)) is not None:
                checkpoint()
                format_, document, judged = found
                return _lint_document(format_, document, judged, judged, settings, as_format, path, checkpoint, times)
    except Exception as error:
        return failed(name, error)
    text, encoding = decode(data)
    del data  # freed here if this is the last reference
    return lint(text, name, settings, as_format, path, encoding, checkpoint, times=times)


def opened(data: bytes, name: str, as_format: str | None = None) -> tuple[Format, Document, Recognition] | None:
    """Return the format and the document of a file that is not text; None if no format opens it."""
    wanted = (as_format or "").partition(":")[0]
    for format_ in all_formats().values():
        if wanted not in ("", format_.name) or (document := format_.open_bytes(data, name)) is None:
            continue
        if (judged := format_.dialect_of(document)) is not None:
            return format_, document, judged
    return None


def lint(
    text: str,
    name: str = "<text>",
    settings: Settings = Settings(),
    as_format: str | None = None,
    path: Path | None = None,
    encoding: str = "utf-8",
    checkpoint: Callable[[], None] = lambda: None,
    shown: Result | None = None,
    times: dict[str, float] | None = None,
) -> Result:
    """Lint the text of one file. `as_format` is FORMAT[:DIALECT]; `path` lets rules read files next to it.

    `checkpoint` is called between steps and may raise to cancel. `shown`: of a file whose text this is, after edits; of a
    binary, the text does not hold everything.
    """
    try:
        with no_garbage(), bounded(Work(len(text))):
            return _lint(text, name, settings, as_format, path, encoding, checkpoint, shown, times)
    except Exception as error:
        return failed(name, error, text)
    finally:
        forget()


def failed(name: str, error: Exception, text: str = "") -> Result:
    """Return the result of a file whose check ended in an exception."""
    result = Result(name, [], text=text)
    result.fail(error)
    result.why = result.findings[0].message
    return result


@contextmanager
def no_garbage() -> Iterator[None]:
    """Pause cyclic garbage collection: traversing a million live objects takes longer than the lint itself."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _lint(
    text: str,
    name: str,
    settings: Settings,
    as_format: str | None,
    path: Path | None,
    encoding: str,
    checkpoint: Callable[[], None],
    shown: Result | None,
    times: dict[str, float] | None,
) -> Result:
    wanted = (as_format or "").partition(":")[0]
    found = _recognized(text, name, wanted, encoding, checkpoint, shown)
    if found is None:
        return _unrecognized(text, name, settings, wanted)
    format_, document, seen, judged = found
    return _lint_document(format_, document, seen, judged, settings, as_format, path, checkpoint, times)


def is_model(data: bytes, name: str, as_format: str | None = None) -> bool:
    """Return whether a file is a model, whatever its head promises."""
    with no_garbage():
        if opened(data, name, as_format) is not None:
            return True
        text, encoding = decode(data)
        try:
            wanted = (as_format or "").partition(":")[0]
            return _recognized(text, name, wanted, encoding, lambda: None, None) is not None
        finally:
            forget()


def _recognized(
    text: str, name: str, wanted: str, encoding: str, checkpoint: Callable[[], None], shown: Result | None
) -> tuple[Format, Document, Recognition, Recognition | None] | None:
    """Return the format of a text with its document, what the head shows and what the content does; None if it is not a model."""
    for format_, seen in recognize(text, name, wanted or None):
        if seen.score == 0 and not wanted:
            continue
        document = _of_binary(format_, text, shown) or format_.open(text, name)
        document.decoded_from(encoding)
        checkpoint()
        judged = format_.dialect_of(document)
        if document.is_left and (wanted or (seen.score >= LIKELY and document.troubles)):
            document.complete()
            document.decoded_from(encoding)
            judged = format_.dialect_of(document)
        if judged is not None or wanted or (seen.certain and document.troubles):
            return format_, document, seen, judged
    return None


def _lint_document(
    format_: Format,
    document: Document,
    seen: Recognition,
    judged: Recognition | None,
    settings: Settings,
    as_format: str | None,
    path: Path | None,
    checkpoint: Callable[[], None],
    times: dict[str, float] | None,
) -> Result:
    wanted, _, dialect = (as_format or "").partition(":")
    model = Model(
        document,
        format_.name,
        dialect or (judged and judged.dialect) or seen.dialect or format_.dialects[0].name,
        path=path,
        targets=dict(settings.targets),
        options=settings.options.get(format_.name, {}),
        weights=settings.weights,
        missing_weights="required" if settings.weights is not None else settings.missing_weights,
        times=times,
        state=format_.state(),
    )
    try:
        certain = bool(wanted) or is_certain(seen, judged, bool(document.guesses))
        steps = Steps(format_, model, settings)
        return _lint_model(steps, (judged or seen).why, certain, checkpoint)
    except BaseException:  # the model is not returned
        model.take_apart()
        raise


def _of_binary(format_: Format, text: str, shown: Result | None) -> Document | None:
    """Return the document of a binary after an edit of the text that shows it."""
    if shown is None or shown.document is None or shown.format != format_.name:
        return None
    return shown.document.with_text(text)


def _lint_model(steps: Steps, why: str, certain: bool, checkpoint: Callable[[], None]) -> Result:
    """`certain`: the format is certain; otherwise no fix is offered, because the file may belong to another program."""
    format_, model, settings = steps.format, steps.model, steps.settings
    document = model.document
    problems = steps.problems(checkpoint)
    if problems:
        from irlint.causes.common import traced

        problems = traced(problems, format_.causes(model))
    problems += steps.listed.rest(problems)
    words = format_.suppressions(document)
    findings = _locate(document, problems, settings, bool(words))
    kept, used = silence(findings, words)
    suppressed = len(findings) - len(kept)
    if words:
        kept = [finding for finding in kept if settings.wants(finding.code, finding.name, finding.severity)]
    if used:
        idle = _locate(document, unused(used, settings), settings)
        kept = sorted([*kept, *idle], key=lambda f: f.order)
    if missed() and settings.wants(R.check_incomplete.code, R.check_incomplete.name, R.check_incomplete.severity):
        kept = [_incomplete(settings, missed()), *kept]
    withheld: frozenset[Safety] = frozenset()
    if not certain:
        withheld = frozenset(finding.fix.safety for finding in kept if finding.fix is not None)
        kept = [replace(finding, fix=None) for finding in kept]
    return Result(
        document.name,
        kept,
        document,
        format_.name,
        model.dialect,
        why,
        model,
        suppressed,
        certain=certain,
        withheld=withheld,
        steps=steps,
    )


def _locate(
    document: Document, problems: Iterable[Problem], settings: Settings, pedantic: bool = False
) -> list[Finding]:
    """Return the selected problems, located, sorted, without duplicates. With `pedantic` also pedantic ones of every rule
    that is on: a comment that silences one of them is not idle.
    """

    def span(at: Place | Span) -> Span:
        return at if isinstance(at, Span) else document.span(at)

    findings: dict[tuple[int, int, str, str], Finding] = {}
    wanted: dict[tuple[str, int | None], tuple[Severity, bool] | None] = {}
    for problem in problems:
        rule, given, place, message = problem.rule, problem.severity, problem.at, problem.text
        kind = rule.code, None if given is None else +given  # an int, because hashing an enum member is slow
        if kind not in wanted:
            wanted[kind] = _grade(problem, settings, pedantic)
        if (grade := wanted[kind]) is None:
            continue
        severity, is_repaired = grade
        if len(message) > LONG:
            message = brief(message, LONG)
        if isinstance(place, Span):
            at, path = place, document.place_at(place.start).path
        else:
            at, path = document.span(place), place.path
        key = *at, rule.code, message
        if key in findings:
            continue
        try:
            fix = problem.fix(document) if problem.fix and is_repaired else None
        except (
            LookupError,
            NotImplementedError,
        ):  # the text to edit is incomplete, or in a syntax that cannot be written
            fix = None
        findings[key] = Finding(
            rule.code,
            rule.name,
            severity,
            message,
            at,
            document.pointer(path),
            problem.node,
            fix,
            tuple([Related(brief(words, LONG), span(where)) for words, where in problem.related])
            if problem.related
            else (),
            problem.more,
        )
    return [findings[key] for key in sorted(findings)]


def _incomplete(settings: Settings, missed: dict[str, int]) -> Finding:
    rule = R.check_incomplete
    left_out = ", ".join(f"{number:,} {what}" for what, number in missed.items())
    message = f"the check is incomplete: the file takes more work than any sound file of its size; left out: {left_out}"
    return Finding(rule.code, rule.name, settings.severity_of(rule.code, rule.name, rule.severity), message, Span(0, 0))


def _grade(problem: Problem, settings: Settings, pedantic: bool) -> tuple[Severity, bool] | None:
    """Return a problem's severity, and whether --fix repairs it; None if it is not selected.

    Pedantic findings stay off whatever severity the configuration sets for the rule.
    """
    rule = problem.rule
    given = problem.actual_severity
    severity = settings.severity_of(rule.code, rule.name, given)
    mildest = min(given, severity)
    if not settings.wants(rule.code, rule.name, mildest) and not (
        pedantic and mildest == Severity.PEDANTIC and settings.wants(rule.code, rule.name, Severity.INFO)
    ):
        return None
    return severity, settings.repairs(rule.code, rule.name, severity)


def _unrecognized(text: str, name: str, settings: Settings, wanted: str) -> Result:
    """Return the one finding that reports what the file seems to be, or that it is empty."""
    from irlint.text.sniff import describe, is_blank

    near = next((seen.why for _, seen in recognize(text, name) if seen.score == 0), None)
    why = near or describe(text, name)
    nothing = is_blank(text)
    rule = R.empty_file if nothing else R.unrecognized_file
    asked = wanted or "a supported model file"
    end = len(text[:80].partition("\n")[0].partition("\r")[0])
    finding = Finding(
        rule.code,
        rule.name,
        settings.severity_of(rule.code, rule.name, rule.severity),
        why if nothing else f"not recognized as {asked}: {why}",
        Span(0, 0 if nothing else end),
    )
    return Result(name, [finding] if settings.wants(rule.code, rule.name) else [], why=why, text=text)
