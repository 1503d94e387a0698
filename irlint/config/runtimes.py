"""The runtimes that a project says it uses: releases that its files of requirements, and images, name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice

from irlint.files.read import read_or_nothing
from irlint.formats.base import all_formats
from irlint.records import NamedTuple
from irlint.tools.installed import load_json

_FILES = (
    "uv.lock", "poetry.lock", "requirements.txt", "requirements.in", "pyproject.toml", "setup.cfg", "environment.yml",
    "environment.yaml", "Dockerfile", "Containerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml",
)  # fmt: skip
_MOST, _LONGEST = 1 << 22, 1000  # bytes of a file, and characters of a line, that are read
_MOST_FILES = 20  # of requirements that others name
_REQUIRED = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][\w-]{2,30})(?:\[[\w, -]{0,40}\])?\"?[ \t]{0,4}(?:===?|~=|>=|=)"
    r"[ \t]{0,4}(?:\{[ \t]{0,4}version[ \t]{0,4}=[ \t]{0,4})?\"?[\^~=>]{0,2}v?(?P<release>\d{1,8}(?:\.\d{1,8}){0,3})"
)
_LOCKED = re.compile(r'name = "(?P<name>[\w-]{1,60})"\r?\nversion = "(?P<release>\d{1,8}(?:\.\d{1,8}){0,3})')
_MORE = re.compile(r"^(?:-r|--requirement)[ =]{1,4}(?P<file>[\w./-]{1,200})[ \t\r]{0,4}$", re.MULTILINE)
_IMAGE = re.compile(r"(?P<name>[a-z0-9_]{1,40}/[a-z0-9_]{1,40}):(?P<release>\d{1,4}(?:\.\d{1,4}){1,2})")


class NamedRuntime(NamedTuple):
    """A target, and the file that names it."""

    name: str
    release: str
    file: str


def runtimes(folder: str) -> list[NamedRuntime]:
    """Return the releases of runtimes that files of a folder name, each runtime once: the first, as a file lists what it needs first."""
    found: dict[str, NamedRuntime] = {}
    for one in _named(folder):
        found.setdefault(one.name, one)
    return list(found.values())


def _named(folder: str) -> Iterator[NamedRuntime]:
    formats = all_formats().values()
    packages = {package: target for format_ in formats for package, target in format_.packages.items()}
    images = {image: target for format_ in formats for image, target in format_.images.items()}
    for file, text in _texts(folder):
        for match in _matches(text):
            package, release = match["name"].lower(), match["release"]
            if (target := packages.get(package)) is None and package in images:
                target, release = images[package], load_json("containers/images.json")[package].get(release)
            if target is not None and release is not None:
                name, comma, provider = target.partition(",")
                yield NamedRuntime(name, release + comma + provider, file)


def _texts(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the files that may name runtimes, and those of requirements that these name, with their texts."""
    waiting, seen = [*_FILES], set[str]()
    while waiting and len(seen) < len(_FILES) + _MOST_FILES:
        file = waiting.pop(0)
        if file in seen or os.path.isabs(file) or file.startswith(".."):
            continue
        seen.add(file)
        text = read_or_nothing(os.path.join(folder, file), _MOST).decode("utf-8", "replace")
        yield file, text
        beside = os.path.dirname(file)
        more = islice(_MORE.finditer(text), _MOST_FILES)
        waiting[:0] = [os.path.normpath(os.path.join(beside, one["file"])) for one in more]


def _matches(text: str) -> Iterator[re.Match[str]]:
    yield from _LOCKED.finditer(text)
    for line in text.split("\n"):
        said = line.partition("#")[0][:_LONGEST]
        yield from _REQUIRED.finditer(said)
        yield from _IMAGE.finditer(said)
