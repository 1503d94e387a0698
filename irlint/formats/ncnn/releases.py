"""Releases of the runtime, named by their dates: 20240410."""

from __future__ import annotations

from irlint.rules.base import Model
from irlint.text.numbers import decimal

STRICT = 20261020  # since then a file is validated; before, it is believed, and what is wrong is computed or crashes

PACKAGE = "1.0."  # what versions of the Python package begin with


def oldest(model: Model) -> int:
    """Return the release that the file is meant for: the newest, unless the user names one."""
    word = model.targets.get("ncnn", "").removeprefix(PACKAGE)
    return decimal(word) or STRICT
