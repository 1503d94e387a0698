"""lint(text) -> findings. The only module that defines the order of steps."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from irlint.codes import R
from irlint.companions import inside, named_like
from irlint.files.read import Unreadable, read_if
from irlint.files.side_files import DISK, file_source
from irlint.findings import Finding, Problem, Severity
from irlint.formats.base import (
    HEAD_SIZE,
    LIKELY,
    Format,
    Head,
    Recognition,
    all_formats,
    extensions,
    is_certain,
    is_claimed,
)
from irlint.located import located, of_file
from irlint.records import NamedTuple, dataclass, field, replace
from irlint.rules.base import Model
from irlint.rules.registry import verify_plugins
from irlint.settings import Settings
from irlint.steps import ListedProblems, Steps
from irlint.suppressions import silence, unused
from irlint.text.base import Document, Lines, Span, after_leading, decode
from irlint.text.json.values import forget
from irlint.work import Work, bounded, budget, missed

if TYPE_CHECKING:
    from irlint.findings import Safety

_LINE = re.compile(r"[^\r\n]*")


@dataclass(frozen=True)
class Request:
    """What to lint and how, besides the text."""

    name: str = "<text>"
    settings: Settings = Settings()
    as_format: str | None = None  # FORMAT[:DIALECT]
    path: Path | None = None  # of the file, so that rules may read files next to it
    encoding: str = "utf-8"
    checkpoint: Callable[[], None] = lambda: None  # called between steps; may raise to cancel
    times: dict[str, float] | None = None  # collects the seconds that each rule took
    is_beside: bool = False  # read for a companion
    texts: Mapping[str, str] = field(
        default_factory=dict
    )  # of files next to it by path, where they are not what is on disk
    shown: Result | None = None  # of the binary whose text this is, after edits: the text does not hold everything

    @property
    def wanted(self) -> str:
        """Return the name of the format that was asked for, if any was."""
        return (self.as_format or "").partition(":")[0]


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
    request: Request = Request()

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
        """Add the finding for an exception; fixes are not offered, because other problems may be unknown."""
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

    from irlint.tools import bug_report, words_of

    all_formats()
    verify_plugins()
    if os.environ.get("IRLINT_DEBUG"):
        print_exception(error)
    rule = R.internal_error
    message = f"internal error in irlint: {words_of(error)} {bug_report(error)}"
    return Finding(rule.code, rule.name, rule.severity, message, Span(0, 0))


def recognize(text: str, name: str, only: str | None = None) -> list[tuple[Format, Recognition]]:
    """Return the possible formats of the file, most likely first; last, with score 0, those that recognize it as something else."""
    start = after_leading(text)
    kinds = {**all_formats(), **named_like(name)}
    if start < HEAD_SIZE // 2 or start == len(text):
        start = 0  # the first result may matter, too
    head = Head(name, text[start : start + HEAD_SIZE], len(text) <= start + HEAD_SIZE)
    found = []
    for format_ in kinds.values():
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


class Opened(NamedTuple):
    """A file as a document of its format."""

    format: Format
    document: Document
    seen: Recognition  # by what its head shows
    judged: Recognition | None  # by its content; None if that is not a model's


def lint_bytes(
    data: bytes,
    name: str = "<text>",
    settings: Settings = Settings(),
    as_format: str | None = None,
    path: Path | None = None,
) -> Result:
    """Lint the bytes of one file, as `lint` does its text."""
    return linted_bytes(data, Request(name, settings, as_format, path))


def lint(
    text: str,
    name: str = "<text>",
    settings: Settings = Settings(),
    as_format: str | None = None,
    path: Path | None = None,
) -> Result:
    """Lint the text of one file. `as_format` is FORMAT[:DIALECT]; `path` lets rules read files next to it."""
    return linted(text, Request(name, settings, as_format, path))


def linted_bytes(data: bytes, request: Request) -> Result:
    """Return the result of linting a file's bytes."""
    try:
        with no_garbage(), bounded(Work(len(data))):
            if (found := opened(data, request.name, request.wanted)) is not None:
                request.checkpoint()
                return _checked(found, request)
    except Exception as error:
        return failed(request.name, error)
    text, encoding = decode(data[:])  # of a file that is mapped a copy
    del data  # freed here if this is the last reference
    return linted(text, replace(request, encoding=encoding))


