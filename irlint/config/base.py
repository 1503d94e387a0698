"""Config: what a configuration asks for, worked out."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from irlint.engine import Settings
from irlint.files.globs import Globs
from irlint.files.walk import DEFAULT_EXCLUDE, Exclusion, parts_below
from irlint.findings import Severity
from irlint.records import dataclass, field

if TYPE_CHECKING:
    from irlint.rules.declared import DeclaredRule

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
    pedantic: bool = False
    repairs_from: Severity = Severity.WARNING  # an editor offers every repair


@dataclass(frozen=True, eq=False)
class Config:
    """One configuration. Globs are relative to `base`."""

    base: str
    path: str | None = None
    select: Words = ("ALL",)
    ignore: Words = ()
    per_file_ignores: tuple[tuple[Globs, bool, Words], ...] = ()  # for what fits, or does not fit
    severities: tuple[tuple[str, Severity], ...] = ()
    fail_on: Severity = Severity.ERROR
    exclude: Globs = field(default_factory=lambda: Globs(DEFAULT_EXCLUDE))
    targets: tuple[tuple[str, str], ...] = ()
    shapes: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    declared: tuple[DeclaredRule, ...] = ()

    @property
    def exclusion(self) -> Exclusion:
        return Exclusion(self.base, self.exclude)

    def excludes(self, path: str) -> bool:
        """Whether a folder walk would pass over a file, given by its absolute path."""
        return bool(self.exclude) and self.exclude.covers(parts_below(path, self.base))

    def settings(self, path: str, over: Overrides = Overrides()) -> Settings:
        """What the engine is told for a file, given by its absolute path."""
        parts = parts_below(path, self.base) if self.per_file_ignores else []
        never = tuple(
            word for globs, fits, words in self.per_file_ignores if globs.covers(parts) is fits for word in words
        )
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
        declared=config.declared,
        never=never,
        pedantic=over.pedantic,
        repairs_from=over.repairs_from,
    )
