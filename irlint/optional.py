"""The packages that irlint brings and that a lint works without."""

from __future__ import annotations

from irlint.records import NamedTuple


class OptionalPackage(NamedTuple):
    """A package and what needs it."""

    module: str
    name: str
    purpose: str


PACKAGES = (
    OptionalPackage("jsonschema_rs", "jsonschema-rs", "validates large files faster"),
    OptionalPackage("numpy", "numpy", "irlint run, and values of weights"),
    OptionalPackage("pygls", "pygls", "irlint server"),
    OptionalPackage("ruamel", "ruamel.yaml", "irlint.yaml"),
    OptionalPackage("tomli", "tomli", "pyproject.toml in Python 3.10"),
    OptionalPackage("PIL", "pillow", "plots"),
    OptionalPackage("obstore", "obstore", "irlint zoo"),
    OptionalPackage("distributed", "distributed", "irlint zoo --scheduler"),
)
_PROVIDED = {"lsprotocol": "pygls", "irlint_lsp": "pygls"}


def missing(error: ImportError) -> OptionalPackage | None:
    """Return the package to install after a failed import; None if the import should not have failed."""
    top = (error.name or "").partition(".")[0]
    return next((package for package in PACKAGES if package.module == _PROVIDED.get(top, top)), None)


def is_installed(module: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def version(package: OptionalPackage) -> str | None:
    """Return the version that is installed; None if it is missing."""
    if not is_installed(package.module):
        return None
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(package.name)
    except PackageNotFoundError:
        return "of unknown version"