def linted(text: str, request: Request) -> Result:
    """Return the result of linting a text."""
    try:
        with no_garbage(), bounded(Work(len(text))):
            found = _recognized(text, request) or _described(text, request)
            return unrecognized(text, request) if found is None else _checked(found, request)
    except Exception as error:
        return failed(request.name, error, text)
    finally:
        forget()


def opened(data: bytes, name: str, wanted: str = "") -> Opened | None:
    """Return the document of a file that is not text; None if no format, or not the one that is wanted, opens it."""
    for format_ in all_formats().values():
        if wanted not in ("", format_.name) or (document := format_.open_bytes(data, name)) is None:
            continue
        if (judged := format_.dialect_of(document)) is not None:
            return Opened(format_, document, judged, judged)
    return None


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


def is_model(data: bytes, name: str, as_format: str | None = None, or_companion: bool = False) -> bool:
    """Return whether a file is a model, whatever its head promises."""
    request = Request(name, as_format=as_format)
    with no_garbage():
        if opened(data, name, request.wanted) is not None:
            return True
        text, encoding = decode(data[:])
        try:
            found = _recognized(text, replace(request, encoding=encoding))
            return found is not None and (or_companion or not found.format.is_companion)
        finally:
            forget()


def model_of(folder: str) -> str | None:
    """Return the model that a folder stands for: the only one with the name that exporters give it, else the only one."""
    names = (os.path.join(folder, name) for format_ in all_formats().values() for name in format_.main_names)
    found = [path for path in names if os.path.isfile(path) and _is_model_file(path)] or models_in(folder)
    return found[0] if len(found) == 1 else None


def models_in(folder: str) -> list[str]:
    """Return the models directly in a folder by name, at most `_LISTED` of them."""
    names = sorted(name for name in DISK.names(Path(folder)) if os.path.splitext(name)[1].lower() in extensions())
    paths = (os.path.join(folder, name) for name in names[:_LOOKED])
    return list(islice((path for path in paths if _is_model_file(path)), _LISTED))


_LOOKED, _LISTED, _NAMED = (
    1000,
    20,
    5,
)  # files of a folder that are looked at, models that are listed, and those that a message names


def _is_model_file(path: str) -> bool:
    try:
        data = read_if(path, lambda head: deserves_reading(head, path), HEAD_SIZE, mapped=True)
    except Unreadable:
        return False
    return data is not None and (is_claimed(path) or is_model(data, path))


def of_folder(folder: str) -> str:
    """Return why a folder is not a model, to follow its name and a colon."""
    found = models_in(folder)
    if not found:
        below = (os.path.join(folder, name) for name in sorted(DISK.names(Path(folder)))[:_LISTED])
        inside = next((model for path in below if os.path.isdir(path) for model in models_in(path)), None)
        return (
            "a folder without models"
            if inside is None
            else f"a folder, not a model; one of its folders has {os.path.normpath(inside)}"
        )
    left = len(found) - _NAMED
    more = f" or {'at least ' * (len(found) == _LISTED)}{left:,} others" if left > 1 else ""
    named = ", ".join(found[:_NAMED] if more else found)
    return f"a folder, not a model; expected one of {named}{more}"


