"""Lookup of the configuration of a file: the nearest one above it, read once per folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from irlint.config import Config
from irlint.config.source import ConfigError, ConfigSource
from irlint.files.read import Unreadable, folder_and_above, read
from irlint.tools.installed import PluginError

YAML_NAMES = ("irlint.yaml", ".irlint.yaml", "irlint.yml", ".irlint.yml")
NAMES = (*YAML_NAMES, "pyproject.toml")
MAX_SIZE = {".yaml": 200_000, ".toml": 1_000_000}  # bytes: YAML is read by Python code


class Configurations:
    """Cached configurations. With `only`, one applies to all files."""

    def __init__(self, only: Config | None = None) -> None:
        self.only = only
        self._known: dict[str, Config] = {}

    @classmethod
    def isolated(cls) -> Configurations:
        return cls(Config(os.getcwd()))

    @classmethod
    def of_file(cls, path: str) -> Configurations:
        """Return the configuration of a file for all models; its globs are relative to the current folder."""
        source = load(path)
        if source is None:
            raise ConfigError(path, [(None, "missing table `[tool.irlint]`")])
        return cls(build_from(source, os.getcwd()))

    def known(self, folder: str) -> Config | None:
        """Return the configuration of a folder if it was looked up before."""
        return self.only or self._known.get(folder)

    @property
    def schema_files(self) -> set[str]:
        """Return the files of the schemas that the configurations bring."""
        found = (config for config in (self.only, *self._known.values()) if config is not None)
        return {file for config in found for _, schema in config.schemas for file in schema.files}

    def of_folder(self, folder: str) -> Config:
        """Return the configuration of the files in a folder, given by its absolute path."""
        if self.only is not None:
            return self.only
        above: list[str] = []
        found = None
        for name in folder_and_above(folder):
            if (found := self._known.get(name)) is None:
                above.append(name)
                found = _in_folder(name)
            if found is not None:
                break
        found = found or Config(os.getcwd())
        self._known.update(dict.fromkeys(above, found))
        return found


def _in_folder(folder: str) -> Config | None:
    for name in NAMES:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (source := load(path)) is not None:
            return build_from(source, folder)
    return None


def build_from(source: ConfigSource, base: str) -> Config:
    """Return a configuration whose globs and paths are relative to `base`."""
    from irlint.config.build import build  # what it needs is imported only where there is a configuration

    with _blaming(source.path):
        return build(source, base)


def load(path: str) -> ConfigSource | None:
    """Return the content of a configuration file; None for a pyproject.toml without a table for irlint."""
    with _blaming(path):
        return _read(path)


@contextmanager
def _blaming(path: str) -> Iterator[None]:
    """Make an error of the file of an exception that nobody foresaw."""
    try:
        yield
    except (ConfigError, ImportError, PluginError):
        raise
    except Exception as error:
        if os.environ.get("IRLINT_RAISE"):
            raise
        from irlint.tools import bug_report, words_of

        message = f"internal error in irlint: {words_of(error)} {bug_report(error)}"
        raise ConfigError(path, [(None, message)]) from error


def _read(path: str) -> ConfigSource | None:
    try:
        limit = MAX_SIZE.get(os.path.splitext(path)[1], MAX_SIZE[".yaml"])
        data = read(path, limit + 1)
    except Unreadable as error:
        raise ConfigError(path, [(None, str(error))]) from error
    if len(data) > limit:
        raise ConfigError(path, [(None, "too large for a configuration")])
    if path.endswith(".toml"):
        from irlint.config.read_toml import read_toml

        return read_toml(path, data)
    from irlint.config.read_yaml import read_yaml

    return read_yaml(path, data)
