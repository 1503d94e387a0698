"""Pages of rules about safety, and about irlint itself."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class DocumentType(Rule):
    """
    What it does
        Checks for a DOCTYPE, and for elements that include other files.

    Why is this bad
        Entities can refer to files and URLs, or grow to gigabytes when they are expanded. No model format needs them.
        irlint never expands an entity and never fetches anything; other XML tools may.

    References
        [XML external entities](https://owasp.org/www-community/vulnerabilities/XML_External_Entity_%28XXE%29_Processing)
    """

    row = R.document_type


class UnsafePath(Rule):
    """
    What it does
        Checks for a weights file next to a model that is a symbolic link out of the model's folder.

    Why is this bad
        The author of a model could make the reader open any file on the machine. irlint does not open such a file.
        Links within the folder that the model itself is linked from, as in model caches, are allowed.
    """

    row = R.unsafe_path


class CheckIncomplete(Rule):
    """
    What it does
        Reports that the check of a file was not finished, and what was left out. Each file has a budget of work: four
        million steps, and two more for each of its characters. The models that irlint is tested with and that runtimes
        load take less than a quarter of it. It counts steps, not seconds, so that a file has the same findings on every
        machine.

    Why is this bad
        Files that are made to keep a reader busy would stop the check of all others. What was left out may hide other
        findings.

    Example
        ```text
        model.onnx:1:1: I002[check-incomplete] warning: the check is incomplete: it stopped at 6,400,000 steps of work;
        left out: 40,000 types of nodes
        ```

    Use instead
        Fix the other findings, of which there may be very many with one cause. If there are none, report a bug at
        https://github.com/irlint/irlint/issues.
    """

    row = R.check_incomplete


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
