"""O001 unknown-operator."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol


class UnknownOperator(Rule):
    """
    What it does
        Checks for operators with a type that the format does not define.

    Why is this bad
        The loader looks the type up, case-sensitively, and stops when there is no such operator.

    Example
        ```json
        {"name": "cut", "optype": "Slice"}
        ```

    Use instead
        ```json
        {"name": "cut", "optype": "slice"}
        ```

    Fix safety
        Safe where only the spelling changes: `null` for `Null` in an NNVM graph; in OpenVINO IR, `Const` for
        `Constant`, or another letter case that the reader accepts.

        Unsafe elsewhere: the fix writes the operator with the most similar name, which is a guess.
    """

    row = R.unknown_operator
    fixable = "mixed"
    valid = (Example(LIGHTNET, "lightnet"),)
    invalid = (
        Example(lightnet(('"slice"', '"Slice"')), "lightnet", '"Slice"', LIGHTNET),
        Example(lightnet(('"slice"', '"rotate90"')), "lightnet", '"rotate90"'),
        Example(
            symbol(('"op": "null", "name": "data"', '"op": "Null", "name": "data"')), "nnvm:mxnet", '"Null"', SYMBOL
        ),
    )
