"""What is installed: irlint's own schemas and operator tables, plug-ins, and optional packages."""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from irlint.records import NamedTuple
from irlint.tools import UserError

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def schemas_folder() -> Path:
    inside = _PACKAGE / "schemas"
    return inside if inside.is_dir() else _PACKAGE.parent / "schemas"


@cache
def load_json(name: str) -> Any:
    """A file of the schemas folder, read once per process."""
    return json.loads(read_text(name))


def read_text(name: str) -> str:
    return (schemas_folder() / name).read_text("utf-8")


class PluginError(UserError):
    """Which plug-in cannot be used, and why."""


@cache
def _declared() -> dict[str, tuple[tuple[str, str], ...]]:
    """Group -> (name, "module:attribute") of the irlint.* groups of installed packages, first on the path first.

    The working folder is left out even where Python would import from it: a package in a repository is not installed.
    """
    found: dict[str, dict[str, str]] = {}
    for folder in dict.fromkeys(sys.path):
        if os.path.abspath(folder) == os.getcwd():
            continue
        try:
            entries = sorted(e for e in os.listdir(folder or ".") if e.endswith((".dist-info", ".egg-info")))
        except OSError:
            continue
        for entry in entries:
            try:
                with open(os.path.join(folder, entry, "entry_points.txt"), encoding="utf-8") as file:
                    text = file.read()
            except (OSError, UnicodeDecodeError):
                continue
            if "[irlint." in text:
                for group, name, target in _parse(text):
                    found.setdefault(group, {}).setdefault(name, target)
    return {group: tuple(points.items()) for group, points in found.items()}


def _parse(text: str) -> list[tuple[str, str, str]]:
    """Lines `name = module:attribute` below `[group]` lines, as packaging tools write them."""
    group, found = "", []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            group = line.strip("[] ")
        elif "=" in line and not line.startswith(("#", ";")) and group.startswith("irlint."):
            name, _, target = line.partition("=")
            found.append((group, name.strip(), target.split("[")[0].strip()))
    return found


def entry_points(group: str) -> list[tuple[str, Any]]:
    """Name and object of each entry point of a group."""
    return [(name, _loaded(name, target)) for name, target in _declared().get(group, ())]


def _loaded(name: str, target: str) -> Any:
    module, _, attribute = target.partition(":")
    try:
        value: Any = import_module(module)
        for part in filter(None, attribute.split(".")):
            value = getattr(value, part)
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
        raise PluginError(f"the plug-in {name!r} ({target}) cannot be loaded: {why}") from error
    return value


class OptionalPackage(NamedTuple):
    """A package and what needs it."""

    module: str
    name: str
    purpose: str


PACKAGES = (
    OptionalPackage("jsonschema", "jsonschema", "JSON Schemas of your own"),
    OptionalPackage("jsonschema_rs", "jsonschema-rs", "validates large files faster"),
    OptionalPackage("lxml", "lxml", "XML Schemas of your own"),
    OptionalPackage("numpy", "numpy", "irlint run, and values of weights"),
    OptionalPackage("pygls", "pygls", "irlint server"),
    OptionalPackage("ruamel", "ruamel.yaml", "irlint.yaml"),
    OptionalPackage("tomli", "tomli", "pyproject.toml in Python 3.10"),
    OptionalPackage("PIL", "pillow", "plots"),
    OptionalPackage("obstore", "obstore", "irlint zoo"),
    OptionalPackage("distributed", "distributed", "irlint zoo --scheduler"),
)
_PROVIDED = {"lsprotocol": "pygls", "irlint_lsp": "pygls"}


def missing_package(error: ImportError) -> OptionalPackage | None:
    """Return the package to install after a failed import; None if the import should not have failed."""
    top = (error.name or "").partition(".")[0]
    return next((package for package in PACKAGES if package.module == _PROVIDED.get(top, top)), None)


def is_installed(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def installed_version(package: OptionalPackage) -> str | None:
    """Return the version that is installed; None if it is missing."""
    if not is_installed(package.module):
        return None
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(package.name)
    except PackageNotFoundError:
        return "of unknown version"
