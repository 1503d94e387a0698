"""TVM graph-executor files."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.nnvm.view import View
from irlint.rules.base import Model


def check(model: Model, view: View, valid: bool) -> Iterator[Problem]:
    return iter(())
