"""I001 internal-error."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class InternalError(Rule):
    """
    What it does
        Reports that irlint itself failed on the file: its code raised an exception. The other files are still checked.
        The finding cannot be turned off, suppressed or made milder, and is not cached.

    Why is this bad
        Nothing more is known of the file, or not all: what else is wrong with it may be missing from the report.

    Example
        ```text
        model.xml:1:1: I001[internal-error] error: internal error in irlint: RecursionError: maximum recursion depth exceeded
        (irlint 1.0.0, formats/openvino/reading/reader.py:120); please report it at https://github.com/irlint/irlint/issues
        ```

    Use instead
        Report the message, with the file if it may be shared. With the environment variable `IRLINT_RAISE` set, irlint
        ends with the exception instead, and with `IRLINT_DEBUG` set it prints the traceback, too. Until the bug is fixed,
        leave the file out with `--exclude`.
    """

    row = R.internal_error
    valid = (Example(LIGHTNET, "lightnet"),)
