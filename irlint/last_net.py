"""The last net: an exception in the check of one file becomes one finding of this file, so that others are still checked.

`Exception` is caught, MemoryError and RecursionError included. Ctrl-C and a lint that the language server gives up derive from
BaseException and pass. The tests set IRLINT_RAISE, with which every exception passes, so that none of them passes thanks to the net.
"""

from __future__ import annotations

import os
import sys
from traceback import print_exception, walk_tb

from irlint.codes import R
from irlint.findings import Finding
from irlint.formats.base import all_formats
from irlint.rules.registry import verify_plugins
from irlint.text.base import Span

REPORT_AT = "https://github.com/irlint/irlint/issues"
_PACKAGE = os.path.dirname(__file__) + os.sep


def failure(error: Exception) -> Finding:
    """Return the finding for an exception; raise PluginError instead if a plug-in cannot be loaded: no file is to blame for that."""
    if os.environ.get("IRLINT_RAISE"):
        raise error
    all_formats()
    verify_plugins()
    if os.environ.get("IRLINT_DEBUG"):
        print_exception(error)
    rule = R.internal_error
    message = f"internal error in irlint: {words_of(error)} {bug_report(error)}"
    return Finding(rule.code, rule.name, rule.severity, message, Span(0, 0))


def words_of(error: BaseException) -> str:
    """Return an exception in one line."""
    words = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}{words and f': {words}'}"


def bug_report(error: BaseException) -> str:
    """Return what a report of a bug has to say, and where to make it."""
    version = sys.modules["irlint"].__version__  # the package itself imports the engine
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [f"{name.removeprefix(_PACKAGE)}:{line}" for name, line in frames if name.startswith(_PACKAGE)]
    place = f", {own[-1]}" if own else ""
    return f"(irlint {version}{place}); please report it at {REPORT_AT}"
