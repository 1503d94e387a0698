"""S012 unrecognized-file."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class UnrecognizedFile(Rule):
    """
    What it does
        Checks for files named on the command line that are not in a supported model format, and reports what they seem
        to be: a web page in place of the download, a Git LFS pointer, an archive, another format.

    Why is this bad
        A check that silently skips the file it was asked to check would be worse than none. Files found in a folder are
        skipped; `--skip-unrecognized` skips named ones too.

    Example
        ```json
        <!DOCTYPE html><title>404</title>
        ```

    Use instead
        ```json
        {"nodes": [], "arg_nodes": [], "heads": []}
        ```
    """

    row = R.unrecognized_file
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example("<!DOCTYPE html><title>404</title>\n", "", "<!DOCTYPE html><title>404</title>"),
        Example('{"a": 1}', "", '{"a": 1}'),
    )
