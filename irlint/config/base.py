"""Config: what a configuration file asks for, checked and worked out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from irlint.config.check import Checker
from irlint.config.source import Source
from irlint.engine import Settings
from irlint.files.globs import Globs
from irlint.files.walk import DEFAULT_EXCLUDE, Exclusion, parts_below
from irlint.findings import Severity
from irlint.formats.base import all_formats

Words = tuple[str, ...]


@dataclass(frozen=True)
class Overrides:
    """What the command line says over any configuration; selectors are resolved, None means that nothing was said."""

    select: Words | None = None
    extend_select: Words = ()
    ignore: Words = ()
    targets: tuple[tuple[str, str], ...] = ()
    fail_on: Severity | None = None
    shapes: bool | None = None


@dataclass(frozen=True, eq=False)
class Config:
    """One configuration. Globs are relative to `base`."""

    base: str
    path: str | None = None
    select: Words = ("ALL",)
    ignore: Words = ()
    per_file_ignores: tuple[tuple[Globs, Words], ...] = ()
    severities: tuple[tuple[str, Severity], ...] = ()
    fail_on: Severity = Severity.ERROR
    exclude: Globs = field(default_factory=lambda: Globs(DEFAULT_EXCLUDE))
    targets: tuple[tuple[str, str], ...] = ()
    shapes: bool = True
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def exclusion(self) -> Exclusion:
        return Exclusion(self.base, self.exclude)

    def settings(self, path: str, over: Overrides = Overrides()) -> Settings:
        """What the engine is told for a file, given by its absolute path."""
        parts = parts_below(path, self.base) if self.per_file_ignores else []
        never = tuple(word for globs, words in self.per_file_ignores if globs.covers(parts) for word in words)
        return _settings(self, over, never)


@cache
def _settings(config: Config, over: Overrides, never: Words) -> Settings:
    """One object for all files that are treated alike."""
    return Settings(
        select=(config.select if over.select is None else over.select) + over.extend_select,
        ignore=(config.ignore if over.select is None else ()) + over.ignore,
        severities=config.severities,
        targets=tuple({**dict(config.targets), **dict(over.targets)}.items()),
        shapes=config.shapes if over.shapes is None else over.shapes,
        options=config.options,
        never=never,
    )


def build(source: Source, base: str) -> Config:
    """The configuration that a file's values say; raises ConfigError with every mistake in it."""
    checker, values = Checker(source), source.values
    checker.against_schema()
    checker.finish()
    checker.names(values.get("formats", ()), all_formats(), "format", "formats")
    checker.names(values.get("targets", ()), target_names(), "target", "targets")
    severities = {
        checker.selector(word, "severity", word): Severity.parse(level)
        for word, level in values.get("severity", {}).items()
    }
    config = Config(
        base,
        source.path,
        select=checker.selectors(values.get("select", ["ALL"]), "select")
        + checker.selectors(values.get("extend-select", ()), "extend-select"),
        ignore=checker.selectors(values.get("ignore", ()), "ignore"),
        per_file_ignores=tuple(
            (Globs([glob]), checker.selectors(words, "per-file-ignores", glob))
            for glob, words in values.get("per-file-ignores", {}).items()
        ),
        severities=tuple(sorted(severities.items(), key=lambda item: (item[0] != "ALL", len(item[0])))),
        fail_on=Severity.parse(values.get("fail-on", "error")),
        exclude=Globs((*values.get("exclude", DEFAULT_EXCLUDE), *values.get("extend-exclude", ()))),
        targets=tuple((name, str(version)) for name, version in values.get("targets", {}).items()),
        shapes=values.get("dry-run-shapes", True),
        options=values.get("formats", {}),
    )
    checker.finish()
    return config


def target_names() -> list[str]:
    """What --target and `targets` may name: a format, or a dialect of one."""
    formats = all_formats().values()
    return sorted({*all_formats(), *(dialect.name for format_ in formats for dialect in format_.dialects)})
