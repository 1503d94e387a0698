"""What a foreign file seems to be."""

from __future__ import annotations


def describe(text: str) -> str:
    """A few words on what a file seems to be."""
    if not text:
        return "the file is empty"
    if not text.strip():
        return "the file is blank"
    if text.startswith("version https://git-lfs.github.com/spec/"):
        return "it is a Git LFS pointer; fetch the file itself with `git lfs pull`"
    return "it looks like some other file"
