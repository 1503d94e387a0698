"""Helpers that know nothing of models. Here are errors, those of the user and those of irlint itself in words, and patterns."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

REPORT_AT = "https://github.com/irlint/irlint/issues"
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class UserError(Exception):
    """What is wrong with the usage, the configuration, or a file that the user named. Its arguments are lines for stderr."""


def words_of(error: BaseException) -> str:
    """Return an exception in one line."""
    words = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}{words and f': {words}'}"


def bug_report(error: BaseException) -> str:
    """Return what a report of a bug has to say, and where to make it."""
    from traceback import walk_tb

    version = sys.modules["irlint"].__version__  # the package itself imports the engine
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [k for k, (name, _) in enumerate(frames) if name.startswith(_PACKAGE)]
    called = frames[own[-1] : own[-1] + 2] if own else []  # what irlint called last may be a plug-in's
    places = [f"{os.path.join(*name.removeprefix(_PACKAGE).split(os.sep)[-3:])}:{line}" for name, line in called]
    return f"({', '.join([f'irlint {version}', *places])}); please report it at {REPORT_AT}"


class LazyPattern:
    """Stands for a compiled pattern, and becomes one bit by bit."""

    def __init__(self, text: str, flags: int) -> None:
        self.made_of = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self.made_of), name)
        setattr(self, name, found)
        return found


def later(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled on first use: most files never need most of them, and every start would pay for all of them."""
    return LazyPattern(text, flags)  # type: ignore[return-value]
