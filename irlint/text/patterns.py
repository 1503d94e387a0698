"""Regular expressions that are compiled when somebody first asks: most files never need most of them, and a start all the time."""

from __future__ import annotations

import re
from typing import Any


class LazyPattern:
    """Stands for a compiled pattern, and becomes one bit by bit."""

    def __init__(self, text: str, flags: int) -> None:
        self.made_of = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self.made_of), name)
        setattr(self, name, found)
        return found


def later(text: str, flags: int = 0) -> re.Pattern[str]:
    return LazyPattern(text, flags)  # type: ignore[return-value]
