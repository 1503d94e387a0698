"""Construction of a Config from a configuration file, with all its errors."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from irlint.config import Config, FilePattern
from irlint.config.check import Checker, did_you_mean
from irlint.config.declared import declared_rules
from irlint.config.extensions import declared_operations
from irlint.config.source import ConfigSource
from irlint.files.globs import Globs
from irlint.files.walk import DEFAULT_EXCLUDE
from irlint.findings import Severity
from irlint.formats.base import all_formats

if TYPE_CHECKING:
    from irlint.rules.base import Weights
    from irlint.settings import UserSchema


def build(source: ConfigSource, base: str) -> Config:
    """Return the configuration of a file's values; raise ConfigError with all errors in it."""
    checker = Checker(source)
    values = checker.against_schema()
    checker.declared = declared_rules(checker, values.get("rules", []))
    checker.names(values.get("formats", ()), all_formats(), "format", "formats")
    for name, version in values.get("targets", {}).items():
        if trouble := target_trouble(name, str(version)):
            checker.report(("targets", name), trouble)
    severities = {
        checker.selector(word, "severity", word): Severity.parse(level)
        for word, level in values.get("severity", {}).items()
    }
    if "PEDANTIC" in severities:
        checker.report(("severity", "PEDANTIC"), "expected a rule in `severity`, got `PEDANTIC`")
    config = Config(
        base,
        source.path,
        select=checker.selectors(values.get("select", ["ALL"]), "select")
        + checker.selectors(values.get("extend-select", ()), "extend-select"),
        ignore=checker.selectors(values.get("ignore", ()), "ignore"),
        per_file_ignores=tuple(
            (FilePattern.of(glob), checker.selectors(words, "per-file-ignores", glob))
            for glob, words in values.get("per-file-ignores", {}).items()
        ),
        severities=tuple(sorted(severities.items(), key=lambda item: (item[0] != "ALL", len(item[0])))),
        fail_on=Severity.parse(values.get("fail-on", "error")),
        exclude=Globs((*values.get("exclude", DEFAULT_EXCLUDE), *values.get("extend-exclude", ()))),
        targets=tuple((name, str(version).strip()) for name, version in values.get("targets", {}).items()),
        shapes=values.get("dry-run-shapes", True),
        options=_options(values.get("formats", {}), declared_operations(checker, values.get("extensions", {}))),
        declared=checker.declared,
        missing_weights=_weights(values.get("weights", {})),
        baseline=_beside(source.path, values.get("baseline")),
        schemas=_schemas(checker, values.get("schemas", [])),
    )
    checker.finish()
    return config


def _schemas(checker: Checker, records: list[dict[str, Any]]) -> tuple[tuple[Globs, UserSchema], ...]:
    if not records:
        return ()
    from irlint.config.schemas import user_schemas

    return user_schemas(checker, records)


def _weights(value: Any) -> tuple[tuple[FilePattern | None, Weights], ...]:
    if isinstance(value, str):
        return ((None, cast("Weights", value)),)
    return tuple((FilePattern.of(glob), word) for glob, word in value.items())


def _beside(configuration: str, name: str | None) -> str | None:
    """Return the path of a file named relative to the configuration's folder."""
    return None if name is None else os.path.join(os.path.dirname(os.path.abspath(configuration)), name)


def _options(formats: dict[str, Any], extensions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the options of each format, with declared operations of extension libraries."""
    takers = [format_.name for format_ in all_formats().values() if format_.has_extensions] if extensions else []
    given = {name: {**formats.get(name, {}), "extensions": extensions} for name in takers}
    return {**formats, **given}


def target_trouble(name: str, version: str) -> str | None:
    """Return what is wrong with a target: a format or a dialect knows which of its runtimes are targets; None for a valid one."""
    from irlint.targets import precision

    if name == precision.TARGET:
        return precision.precision_trouble(version)
    formats = all_formats()
    dialects = {one.name: {dialect.name for dialect in one.dialects} for one in formats.values()}
    owners = (one for one in formats.values() if name in (*dialects[one.name], *(one.targets or ())))
    format_ = formats.get(name) or next(owners, None)
    if format_ is not None and (trouble := format_.target_trouble(name, version)):
        return trouble
    known = _target_names()
    return None if name in known else f"unknown target `{name}`; {did_you_mean(name, known)}"


def _target_names() -> list[str]:
    """Return the names allowed in --target and `targets`: runtimes, formats with releases of their own, and the precision."""
    from irlint.targets.precision import TARGET

    targets = ((one.name,) if one.targets is None else one.targets for one in all_formats().values())
    return sorted({TARGET, *(name for names in targets for name in names)})
