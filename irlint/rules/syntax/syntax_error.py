"""S001 syntax-error."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, lightnet, prototext


class SyntaxError(Rule):
    """
    What it does
        Checks for syntax errors: a missing or extra comma, an unmatched bracket, single quotes, words without quotes.
        Each error is reported once, at the token where the reader gives up, and whatever can still be read is checked
        as well.

    Why is this bad
        No loader reads past it, and most print the rest of the file or a bare "parse error" instead of the location.

    Example
        ```json
        {"axis": 1, "len": 2,}
        ```

    Use instead
        ```json
        {"axis": 1, "len": 2}
        ```

    Fix safety
        Safe where only one reading is possible, as with a comma before a closing bracket.

        Unsafe where the fix is a guess: a missing bracket is inserted where the layout suggests it, and an extra
        bracket is removed.

    References
        RFC 8259, section 2: which characters may appear where.
    """

    row = R.syntax_error
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"len", "value": 2}]', '"len", "value": 2},]')), "lightnet", ",", LIGHTNET),
        Example(lightnet(('"value": [2, 3]', '"value": [2 3]')), "lightnet", "3", LIGHTNET.replace("[2, 3]", "[2, 3]")),
        Example(lightnet(('"value": false', '"value": False')), "lightnet", "False", LIGHTNET),
        Example(lightnet(('"value": [2, 3]', '"value": [2, 3}')), "lightnet", "}", LIGHTNET),
        Example(prototext(('"relu"\n', '"relu\n')), "onnx:prototext", '"'),
    )
