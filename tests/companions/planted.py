"""Contradictions planted in folders that are right: an edit, and the token at which it is found. Written before the checks."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import NamedTuple

Files = Mapping[str, str]


class Planted(NamedTuple):
    """`at`: the companion, which is edited unless `edited` is another file; `fixed`: the fix, of this safety, takes the edit back."""

    files: Files
    at: str
    old: str
    new: str
    code: str
    token: str
    fixed: str = ""
    edited: str = ""

    def written(self) -> dict[str, str]:
        edited = self.edited or self.at
        text = self.files[edited]
        assert self.old in text, self.old
        return {**self.files, edited: text.replace(self.old, self.new, 1)}


def zeros(name: str, *sizes: int) -> str:
    """An initializer of ONNX as text."""
    return f"float[{','.join(map(str, sizes))}] {name} = {{{', '.join(['0'] * prod(sizes))}}}"


def write(files: Files, folder: Path) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
