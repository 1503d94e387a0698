"""O001 unknown-operator."""

from __future__ import annotations

from irlint.codes import R
from irlint.findings import Fix, Problem
from irlint.operators import OperatorTable
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET, SYMBOL, lightnet, symbol
from irlint.text.base import Document, Place


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

    @classmethod
    def problem(cls, at: Place, op: str, table: OperatorTable, title: str, node: str | None = None) -> Problem:
        """Return the problem; `title` is the name of the format, such as LightNet."""
        meant = table.nearest(op)
        message = f"unknown operator `{op}`"
        if meant is None:
            return Problem(R.unknown_operator, at, message, node)

        def fix(document: Document) -> Fix:
            return Fix(f"Rename to `{meant}`", document.write(at, meant), "unsafe")

        return Problem(R.unknown_operator, at, f"{message}; did you mean `{meant}`?", node, fix)
