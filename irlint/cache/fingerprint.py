"""The fingerprint of the rules: irlint's version and files, and those of plug-ins."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from hashlib import blake2b

import irlint
from irlint.tools import installed
from irlint.tools.installed import schemas_folder


def fingerprint() -> str:
    """Return the fingerprint of this version of irlint with these plug-ins."""
    seen = blake2b(digest_size=8)
    package = os.path.dirname(os.path.abspath(irlint.__file__))
    for part in (*_of_package(package), *_of_plugins()):
        seen.update(part.encode("utf-8", "surrogateescape") + b"\0")
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{irlint.__version__}-py{python}-{seen.hexdigest()}"


def _of_package(package: str) -> Iterator[str]:
    """The list of hashes that an installed package has, the same on every machine; else its files' sizes and times."""
    record = os.path.join(f"{package}-{irlint.__version__}.dist-info", "RECORD")
    try:
        with open(record, encoding="utf-8") as file:
            lines = [line for line in file if line.startswith("irlint/")]
    except OSError:
        lines = []
    if lines:
        yield from sorted(lines)
    else:
        yield from _stamps(package)
        yield from _stamps(str(schemas_folder()))


def _of_plugins() -> Iterator[str]:
    for group in ("irlint.rules", "irlint.formats"):
        for name, value in installed.entry_points(group):
            module = getattr(value, "__module__", None) or type(value).__module__
            yield f"{group} {name} {module}"
            top = getattr(sys.modules.get(module.partition(".")[0]), "__file__", None)
            if top is not None:
                yield from _stamps(os.path.dirname(top) if os.path.basename(top) == "__init__.py" else top)


def _stamps(path: str) -> Iterator[str]:
    """Return name, size and time of a file, or of all files below a folder."""
    if not os.path.isdir(path):
        found = os.stat(path)
        yield f"{os.path.basename(path)} {found.st_size} {found.st_mtime_ns}"
        return
    folders = [path]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        folders.append(entry.path)
                else:
                    found = entry.stat()
                    yield f"{os.path.relpath(entry.path, path)} {found.st_size} {found.st_mtime_ns}"
