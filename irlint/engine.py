"""lint(text) -> findings. The only place that knows the order of steps."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irlint.codes import R
from irlint.doubt import beyond_doubt
from irlint.findings import Finding, Problem, Related, Severity
from irlint.formats.base import HEAD_SIZE, Format, Head, Recognition, all_formats, is_certain
from irlint.records import NamedTuple, dataclass, replace
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.steps import Steps
from irlint.suppressions import silence, unused
from irlint.text.base import Change, Document, Lines, Place, Span, decode
from irlint.text.leading import after_leading
from irlint.text.safe import brief

if TYPE_CHECKING:
    from irlint.findings import Safety


LONG = 1000  # characters of a message


@dataclass
class Result:
    """What is known of one file after linting."""

    name: str
    findings: list[Finding]
    document: Document | None = None
    format: str | None = None
    dialect: str | None = None
    why: str = ""  # how the format was recognised, or what the file seems to be instead
    known: Model | None = None
    suppressed: int = 0
    text: str = ""  # of a file that is no document
    certain: bool = True  # False: the file may be another program's, so that no fix is offered in it
    withheld: frozenset[Safety] = frozenset()  # how safe the fixes are that are not offered for this reason
    steps: Steps | None = None

    @property
    def model(self) -> Model | None:
        """The model; steps that no wanted rule needed are taken now, as they fill its graph and its types."""
        if self.steps is not None and self.steps.left:
            with _no_garbage():
                self.steps.take_rest()
        return self.known

    @cached_property
    def lines(self) -> Lines:
        """Where the file's lines are, whether it could be opened as a model or not."""
        return self.document.lines if self.document is not None else Lines(self.text)


class Before(NamedTuple):
    """What was found in a text, and the change that has been made to it since."""

    result: Result
    change: Change


def recognize(text: str, name: str, only: str | None = None) -> list[tuple[Format, Recognition]]:
    """Formats that the file may be of, likeliest first; last, with score 0, those that know it for something else."""
    start = after_leading(text)
    if start < HEAD_SIZE // 2 or start == len(text):
        start = 0  # what comes first may tell something, too
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
    """Whether a file that begins like this may be a model, or says nothing yet."""
    text = decode(head)[0]
    if any(seen.score > 0 for _, seen in recognize(text, name, only)):
        return True
    return len(head) >= HEAD_SIZE and after_leading(text) > len(text) - 4  # perhaps a comment's first letters


def lint_bytes(
    data: bytes,
    name: str = "<text>",
    settings: Settings = Settings(),
    as_format: str | None = None,
    path: Path | None = None,
    times: dict[str, float] | None = None,
) -> Result:
    """Findings of one file's bytes. `times` is told the seconds that each rule took."""
    text, encoding = decode(data)
    del data  # if nobody else holds it, it is let go
    return lint(text, name, settings, as_format, path, encoding, times=times)


def lint(
    text: str,
    name: str = "<text>",
    settings: Settings = Settings(),
    as_format: str | None = None,
    path: Path | None = None,
    encoding: str = "utf-8",
    checkpoint: Callable[[], None] = lambda: None,
    before: Before | None = None,
    times: dict[str, float] | None = None,
) -> Result:
    """Findings of one file's text. `as_format` is FORMAT[:DIALECT]; `path` lets rules look at files beside it.

    `checkpoint` is called between steps; whoever has lost interest raises in it. `before` makes the lint quicker and changes
    nothing else: what the change left alone is taken over from there.
    """
    with _no_garbage():
        return _lint(text, name, settings, as_format, path, encoding, checkpoint, before, times)