def _recognized(text: str, request: Request) -> Opened | None:
    """Return a text as a document of the format that it is most likely in; None if it is not a model."""
    wanted = request.wanted
    for format_, seen in recognize(text, str(request.path or request.name), wanted or None):
        if seen.score == 0 and not wanted:
            continue
        document = _of_binary(format_, text, request.shown) or format_.open(text, request.name)
        document.decoded_from(request.encoding)
        request.checkpoint()
        judged = format_.dialect_of(document)
        if document.is_left and (wanted or (seen.score >= LIKELY and document.troubles)):
            document.complete()
            document.decoded_from(request.encoding)
            judged = format_.dialect_of(document)
        if judged is not None or wanted or (seen.certain and document.troubles):
            return Opened(format_, document, seen, judged)
    return None


def _of_binary(format_: Format, text: str, shown: Result | None) -> Document | None:
    """Return the document of a binary after an edit of the text that shows it."""
    if shown is None or shown.document is None or shown.format != format_.name:
        return None
    return shown.document.with_text(text)


def _described(text: str, request: Request) -> Opened | None:
    """Return a file that is not a model as a document if a schema of the configuration describes it."""
    if request.wanted or not request.settings.describes_files:
        return None
    from irlint.formats.plain import format_of, is_plain

    if not is_plain(text, request.name):
        return None
    format_ = format_of(text, any(schema.is_json for schema in request.settings.schemas))
    document = format_.open(text, request.name)
    document.decoded_from(request.encoding)
    return Opened(format_, document, format_.seen, format_.seen)


def unrecognized(text: str, request: Request) -> Result:
    """Return the one finding that reports what the file seems to be, or that it is empty."""
    from irlint.text.sniff import describe, is_blank

    name, settings = request.name, request.settings
    near = next((seen.why for _, seen in recognize(text, name) if seen.score == 0), None)
    why = near or describe(text, name)
    if is_blank(text):
        finding = of_file(R.empty_file, why, settings)
    else:
        message = f"not recognized as {request.wanted or 'a supported model file'}: {why}"
        finding = of_file(R.unrecognized_file, message, settings, len(_LINE.match(text, 0, 80)[0]))  # type: ignore[index]
    is_wanted = settings.wants(finding.code, finding.name)
    return Result(name, [finding] if is_wanted else [], why=why, text=text, request=request)


def _checked(found: Opened, request: Request) -> Result:
    format_, document, seen, judged = found
    settings = request.settings
    model = Model(
        document,
        format_.name,
        (request.as_format or "").partition(":")[2]
        or (judged and judged.dialect)
        or seen.dialect
        or format_.dialects[0].name,
        path=request.path,
        targets=dict(settings.targets),
        options=settings.options.get(format_.name, {}),
        weights=settings.weights,
        missing_weights="required" if settings.weights is not None else settings.missing_weights,
        in_commit=settings.in_commit,
        times=request.times,
        state=format_.state(),
    )
    if format_.is_companion and request.path and not request.is_beside:
        model.opens = partial(_opens, request, model.reads)
    try:
        certain = bool(request.wanted) or is_certain(seen, judged, bool(document.guesses))
        return _result(Steps(format_, model, settings), (judged or seen).why, certain, request)
    except BaseException:  # the model is not returned
        model.take_apart()
        raise


def _opens(request: Request, reads: set[str], path: Path) -> Model | None:
    """Read a file for the companion of a request, without a look at what is next to that; None if it is not there, or nothing that
    irlint can read without errors in its structure. A companion may name files of its folder and the one above, no others."""
    assert request.path is not None
    where, home = os.path.normpath(path), os.path.normpath(request.path.parent.parent)
    if os.path.commonpath([os.path.abspath(where), os.path.abspath(home)]) != os.path.abspath(home):
        return None
    reads.add(where)
    name = os.path.join(os.path.dirname(request.name), os.path.relpath(path, request.path.parent))
    inner = Request(os.path.normpath(name), _BESIDE, path=path, checkpoint=request.checkpoint, is_beside=True)
    data = None if where in request.texts else _data(path)
    if data is None and where not in request.texts:
        return None
    found = None if data is None else opened(data, inner.name)
    if found is None:
        text, encoding = (request.texts[where], "utf-8") if data is None else decode(data[:])
        found = _recognized(text, replace(inner, encoding=encoding))
    result = None if found is None else _checked(found, inner)
    if result is None or any(finding.severity == Severity.ERROR for finding in result.findings):
        return None
    return result.model


