"""The findings of a new version of a model: what it breaks for the programs that use the old one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from irlint.codes import COMPARING, R, rows
from irlint.engine import Result, judged
from irlint.files.side_files import file_source
from irlint.findings import Finding, Problem, Severity
from irlint.formats.base import by_name
from irlint.inspection.breaking import LEVELS, VersionComparison
from irlint.inspection.weights import weights
from irlint.located import of_file
from irlint.records import replace
from irlint.settings import PEDANTIC, Settings
from irlint.text.base import Span
from irlint.text.words import count
from irlint.tools.installed import is_installed

_NAMED = 3  # errors that a finding names
_ASKED = 100  # weights that are read to see whether a version has any


def settings_for(settings: Settings, level: str) -> Settings:
    """Return settings for the rules about what breaks, up to a level. Selectors that name none of these do not concern them."""
    known = list(LEVELS)
    others = [LEVELS[one] for one in known[known.index(level) + 1 :]]
    named = tuple(word for word in settings.select if word in ("ALL", PEDANTIC) or _selects(word))
    return replace(settings, compares=True, select=named or ("ALL",), never=(*settings.never, *others))


def _selects(word: str) -> bool:
    return any(row.name == word or row.code.startswith(word.upper()) for row in rows(R) if row.code in COMPARING)


def old_version(lint: Callable[[Settings], Result], settings: Settings) -> tuple[Result, Settings]:
    """Return the linted old version, and the settings for the new one. Whether a model loads depends neither on the rules that are
    selected nor on schemas of the configuration. If the old version does not have its weights here, they are kept elsewhere, and the
    new one does not need them."""
    settings = replace(settings, select=("ALL", R.missing_weights.code), schemas=())
    if settings.missing_weights != "auto":
        return lint(settings), settings
    found = lint(replace(settings, missing_weights="required"))
    if found.request.path is not None and not _errors(found):
        return found, settings
    settings = replace(settings, missing_weights="optional")
    return lint(settings), settings


def breaking(
    old: Result, new: Result, settings: Settings, called: str, tell: Callable[[str], None] = lambda note: None
) -> Result:
    """Return the new version of a linted model with what it breaks as its findings. `called` is the old one, as a reader knows it. `tell`
    takes what is not compared, or not reported."""
    before, after = old.model, new.model
    found = list(_loading(old, new, settings.missing_weights == "auto"))
    is_cut = bool(found) and any(one.code == R.truncated_file.code for one in _errors(new))
    if before is not None and after is not None and not is_cut:  # else what is removed may only be unread
        comparison = VersionComparison(before, after, called, settings)
        is_loaded = not found
        found += comparison.problems()
        for note in comparison.notes if is_loaded else ():
            tell(note)
    if new.document is not None and new.steps is not None:
        return judged(new, found, settings)
    return replace(new, findings=[one for problem in found for one in _of_file(problem, settings)])


def said_of_new(new: Result) -> str:
    """Return what to say of a model that has no old version, linted as `old_version` does."""
    errors, brief_of = _errors(new), "a new model, which breaks nothing"
    if new.model is None and not errors:
        return f"{brief_of}; it is not recognized: {new.why}" if new.format is None else brief_of
    more = f" (and {count(len(errors) - 1, 'more error')})" if len(errors) > 1 else ""
    return f"a new model, which does not load: {errors[0].code} {errors[0].message}{more}" if errors else brief_of


def removed(old: Result, name: str, settings: Settings) -> Result:
    """Return a model that is not there any more, with that as its finding."""
    problem = Problem(R.no_longer_loads, Span(0, 0), "the model was removed")
    return Result(name, list(_of_file(problem, settings)), format=old.format, dialect=old.dialect)


def _of_file(problem: Problem, settings: Settings) -> Iterator[Finding]:
    finding = of_file(problem.rule, problem.message, settings)
    if settings.wants(finding.code, finding.name, finding.severity):
        yield finding


def _loading(old: Result, new: Result, is_auto: bool) -> Iterator[Problem]:
    """Report a model that loaded, and does not any more. One that did not load before has nothing to lose. `is_auto`: no setting says
    whether weights may be missing."""
    rule, errors = R.no_longer_loads, _lost(old, new) if is_auto else _errors(new)
    if _errors(old) or old.model is None:
        return
    if new.format is None:
        yield Problem(rule, Span(0, 0), f"the model is not recognized any more: {new.why}")
    elif new.format != old.format:
        message = (
            f"expected a model of format {old.format}, got one of {new.format}, which programs load in another way"
        )
        yield Problem(rule, Span(0, 0), message)
    elif is_auto and not errors and (gone := _gone(old, new)) is not None:
        yield Problem(
            rule, Span(0, 0), f"weights file {gone!r} of the old version was removed, and no other is next to the model"
        )
    elif errors:
        yield _refused(new, errors)


def _refused(new: Result, errors: Sequence[Finding]) -> Problem:
    """Return the problem of a version that has errors, perhaps only for some programs."""
    first, rest = errors[0], errors[1:]
    others = f" (and {count(len(rest), 'more error')})" if rest else ""
    related = [(f"{one.code} {one.message}", one.span) for one in rest[:_NAMED]]
    format_ = by_name(new.format or "")
    taken = {*format_.taken, *format_.runtime_limits} if format_ is not None else set()
    is_taken = all(one.code in taken for one in errors)  # a runtime loads it all the same
    what = "some programs refuse the model now" if is_taken else "the model does not load any more"
    message, severity = f"{what}: {first.code} {first.message}{others}", Severity.WARNING if is_taken else None
    return Problem(R.no_longer_loads, first.span, message, first.node, related=related, severity=severity)


def _lost(old: Result, new: Result) -> list[Finding]:
    """Return the errors of a new version; weights that are missing are one if the old version had them."""
    errors = _errors(new)
    missing = [one for one in new.findings if one.code == R.missing_weights.code and one not in errors]
    return [*errors, *missing] if missing and _had_weights(old) else errors


def _had_weights(old: Result) -> bool:
    """Return whether a version has files of weights next to it, and all of them: what git does not track later is lost, whatever the
    reason."""
    return not any(one.code == R.missing_weights.code for one in old.findings) and bool(_weights_files(old))


def _weights_files(result: Result) -> list[str]:
    """Return the files of weights next to a version."""
    format_, path = by_name(result.format or ""), result.request.path
    if format_ is None or path is None:
        return []
    files = format_.side_files(path, result.request.settings.options.get(format_.name))
    return [file.name for file in files if file_source().is_there(file)]


def _gone(old: Result, new: Result) -> str | None:
    """Return a file of weights that the new version needs as the old one did, of a format whose models do not name it; None if there is
    none."""
    if new.model is None or not is_installed("numpy"):
        return None
    rows = islice(weights(new.model), _ASKED)
    first = next(rows, None)
    if first is None or first.statistics or any(row.statistics for row in rows) or _weights_files(new):
        return None
    return next(iter(_weights_files(old)), None)


def _errors(result: Result) -> list[Finding]:
    """Return the errors of a file, without those of irlint itself."""
    errors = (one for one in result.findings if one.severity == Severity.ERROR)
    return [one for one in errors if one.code != R.internal_error.code]
