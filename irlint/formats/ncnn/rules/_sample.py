"""Examples of the small network."""

from __future__ import annotations

from irlint.rules.base import Example
from irlint.rules.samples import network


def example(token: str | None = None, *changes: tuple[str, str], fixed: str | None = None) -> Example:
    return Example(network(*changes), "ncnn", token, fixed)