def _data(path: Path) -> bytes | None:
    """Return the bytes of a file next to another one; None if they cannot be read."""
    source = file_source()
    if source is not DISK:
        state, data = source.open(path, None)
        return bytes(data[:]) if state == "open" and len(data) <= _STORED else None
    try:
        return read_if(str(path), lambda head: True, HEAD_SIZE, mapped=True)
    except Unreadable:
        return None


_STORED = 1 << 28  # bytes of a file that is not on this machine
_BESIDE = Settings(("S",), shapes=False)  # for files that a companion is about: whether they can be read


def _result(steps: Steps, why: str, certain: bool, request: Request) -> Result:
    """`certain`: the format is certain; otherwise no fix is offered, because the file may belong to another program."""
    model, document = steps.model, steps.model.document
    findings, suppressed = _findings(steps, request)
    withheld: frozenset[Safety] = frozenset()
    if not certain:
        withheld = frozenset(finding.fix.safety for finding in findings if finding.fix is not None)
        findings = [replace(finding, fix=None) for finding in findings]
    return Result(
        document.name,
        findings,
        document,
        steps.format.name,
        model.dialect,
        why,
        model,
        suppressed,
        certain=certain,
        withheld=withheld,
        steps=steps,
        request=request,
    )


def judged(result: Result, problems: Iterable[Problem], settings: Settings) -> Result:
    """Return a linted file with other problems of it as its findings, as the settings and the suppressions in the file want them."""
    assert result.steps is not None
    assert result.document is not None
    listed = ListedProblems()
    found = list(listed.kept(problems))
    findings, suppressed = _kept(result.steps.format, result.document, found + listed.rest(found), settings)
    request = replace(result.request, settings=settings)
    about = (result.document, result.format, result.dialect, result.why, result.known, suppressed)
    return Result(result.name, findings, *about, certain=result.certain, steps=result.steps, request=request)


def _kept(
    format_: Format, document: Document, problems: list[Problem], settings: Settings
) -> tuple[list[Finding], int]:
    """Return the findings that are reported, and how many others the file suppresses."""
    words = format_.suppressions(document)
    findings = located(document, problems, settings, bool(words))
    kept, used = silence(findings, words)
    suppressed = len(findings) - len(kept)
    if words:
        kept = [finding for finding in kept if settings.wants(finding.code, finding.name, finding.severity)]
    if used:
        idle = located(document, unused(used, settings), settings)
        kept = sorted([*kept, *idle], key=lambda finding: finding.order)
    return kept, suppressed


def _findings(steps: Steps, request: Request) -> tuple[list[Finding], int]:
    """Return the findings of a model, and how many others the file suppresses."""
    settings, document = request.settings, steps.model.document
    problems = steps.problems(request.checkpoint)
    if problems:
        from irlint.causes import traced

        problems = traced(problems, steps.format.causes(steps.model))
    problems += steps.by_schemas() + steps.left_out()
    if steps.format.holds_metadata and not (request.is_beside or document.guesses):
        problems += inside(steps.model, steps.format.metadata(steps.model), steps.format.metadata_place)
    problems += steps.listed.rest(problems)
    kept, suppressed = _kept(steps.format, document, problems, settings)
    if missed() and settings.wants(R.check_incomplete.code, R.check_incomplete.name, R.check_incomplete.severity):
        left_out = ", ".join(f"{number:,} {what}" for what, number in missed().items())
        message = f"the check is incomplete: it stopped at {budget():,} steps of work; left out: {left_out}"
        kept = [of_file(R.check_incomplete, message, settings), *kept]
    return kept, suppressed
