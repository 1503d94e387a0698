"""S013 comment."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, symbol


class Comment(Rule):
    """
    What it does
        Checks for comments in places where the format has none, such as `//` and `/* */` in JSON.

    Why is this bad
        JSON has no comments. LightNet removes them before it reads the file, so there this is only a note; every other
        reader stops at them.

    Example
        ```json
        // 3 x 3 images
        {"dims": [3, 3]}
        ```

    Use instead
        ```json
        {"dims": [3, 3]}
        ```

    Fix safety
        Removes the comments. Safe: the reader refused the file because of them. Comments in LightNet files and listings
        stay, as their readers accept them.

    References
        RFC 8259 does not define comments.
    """

    row = R.comment
    fixable = "safe"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example("// a model\n" + LIGHTNET, "lightnet", "// a model"),
        Example(
            symbol(('  "heads"', '  // the output\n  "heads"')),
            "nnvm",
            "// the output",
            symbol(('  "heads"', '  \n  "heads"')),
        ),
    )
