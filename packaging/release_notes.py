"""Prints the notes of a release, its part of the changelog: release_notes.py v0.1.0. Refuses a tag that is not the version of the tree."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(tag: str) -> None:
    for file, version in versions().items():
        if tag != f"v{version}":
            sys.exit(f"{file} has version {version}, the tag is {tag}")
    print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), tag.removeprefix("v")))


def versions() -> dict[str, str]:
    """Return the version that each file has that names one."""
    package = (ROOT / "irlint/__init__.py").read_text(encoding="utf-8")
    (ours,) = re.findall(r'^__version__ = "(.*)"', package, re.MULTILINE)
    extension = json.loads((ROOT / "lsp/vscode/package.json").read_text(encoding="utf-8"))
    return {"irlint/__init__.py": ours, "lsp/vscode/package.json": extension["version"]}


def notes(changelog: str, version: str) -> str:
    """Return what is below the heading of the version."""
    found = re.search(rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit(f"CHANGELOG.md has no heading `## {version} (DATE)`")
    return found[1].strip()


if __name__ == "__main__":
    main(*sys.argv[1:])
