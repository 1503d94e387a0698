"""The runtimes that a project says it uses: releases that its files of requirements, and images, name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from irlint.files.read import Unreadable, read
from irlint.formats.base import all_formats
from irlint.records import NamedTuple
from irlint.tools.installed import load_json

_FILES = (
    "requirements.txt", "requirements.in", "pyproject.toml", "setup.cfg", "environment.yml", "environment.yaml", "Dockerfile",
    "Containerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml",
)  # fmt: skip
_MOST, _LONGEST = 1 << 18, 1000  # bytes of a file, and characters of a line, that are read
_REQUIRED = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][\w-]{2,30})(?:\[[\w, -]{0,40}\])?\"?[ \t]{0,4}(?:===?|~=|>=|=)"
    r"[ \t]{0,4}(?:\{[ \t]{0,4}version[ \t]{0,4}=[ \t]{0,4})?\"?[\^~=>]{0,2}v?(?P<release>\d{1,8}(?:\.\d{1,8}){0,3})"
)
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
    for file in _FILES:
        try:
            data = read(os.path.join(folder, file), _MOST)
        except Unreadable:
            continue
        for line in data.decode("utf-8", "replace").split("\n"):
            said = line.partition("#")[0][:_LONGEST]
            for match in (*_REQUIRED.finditer(said), *_IMAGE.finditer(said)):
                package, release = match["name"].lower(), match["release"]
                if (target := packages.get(package)) is None and package in images:
                    target, release = images[package], load_json("containers/images.json")[package].get(release)
                if target is not None and release is not None:
                    name, comma, provider = target.partition(",")
                    yield NamedRuntime(name, release + comma + provider, file)