@contextmanager
def _no_garbage() -> Iterator[None]:
    """No search for cyclic garbage meanwhile: looking at a million live objects takes longer than the lint itself."""
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
    before: Before | None,
    times: dict[str, float] | None,
) -> Result:
    wanted, _, dialect = (as_format or "").partition(":")
    for format_, seen in recognize(text, name, wanted or None):
        if seen.score == 0 and not wanted:
            continue
        document = _reopened(format_, text, before) or format_.open(text, name)
        document.decoded_from(encoding)
        checkpoint()
        judged = format_.dialect_of(document)
        if judged is None and not wanted and not (seen.certain and document.troubles):
            continue
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
        )
        if before is not None and before.result.model is not None:
            model.memory = before.result.model.memory.after(_grounds(format_, model))
        else:
            model.memory.grounds = _grounds(format_, model)
        try:
            certain = bool(wanted) or is_certain(seen, judged, bool(document.guesses))
            steps = Steps(format_, model, settings, may_leave=before is None)
            return _lint_model(steps, (judged or seen).why, certain, checkpoint)
        except BaseException:  # nobody will see the model
            model.take_apart()
            raise
    return _unrecognized(text, name, settings, wanted)


def _reopened(format_: Format, text: str, before: Before | None) -> Document | None:
    """The document of before, as it is after the change."""
    if before is None or before.result.document is None or before.result.format != format_.name:
        return None
    document = format_.reopen(before.result.document, text, before.change)
    if document is not None:
        document.succeed(before.result.document, before.change)
    return document


def _grounds(format_: Format, model: Model) -> Any:
    """What passes may look at besides the text."""
    beside = format_.side_files(model.path, model.options) if model.path is not None else []
    named = [model.weights] if model.weights is not None else []
    return (
        model.format,
        model.dialect,
        model.path,
        dict(model.targets),
        dict(model.options),
        model.missing_weights,
        [(path, _age(path)) for path in (*beside, *named)],
    )


def _age(path: Path) -> Any:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size, seen.st_ino


def _lint_model(steps: Steps, why: str, certain: bool, checkpoint: Callable[[], None]) -> Result:
    """`certain`: the file is one of the format beyond doubt; in any other, no fix is offered, as it may be somebody else's."""
    format_, model, settings = steps.format, steps.model, steps.settings
    document = model.document
    problems = steps.problems(checkpoint)
    if document.syntax == "json" and {problem.rule for problem in problems} >= {R.duplicate_key, R.missing_key}:
        from irlint.repeated import united

        problems = united(document, problems)
    problems = format_.settle(model, problems)
    if document.guesses:
        problems = beyond_doubt(problems, document.guesses)
    words = format_.suppressions(document)
    findings = _locate(document, problems, settings, bool(words))
    kept, used = silence(findings, words)
    suppressed = len(findings) - len(kept)
    if words:
        kept = [finding for finding in kept if settings.wants(finding.code, finding.name, finding.severity)]
    if used:
        idle = _locate(document, unused(used, settings), settings)
        kept = sorted([*kept, *idle], key=lambda f: f.order)
    model.memory.close()
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
    """Problems that the user wants, located, sorted, each once. With `pedantic` those of that grade, too, of every rule
    that is on: a comment that silences one of them is not idle.
    """

    def span(at: Place | Span) -> Span:
        return at if isinstance(at, Span) else document.span(at)

    findings: dict[tuple[int, int, str, str], Finding] = {}
    wanted: dict[tuple[str, int | None], tuple[Severity, bool] | None] = {}
    for problem in problems:
        rule, given, place, message = problem.rule, problem.severity, problem.at, problem.message
        kind = rule.code, None if given is None else +given  # a number, as the hash of an enum's member is slow
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
        ):  # the text that it would edit is not whole, or of a syntax that cannot be written
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
        )
    return [findings[key] for key in sorted(findings)]


def _grade(problem: Problem, settings: Settings, pedantic: bool) -> tuple[Severity, bool] | None:
    """A problem's severity, and whether --fix repairs it; None for one that nobody asked for.

    What a rule calls pedantic stays off whatever severity a configuration gives to the rule.
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
    """One finding that says what the file seems to be, or that there is nothing in it."""
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
