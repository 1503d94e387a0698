"""Configuration: irlint.yaml, .irlint.yaml or pyproject.toml [tool.irlint]; the nearest one to a file holds for it.

Here are a resolved configuration, and selectors of rules: a code, a name, a code prefix, ALL, PEDANTIC.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from irlint.files.globs import Globs
from irlint.files.walk import DEFAULT_EXCLUDE, Exclusion, parts_below
from irlint.findings import Severity
from irlint.records import NamedTuple, dataclass, field
from irlint.settings import PEDANTIC, Settings
from irlint.tools import UserError

if TYPE_CHECKING:
    from irlint.rules.base import Weights
    from irlint.rules.declared import DeclaredRule
    from irlint.settings import UserSchema

Words = tuple[str, ...]
_LIKELY = 3  # rules that are suggested for a part of their names


class FilePattern(NamedTuple):
    """A glob of the configuration. One that begins with ! matches all other files."""

    globs: Globs
    fits: bool

    @classmethod
    def of(cls, glob: str) -> FilePattern:
        return cls(Globs([glob.removeprefix("!")]), not glob.startswith("!"))

    def covers(self, parts: Sequence[str]) -> bool:
        return self.globs.covers(parts) is self.fits


@dataclass(frozen=True)
class Overrides:
    """Options of the command line that override any configuration; selectors are resolved, None: not given."""

    select: Words | None = None
    extend_select: Words = ()
    ignore: Words = ()
    targets: tuple[tuple[str, str], ...] = ()
    fail_on: Severity | None = None
    shapes: bool | None = None
    pedantic: bool = False
    repairs_from: Severity = Severity.WARNING  # an editor offers every repair
    missing_weights: Weights | None = None
    in_commit: bool = False


@dataclass(frozen=True, eq=False)
class Config:
    """One configuration. Globs are relative to `base`."""

    base: str
    path: str | None = None
    select: Words = ("ALL",)
    ignore: Words = ()
    per_file_ignores: tuple[tuple[FilePattern, Words], ...] = ()
    severities: tuple[tuple[str, Severity], ...] = ()
    fail_on: Severity = Severity.ERROR
    exclude: Globs = field(default_factory=lambda: Globs(DEFAULT_EXCLUDE))
    targets: tuple[tuple[str, str], ...] = ()
    shapes: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    declared: tuple[DeclaredRule, ...] = ()
    missing_weights: tuple[tuple[FilePattern | None, Weights], ...] = ()  # None: any file; the first that fits decides
    baseline: str | None = None  # the path of a file
    schemas: tuple[tuple[Globs, UserSchema], ...] = ()

    @property
    def exclusion(self) -> Exclusion:
        return Exclusion(self.base, self.exclude)

    def excludes(self, path: str) -> bool:
        """Return whether the search of folders excludes a file, given by its absolute path."""
        return bool(self.exclude) and self.exclude.covers(parts_below(path, self.base))

    def settings(self, path: str, over: Overrides = Overrides()) -> Settings:
        """Return the engine's settings for a file, given by its absolute path."""
        has_globs = self.per_file_ignores or self.missing_weights or self.schemas
        parts = parts_below(path, self.base) if has_globs else []
        never = tuple(word for pattern, words in self.per_file_ignores if pattern.covers(parts) for word in words)
        schemas = tuple(schema for globs, schema in self.schemas if globs.covers(parts))
        return _settings(self, over, never, over.missing_weights or self._missing_weights(parts), schemas)

    def _missing_weights(self, parts: Sequence[str]) -> Weights:
        fits = (value for pattern, value in self.missing_weights if pattern is None or pattern.covers(parts))
        return next(fits, "auto")


@cache
def _settings(
    config: Config, over: Overrides, never: Words, missing_weights: Weights, schemas: tuple[UserSchema, ...]
) -> Settings:
    """Return one object for all files with the same settings."""
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
        missing_weights=missing_weights,
        in_commit=over.in_commit,
        schemas=schemas,
    )


class UnknownSelector(UserError, ValueError):
    """An unknown selector."""


def resolve(word: str) -> str:
    """Return the code, code prefix, or ALL that a selector stands for, former names included."""
    from irlint.rules import registry

    if word.upper() in ("ALL", PEDANTIC):
        return word.upper()
    if (rule := registry.find(word)) is not None:
        return rule.code
    if word and any(code.startswith(word.upper()) for code in registry.all_rules()):
        return word.upper()
    if re.fullmatch(r"[Uu][0-9]{0,3}", word):  # rules that configurations declare, whichever holds for a file
        return word.upper()
    raise UnknownSelector(unknown(word))


def _abbreviates(word: str, name: str) -> bool:
    """Return whether a word is the beginning of a name, or of words of it in their order: `ref`, `undefined-ref`."""
    parts = iter(name.lower().split("-"))
    words = re.split(r"[-_ ]+", word.lower())
    begins = name.lower().replace("-", "").startswith("".join(words))
    return begins or all(any(part.startswith(each) for part in parts) for each in words)


def unknown(word: str) -> str:
    """Return the message for an unknown rule."""
    from irlint.operators import nearest
    from irlint.rules import registry
    from irlint.text.words import joined

    rules = registry.all_rules()
    names = [rule.name for rule in rules.values()]
    parts = [name for name in (*rules, *names) if _abbreviates(word, name)]
    codes = [name for name in parts if name in rules]
    close = None if parts else _whole(word, rules) or nearest(word, [*rules, *names])
    likely = [close] if close else parts if len(parts) <= _LIKELY else []
    if likely:
        hint = f"did you mean {joined((f'`{name}`' for name in likely), 'or')}?"
    elif codes:
        hint = f"{len(codes)} codes begin with it, `{min(codes)}` to `{max(codes)}`; run `irlint rules` for a list"
    else:
        hint = "run `irlint rules` for a list"
    return f"unknown rule `{word}`; {hint}"


def _whole(word: str, codes: Collection[str]) -> str | None:
    """Return the code that a word is without its leading zeros: R1 or R01 for R001."""
    code = word[:1].upper() + word[1:].zfill(3)
    return code if code in codes else None
