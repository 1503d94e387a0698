"""What a family of hostile files is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Text = Callable[[int], "str | bytes"]


class Family(NamedTuple):
    """`form` is a format, or `yaml` or `toml` for a configuration; `size` is how many cost a few hundredths of a second."""

    form: str
    text: Text
    size: int = 2000


def each(size: int, text: str, between: str = "") -> str:
    """Return a text for each number, which replaces # in it, the one before @."""
    return between.join([text.replace("#", str(k)).replace("@", str(max(k - 1, 0))) for k in range(size)])
