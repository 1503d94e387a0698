"""S012 unrecognized-file."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class UnrecognizedFile(Rule):
    """
    What it does
        Finds files, named on the command line, that are no model file that irlint knows, and says what they
        seem to be: a web page in place of the download, a Git LFS pointer, an archive, another format.

    Why is this bad
        A check that passes over what it was asked to check would be worse than none. Files met in a folder are
        passed over; `--skip-unrecognized` passes over named ones too.

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
