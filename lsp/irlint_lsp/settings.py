"""Settings of the client and of configuration files, combined for each file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from irlint.config import Config, Overrides, UnknownSelector, resolve
from irlint.config.find import NAMES, Configurations
from irlint.config.source import ConfigError
from irlint.files.walk import parts_below
from irlint.findings import Severity
from irlint.settings import Settings

T = TypeVar("T")

WHENS = ("onType", "onSave")
SCHEMAS = (".json", ".xsd", ".rng")


@dataclass(frozen=True)
class ClientSettings:
    """The section `irlint` of the client's settings; missing values and values of wrong types have their defaults."""

    enable: bool = True
    run: str = "onType"
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    shapes: bool | None = None
    inlay_hints: bool = True
    code_lens: bool = True
    trusted: bool = True

    @classmethod
    def read(cls, value: Any, old: ClientSettings | None = None) -> tuple[ClientSettings, list[str]]:
        """Return the settings in a client's response, and unknown rule selectors."""
        values = value.get("irlint", value) if isinstance(value, dict) else {}
        if not isinstance(values, dict):
            values = {}
        lint = _typed(values, "lint", {})
        wrong: list[str] = []
        base = old or cls()
        return cls(
            enable=_typed(values, "enable", True),
            run=lint["run"] if lint.get("run") in WHENS else "onType",
            select=_selectors(lint.get("select"), wrong),
            ignore=_selectors(lint.get("ignore"), wrong) or (),
            shapes=values.get("dryRunShapes") if isinstance(values.get("dryRunShapes"), bool) else None,
            inlay_hints=_typed(values, "inlayHints", True),
            code_lens=_typed(values, "codeLens", True),
            trusted=base.trusted,
        ), wrong

    @property
    def overrides(self) -> Overrides:
        return Overrides(
            select=self.select or None, ignore=self.ignore, shapes=self.shapes, repairs_from=Severity.PEDANTIC
        )


def _typed(values: dict[str, Any], key: str, default: T) -> T:
    """Return a setting if it is of the type of its default."""
    value = values.get(key)
    return value if isinstance(value, type(default)) else default


def _selectors(value: Any, wrong: list[str]) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    found = []
    for word in value:
        try:
            found.append(resolve(str(word)))
        except UnknownSelector as error:
            wrong.append(str(error))
    return tuple(found)


class Configured:
    """Settings by file. An invalid configuration is reported once, and the last sound one applies, or defaults."""

    def __init__(self, before: Configured | None = None) -> None:
        self._configurations = Configurations()
        self._sound = before and (before._sound if before.mistakes else before._configurations)
        self.mistakes: list[str] = []

    def config(self, path: str | None) -> Config:
        folder = os.path.dirname(path) if path else os.getcwd()
        try:
            return self._configurations.of_folder(folder)
        except ConfigError as error:
            if str(error) not in self.mistakes:
                self.mistakes.append(str(error))
            return (self._sound and self._sound.known(folder)) or Config(folder)

    def depends_on(self, names: Iterable[str]) -> bool:
        """Return whether one of the files is a configuration or part of a schema, which a broken one may have named, too."""
        if any(os.path.basename(name) in NAMES for name in names):
            return True
        if self.mistakes and any(name.endswith(SCHEMAS) for name in names):
            return True
        return not self._configurations.schema_files.isdisjoint(map(os.path.realpath, names))

    def settings(self, path: str | None, client: ClientSettings) -> Settings:
        return self.config(path).settings(path or "", client.overrides)

    def excludes(self, path: str) -> bool:
        """Return whether the configuration excludes a file."""
        exclusion = self.config(path).exclusion
        return bool(exclusion.globs) and exclusion.globs.covers(parts_below(path, exclusion.base))
