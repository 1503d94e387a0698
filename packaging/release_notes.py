"""Prints the notes of a release, its part of the changelog: release_notes.py v0.1.0. Refuses a tag that is not the version of the tree."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PLACES = {  # file -> where its version is
    "irlint/__init__.py": r'^__version__ = "(.*)"',
    "lsp/vscode/package.json": r'^  "version": "(.*)"',
    "lsp/agents/.claude-plugin/plugin.json": r'^  "version": "(.*)"',
    "packaging/conda-forge/recipe.yaml": r'^  version: "(.*)"',
    "packaging/mason/package.yaml": r"^  id: pkg:pypi/irlint@(.*)",
    "README.md": r"^  rev: v(.*)",
    "docs/ci/pre-commit.md": r"^    rev: v(.*)",
    "docs/ci/github.md": r"irlint/irlint@v(.*)",
}


def main(tag: str) -> None:
    for file, version in versions().items():
        if tag != f"v{version}":
            sys.exit(f"{file} has version {version}, the tag is {tag}")
    print(notes(_text("CHANGELOG.md"), tag.removeprefix("v")))


def versions() -> dict[str, str]:
    """Return the version that each file has that names one."""
    return {file: re.findall(pattern, _text(file), re.MULTILINE)[0] for file, pattern in PLACES.items()}


def notes(changelog: str, version: str) -> str:
    """Return what is below the heading of the version."""
    found = re.search(rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit(f"CHANGELOG.md has no heading `## {version} (DATE)`")
    return found[1].strip()


def _text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
