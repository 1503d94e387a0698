"""What `irlint --version -v` shows: where irlint and Python are, and which packages are installed."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import irlint
from irlint.optional import PACKAGES, version


def details() -> Iterator[str]:
    yield f"irlint {irlint.__version__}"
    rows = [
        ("folder", "", str(Path(irlint.__file__).parent)),
        ("python", platform.python_version(), sys.executable),
        *((package.name, version(package) or "-", package.purpose) for package in PACKAGES),
    ]
    first, second = (max(len(row[k]) for row in rows) for k in (0, 1))
    for name, found, note in rows:
        absent = " (not installed)" if found == "-" else ""
        yield f"{name:{first}}  {found:{second}}  {note}{absent}"
